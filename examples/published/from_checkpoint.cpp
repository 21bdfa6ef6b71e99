#include "examples/published/from_checkpoint.h"

#include "nn/layers/by_columns.h"
#include "nn/save/save.h"

namespace regard::nn {
namespace {

template <class Checkpoint, class Options>
DecoderModel filled(Checkpoint checkpoint, DecoderModel (*make)(const Options&, Generator&),
                    std::string (*name_in_file)(const std::string&), const FromCheckpointOptions& options,
                    const char* source) {
  checkpoint.options.dtype = options.dtype;
  checkpoint.options.method = options.method;
  Generator unused(0);  // every number that is drawn is replaced
  DecoderModel model = make(checkpoint.options, unused);
  for (auto& [name, tensor] : checkpoint.tensors) tensor = to(tensor, options.dtype);
  load(model, TensorFile{std::move(checkpoint.tensors), {}}, {.name_in_file = name_in_file, .weights_only = true},
       source);
  store_by_columns(model);
  eval(model);
  return model;
}

}  // namespace

Llama llama_from(const LlamaCheckpoint& checkpoint, const FromCheckpointOptions& options) {
  return filled(checkpoint, make_llama, hugging_face_name, options, "llama_from");
}

Gpt gpt_from(const MinGptCheckpoint& checkpoint, const FromCheckpointOptions& options) {
  return filled(checkpoint, make_gpt, min_gpt_name, options, "gpt_from");
}

LlamaCheckpoint checkpoint_of(Llama& model, const LlamaOptions& options) {
  LlamaCheckpoint checkpoint{options, {}};
  for (const auto& [name, parameter] : named_parameters(model))
    checkpoint.tensors.emplace(hugging_face_name(name), to(parameter.value(), DType::f32));
  if (const std::string fault = fault_of(checkpoint); !fault.empty()) fail<ValueError>("checkpoint_of: {}", fault);
  return checkpoint;
}

}  // namespace regard::nn
