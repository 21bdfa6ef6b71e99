#include "examples/published/from_checkpoint.h"

#include "examples/published/by_columns.h"
#include "nn/layers/in_bf16.h"
#include "nn/save/save.h"

#include <algorithm>

namespace regard::nn {
namespace {

template <class Checkpoint, class Options>
DecoderModel filled(Checkpoint checkpoint, DecoderModel (*make)(const Options&, Generator&),
                    std::string (*name_in_file)(const std::string&), const FromCheckpointOptions& options,
                    const char* source) {
  const bool all_are_bf16 = std::ranges::all_of(checkpoint.tensors, [](const auto& named) {
    return named.second.rank() != 2 || named.second.dtype() == DType::bf16;
  });
  const DType of_matrices = options.dtype.value_or(all_are_bf16 ? DType::bf16 : DType::f32);
  const DType of_vectors = of_matrices == DType::bf16 ? DType::f32 : of_matrices;
  checkpoint.options.dtype = of_vectors;
  checkpoint.options.method = options.method;
  Generator unused(0);  // every number that is drawn is replaced
  DecoderModel model = make(checkpoint.options, unused);
  if (of_matrices == DType::bf16) store_in_bf16(model);
  for (auto& [name, tensor] : checkpoint.tensors) tensor = to(tensor, tensor.rank() == 2 ? of_matrices : of_vectors);
  load(model, TensorFile{std::move(checkpoint.tensors), {}}, {.name_in_file = name_in_file, .weights_only = true},
       source);
  if (of_matrices != DType::bf16) store_by_columns(model);
  eval(model);
  return model;
}

}  // namespace

Llama llama_from(const LlamaCheckpoint& checkpoint, const FromCheckpointOptions& options) {
  return filled(checkpoint, make_llama, checkpoint.options.gemma ? gemma_name : hugging_face_name, options,
                "llama_from");
}

Gpt gpt_from(const MinGptCheckpoint& checkpoint, const FromCheckpointOptions& options) {
  return filled(checkpoint, make_gpt, min_gpt_name, options, "gpt_from");
}

LlamaCheckpoint checkpoint_of(Llama& model, const LlamaOptions& options) {
  LlamaCheckpoint checkpoint{options, {}};
  const auto name_in_file = options.gemma ? gemma_name : hugging_face_name;
  for (const auto& [name, parameter] : named_parameters(model))
    checkpoint.tensors.emplace(name_in_file(name), to(parameter.value(), DType::f32));
  if (const std::string fault = fault_of(checkpoint); !fault.empty()) fail<ValueError>("checkpoint_of: {}", fault);
  return checkpoint;
}

}  // namespace regard::nn
