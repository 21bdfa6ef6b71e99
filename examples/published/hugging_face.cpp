#include "examples/published/hugging_face.h"

#include "examples/published/config.h"
#include "nn/save/json.h"
#include "nn/save/safetensors.h"
#include "tensor/compare.h"
#include "tensor/io/file.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"

#include <set>

namespace regard::nn {
namespace {

constexpr const char* config_file = "config.json";
constexpr const char* tensors_file = "model.safetensors";
constexpr const char* index_file = "model.safetensors.index.json";

// Tables of frequencies that older files hold, which follow from rope_theta, and the output matrix of a tied model,
// which must be the embedding.
void leave_out_repetitions(LlamaCheckpoint& checkpoint, const std::string& file) {
  std::erase_if(checkpoint.tensors, [](const auto& item) { return item.first.ends_with(".rotary_emb.inv_freq"); });
  const auto output = checkpoint.tensors.find("lm_head.weight"),
             input = checkpoint.tensors.find("model.embed_tokens.weight");
  if (!checkpoint.options.tied || output == checkpoint.tensors.end() || input == checkpoint.tensors.end()) return;
  if (!identical(output->second, input->second))
    malformed(file, "it has a lm_head.weight that is not model.embed_tokens.weight, and {} says they are tied",
              config_file);
  checkpoint.tensors.erase(output);
}

// Biases and norms are small: they are widened. Gemma's files hold its norms less 1.
void widen_vectors(LlamaCheckpoint& checkpoint) {
  for (auto& [name, x] : checkpoint.tensors) {
    if (x.rank() == 2) continue;
    if (x.dtype() == DType::bf16) x = to(x, DType::f32);
    if (checkpoint.options.gemma && name.ends_with("norm.weight")) x = x + 1;
  }
}

// gpt-oss holds the experts of a layer in one piece, matrices as (in, out), with columns of gate and up in turn.
void cut_experts(LlamaCheckpoint& checkpoint, const std::string& file) {
  const LlamaOptions& o = checkpoint.options;
  const std::int64_t experts = o.gpt_oss->experts;
  for (std::int64_t layer = 0; layer < o.layers; ++layer) {
    const std::string at = fmt::format("model.layers.{}.mlp.experts.", layer);
    const auto take = [&](const char* name, const Shape& shape) {
      auto found = checkpoint.tensors.extract(at + name);
      if (found.empty()) malformed(file, "the tensor {}{} is missing", at, name);
      if (found.mapped().shape() != shape)
        malformed(file, "the tensor {}{} is {}, and should be {}", at, name, found.mapped().shape(), shape);
      return found.mapped();
    };
    const Tensor both = take("gate_up_proj", {experts, o.model, 2 * o.hidden}),
                 biases = take("gate_up_proj_bias", {experts, 2 * o.hidden}),
                 down = take("down_proj", {experts, o.hidden, o.model}),
                 down_bias = take("down_proj_bias", {experts, o.model});
    for (std::int64_t e = 0; e < experts; ++e) {
      const auto put = [&](const char* name, const Tensor& x) {
        checkpoint.tensors.emplace(fmt::format("{}{}.{}", at, e, name), contiguous(x));
      };
      const Tensor rows = transpose(select(both, 0, e)), bias = select(biases, 0, e);
      put("gate.weight", slice(rows, 0, 0, to_end, 2)), put("gate.bias", slice(bias, 0, 0, to_end, 2));
      put("up.weight", slice(rows, 0, 1, to_end, 2)), put("up.bias", slice(bias, 0, 1, to_end, 2));
      put("down.weight", transpose(select(down, 0, e))), put("down.bias", select(down_bias, 0, e));
    }
  }
}

LlamaCheckpoint checkpoint_of(const PublishedConfig& config, std::map<std::string, Tensor> tensors,
                              const std::string& file) {
  LlamaCheckpoint checkpoint{config.options, std::move(tensors), config.ends};
  leave_out_repetitions(checkpoint, file);
  if (config.options.gpt_oss) cut_experts(checkpoint, file);
  widen_vectors(checkpoint);
  if (const std::string fault = fault_of(checkpoint); !fault.empty()) malformed(file, "{}", fault);
  return checkpoint;
}

// The files that an index names; each holds some of the tensors.
std::set<std::string> files_of_index(const std::filesystem::path& folder) {
  const std::string file = (folder / index_file).string();
  const Json root = parse_json(read_file(file), {.file = file, .part = "the file", .depth = 3});
  const Json* map = root.find("weight_map");
  if (!map || !map->get_if<JsonObject>()) malformed(file, "it has no weight_map, which says where each tensor is");
  std::set<std::string> files;
  for (const auto& [tensor, place] : *map->get_if<JsonObject>()) {
    const auto* name = place.get_if<std::string>();
    if (!name || name->find('/') != std::string::npos)
      malformed(file, "the tensor {} is in {}, which is no file of the folder", tensor, excerpt(place));
    files.insert(*name);
  }
  return files;
}
}  // namespace

LlamaCheckpoint load_hugging_face(const std::filesystem::path& folder) {
  const std::string config = read_file(folder / config_file);
  if (std::filesystem::exists(folder / tensors_file) || !std::filesystem::exists(folder / index_file))
    return parse_hugging_face(config, read_file(folder / tensors_file), folder.string());
  const PublishedConfig known = parse_config(config, (folder / config_file).string());
  std::map<std::string, Tensor> tensors;
  for (const std::string& name : files_of_index(folder))
    for (auto& [tensor, value] : load_safetensors(folder / name, StoredBf16::kept).tensors)
      if (!tensors.emplace(tensor, value).second)
        malformed((folder / name).string(), "the tensor {} is in another file, too", tensor);
  return checkpoint_of(known, std::move(tensors), (folder / index_file).string());
}

LlamaCheckpoint parse_hugging_face(std::string_view config, std::string_view safetensors, const std::string& folder) {
  const std::string tensors_name = folder + "/" + tensors_file;
  const PublishedConfig known = parse_config(config, folder + "/" + config_file);
  return checkpoint_of(known, parse_safetensors(safetensors, tensors_name, StoredBf16::kept).tensors, tensors_name);
}

void save_hugging_face(const std::filesystem::path& folder, const LlamaCheckpoint& checkpoint) {
  if (const std::string fault = fault_of(checkpoint); !fault.empty()) fail<ValueError>("save_hugging_face: {}", fault);
  if (!is_plain(checkpoint.options))
    fail<ValueError>("save_hugging_face: it writes Llamas, and none of their relatives");
  std::filesystem::create_directories(folder);
  save_safetensors(folder / tensors_file,
                   {with_layout(checkpoint, RotaryLayout::halves).tensors, {{"format", "pt"}}});  // readers ask for it
  write_file(folder / config_file, config_of(checkpoint.options));
}

}  // namespace regard::nn
