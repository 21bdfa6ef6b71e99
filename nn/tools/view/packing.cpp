#include "nn/tools/view/packing.h"

#include "tensor/view.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace regard::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads f32 with the lowest byte first");

// 4 characters of A–Z a–z 0–9 + / for 3 bytes, and = for what the last ones lack.
std::string to_base64(std::string_view bytes) {
  constexpr std::string_view characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < 3; ++b) bits = bits << 8 | (b < count ? static_cast<unsigned char>(bytes[i + b]) : 0U);
    for (std::size_t c = 0; c < 4; ++c) text += c <= count ? characters[bits >> (18 - 6 * c) & 63] : '=';
  }
  return text;
}

std::string bytes_of(float number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

std::string packed_floats(const Tensor& x) {
  std::string bytes;
  for (const double number : to_vector(x)) bytes += bytes_of(static_cast<float>(number));
  return bytes;
}

// (rows, columns)
struct PackedRows {
  std::string bytes = {}, scales = {};

  explicit PackedRows(const Tensor& x) {
    const std::vector<double> numbers = to_vector(x);
    for (std::int64_t i = 0; i < x.size(0); ++i) append(numbers.data() + i * x.size(1), x.size(1));
  }
  void append(const double* row, std::int64_t count) {
    double largest = 0;
    for (std::int64_t j = 0; j < count; ++j)
      largest = std::isfinite(row[j]) ? std::max(largest, std::abs(row[j])) : NAN;  // max(NaN, x) is NaN
    const auto scale = static_cast<float>(largest);  // rounded first, so that bytes are multiples of what is written
    scales += bytes_of(scale);
    for (std::int64_t j = 0; j < count; ++j) {
      const double share = scale > 0 ? std::clamp(row[j] / scale, -1.0, 1.0) : 0;
      bytes += static_cast<char>(row[j] == 0 ? 0 : static_cast<unsigned char>(128 + std::lround(127 * share)));
    }
  }
};

// In the order of ScoreFormula::Kind.
constexpr std::array formula_names{"other", "dot", "additive", "gaussian"};

}  // namespace

Json Blobs::add(const std::string& bytes) {
  const auto next = static_cast<std::int64_t>(numbers_.size());
  return {numbers_.try_emplace(to_base64(bytes), next).first->second};
}

std::string Blobs::to_html() const {
  std::string html;
  for (const auto& [text, number] : numbers_)
    html += fmt::format("<script type=\"text/plain\" id=\"b{}\">{}</script>\n", number, text);
  return html;
}

JsonObject pack(const RecordedAttention& one, Blobs& blobs) {
  const ScoreFormula& formula = one.formula;
  const bool has_formula = formula.kind != ScoreFormula::Kind::other;
  JsonList heads;
  for (std::int64_t h = 0; h < one.heads(); ++h) {
    const PackedRows weights(select(one.weights, 0, h));
    JsonObject head{{"weights", blobs.add(weights.bytes)}, {"scales", blobs.add(weights.scales)}};
    if (one.gradient.defined()) {
      const PackedRows gradients(select(one.gradient, 0, h));
      head["gradients"] = blobs.add(gradients.bytes);
      head["gradientScales"] = blobs.add(gradients.scales);
    }
    if (has_formula) {
      head["q"] = blobs.add(packed_floats(select(formula.q, 0, h)));
      head["k"] = blobs.add(packed_floats(select(formula.k, 0, h)));
    }
    heads.emplace_back().value = std::move(head);
  }
  JsonObject made;
  made["queries"].value = one.query_count();
  made["keys"].value = one.key_count();
  made["offset"].value = one.offset;
  made["formula"].value = std::string(formula_names[static_cast<std::size_t>(formula.kind)]);
  made["heads"].value = std::move(heads);
  if (has_formula) {
    made["factor"].value = formula.factor;
    made["features"].value = formula.q.size(2);
    if (formula.w.defined()) made["w"] = blobs.add(packed_floats(formula.w));
  }
  return made;
}

}  // namespace regard::nn
