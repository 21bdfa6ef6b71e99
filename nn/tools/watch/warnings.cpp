#include "nn/tools/watch/warnings.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace regard::nn {
namespace {

// From where on something is worth a warning.
constexpr double dead_share = 0.05;      // of the units behind a relu that were never above 0
constexpr std::int64_t dead_rows = 100;  // so many values of each unit must have been seen before
constexpr double layers_factor = 100;    // between the gradients of the first and the last of three layers or more
constexpr double one_key_weight = 0.95;  // the mean weight of one key, of those that a head sees
constexpr double alike_distance = 0.02;  // of two heads of an attention
constexpr double even = 0.1;             // heads that are not further from looking at all alike have not learned yet

std::span<const WatchedStep> second_half(const std::vector<WatchedStep>& steps) {
  return std::span(steps).subspan(steps.size() / 2);
}

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

struct Most {
  double value = -1;
  std::string name = {};
  void see(double number, const std::string& of) {
    if (number > value) value = number, name = of;
  }
};

// "layers.2.up: linear" is the layer 2 of "layers.*.up: linear".
struct NumberedName {
  std::string before, after;  // "layers.", ".up: linear"
  std::int64_t number;
};
// One for each number in the name: "0.layers.2: linear" is the layer 2 of "0.layers.*: linear", in the part 0.
std::vector<NumberedName> numbered(const std::string& name) {
  std::vector<NumberedName> list;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find_first_of(".:", begin), name.size());
    const std::string word = name.substr(begin, end - begin);
    if (!word.empty() && word.size() < 10 && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; }))
      list.push_back({name.substr(0, begin), name.substr(end), std::stoll(word)});
    begin = end + 1;
  }
  return list;
}

}  // namespace

std::optional<std::string> not_finite(const WatchedStep& step) {
  for (const WatchedParameter& one : step.parameters)
    if (!std::isfinite(one.spread.mean)) return fmt::format("the parameter '{}'", one.name);
  for (const WatchedActivation& one : step.activations)
    if (!std::isfinite(one.spread.mean) && !(one.spread.mean < 0)) return fmt::format("what '{}' returns", one.name);
  for (auto one = step.activations.rbegin(); one != step.activations.rend(); ++one)
    if (!std::isfinite(one->squared_gradient)) return fmt::format("the gradient that arrives at '{}'", one->name);
  for (const WatchedParameter& one : step.parameters)
    if (!std::isfinite(one.gradient)) return fmt::format("the gradient of '{}'", one.name);
  return std::nullopt;
}

std::string line_of(const WatchedStep& step) {
  if (const auto where = not_finite(step))
    return fmt::format("step {}: NaN or infinity, first in {}", step.step, *where);
  double squares = 0;
  std::vector<double> updates;
  Most update, zeros, saturated, on_one_key;
  for (const WatchedParameter& one : step.parameters) {
    squares += one.gradient * one.gradient;
    if (one.rank < 2) continue;  // a bias that starts at 0 moves by more than it is
    updates.push_back(one.update);
    update.see(one.update, one.name);
  }
  for (const WatchedActivation& one : step.activations) {
    zeros.see(one.spread.zeros, one.name);
    if (one.has_ends) saturated.see(one.saturated, one.name);
  }
  for (const WatchedHead& one : step.heads)
    on_one_key.see(one.one_key, fmt::format("head {} of {}", one.head, one.name));
  std::string line = fmt::format("step {}: gradient {:.2g}", step.step, std::sqrt(squares));
  if (!updates.empty()) {
    std::ranges::sort(updates);
    line +=
        fmt::format("; update/weight {:.2g}, most {:.2g} ({})", updates[updates.size() / 2], update.value, update.name);
  }
  const std::pair<const char*, const Most&> shares[] = {
      {"zeros", zeros}, {"saturated", saturated}, {"most on one key", on_one_key}};
  for (const auto& [what, most] : shares)
    if (most.value > 0.005) line += fmt::format("; {} {} ({})", what, percent(most.value), most.name);
  return line;
}

std::vector<std::string> dead_units(const std::vector<WatchedStep>& steps) {
  struct Units {
    Tensor alive = {};
    std::int64_t rows = 0;  // so many values of each were seen
    int looks = 0;          // in so many steps
  };
  std::map<std::string, Units> units;
  for (const WatchedStep& step : second_half(steps))
    for (const WatchedActivation& one : step.activations) {
      if (!one.alive.defined()) continue;
      Units& all = units[one.name];
      if (all.looks > 0 && all.alive.shape() != one.alive.shape()) continue;
      all.alive = all.looks > 0 ? maximum(all.alive, one.alive) : one.alive;
      all.rows += one.alive_rows;
      ++all.looks;
    }
  std::vector<std::string> list;
  for (const auto& [name, seen] : units) {
    const auto all = static_cast<double>(seen.alive.numel()), dead = all - sum(seen.alive).item();
    if (seen.rows < dead_rows || dead / all < dead_share) continue;
    list.push_back(fmt::format(
        "dead units: {:.0f} of {:.0f} of '{}' were 0 in all {} values that were seen at the last {} steps looked at. "
        "No gradient goes through them, so they stay dead. What usually helps: a smaller learning rate, a bias that "
        "starts at 0, or leaky_relu or gelu instead of relu.",
        dead, all, name, seen.rows, seen.looks));
  }
  return list;
}

std::vector<std::string> uneven_layers(const std::vector<WatchedStep>& steps) {
  // Sizes of gradients, means over the steps, by what is the same in all layers, and by layer.
  std::map<std::pair<std::string, std::string>, std::map<std::int64_t, double>> sizes;
  const auto half = second_half(steps);
  for (const WatchedStep& step : half)
    for (const WatchedActivation& one : step.activations)
      for (const NumberedName& part : numbered(one.name))
        if (one.spread.count > 0)
          sizes[{part.before, part.after}][part.number] += one.gradient_size() / static_cast<double>(half.size());

  std::map<std::string, std::pair<double, std::string>> worst;  // one warning for each stack of layers
  for (const auto& [name, layers] : sizes) {
    if (layers.size() < 3) continue;
    const auto [first, at_first] = *layers.begin();
    const auto [last, at_last] = *layers.rbegin();
    const double ratio = std::max(at_first, at_last) / std::min(at_first, at_last);  // ∞ if one is 0, NaN if both are
    if (!(ratio > layers_factor)) continue;
    const bool vanish = at_last > at_first;
    const double each = std::pow(ratio, 1 / static_cast<double>(layers.size() - 1));
    auto& [largest, sentence] = worst[name.first];
    if (ratio <= largest) continue;
    largest = ratio;
    sentence = fmt::format(
        "{} gradients: from '{}{}{}' back to '{}{}{}' their size {} from {:.2g} to {:.2g}{}. What usually helps: "
        "residual connections, normalisation, initial weights that keep the variance{}.",
        vanish ? "vanishing" : "exploding", name.first, last, name.second, name.first, first, name.second,
        vanish ? "falls" : "rises", at_last, at_first,
        std::isinf(ratio) ? "" : fmt::format(", by a factor of {:.2g} from layer to layer", each),
        vanish ? ", relu or gelu instead of tanh and sigmoid" : ", shorter gradients by clip_norm");
  }
  std::vector<std::string> list;
  for (const auto& [stack, one] : worst) list.push_back(one.second);
  return list;
}

std::vector<std::string> poor_heads(const std::vector<WatchedStep>& steps) {
  const auto half = second_half(steps);
  if (half.empty()) return {};
  const auto is_on_one_key = [](const WatchedHead& one) { return one.one_key > one_key_weight; };
  const auto is_alike = [](const WatchedHead& one) {
    return one.twin >= 0 && one.distance < alike_distance && one.evenness > even;
  };
  // A head must stand out at every step of the half.
  const auto at_each_step = [&](const WatchedHead& last, const auto& stands_out) {
    return std::ranges::all_of(half, [&](const WatchedStep& step) {
      return std::ranges::any_of(step.heads, [&](const WatchedHead& one) {
        return one.name == last.name && one.head == last.head && one.keys > 2 && one.queries > 1 && stands_out(one);
      });
    });
  };
  std::vector<std::string> list;
  std::set<std::pair<std::string, int>> told;  // of two that are alike one is told
  for (const WatchedHead& one : half.back().heads) {
    if (at_each_step(one, is_on_one_key)) {
      list.push_back(fmt::format(
          "one token: head {} of '{}' gives {} of its weight to key {}, whatever the query; so it was at each of the "
          "last {} steps looked at. It adds the same to all positions, and can be cut. What usually helps: a smaller "
          "learning rate, scores divided by √d, fewer heads.",
          one.head, one.name, percent(one.one_key), one.key, half.size()));
    } else if (!told.contains({one.name, one.head}) && at_each_step(one, is_alike)) {
      told.insert({one.name, one.twin});
      list.push_back(fmt::format(
          "alike: heads {} and {} of '{}' look at the same keys: only {} of their weight differs; so it was at each of "
          "the last {} steps looked at. One of them can be cut. What usually helps: initial weights that differ from "
          "head to head, dropout of weights, fewer heads.",
          std::min(one.head, one.twin), std::max(one.head, one.twin), one.name, percent(one.distance), half.size()));
    }
  }
  return list;
}

std::vector<std::string> warnings(const Watch& watch) {
  const auto is_bad = [](const WatchedStep& step) { return not_finite(step).has_value(); };
  const auto bad = std::ranges::find_if(watch.steps(), is_bad);
  const std::vector<WatchedStep> finite(watch.steps().begin(), bad);
  std::vector<std::string> list;
  if (bad != watch.steps().end())
    list.push_back(fmt::format(
        "not finite: at step {} there is a NaN or an infinity, first in {}. From there on nothing is learned, and "
        "nothing else is judged. What usually helps: AnomalyMode, which tells the operation that makes it; a smaller "
        "learning rate; gradients shortened by clip_norm.",
        bad->step, *not_finite(*bad)));
  for (const auto& more : {dead_units(finite), uneven_layers(finite), poor_heads(finite)})
    list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace regard::nn
