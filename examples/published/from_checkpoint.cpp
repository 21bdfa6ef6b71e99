#include "examples/published/from_checkpoint.h"

#include "nn/layers/by_columns.h"
#include "nn/save/save.h"

namespace regard::nn {
namespace {

template <Module M>
void fill(M& model, std::map<std::string, Tensor> tensors, std::string (*name_in_file)(const std::string&),
          const FromCheckpointOptions& options, const char* source) {
  for (auto& [name, tensor] : tensors) tensor = to(tensor, options.dtype);
  load(model, TensorFile{std::move(tensors), {}}, {.name_in_file = name_in_file, .weights_only = true}, source);
  store_by_columns(model);
  eval(model);
}

}  // namespace

Llama llama_from(const LlamaCheckpoint& checkpoint, const FromCheckpointOptions& options) {
  const LlamaConfig& c = checkpoint.config;
  Generator unused(0);  // every number that is drawn is replaced
  Llama model = make_llama({.dim = c.dim,
                            .hidden = c.hidden,
                            .layers = c.layers,
                            .heads = c.heads,
                            .key_value_heads = c.key_value_heads,
                            .vocabulary = c.vocabulary,
                            .positions = c.positions,
                            .layout = checkpoint.layout,
                            .tied = c.tied,
                            .norm_epsilon = c.norm_epsilon,
                            .rotary_base = c.rotary_base,
                            .dtype = options.dtype,
                            .method = options.method},
                           unused);
  fill(model, checkpoint.tensors, hugging_face_name, options, "llama_from");
  return model;
}

Gpt gpt_from(const MinGptCheckpoint& checkpoint, const FromCheckpointOptions& options) {
  const MinGptConfig& c = checkpoint.config;
  Generator unused(0);
  Gpt model = make_gpt({.dim = c.dim,
                        .layers = c.layers,
                        .heads = c.heads,
                        .vocabulary = c.vocabulary,
                        .positions = c.positions,
                        .tied = false,
                        .dtype = options.dtype,
                        .method = options.method},
                       unused);
  fill(model, checkpoint.tensors, min_gpt_name, options, "gpt_from");
  return model;
}

LlamaCheckpoint checkpoint_of(Llama& model, const LlamaConfig& config, RotaryLayout layout) {
  LlamaCheckpoint checkpoint{config, layout, {}};
  for (const auto& [name, parameter] : named_parameters(model))
    checkpoint.tensors.emplace(hugging_face_name(name), to(parameter.value(), DType::f32));
  if (const std::string fault = fault_of(checkpoint); !fault.empty()) fail<ValueError>("checkpoint_of: {}", fault);
  return checkpoint;
}

}  // namespace regard::nn
