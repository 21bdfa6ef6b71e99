// A score that is given what it cannot compare says so in its own name, and names the argument: composed and fused.
#include "nn/all.h"
#include "tests/tensor/error_case.h"

namespace regard::nn {

namespace {

constexpr const char* as_many =
    ": q (2, 3, 4), k (2, 5, 7): queries and keys must have as many features (AdditiveScore and BilinearScore take "
    "different ones)";

// Queries of 4 features and keys of 7, and either missing, for a score that compares them feature by feature.
template <class S>
void check_alike(const std::string& name, const S& score) {
  const Variable q = ones({2, 3, 4}), k = ones({2, 5, 7}), none;
  const AnyScore any(score);
  check_errors({
      {[&] { any(q, k); }, "ShapeError", name + as_many},
      {[&] { any(none, k); }, "ValueError", name + ": the queries are an undefined Variable"},
      {[&] { any(q, none); }, "ValueError", name + ": the keys are an undefined Variable"},
  });
  if constexpr (Fusible<S>)
    check_errors({
        {[&] { score.fused(q, k, 0); }, "ShapeError", name + as_many},
        {[&] { score.fused(q, none, 0); }, "ValueError", name + ": the keys are an undefined Variable"},
    });
}

// The same for a score made for queries of 4 features and keys of 2.
template <class S>
void check_sizes(const std::string& name, const S& score) {
  const Variable q = ones({2, 3, 4}), k = ones({2, 5, 2}), wrong = ones({2, 5, 7}), flat = ones({4}), none;
  check_errors({
      {[&] { score(q, wrong); }, "ShapeError", name + ": keys (2, 5, 7): they must be (…, Lk, 2)"},
      {[&] { score(wrong, k); }, "ShapeError", name + ": queries (2, 5, 7): they must be (…, Lq, 4)"},
      {[&] { score(flat, k); }, "ShapeError", name + ": queries (4): they must be (…, Lq, 4)"},
      {[&] { score.fused(q, wrong, 0); }, "ShapeError", name + ": keys (2, 5, 7): they must be (…, Lk, 2)"},
      {[&] { score.fused(wrong, k, 0); }, "ShapeError", name + ": queries (2, 5, 7): they must be (…, Lq, 4)"},
      {[&] { score(q, none); }, "ValueError", name + ": the keys are an undefined Variable"},
      {[&] { score.fused(none, k, 0); }, "ValueError", name + ": the queries are an undefined Variable"},
  });
}

}  // namespace

TEST_CASE("errors: scores name themselves and the argument that does not fit") {
  Generator g(1);
  check_sizes("AdditiveScore", AdditiveScore({.query_size = 4, .key_size = 2, .hidden = 3}, g));
  check_sizes("BilinearScore", BilinearScore({.query_size = 4, .key_size = 2}, g));
  check_alike("ScaledDotProduct", ScaledDotProduct{});
  check_alike("CosineScore", CosineScore());
  check_alike("NegativeSquaredL2", NegativeSquaredL2{});
  check_alike("NegativeL1", NegativeL1{});
  check_alike("GaussianKernel", GaussianKernel::learned());
  check_alike("BoxcarKernel", BoxcarKernel(1));
  check_alike("TriangularKernel", TriangularKernel(1));
  check_alike("EpanechnikovKernel", EpanechnikovKernel(1));
  check_alike("LinearAttention", LinearAttention{});

  const Variable q = ones({2, 3, 4}), none;  // every width will do for a mean
  check_errors(
      {{[&] { AveragePooling{}(q, none); }, "ValueError", "AveragePooling: the keys are an undefined Variable"}});
}

}  // namespace regard::nn
