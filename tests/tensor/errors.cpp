// What the errors about shapes, types and arguments say, in full.
#include "tensor/all.h"
#include "tests/tensor/error_case.h"

namespace regard {

namespace {

Generator given_generator(0);  // NOLINT: every case may take from it
const Tensor given = zeros({2, 3}), given_f64 = zeros({2, 3}, DType::f64), given_i64 = zeros({2, 3}, DType::i64);

}  // namespace

TEST_CASE("errors: making tensors, and reading them") {
  const std::int64_t huge = std::int64_t{1} << 40;
  check_errors({
      {[] { Shape::filled(Shape::max_rank, 1).push_back(2); }, "ShapeError",
       "shape: (1, 1, 1, 1, 1, 1) has 6 axes already, the most a tensor can have"},
      {[] {
         zeros({2, -1});
       },
       "ShapeError", "shape: (2, -1) has a negative size"},
      {[=] {
         zeros({huge, huge});
       },
       "ShapeError", "shape: (1099511627776, 1099511627776) has more elements than memory can hold"},
      {[] { arange(-3); }, "ValueError", "arange: the count -3 is negative"},
      {[] { arange(0, 1, 0); }, "ValueError", "arange: cannot go from 0 to 1 in steps of 0"},
      {[] { linspace(0, 1, -2); }, "ValueError", "linspace: the count -2 is negative"},
      {[] {
         tensor({{1, 2}, {3}});
       },
       "ShapeError", "tensor: the list is ragged: it holds items of shape (2) and (1)"},
      {[] {
         tensor(std::vector<double>{1, 2}, {2, 3});
       },
       "ShapeError", "tensor: 2 values do not fill the shape (2, 3), which needs 6"},
      {[] { given.item(); }, "ShapeError", "item: (2, 3) holds 6 elements, not one"},
      {[] { given.at({1}); }, "ShapeError", "at: (2, 3) needs 2 indexes, got 1"},
      {[] {
         given.at({1, 3});
       },
       "ValueError", "at: index 3 on axis 1 is outside (2, 3)"},
      {[] { given.data<double>(); }, "DTypeError", "data: asked for f64 of a tensor of f32"},
      {[] { exp(Tensor()); }, "ValueError", "data: the tensor has no value yet"},
      {[] { given.size(2); }, "ShapeError", "size: axis 2 of (2, 3) is outside [-2, 1]"},
      {[] { largest_difference(given, zeros({6})); }, "ShapeError", "largest_difference: (2, 3) and (6) differ"},
  });
}

TEST_CASE("errors: long names are cut between letters, however many bytes these have") {
  CHECK(letter_count("∂x = −½") == 7);
  CHECK(cut_short("softmax", 7) == "softmax");
  CHECK(cut_short("softmax", 6) == "softm…");
  CHECK(cut_short("∂x = −½", 7) == "∂x = −½");
  CHECK(cut_short("∂x = −½", 6) == "∂x = …");
  CHECK(cut_short("½½", 1) == "…");
  CHECK(cut_short("½½", 0).empty());
}

TEST_CASE("errors: views") {
  check_errors({
      {[] { reshape(given, {4}); }, "ShapeError", "reshape: (2, 3) → (4): 6 elements cannot take this shape"},
      {[] {
         reshape(given, {-1, -1});
       },
       "ShapeError", "reshape: (2, 3) → (-1, -1): sizes must not be negative, but for a single −1"},
      {[] { flatten(given, 1, 0); }, "ShapeError", "flatten: axis 1 of (2, 3) does not come before axis 0"},
      {[] { permute(given, {0}); }, "ShapeError", "permute: (0) does not name each axis of (2, 3) once"},
      {[] {
         permute(given, {0, -2});
       },
       "ShapeError", "permute: (0, -2) does not name each axis of (2, 3) once"},
      {[] { squeeze(given, 1); }, "ShapeError", "squeeze: axis 1 of (2, 3) has size 3, not 1"},
      {[] { unsqueeze(given, 3); }, "ShapeError", "unsqueeze: axis 3 of (1, 2, 3) is outside [-3, 2]"},
      {[] {
         expand(given, {1, 3});
       },
       "ShapeError", "expand: (2, 3) → (1, 3): only axes of size 1 can be stretched"},
      {[] { slice(given, 0, 0, 2, 0); }, "ValueError",
       "slice: the step 0 is not positive (flip(x, axis) turns an axis around)"},
      {[] { select(given, 1, -4); }, "ValueError", "select: index -4 on axis 1 is outside (2, 3)"},
      {[] { flip(tensor(1), 0); }, "ShapeError", "flip: axis 0 of a tensor of shape (), which has no axes"},
      {[] { transpose(given, 0, 2); }, "ShapeError", "transpose: axis 2 of (2, 3) is outside [-2, 1]"},
  });
}

TEST_CASE("errors: arithmetic and functions") {
  check_errors({
      {[] { given + zeros({2}); }, "ShapeError",
       "add: (2, 3) and (2) do not broadcast: 3 and 2 differ on axis -1, and neither is 1"},
      {[] { given* given_f64; }, "DTypeError",
       "multiply: f32 (2, 3) and f64 (2, 3) do not mix (convert one of them with to(x, DType::f32))"},
      {[] { given_i64 + 0.5; }, "DTypeError",
       "add: 0.5 is not a 64-bit whole number, and i64 holds nothing else (f64 does; to(x, DType::f64) converts)"},
      {[] { exp(given_i64); }, "DTypeError", "exp: needs f32 or f64, got i64 (convert with to(x, DType::f32))"},
      {[] { given_i64 / 2; }, "DTypeError", "divide: needs f32 or f64, got i64 (convert with to(x, DType::f32))"},
      {[] { pow(given_i64, 2); }, "DTypeError", "pow: needs f32 or f64, got i64 (convert with to(x, DType::f32))"},
      {[] { clamp(given, 1, 0); }, "ValueError", "clamp: the lower bound 1 is not below the upper bound 0"},
  });
}

TEST_CASE("errors: reductions and order") {
  const Tensor nothing = zeros({2, 0});
  check_errors({
      {[] {
         sum(given, {1, -1});
       },
       "ShapeError", "sum: axis -1 of (2, 3) is named twice"},
      {[] { sum(given, 2); }, "ShapeError", "sum: axis 2 of (2, 3) is outside [-2, 1]"},
      {[=] { max(nothing, 1); }, "ShapeError",
       "max: (2, 0) has no elements along the reduced axes, and none of nothing is largest"},
      {[=] { min(nothing, 1); }, "ShapeError",
       "min: (2, 0) has no elements along the reduced axes, and none of nothing is smallest"},
      {[=] { argmax(nothing, 1); }, "ShapeError", "argmax: axis 1 of (2, 0) has no elements"},
      {[=] { argmin(nothing, 1); }, "ShapeError", "argmin: axis 1 of (2, 0) has no elements"},
      {[] { randint({2}, given_generator, 3, 3); }, "ValueError", "randint: no whole number is in [3, 3)"},
      {[] { mean(given_i64); }, "DTypeError", "mean: needs f32 or f64, got i64 (convert with to(x, DType::f32))"},
      {[] {
         sum_to(given, {2, 1, 3});
       },
       "ShapeError", "sum_to: (2, 3) was not broadcast from (2, 1, 3)"},
      {[] { topk(given, 4, -1); }, "ValueError", "topk: k = 4 is outside [0, 3], the size of axis -1 of (2, 3)"},
  });
}

TEST_CASE("errors: random numbers and threads") {
  check_errors({
      {[] { uniform({2}, given_generator, 1, 0); }, "ValueError", "uniform: [1, 0) is not an interval"},
      {[] { normal({2}, given_generator, 0, -1); }, "ValueError", "normal: the standard deviation -1 is negative"},
      {[] { permutation(-1, given_generator); }, "ValueError", "permutation: the count -1 is negative"},
      {[] { set_thread_count(0); }, "ValueError", "set_thread_count: 0 is outside [1, 256]"},
  });
}

}  // namespace regard
