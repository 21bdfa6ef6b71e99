#include "examples/published/mingpt.h"

#include "examples/published/base64.h"
#include "nn/save/json.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/io/file.h"
#include "tensor/io/stored.h"
#include "tensor/ops/index.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard::nn {
namespace {

using Tensors = std::map<std::string, Tensor>;

class JsonTensorReader {
 public:
  JsonTensorReader(std::string_view text, const std::string& file)
      : file_(file), root_(parse_json(text, {.file = file, .part = "the file", .depth = 3})) {
    if (!root_.get_if<JsonObject>()) malformed(file_, "it is not an object of tensors");
  }

  Tensors tensors() const {
    Tensors all;
    for (const auto& [name, value] : *root_.get_if<JsonObject>())
      if (name != "config") all.emplace(name, tensor("the tensor " + in_quotes(name), value));
    return all;
  }

  GptOptions options() const {
    const Json* config = root_.find("config");
    if (!config) malformed(file_, "it has no config");
    const auto size = [&](const char* key) {
      const Json* value = config->find(key);
      if (!value || !value->is_size() || value->size() < 1 || value->size() > INT32_MAX)
        malformed(file_, "the config has no {} of 1 or more: {}", key, excerpt(*config));
      return value->size();
    };
    return {.model = size("n_embd"),
            .layers = size("n_layer"),
            .heads = size("n_head"),
            .vocabulary = size("vocab_size"),
            .longest = size("block_size"),
            .tied = false};
  }

 private:
  Tensor tensor(const std::string& what, const Json& value) const {
    const Json *shape = value.find("shape"), *dtype = value.find("dtype"), *data = value.find("data");
    if (!shape || !dtype || !data) malformed(file_, "{} has no shape, no dtype or no data", what);
    if (*dtype != Json{std::string("torch.float32")})
      malformed(file_, "{} has the dtype {} (torch.float32 can be read)", what, excerpt(*dtype));
    const auto* text = data->get_if<std::string>();
    const auto bytes = text ? from_base64(*text) : std::nullopt;
    if (!bytes) malformed(file_, "the data of {} are not base64", what);
    const Shape sizes = shape_of(what, *shape);
    if (bytes->size() != static_cast<std::size_t>(sizes.numel()) * 4)
      malformed(file_, "{} has {} bytes of data, where f32 {} takes {}", what, bytes->size(), sizes, sizes.numel() * 4);
    return widen(*bytes, StoredType::f32, sizes);
  }

  Shape shape_of(const std::string& what, const Json& value) const {
    const auto* sizes = value.get_if<JsonList>();
    const auto is_possible = [](const Json& size) { return size.is_size() && size.size() <= INT32_MAX; };
    if (!sizes || sizes->size() > Shape::max_rank || !std::all_of(sizes->begin(), sizes->end(), is_possible))
      malformed(file_, "{} has the shape {}, which is none", what, excerpt(value));
    Shape shape;
    for (const Json& size : *sizes) shape.push_back(size.size());
    try {
      require_possible(shape);
    } catch (const ShapeError&) {
      malformed(file_, "{} has the shape {}, which has more elements than memory can hold", what, shape);
    }
    return shape;
  }

  const std::string& file_;
  Json root_;
};

// Takes the tensors of a minGPT out of those of a file, until nothing is left.
class MinGptReader {
 public:
  MinGptReader(Tensors tensors, const GptOptions& options, const std::string& file)
      : rest_(std::move(tensors)), options_(options), file_(file) {}

  MinGptCheckpoint read() {
    const std::int64_t e = options_.model, v = options_.vocabulary;
    if (e % options_.heads != 0) malformed(file_, "{} heads do not divide {} features", options_.heads, e);
    move("transformer.wte.weight", {v, e});
    move("transformer.wpe.weight", {options_.longest, e});
    for (std::int64_t n = 0; n < options_.layers; ++n) read_layer("transformer.h." + std::to_string(n) + ".");
    move_both("transformer.ln_f", {e});
    move("lm_head.weight", {v, e});
    if (!rest_.empty()) malformed(file_, "the tensor {} is no part of a minGPT", in_quotes(rest_.begin()->first));
    return {options_, std::move(found_)};
  }

 private:
  void read_layer(const std::string& layer) {
    const std::int64_t e = options_.model;
    move_both(layer + "ln_1", {e});
    take_mask(layer + "attn.bias");
    split_heads(layer + "attn.", "weight", {3 * e, e});
    split_heads(layer + "attn.", "bias", {3 * e});
    move_both(layer + "attn.c_proj", {e, e});
    move_both(layer + "ln_2", {e});
    move_both(layer + "mlp.c_fc", {4 * e, e});
    move_both(layer + "mlp.c_proj", {e, 4 * e});
  }

  Tensor take(const std::string& name, const Shape& shape) {
    const auto found = rest_.find(name);
    if (found == rest_.end()) malformed(file_, "the tensor {} is missing", name);
    const Tensor x = found->second;
    if (x.shape() != shape) malformed(file_, "the tensor {} is {}, and should be {}", name, x.shape(), shape);
    rest_.erase(found);
    return x;
  }
  void move(const std::string& name, const Shape& shape) { found_.emplace(name, take(name, shape)); }
  void move_both(const std::string& name, const Shape& weight) {
    move(name + ".weight", weight);
    move(name + ".bias", {weight[0]});
  }
  void split_heads(const std::string& attention, const std::string& kind, const Shape& shape) {
    const std::vector<Tensor> parts =
        split(take(attention + "c_attn." + kind, shape), {options_.model, options_.model, options_.model}, 0);
    const char* names[] = {"q.", "k.", "v."};
    for (std::size_t i = 0; i < 3; ++i) found_.emplace(attention + names[i] + kind, parts[i]);
  }
  // The causal mask, which is stored with the weights of each layer. It is not a bias, and is not needed.
  void take_mask(const std::string& name) {
    const std::int64_t p = options_.longest;
    if (!rest_.contains(name)) return;
    if (!identical(take(name, {1, 1, p, p}), reshape(tril(ones({p, p})), {1, 1, p, p})))
      malformed(file_, "the tensor {} is not the causal mask", name);
  }

  Tensors rest_, found_;
  GptOptions options_;
  const std::string& file_;
};

}  // namespace

MinGptCheckpoint load_mingpt(const std::filesystem::path& path) { return parse_mingpt(read_file(path), path.string()); }

MinGptCheckpoint parse_mingpt(std::string_view text, const std::string& file) {
  const JsonTensorReader reader(text, file);
  std::map<std::string, Tensor> tensors = reader.tensors();
  return MinGptReader(std::move(tensors), reader.options(), file).read();
}

std::map<std::string, Tensor> load_json_tensors(const std::filesystem::path& path) {
  const std::string text = read_file(path), file = path.string();
  return JsonTensorReader(text, file).tensors();
}

}  // namespace regard::nn
