// Several documents in one row of a batch.
#include "nn/attention/mask.h"
#include "tensor/create.h"

#include <set>

namespace regard::nn {
namespace {

// The document of each position, as a range of positions: (B, L) of them.
std::vector<KeyRange> documents_of(const Tensor& ids) {
  require_indexes("Mask::documents", ids);
  if (ids.rank() != 2) fail<ShapeError>("Mask::documents: {}: it must be (B, L)", ids.shape());
  const std::vector<double> all = to_vector(ids);
  const std::int64_t length = ids.size(1);
  std::vector<KeyRange> found;
  for (std::int64_t b = 0; b < ids.size(0); ++b) {
    std::set<double> before;
    const auto id = [&](std::int64_t i) { return all[static_cast<std::size_t>(b * length + i)]; };
    for (std::int64_t first = 0, last = 0; first < length; first = last) {
      if (!before.insert(id(first)).second)
        fail<ValueError>(
            "Mask::documents: sequence {}: document {} begins again at position {}: it must stand in one piece", b,
            id(first), first);
      while (last < length && id(last) == id(first)) ++last;
      found.insert(found.end(), static_cast<std::size_t>(last - first), KeyRange{first, last});
    }
  }
  return found;
}

}  // namespace

Mask Mask::documents(const Tensor& ids) {
  const auto row_of = [ranges = documents_of(ids), length = ids.size(1)](std::int64_t sequence, std::int64_t query,
                                                                         std::int64_t offset) {
    if (query + offset < 0 || query + offset >= length)
      fail<ShapeError>("Mask::documents: a query at position {}, and ids for {} positions", query + offset, length);
    return Row{ranges[static_cast<std::size_t>(sequence * length + query + offset)]};
  };
  const auto require_fit = [shape = ids.shape()](const Shape& scores) {
    if (scores.rank() < 3 || shape[0] != scores[0])
      fail<ShapeError>("Mask::documents: ids {} do not fit scores {}: they must be (B, L)", shape, scores);
  };
  return {fmt::format("documents {}", ids.shape()), Ranges{row_of, require_fit, true}};
}

Tensor positions_in_documents(const Tensor& ids) {
  std::vector<double> positions;
  for (const KeyRange& range : documents_of(ids))
    positions.push_back(static_cast<double>(std::ssize(positions) % ids.size(1) - range.first));
  return tensor(positions, ids.shape(), DType::i64);
}

}  // namespace regard::nn
