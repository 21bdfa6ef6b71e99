#include "examples/published/llama2c.h"

#include "examples/published/bytes.h"
#include "nn/save/json.h"
#include "tensor/create.h"
#include "tensor/io/file.h"
#include "tensor/io/stored.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {
namespace {

constexpr std::uint32_t magic = 0x616b3432;
constexpr std::size_t short_header = 28, long_header = 256;

// Versions 1 and 2 have the norms first. Of each half, the order is that of llama_tensors.
bool is_norm(const LlamaTensor& kind) { return kind.shape.rank() == 1; }
std::vector<LlamaTensor> norms_first(const LlamaOptions& options) {
  std::vector<LlamaTensor> kinds = llama_tensors(options);
  std::stable_partition(kinds.begin(), kinds.end(), is_norm);
  return kinds;
}

// Cosines and sines of all positions, which version 0 has behind the last norm.
constexpr std::string_view before_tables = "model.norm.weight";
double table_count(const LlamaOptions& o) {
  return static_cast<double>(o.longest) * static_cast<double>(o.head_size());
}

class Llama2cReader {
 public:
  Llama2cReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  LlamaCheckpoint read() {
    if (bytes_.size() < short_header)
      malformed(file_, "a file of llama2.c starts with {} bytes of sizes; this one ends after {}", short_header,
                bytes_.size());
    if (number_at<std::uint32_t>(bytes_, 0) != magic) return read_version_0();
    if (bytes_.size() < long_header)
      malformed(file_, "the header has {} bytes, and the file {}: it is cut off", long_header, bytes_.size());
    const auto version = number_at<std::int32_t>(bytes_, 4);
    if (version != 1 && version != 2) malformed(file_, "version {} of the format is unknown", version);
    return version == 1 ? read_version_1() : read_version_2();
  }

 private:
  LlamaCheckpoint read_version_0() {
    LlamaOptions options = read_sizes(0);
    options.tied = options.vocabulary > 0;
    options.vocabulary = std::abs(options.vocabulary);
    require_possible(options);
    require_length(short_header + 4 * (number_count(options) + table_count(options)));
    LlamaCheckpoint checkpoint = begin(options, short_header);
    for (const LlamaTensor& kind : llama_tensors(options)) {
      read_numbers(kind, checkpoint);
      if (kind.name == before_tables) take(4 * static_cast<std::size_t>(table_count(options)));
    }
    return checkpoint;
  }

  LlamaCheckpoint read_version_1() {
    const LlamaOptions options = read_long_header(37);
    require_length(long_header + 4 * number_count(options));
    LlamaCheckpoint checkpoint = begin(options, long_header);
    for (const LlamaTensor& kind : norms_first(options)) read_numbers(kind, checkpoint);
    return checkpoint;
  }

  LlamaCheckpoint read_version_2() {
    const auto group = number_at<std::int32_t>(bytes_, 37);
    const LlamaOptions options = read_long_header(41);
    double length = long_header;
    for (const LlamaTensor& kind : llama_tensors(options)) {
      const double numbers = number_count_of(kind);
      if (!is_norm(kind) && (group < 1 || std::fmod(numbers, group) != 0))
        malformed(file_, "groups of {} do not divide {} {}", group, kind.name, kind.shape);
      length +=
          static_cast<double>(kind.count(options)) * (is_norm(kind) ? 4 * numbers : numbers + 4 * numbers / group);
    }
    require_length(length);
    LlamaCheckpoint checkpoint = begin(options, long_header);
    for (const LlamaTensor& kind : norms_first(options))
      is_norm(kind) ? read_numbers(kind, checkpoint) : read_groups(kind, group, checkpoint);
    return checkpoint;
  }

  // Of version 1 and 2, whose last bytes, from `end` on, are zeros.
  LlamaOptions read_long_header(std::size_t end) {
    LlamaOptions options = read_sizes(8);
    const auto tied = number_at<std::uint8_t>(bytes_, 36);
    if (tied > 1) malformed(file_, "whether the output is tied is 0 or 1, and not {}", tied);
    options.tied = tied == 1;
    for (std::size_t i = end; i < long_header; ++i)
      if (bytes_[i] != 0) malformed(file_, "byte {} of the header is not 0", i);
    require_possible(options);
    return options;
  }

  LlamaOptions read_sizes(std::size_t place) const {
    std::int64_t n[7];
    for (std::size_t i = 0; i < 7; ++i) n[i] = number_at<std::int32_t>(bytes_, place + 4 * i);
    return {.model = n[0],
            .hidden = n[1],
            .layers = n[2],
            .heads = n[3],
            .key_value_heads = n[4],
            .vocabulary = n[5],
            .longest = n[6],
            .layout = RotaryLayout::interleaved};
  }

  void require_possible(const LlamaOptions& options) const {
    if (const std::string fault = fault_of(options); !fault.empty())
      malformed(file_, "{} (is it a file of llama2.c?)", fault);
  }
  void require_length(double wanted) const {
    if (static_cast<double>(bytes_.size()) != wanted)
      malformed(file_,
                "it has {} bytes, and one with the sizes of its header has {:.0f}: it is cut off, or another file",
                bytes_.size(), wanted);
  }

  LlamaCheckpoint begin(const LlamaOptions& options, std::size_t header) {
    place_ = header;
    return {options, {}};
  }

  void read_numbers(const LlamaTensor& kind, LlamaCheckpoint& checkpoint) {
    for (std::int64_t layer = 0; layer < kind.count(checkpoint.options); ++layer)
      checkpoint.tensors.emplace(kind.full_name(layer), widen(take(4 * count_of(kind)), StoredType::f32, kind.shape));
  }
  void read_groups(const LlamaTensor& kind, std::int64_t group, LlamaCheckpoint& checkpoint) {
    const auto groups = static_cast<std::int64_t>(count_of(kind)) / group;
    for (std::int64_t layer = 0; layer < kind.count(checkpoint.options); ++layer) {
      const Tensor whole = to(widen(take(count_of(kind)), StoredType::i8, {groups, group}), DType::f32);
      const Tensor scales = widen(take(4 * static_cast<std::size_t>(groups)), StoredType::f32, {groups, 1});
      checkpoint.tensors.emplace(kind.full_name(layer), reshape(whole * scales, kind.shape));
    }
  }

  static double number_count_of(const LlamaTensor& kind) {
    double count = 1;
    for (const std::int64_t size : kind.shape) count *= static_cast<double>(size);
    return count;
  }
  static std::size_t count_of(const LlamaTensor& kind) { return static_cast<std::size_t>(kind.shape.numel()); }

  std::string_view take(std::size_t size) {
    const std::string_view taken = bytes_.substr(place_, size);
    place_ += size;
    return taken;
  }

  std::string_view bytes_;
  const std::string& file_;
  std::size_t place_ = 0;
};

void append(std::string& bytes, const Tensor& x) {
  const Tensor packed = contiguous(to(x, DType::f32));
  bytes.append(reinterpret_cast<const char*>(packed.data<float>()), static_cast<std::size_t>(packed.numel()) * 4);
}

std::string header_of(const LlamaOptions& o, Llama2cVersion version) {
  std::string bytes;
  const bool is_new = version == Llama2cVersion::v1;
  if (is_new) {
    append_number(bytes, magic);
    append_number(bytes, std::int32_t{1});
  }
  const std::int64_t vocabulary = is_new || o.tied ? o.vocabulary : -o.vocabulary;
  for (const std::int64_t n : {o.model, o.hidden, o.layers, o.heads, o.key_value_heads, vocabulary, o.longest})
    append_number(bytes, static_cast<std::int32_t>(n));
  if (is_new) {
    append_number(bytes, static_cast<std::uint8_t>(o.tied));
    bytes.resize(long_header);
  }
  return bytes;
}

void append_tables(std::string& bytes, const LlamaOptions& o) {
  const Tensor steps = arange(0, static_cast<double>(o.head_size()), 2, DType::f64);
  const Tensor frequencies = exp(steps * (-std::log(o.rotary_base) / static_cast<double>(o.head_size())));
  const Tensor angles = unsqueeze(arange(o.longest, DType::f64), 1) * frequencies;
  append(bytes, to(cos(angles), DType::f32));
  append(bytes, to(sin(angles), DType::f32));
}

}  // namespace

LlamaCheckpoint load_llama2c(const std::filesystem::path& path) {
  return parse_llama2c(read_file(path), path.string());
}

LlamaCheckpoint parse_llama2c(std::string_view bytes, const std::string& file) {
  return Llama2cReader(bytes, file).read();
}

void save_llama2c(const std::filesystem::path& path, const LlamaCheckpoint& checkpoint, Llama2cVersion version) {
  if (const std::string fault = fault_of(checkpoint); !fault.empty()) fail<ValueError>("save_llama2c: {}", fault);
  const LlamaOptions& options = checkpoint.options;
  if (options.norm_epsilon != 1e-5 || options.rotary_base != 10000)
    fail<ValueError>("save_llama2c: an epsilon of {} and a base of {}: the format has 1e-05 and 10000 only",
                     options.norm_epsilon, options.rotary_base);
  if (!is_plain(options)) fail<ValueError>("save_llama2c: the format has Llamas only, and none of their relatives");
  const LlamaCheckpoint paired = with_layout(checkpoint, RotaryLayout::interleaved);
  const bool is_old = version == Llama2cVersion::v0;
  std::string bytes = header_of(options, version);
  for (const LlamaTensor& kind : is_old ? llama_tensors(options) : norms_first(options)) {
    for (std::int64_t layer = 0; layer < kind.count(options); ++layer)
      append(bytes, paired.tensors.at(kind.full_name(layer)));
    if (is_old && kind.name == before_tables) append_tables(bytes, options);
  }
  write_file(path, bytes);
}

}  // namespace regard::nn
