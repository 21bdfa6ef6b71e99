// Rung 5 of the attention ladder: the same bits for any number of threads, and several heads at once.
#include "tensor/attention/5_threads.h"

#include "tests/catch.h"
#include "tests/tensor/attention_ladder.h"
#include "tests/tensor/threads.h"

namespace regard::attention_ladder {
namespace {

template <class T>
struct Heads {
  Heads(std::size_t count, const Sizes& sizes, bool causal) {
    for (std::size_t n = 0; n < count; ++n) {
      problems.emplace_back(sizes, static_cast<unsigned>(10 * n));
      for (std::int64_t i = 0; causal && i < sizes.queries; ++i)
        problems[n].ranges.push_back({0, std::min(i + 1, sizes.keys)});
    }
  }

  std::vector<Results<T>> run() const {
    std::vector<Results<T>> made;
    std::vector<std::vector<T>> kept;  // the largest score and the sum of each query
    for (const Problem<T>& p : problems) {
      made.emplace_back(p);
      kept.emplace_back(product_of(2, p.sizes.queries));
    }
    std::vector<Operands<T>> in;
    std::vector<Softmax<T>> softmax;
    std::vector<const T*> g;
    std::vector<Gradients<T>> to;
    for (std::size_t n = 0; n < problems.size(); ++n) {
      in.push_back(problems[n].operands());
      softmax.push_back({made[n].output.data(), kept[n].data(), kept[n].data() + problems[n].sizes.queries});
      g.push_back(problems[n].g.data());
      to.push_back(made[n].gradients());
    }
    threads<T>(in, DotScore{}, softmax);
    threads_gradient<T>(in, DotScore{}, softmax, g, to);
    return made;
  }

  std::vector<Problem<T>> problems;
};

template <class T>
bool same_bits(const std::vector<Results<T>>& a, const std::vector<Results<T>>& b) {
  bool same = a.size() == b.size();
  for (std::size_t n = 0; n < a.size() && same; ++n)
    same = a[n].output == b[n].output && a[n].q == b[n].q && a[n].k == b[n].k && a[n].v == b[n].v;
  return same;
}

template <class T>
void check_threads() {
  for (const auto& [count, sizes] : {std::pair<std::size_t, Sizes>{1, {200, 500, 9, 7}},
                                     {3, {130, 260, 8, 4}},
                                     {1, {1, 700, 8, 8}},
                                     {20, {65, 3, 2, 5}}})
    for (const bool causal : {false, true}) {
      const Heads<T> heads(count, sizes, causal);
      std::vector<Results<T>> expected;
      for (int threads = 1; threads <= 8; ++threads) {
        const Threads so_many(threads);
        const std::vector<Results<T>> made = heads.run();
        if (threads == 1) expected = made;
        CAPTURE(count, sizes.queries, sizes.keys, causal, threads, sizeof(T));
        CHECK(same_bits(made, expected));
      }
      for (std::size_t n = 0; n < count; n += 7)  // each head is what it is alone
        CHECK(difference(expected[n], results_of(ladder<T>()[0], heads.problems[n])) <
              (std::is_same_v<T, double> ? 1e-12 : 2e-6));
    }
}

}  // namespace

TEST_CASE("attention ladder: the same bits for any number of threads", "[threads]") {
  check_threads<float>();
  check_threads<double>();
}

TEST_CASE("attention ladder: heads of different sizes") {
  const Problem<float> one({2, 3, 4, 5}), other({2, 4, 4, 5});
  const std::vector<Operands<float>> heads{one.operands(), other.operands()};
  const std::string message =
      "attention_ladder: heads of 2 × 3 pairs with 4 features and of 2 × 4 with 4 cannot share tasks";
  const auto says = Catch::Matchers::Equals(message);
  const std::vector<Softmax<float>> nothing(2);
  const std::vector<const float*> no_gradient(2);
  const std::vector<Gradients<float>> nowhere(2);
  CHECK_THROWS_WITH(threads<float>(heads, DotScore{}, nothing), says);
  CHECK_THROWS_WITH(threads_gradient<float>(heads, DotScore{}, nothing, no_gradient, nowhere), says);
}

TEST_CASE("attention ladder: no head at all") {
  threads<float>({}, DotScore{}, {});
  threads_gradient<float>({}, DotScore{}, {}, {}, {});
}

}  // namespace regard::attention_ladder
