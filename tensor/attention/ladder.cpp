#include "tensor/attention/ladder.h"

#include "tensor/attention/1_definition.h"
#include "tensor/attention/2_online_softmax.h"
#include "tensor/attention/4_any_score.h"
#include "tensor/attention/5_threads.h"

namespace regard::attention_ladder {
namespace {

constexpr auto product = [](auto q, auto k, auto theta) { return theta * (q * k); };
template <class T>
using Product = FeatureScore<T, decltype(product)>;

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

}  // namespace

template <class T>
std::vector<Rung<T>> ladder() {
  using In = const Operands<T>&;
  using To = const Gradients<T>&;
  return {
      {"1_definition",
       [](In in, T* output) { definition(in, Between<T>(in, output, in.queries * in.keys).weights.data(), output); },
       [](In in, const T* g, T* output, To to) {
         Between<T> between(in, output, in.queries * in.keys);
         definition(in, between.weights.data(), output);
         definition_gradient(in, between.weights.data(), g, to);
       },
       [](In in) { return in.queries * in.keys + in.keys; }},
      {"2_online_softmax", [](In in, T* output) { online_softmax(in, Between<T>(in, output).softmax); },
       [](In in, const T* g, T* output, To to) {
         const Between<T> between(in, output);
         online_softmax(in, between.softmax);
         online_softmax_gradient(in, between.softmax, g, to);
       },
       [](In in) { return 2 * in.queries; }},
      {"3_tiles", [](In in, T* output) { tiles(in, DotScore{}, Between<T>(in, output).softmax); },
       [](In in, const T* g, T* output, To to) {
         const Between<T> between(in, output);
         tiles(in, DotScore{}, between.softmax);
         tiles_gradient(in, DotScore{}, between.softmax, g, to);
       },
       [](In in) { return 3 * in.queries + 2 * tile; }},
      {"4_any_score",
       [](In in, T* output) {
         const Between<T> between(in, output);
         tiles(in, Product<T>{product, between.theta.data()}, between.softmax);
       },
       [](In in, const T* g, T* output, To to) {
         Between<T> between(in, output);
         tiles(in, Product<T>{product, between.theta.data()}, between.softmax);
         tiles_gradient(in, Product<T>{product, between.theta.data()}, between.softmax, g,
                        {to.q, to.k, to.v, between.to_theta.data()});
       },
       [](In in) { return 3 * in.queries + 2 * tile + 2 * in.features * tile_keys; }},
      {"5_threads",
       [](In in, T* output) {
         const Between<T> between(in, output);
         threads<T>({&in, 1}, DotScore{}, {&between.softmax, 1});
       },
       [](In in, const T* g, T* output, To to) {
         const Between<T> between(in, output);
         threads<T>({&in, 1}, DotScore{}, {&between.softmax, 1});
         threads_gradient<T>({&in, 1}, DotScore{}, {&between.softmax, 1}, {&g, 1}, {&to, 1});
       },
       [](In in) {
         const std::int64_t shares = shares_of_keys(1, (in.keys + tile_keys - 1) / tile_keys);
         return 3 * in.queries + shares * ((in.queries + 1) * in.features) +
                std::min<std::int64_t>(shares, thread_count()) * 2 * tile;
       }}};
}

template std::vector<Rung<float>> ladder();
template std::vector<Rung<double>> ladder();

}  // namespace regard::attention_ladder
