#include "tensor/attention/ladder.h"

#include "tensor/attention/1_definition.h"
#include "tensor/attention/2_online_softmax.h"
#include "tensor/attention/4_any_score.h"
#include "tensor/attention/5_threads.h"

namespace regard::attention_ladder {
namespace {

constexpr auto product = [](auto q, auto k, auto theta) { return theta * (q * k); };

// What is kept between the two passes: two numbers for each query, and one for each of so many pairs.
template <class T>
struct Between {
  Between(const Operands<T>& in, T* output, std::int64_t pairs = 0)
      : largest(static_cast<std::size_t>(in.queries)),
        sum(largest.size()),
        weights(static_cast<std::size_t>(pairs)),
        theta(static_cast<std::size_t>(in.features), in.scale),
        to_theta(theta.size()),
        softmax{output, largest.data(), sum.data()} {}
  std::vector<T> largest, sum, weights, theta, to_theta;
  Softmax<T> softmax;
};

constexpr std::int64_t tile = tile_queries * tile_keys;

template <class T>
Rung<T> first() {
  return {"1_definition",
          [](const Operands<T>& in, T* output) {
            definition(in, Between<T>(in, output, in.queries * in.keys).weights.data(), output);
          },
          [](const Operands<T>& in, const T* g, T* output, const Gradients<T>& to) {
            Between<T> between(in, output, in.queries * in.keys);
            definition(in, between.weights.data(), output);
            definition_gradient(in, between.weights.data(), g, to);
          },
          [](const Operands<T>& in) { return in.queries * in.keys + in.keys; }};
}

template <class T>
Rung<T> second() {
  return {"2_online_softmax",
          [](const Operands<T>& in, T* output) { online_softmax(in, Between<T>(in, output).softmax); },
          [](const Operands<T>& in, const T* g, T* output, const Gradients<T>& to) {
            const Between<T> between(in, output);
            online_softmax(in, between.softmax);
            online_softmax_gradient(in, between.softmax, g, to);
          },
          [](const Operands<T>& in) { return 2 * in.queries; }};
}

template <class T>
Rung<T> third() {
  return {"3_tiles", [](const Operands<T>& in, T* output) { tiles(in, DotScore{}, Between<T>(in, output).softmax); },
          [](const Operands<T>& in, const T* g, T* output, const Gradients<T>& to) {
            const Between<T> between(in, output);
            tiles(in, DotScore{}, between.softmax);
            tiles_gradient(in, DotScore{}, between.softmax, g, to);
          },
          [](const Operands<T>& in) { return 3 * in.queries + 2 * tile; }};
}

template <class T>
Rung<T> fourth() {
  return {"4_any_score",
          [](const Operands<T>& in, T* output) {
            const Between<T> between(in, output);
            any_score(in, product, between.theta.data(), between.softmax);
          },
          [](const Operands<T>& in, const T* g, T* output, const Gradients<T>& to) {
            Between<T> between(in, output);
            any_score(in, product, between.theta.data(), between.softmax);
            any_score_gradient(in, product, between.theta.data(), between.softmax, g,
                               {to.q, to.k, to.v, between.to_theta.data()});
          },
          [](const Operands<T>& in) { return 3 * in.queries + 2 * tile + 2 * in.features * tile_keys; }};
}

template <class T>
Rung<T> fifth() {
  return {"5_threads",
          [](const Operands<T>& in, T* output) {
            const Between<T> between(in, output);
            threads<T>({&in, 1}, DotScore{}, {&between.softmax, 1});
          },
          [](const Operands<T>& in, const T* g, T* output, const Gradients<T>& to) {
            const Between<T> between(in, output);
            threads<T>({&in, 1}, DotScore{}, {&between.softmax, 1});
            threads_gradient<T>({&in, 1}, DotScore{}, {&between.softmax, 1}, {&g, 1}, {&to, 1});
          },
          [](const Operands<T>& in) {
            const std::int64_t shares = shares_of_keys(1, (in.keys + tile_keys - 1) / tile_keys);
            return 3 * in.queries + shares * ((in.queries + 1) * in.features) +
                   std::min<std::int64_t>(shares, thread_count()) * 2 * tile;
          }};
}

}  // namespace

template <class T>
std::vector<Rung<T>> ladder() {
  return {first<T>(), second<T>(), third<T>(), fourth<T>(), fifth<T>()};
}

template std::vector<Rung<float>> ladder();
template std::vector<Rung<double>> ladder();

}  // namespace regard::attention_ladder
