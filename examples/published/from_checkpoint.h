#pragma once

#include "examples/published/llama.h"
#include "examples/published/mingpt.h"
#include "examples/published/published.h"

namespace regard::nn {

struct FromCheckpointOptions {
  // None: f32, and matrices that the file has in bf16 stay so, and are multiplied so. bf16: matrices become that.
  std::optional<DType> dtype = {};
  Method method = Method::fused;
};

// A model with published weights, ready to write: dropout is off, and matrices are stored by columns, unless they are
// bf16. It turns pairs as the format of its file does.
//
//   Llama llama = llama_from(load_llama2c("stories260K.bin"));
//   Gpt gpt = gpt_from(load_mingpt("gpt-nano-sort-model.json"));
Llama llama_from(const LlamaCheckpoint& checkpoint, const FromCheckpointOptions& options = {});
Gpt gpt_from(const MinGptCheckpoint& checkpoint, const FromCheckpointOptions& options = {});

// The other way: the weights of a model with these options, which save_llama2c and save_hugging_face can write.
LlamaCheckpoint checkpoint_of(Llama& model, const LlamaOptions& options);

}  // namespace regard::nn
