// What the operations that do several steps in one pass say of bad arguments.
#include "tensor/all.h"
#include "tests/tensor/error_case.h"

namespace regard {

TEST_CASE("errors: operations of several steps") {
  const Tensor x = zeros({2, 3}), row = zeros({3}), f64 = zeros({3}, DType::f64), classes = zeros({2}, DType::i64);
  const Tensor integers = zeros({2, 3}, DType::i64), integer_row = zeros({3}, DType::i64);
  check_errors({
      {[&] { layer_norm(zeros({}), row, row); }, "ShapeError",
       "layer_norm: (): a single number has no row to normalise"},
      {[&] { layer_norm(x, zeros({2}), row); }, "ShapeError",
       "layer_norm: (2, 3): weight (2) and bias (3) must have the shape (3) of a row"},
      {[&] { layer_norm(x, row, zeros({2})); }, "ShapeError",
       "layer_norm: (2, 3): weight (3) and bias (2) must have the shape (3) of a row"},
      {[&] { layer_norm(x, row, f64); }, "DTypeError",
       "layer_norm: f32 (2, 3) and f64 (3) do not mix (convert one of them with to(x, DType::f32))"},
      {[&] { layer_norm(integers, integer_row, integer_row); }, "DTypeError",
       "layer_norm: needs f32 or f64, got i64 (convert with to(x, DType::f32))"},
      {[&] { rms_norm(zeros({}), row); }, "ShapeError", "rms_norm: (): a single number has no row to normalise"},
      {[&] { rms_norm(x, zeros({2})); }, "ShapeError", "rms_norm: (2, 3): weight (2) must have the shape (3) of a row"},
      {[&] { rms_norm(integers, integer_row); }, "DTypeError",
       "rms_norm: needs f32 or f64, got i64 (convert with to(x, DType::f32))"},
      {[&] { rotate_pairs(x, zeros({2}), zeros({2}), PairLayout::halves); }, "ShapeError",
       "rotate_pairs: (2, 3): cosine (2) and sine (2) must be (…, P) with 2·P features or fewer"},
      {[&] {
         rotate_pairs(x, zeros({3, 1}), zeros({3, 1}), PairLayout::halves);
       },
       "ShapeError", "rotate_pairs: (2, 3): cosine (3, 1) and sine (3, 1) must be (…, P) with 2·P features or fewer"},
      {[&] { rotate_pairs(zeros({}), zeros({1}), zeros({1}), PairLayout::halves); }, "ShapeError",
       "rotate_pairs: (): a single number has no pairs"},
      {[&] { cross_entropy(x, x); }, "DTypeError", "cross_entropy: indexes must be i64, got f32 (2, 3)"},
      {[&] { cross_entropy(row, classes); }, "ShapeError",
       "cross_entropy: logits (3) and classes (2): needs (N, V) and (N)"},
      {[&] { cross_entropy(x, integer_row); }, "ShapeError",
       "cross_entropy: logits (2, 3) and classes (3): needs (N, V) and (N)"},
      {[&] {
         cross_entropy(x, tensor({1, 3}, DType::i64));
       },
       "ValueError", "cross_entropy: class 3 of row 1 is outside the 3 classes of the logits"},
      {[&] {
         cross_entropy(x, tensor({-1, 0}, DType::i64));
       },
       "ValueError", "cross_entropy: class -1 of row 0 is outside the 3 classes of the logits"},
      {[&] { cross_entropy(x, classes, {.label_smoothing = 1.5}); }, "ValueError",
       "cross_entropy: a label smoothing of 1.5 is outside [0, 1]"},
      {[&] { cross_entropy(x, classes, {.weight = zeros({2})}); }, "ShapeError",
       "cross_entropy: weights (2) for the logits (2, 3): needs one for each class, (3)"},
      {[&] { masked_softmax(zeros({}), 1, zeros({})); }, "ShapeError",
       "masked_softmax: (): a single number has no row"},
      {[&] { masked_softmax(x, 1, {}); }, "ValueError",
       "masked_softmax: its argument keep is an undefined Tensor (1 keeps a place, 0 does not; ones({}) keeps all)"},
      {[&] { masked_softmax(row, 1, x); }, "ShapeError", "masked_softmax: keep (2, 3) does not broadcast to (3)"},
      {[&] { masked_softmax(x, 1, f64); }, "DTypeError",
       "masked_softmax: f32 (2, 3) and f64 (3) do not mix (convert one of them with to(x, DType::f32))"},
  });
}

}  // namespace regard
