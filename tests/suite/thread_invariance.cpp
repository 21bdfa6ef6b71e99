// Values and gradients of every operation are the same bits for any number of threads, and each time.
#include "tests/cases/case.h"
#include "tests/catch.h"
#include "tests/given.h"

using namespace regard;
using cases::In;

namespace {

struct Subject {
  std::string name;
  In inputs;
  gradchecks::Function f;
};

// The result, and the gradients of its sum of squares.
std::vector<Tensor> run(const Subject& subject) {
  In leaves;
  for (const Variable& x : subject.inputs) leaves.push_back(is_float(x.dtype()) ? parameter(x.value()) : x);
  const Variable y = subject.f(leaves);
  std::vector<Tensor> results{y.value()};
  if (!y.requires_grad()) return results;
  sum(square(y)).backward();
  for (const Variable& leaf : leaves)
    if (leaf.gradient().defined()) results.push_back(leaf.gradient().value());
  return results;
}

void check_invariance(const std::vector<Subject>& subjects) {
  const int before = thread_count();
  set_thread_count(1);
  std::vector<std::vector<Tensor>> expected;
  for (const Subject& subject : subjects) expected.push_back(run(subject));
  for (const int threads : {2, 3, 5, 8, 8, 1}) {  // one of them twice: the same each time
    set_thread_count(threads);
    for (std::size_t s = 0; s < subjects.size(); ++s) {
      INFO(subjects[s].name << " with " << threads << " threads");
      const auto results = run(subjects[s]);
      REQUIRE(results.size() == expected[s].size());
      for (std::size_t i = 0; i < results.size(); ++i) CHECK(identical(results[i], expected[s][i]));
    }
  }
  set_thread_count(before);
}

Tensor random_indexes(const Shape& shape, std::int64_t bound) {
  Generator generator(9);
  return to(uniform(shape, generator, 0, static_cast<double>(bound), DType::f64), DType::i64);
}

Variable attend(const Variable& q, const Variable& k, const Variable& v) {
  return matmul(softmax(matmul(q, transpose(k)) * 0.125, -1), v);
}

// The cases of the table are small. These are cut into several tasks, along long rows, short rows and single elements.
std::vector<Subject> large_subjects(DType dtype) {
  const Variable x = noise({300, 401}, 1, dtype), y = noise({300, 401}, 2, dtype), row = noise({401}, 3, dtype),
                 column = noise({300, 1}, 4, dtype), block = noise({20, 30, 200}, 5, dtype);
  const Variable a = noise({4, 90, 70}, 6, dtype), b = noise({4, 70, 110}, 7, dtype),
                 q = noise({2, 3, 130, 64}, 8, dtype), k = noise({2, 3, 150, 64}, 9, dtype),
                 v = noise({2, 3, 150, 64}, 10, dtype);
  const Variable wide = noise({260, 300}, 11, dtype), weight = noise({300, 280}, 12, dtype),
                 layer = noise({280, 300}, 14, dtype), bias = noise({280}, 13, dtype);
  const Variable shift = noise({401}, 14, dtype);
  const Variable steps = noise({9, 70, 120}, 15, dtype), state = noise({70, 40}, 16, dtype),
                 hidden = noise({120, 40}, 17, dtype, 0.15), shift_of_gates = noise({120}, 18, dtype);
  const Tensor classes = random_indexes({300}, 401);
  const Tensor rows = random_indexes({500}, 300), columns = random_indexes({300, 401}, 401);
  const Tensor is_less = less(x.value(), y.value());
  return {
      {"multiply", {x, y}, [](const In& in) { return in[0] * in[1]; }},
      {"add a row", {x, row}, [](const In& in) { return in[0] + in[1]; }},
      {"divide by a column", {x, column}, [](const In& in) { return in[0] / in[1]; }},
      {"row times column", {row, column}, [](const In& in) { return in[0] * in[1]; }},
      {"subtract transposed", {x, y}, [](const In& in) { return transpose(in[0]) - transpose(in[1]); }},
      {"tanh of a flipped", {x}, [](const In& in) { return tanh(flip(transpose(in[0]), 0)); }},
      {"gelu", {x}, [](const In& in) { return gelu(in[0]); }},
      {"where", {x, y}, [=](const In& in) { return where(is_less, in[0], in[1]); }},
      {"sum", {x}, [](const In& in) { return sum(in[0]); }},
      {"sum, first axis", {block}, [](const In& in) { return sum(in[0], 0); }},
      {"sum, middle axis", {block}, [](const In& in) { return sum(in[0], 1); }},
      {"sum, last axis", {block}, [](const In& in) { return sum(in[0], 2); }},
      {"sum, outer axes",
       {block},
       [](const In& in) {
         return sum(in[0], {0, 2});
       }},
      {"mean of transposed", {x}, [](const In& in) { return mean(transpose(in[0]), 0); }},
      {"var", {x}, [](const In& in) { return var(in[0], 0); }},
      {"max", {x}, [](const In& in) { return max(in[0], 1); }},
      {"logsumexp", {x}, [](const In& in) { return logsumexp(in[0], 0); }},
      {"softmax, rows", {x}, [](const In& in) { return softmax(in[0], 1); }},
      {"softmax, columns", {x}, [](const In& in) { return softmax(in[0], 0); }},
      {"log_softmax", {block}, [](const In& in) { return log_softmax(in[0], 1); }},
      {"cumsum", {block}, [](const In& in) { return cumsum(in[0], 1); }},
      {"prod", {block}, [](const In& in) { return prod(in[0], 1); }},
      {"cumprod", {block}, [](const In& in) { return cumprod(in[0], 1); }},
      {"sort", {x}, [](const In& in) { return sort(in[0], 0); }},
      {"gather", {x}, [=](const In& in) { return gather(in[0], 1, columns); }},
      {"scatter_add", {x, y}, [=](const In& in) { return scatter_add(in[0], 1, columns, in[1]); }},
      {"index_select", {x}, [=](const In& in) { return index_select(in[0], 0, rows); }},
      {"cat",
       {x, y},
       [](const In& in) {
         return cat({in[0], in[1]}, 1);
       }},
      {"matmul, square", {wide, weight}, [](const In& in) { return matmul(in[0], in[1]); }},
      {"matmul, few rows", {slice(wide, 0, 0, 3), weight}, [](const In& in) { return matmul(in[0], in[1]); }},
      {"matmul, transposed", {x, y}, [](const In& in) { return matmul(transpose(in[0]), in[1]); }},
      {"matmul, long inner", {x, y}, [](const In& in) { return matmul(in[0], transpose(in[1])); }},
      {"matmul, batch", {a, b}, [](const In& in) { return matmul(in[0], in[1]); }},
      {"matmul, broadcast batch", {a, b}, [](const In& in) { return matmul(select(in[0], 0, 1), in[1]); }},
      {"matmul, vector", {x, row}, [](const In& in) { return matmul(in[0], in[1]); }},
      {"linear layer", {wide, layer, bias}, [](const In& in) { return gelu(linear(in[0], in[1], in[2])); }},
      {"layer norm", {x, row, shift}, [](const In& in) { return layer_norm(in[0], in[1], in[2]); }},
      {"layer norm, composed", {x, row, shift}, [](const In& in) { return layer_norm_composed(in[0], in[1], in[2]); }},
      {"rms norm", {x, row}, [](const In& in) { return rms_norm(in[0], in[1]); }},
      {"rotated pairs",
       {x},
       [=](const In& in) {
         const Tensor angles = slice(row.value(), 0, 0, row.size(0) / 2);
         return rotate_pairs(in[0], cos(angles), sin(angles), PairLayout::interleaved);
       }},
      {"cross-entropy", {x}, [=](const In& in) { return cross_entropy(in[0], classes); }},
      {"masked softmax", {x}, [=](const In& in) { return masked_softmax(in[0], 0.125, is_less); }},
      {"GRU",
       {steps, state, hidden, shift_of_gates},
       [](const In& in) { return gru(in[0], in[1], in[2], in[3], ResetGate::after_product); }},
      {"attention", {q, k, v}, [](const In& in) { return attend(in[0], in[1], in[2]); }},
  };
}

}  // namespace

TEST_CASE("thread invariance: every case, values and gradients") {
  std::vector<Subject> subjects;
  for (const cases::Case& row : cases::all_cases()) subjects.push_back({row.id, row.inputs, row.f});
  check_invariance(subjects);
}

TEST_CASE("thread invariance: sizes that are cut into tasks, f32") { check_invariance(large_subjects(DType::f32)); }

TEST_CASE("thread invariance: sizes that are cut into tasks, f64") { check_invariance(large_subjects(DType::f64)); }
