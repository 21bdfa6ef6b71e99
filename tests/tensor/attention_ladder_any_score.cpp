// Rung 4 of the attention ladder with scores that are not a product: values by their formula, gradients by slopes.
#include "tensor/attention/4_any_score.h"

#include "tensor/attention/5_threads.h"
#include "tests/catch.h"
#include "tests/tensor/attention_ladder.h"

namespace regard::attention_ladder {
namespace {

struct Kept {
  explicit Kept(const Problem<double>& p) : output(p.g.size()), largest(p.sizes.queries), sum(largest) {}
  Softmax<double> softmax() { return {output.data(), largest.data(), sum.data()}; }
  std::vector<double> output, largest, sum;
};

template <class F>
FeatureScore<double, F> any_score(const F& f, const std::vector<double>& theta) {
  return {f, theta.data()};
}

template <class F>
std::vector<double> output_of(const Problem<double>& p, const F& f, const std::vector<double>& theta) {
  Kept made(p);
  tiles(p.operands(), any_score(f, theta), made.softmax());
  return made.output;
}

template <class F>
double loss_with(const Problem<double>& p, const F& f, const std::vector<double>& theta) {
  const std::vector<double> output = output_of(p, f, theta);
  double sum = 0;
  for (std::size_t n = 0; n < output.size(); ++n) sum += p.g[n] * output[n];
  return sum;
}

template <class F>
std::vector<double> slopes_with(const Problem<double>& p, const F& f, const std::vector<double>& theta,
                                std::vector<double>& moved) {
  std::vector<double> result;
  for (double& x : moved) {
    const double middle = x, step = 1e-5;
    x = middle + step;
    const double above = loss_with(p, f, theta);
    x = middle - step;
    result.push_back((above - loss_with(p, f, theta)) / (2 * step));
    x = middle;
  }
  return result;
}

// f as it is given to the rung, and for single numbers.
template <class F, class Plain>
void check_score(const F& f, const Plain& plain) {
  for (const Sizes& sizes : {Sizes{3, 5, 2, 2}, Sizes{2, 21, 3, 1}}) {
    Problem<double> p(sizes, 5);
    std::vector<double> theta = numbers<double>(product_of(sizes.features, 1), 9);
    p.hide([](std::int64_t i, std::int64_t j) { return i != 1 && (i + j) % 4 != 3; });
    const Operands<double> in = p.operands();

    std::vector<double> expected;
    for (std::int64_t i = 0; i < sizes.queries; ++i)
      for (std::int64_t n = 0; n < sizes.value_size; ++n) {
        double sum = 0, mixed = 0;
        for (std::int64_t j = 0; j < sizes.keys; ++j) {
          double score = 0;
          for (std::int64_t c = 0; c < sizes.features; ++c)
            score += plain(in.query(i)[c], in.key(j)[c], theta[static_cast<std::size_t>(c)]);
          if (in.sees(i, j)) sum += std::exp(score), mixed += std::exp(score) * in.value(j)[n];
        }
        expected.push_back(sum == 0 ? 0 : mixed / sum);
      }
    CHECK(difference(output_of(p, f, theta), expected) < 1e-13);

    Kept made(p);
    Results<double> to(p);
    std::vector<double> to_theta(theta.size(), 7);
    tiles(in, any_score(f, theta), made.softmax());
    tiles_gradient(in, any_score(f, theta), made.softmax(), p.g.data(),
                   {to.q.data(), to.k.data(), to.v.data(), to_theta.data()});
    CHECK(difference(to.q, slopes_with(p, f, theta, p.q)) < 1e-9);
    CHECK(difference(to.k, slopes_with(p, f, theta, p.k)) < 1e-9);
    CHECK(difference(to.v, slopes_with(p, f, theta, p.v)) < 1e-9);
    CHECK(difference(to_theta, slopes_with(p, f, theta, theta)) < 1e-9);
  }
}

}  // namespace

TEST_CASE("attention ladder: any score") {
  check_score([](auto q, auto k, auto w) { return w * tanh(q + k); },
              [](double q, double k, double w) { return w * std::tanh(q + k); });
  check_score([](auto q, auto k, auto w) { return -w * square(q - k); },
              [](double q, double k, double w) { return -w * (q - k) * (q - k); });
  check_score([](auto q, auto k, auto w) { return w * abs(q - k); },
              [](double q, double k, double w) { return w * std::abs(q - k); });
  // Some do without one of the three.
  check_score([](auto q, auto k, auto) { return exp(q * k); },
              [](double q, double k, double) { return std::exp(q * k); });
  check_score([](auto, auto k, auto w) { return w * k; }, [](double, double k, double w) { return w * k; });
}

// √ has the slope ∞ at 0, and no value below: so the score of a hidden pair is NaN, and its slope is.
TEST_CASE("attention ladder: a slope of a hidden pair goes nowhere") {
  Problem<double> p({2, 3, 1, 1});
  p.q = {1, 2}, p.k = {-1, -2, 0};  // the sums of query 0 are 0, −1 and 1, those of query 1 are 1, 0 and 2
  const auto f = [](auto q, auto k, auto w) { return w * sqrt(q + k); };
  p.hide([](std::int64_t i, std::int64_t j) { return j == 2 || (i == 1 && j == 0); });
  const std::vector<double> theta{1};
  Kept made(p);
  Results<double> to(p);
  double to_theta = 7;
  tiles(p.operands(), any_score(f, theta), made.softmax());
  tiles_gradient(p.operands(), any_score(f, theta), made.softmax(), p.g.data(),
                 {to.q.data(), to.k.data(), to.v.data(), &to_theta});
  for (const std::vector<double>* x : {&made.output, &to.q, &to.k, &to.v})
    for (const double one : *x) CHECK(std::isfinite(one));
  CHECK(std::isfinite(to_theta));
  CHECK(to.k[1] == 0);
}

TEST_CASE("attention ladder: the parameters of a score learn on all threads") {
  const Problem<double> p({150, 400, 3, 2});
  const std::vector<double> theta{0.5, -1, 2};
  const auto f = [](auto q, auto k, auto w) { return w * tanh(q + k); };
  const FeatureScore<double, decltype(f)> score{f, theta.data()};
  const Operands<double> in = p.operands();
  Kept made(p);
  Results<double> alone(p), together(p);
  std::vector<double> to_alone(3, 7), to_together(3, 7);
  tiles(in, score, made.softmax());
  tiles_gradient(in, score, made.softmax(), p.g.data(),
                 {alone.q.data(), alone.k.data(), alone.v.data(), to_alone.data()});
  const Softmax<double> softmax = made.softmax();
  const double* g = p.g.data();
  const Gradients<double> to{together.q.data(), together.k.data(), together.v.data(), to_together.data()};
  threads_gradient<double>({&in, 1}, score, {&softmax, 1}, {&g, 1}, {&to, 1});
  CHECK(difference(to_together, to_alone) < 1e-12);
  CHECK(difference(together.q, alone.q) < 1e-12);
  CHECK(difference(together.k, alone.k) < 1e-12);
}

}  // namespace regard::attention_ladder
