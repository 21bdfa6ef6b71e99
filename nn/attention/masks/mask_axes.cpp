#include "nn/attention/masks/mask_axes.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

namespace regard::nn::mask_axes {

Shape beside_scores(Shape marks, MaskAxes axes, const Shape& scores) {
  if (axes != MaskAxes::per_batch && axes != MaskAxes::per_head) return marks;
  if (marks.rank() == 2) marks.insert(1, 1);
  if (axes == MaskAxes::per_batch && scores.rank() == 4 && marks.rank() == 3) marks.insert(1, 1);
  return marks;
}

namespace {

struct AxesRule {
  int least, most;     // how many axes marks may have
  int of_scores;       // how many the scores must have
  const char* wanted;  // in words
};
AxesRule rule_of(MaskAxes axes, const Shape& scores) {
  switch (axes) {
    case MaskAxes::per_pair: return {2, 2, 2, "(Lq, Lk)"};
    case MaskAxes::per_batch: return {2, 3, 3, "(B, Lk) or (B, Lq, Lk)"};
    case MaskAxes::per_head: return {2, 3, 4, "(H, Lk) or (H, Lq, Lk), beside scores (B, H, Lq, Lk)"};
    case MaskAxes::as_scores: break;
  }
  return {2, scores.rank(), 2, "(Lq, Lk), or have the axes of the scores ((B, Lk) is MaskAxes::per_batch)"};
}

// Marks that can be read in two ways are refused until the call says which is meant.
void require_one_meaning(const std::string& name, const Shape& marks, const Shape& scores) {
  if (marks.rank() == 3 && scores.rank() == 4 && marks[0] != 1)
    fail<ShapeError>(
        "Mask::{}: {} beside scores {}: its first axis could be the batch or the heads. Say which: Mask::{}(…, "
        "MaskAxes::per_batch) or MaskAxes::per_head",
        name, marks, scores, name);
  const bool is_square = scores.rank() >= 3 && scores[0] == scores.back(2) && scores[0] > 1;
  if (marks.rank() == 2 && is_square && marks[0] == scores[0])
    fail<ShapeError>(
        "Mask::{}: {} beside scores {}: its first axis could be the queries or the batch. Say which: Mask::{}(…, "
        "MaskAxes::per_pair) or MaskAxes::per_batch",
        name, marks, scores, name);
}

}  // namespace

void require_fit(const std::string& name, const Shape& marks, const Shape& scores, MaskAxes axes) {
  const AxesRule rule = rule_of(axes, scores);
  const Shape beside = beside_scores(marks, axes, scores);
  bool fits = marks.rank() >= rule.least && marks.rank() <= rule.most && scores.rank() >= rule.of_scores;
  for (int i = 1; fits && i <= beside.rank(); ++i) fits = beside.back(i) == 1 || beside.back(i) == scores.back(i);
  if (!fits) fail<ShapeError>("Mask::{}: {} does not fit scores {}: it must be {}", name, marks, scores, rule.wanted);
  if (axes == MaskAxes::as_scores) require_one_meaning(name, marks, scores);
}

void require_marks(const std::string& name, const Tensor& marks) {
  const Tensor either = maximum(equal(marks, 0.0), equal(marks, 1.0));
  if (marks.numel() == 0 || min(either).item() == 1) return;
  for (const double mark : to_vector(marks))
    if (mark != 0 && mark != 1)
      fail<ValueError>("Mask::{}: it holds {}, which is neither 0 nor 1 (numbers to add to scores: Mask::bias)", name,
                       mark);
}

}  // namespace regard::nn::mask_axes
