#include "nn/tools/view/packing.h"

#include "nn/save/base64.h"
#include "tensor/view.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace regard::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads f32 with the lowest byte first");

std::string bytes_of(float number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

constexpr std::int64_t base64_size(std::int64_t bytes) { return (bytes + 2) / 3 * 4; }

// Calls use(head, row) for each head and query, taking a few queries at a time: of fused attention there are never all
// pairs at once.
void each_row(const RecordedAttention& one, Tensor (RecordedAttention::*rows)(const std::vector<std::int64_t>&) const,
              const std::function<void(std::size_t head, const double* row)>& use) {
  constexpr std::int64_t pairs_at_once = 1 << 21;
  const std::int64_t step =
      std::max<std::int64_t>(1, pairs_at_once / std::max<std::int64_t>(1, one.heads * one.key_count));
  for (std::int64_t begin = 0; begin < one.query_count; begin += step) {
    const std::int64_t end = std::min(begin + step, one.query_count);
    std::vector<std::int64_t> some(static_cast<std::size_t>(end - begin));
    std::iota(some.begin(), some.end(), begin);
    const std::vector<double> numbers = to_vector((one.*rows)(some));
    const double* row = numbers.data();
    for (std::int64_t head = 0; head < one.heads; ++head)
      for (std::int64_t i = begin; i < end; ++i, row += one.key_count) use(static_cast<std::size_t>(head), row);
  }
}

// In the order of ScoreFormula::Kind.
constexpr std::array formula_names{"other", "dot", "additive", "gaussian"};

Json number(std::int64_t x) { return {x}; }

}  // namespace

void PackedRows::append(const double* row, std::int64_t count, bool is_signed) {
  double largest = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    largest = std::isfinite(row[j]) ? std::max(largest, std::abs(row[j])) : NAN;
    if (std::isnan(largest)) break;
  }
  is_signed = is_signed || std::any_of(row, row + count, [](double x) { return x < 0; });
  // The scale is rounded first, so that bytes are multiples of what is written.
  const auto scale = static_cast<float>(largest);
  scales += bytes_of(is_signed ? -scale : scale);
  for (std::int64_t j = 0; j < count; ++j) {
    const double share = scale > 0 ? row[j] / scale : 0;
    const double byte = is_signed ? 128 + 127 * share : 255 * share;
    if (bytes.size() % 8 == 0) seen += '\0';
    if (row[j] != 0) seen.back() |= static_cast<char>(1 << (bytes.size() % 8));
    all_seen = all_seen && row[j] != 0;
    bytes += static_cast<char>(static_cast<unsigned char>(std::clamp(std::round(byte), 0.0, 255.0)));
  }
}

std::string packed_floats(const Tensor& x) {
  std::string bytes;
  for (const double number : to_vector(x)) bytes += bytes_of(static_cast<float>(number));
  return bytes;
}

std::int64_t Blobs::add(const std::string& bytes, std::int64_t& size_of_kind) {
  const auto [at, is_new] = numbers_.try_emplace(to_base64(bytes), static_cast<std::int64_t>(numbers_.size()));
  if (is_new) size_of_kind += static_cast<std::int64_t>(at->first.size());
  return at->second;
}

std::string Blobs::to_html() const {
  std::vector<const std::string*> in_order(numbers_.size());
  for (const auto& [text, number] : numbers_) in_order[static_cast<std::size_t>(number)] = &text;
  std::string html;
  for (std::size_t i = 0; i < in_order.size(); ++i)
    html += fmt::format("<script type=\"text/plain\" id=\"b{}\">{}</script>\n", i, *in_order[i]);
  return html;
}

void add_expected(const RecordedAttention& one, const ViewerOptions& options, ViewerSize& sizes) {
  const std::int64_t pairs = one.query_count * one.key_count;
  const std::int64_t rows = base64_size(pairs) + base64_size(4 * one.query_count);
  sizes.weights += one.heads * (rows + base64_size((pairs + 7) / 8));  // and a bit for each pair: is it 0?
  if (options.gradients && one.has_gradient()) sizes.gradients += one.heads * rows;
  if (options.q_and_k && one.formula.kind != ScoreFormula::Kind::other)
    sizes.q_and_k += one.heads * base64_size(4 * (one.query_count + one.key_count) * one.formula.q.size(2));
}

JsonObject pack(const RecordedAttention& one, const ViewerOptions& options, Blobs& blobs, ViewerSize& sizes) {
  std::vector<PackedRows> weights(static_cast<std::size_t>(one.heads)), gradients = weights;
  each_row(one, &RecordedAttention::weights_of,
           [&](std::size_t head, const double* row) { weights[head].append(row, one.key_count, false); });
  const bool with_gradients = options.gradients && one.has_gradient();
  if (with_gradients)
    each_row(one, &RecordedAttention::gradient_of,
             [&](std::size_t head, const double* row) { gradients[head].append(row, one.key_count, true); });

  const ScoreFormula& formula = one.formula;
  const bool with_formula = options.q_and_k && formula.kind != ScoreFormula::Kind::other;
  JsonList heads;
  for (std::int64_t h = 0; h < one.heads; ++h) {
    const auto at = static_cast<std::size_t>(h);
    JsonObject head{{"weights", number(blobs.add(weights[at].bytes, sizes.weights))},
                    {"scales", number(blobs.add(weights[at].scales, sizes.weights))}};
    if (!weights[at].all_seen) head["seen"] = number(blobs.add(weights[at].seen, sizes.weights));
    if (with_gradients) {
      head["gradients"] = number(blobs.add(gradients[at].bytes, sizes.gradients));
      head["gradientScales"] = number(blobs.add(gradients[at].scales, sizes.gradients));
    }
    if (with_formula) {
      head["q"] = number(blobs.add(packed_floats(select(formula.q, 0, h)), sizes.q_and_k));
      head["k"] = number(blobs.add(packed_floats(select(formula.k, 0, h)), sizes.q_and_k));
    }
    heads.emplace_back().value = std::move(head);
  }
  JsonObject made{
      {"queries", number(one.query_count)}, {"keys", number(one.key_count)}, {"offset", number(one.offset)}};
  made["formula"].value = std::string(formula_names[static_cast<std::size_t>(formula.kind)]);
  made["heads"].value = std::move(heads);
  if (with_formula) {
    made["factor"].value = formula.factor;
    made["features"] = number(formula.q.size(2));
    if (formula.w.defined()) made["w"] = number(blobs.add(packed_floats(formula.w), sizes.q_and_k));
  }
  return made;
}

}  // namespace regard::nn
