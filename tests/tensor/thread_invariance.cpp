// Every operation gives the same bits for any number of threads, on sizes that are cut into several tasks.
#include "tensor/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <functional>
#include <thread>

namespace regard {

namespace {

struct Operation {
  const char* name;
  std::function<Tensor()> run;
};

Tensor random_indexes(const Shape& shape, std::int64_t bound) {
  Generator generator(9);
  return to(uniform(shape, generator, 0, static_cast<double>(bound), DType::f64), DType::i64);
}

std::vector<Operation> operations() {
  const Tensor x = noise({300, 401}, 1, DType::f32), y = noise({300, 401}, 2, DType::f32),
               row = noise({401}, 3, DType::f32), d = noise({120011}, 4, DType::f64);
  const Tensor a = noise({3, 70, 90}, 5, DType::f32), b = noise({3, 90, 80}, 6, DType::f32);
  const Tensor rows = random_indexes({500}, 300), columns = random_indexes({300, 401}, 401);
  return {
      {"full", [] { return full({120011}, 0.5); }},
      {"arange", [] { return arange(120011); }},
      {"linspace", [] { return linspace(-1, 1, 120011); }},
      {"add", [=] { return x + y; }},
      {"multiply, broadcast", [=] { return x * row; }},
      {"divide, transposed", [=] { return transpose(x) / transpose(y); }},
      {"number", [=] { return 2 - d; }},
      {"pow", [=] { return pow(abs(x), 1.5); }},
      {"less", [=] { return less(x, y); }},
      {"where", [=] { return where(less(x, row), x, y); }},
      {"exp", [=] { return exp(x); }},
      {"tanh of a view", [=] { return tanh(flip(transpose(x), 0)); }},
      {"gelu", [=] { return gelu(d); }},
      {"contiguous", [=] { return contiguous(transpose(x)); }},
      {"to", [=] { return to(d, DType::f32); }},
      {"sum", [=] { return sum(x); }},
      {"sum, rows", [=] { return sum(x, 1); }},
      {"sum, columns", [=] { return sum(x, 0); }},
      {"sum, f64", [=] { return sum(d); }},
      {"mean", [=] { return mean(x, 0); }},
      {"var", [=] { return var(x, 1); }},
      {"max", [=] { return max(x, 0); }},
      {"logsumexp", [=] { return logsumexp(x, 1); }},
      {"argmax", [=] { return argmax(x, 1); }},
      {"argmin", [=] { return argmin(x, 1); }},
      {"any", [=] { return any(x, 1); }},
      {"sum_to", [=] { return sum_to(x, {401}); }},
      {"softmax", [=] { return softmax(x, 1); }},
      {"softmax, columns", [=] { return softmax(x, 0); }},
      {"log_softmax", [=] { return log_softmax(x, 1); }},
      {"cumsum", [=] { return cumsum(x, 1); }},
      {"prod", [=] { return prod(x, 0); }},
      {"cumprod", [=] { return cumprod(x, 1); }},
      {"sort", [=] { return sort(x, 0); }},
      {"topk", [=] { return topk(x, 7, 1).values; }},
      {"index_select", [=] { return index_select(x, 0, rows); }},
      {"gather", [=] { return gather(x, 1, columns); }},
      {"scatter_add", [=] { return scatter_add(x, 1, columns, y); }},
      {"masked_fill", [=] { return masked_fill(x, greater(row, 0), -1); }},
      {"tril", [=] { return tril(x); }},
      {"one_hot", [=] { return one_hot(rows, 300); }},
      {"cat",
       [=] {
         return cat({x, y}, 1);
       }},
      {"pad",
       [=] {
         return pad(x, {{3, 4}, {5, 6}});
       }},
      {"place",
       [=] {
         return place(x, {300, 802}, 1, 0, 2);
       }},
      {"matmul", [=] { return matmul(x, transpose(slice(y, 0, 0, 50))); }},
      {"matmul, batch", [=] { return matmul(a, b); }},
      {"matmul, vector", [=] { return matmul(x, row); }},
  };
}

}  // namespace

TEST_CASE("thread invariance: the same bits for 1, 2, 3, 5 and 8 threads", "[threads]") {
  const int before = thread_count();
  set_thread_count(1);
  const auto table = operations();
  std::vector<Tensor> expected;
  for (const auto& operation : table) expected.push_back(operation.run());
  for (int threads : {2, 3, 5, 8}) {
    set_thread_count(threads);
    for (std::size_t i = 0; i < table.size(); ++i) {
      CAPTURE(table[i].name, threads);
      CHECK(identical(table[i].run(), expected[i]));
    }
  }
  set_thread_count(before);
}

TEST_CASE("thread invariance: tensors may be shared between threads that compute", "[threads]") {
  const int before = thread_count();
  set_thread_count(3);
  const Tensor x = noise({100, 100}, 1, DType::f32), expected = softmax(matmul(x, x), 1);
  std::vector<Tensor> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&result, x] {
      for (int i = 0; i < 3; ++i) result = softmax(matmul(x, x), 1);
    });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) CHECK(identical(result, expected));
  set_thread_count(before);
}

}  // namespace regard
