#include "examples/plot/indexed.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace regard::plot {

namespace {

using Rgb8 = std::array<std::uint8_t, 3>;

constexpr std::size_t most = 256, kept = 160;  // colours in a palette; of those, so many that stay as they are

struct Counted {
  Rgb8 colour;
  double count;
};
using Group = std::vector<Counted>;

std::uint32_t key_of(const std::uint8_t* p) { return p[0] | p[1] << 8 | p[2] << 16; }

// All colours of a picture, the most frequent first.
Group counted(const Image& image) {
  std::unordered_map<std::uint32_t, double> counts;
  for (std::size_t i = 0; i < image.bytes.size(); i += 3) ++counts[key_of(&image.bytes[i])];
  Group all;
  for (const auto& [key, count] : counts)
    all.push_back(
        {{static_cast<std::uint8_t>(key), static_cast<std::uint8_t>(key >> 8), static_cast<std::uint8_t>(key >> 16)},
         count});
  std::ranges::sort(all, [](const Counted& a, const Counted& b) {
    return a.count != b.count ? a.count > b.count : a.colour < b.colour;  // one order wherever it is made
  });
  return all;
}

struct Spread {
  std::size_t channel = 0;
  double squares = 0, mean = 0;  // the sum of squared distances from the mean, each pixel counted
};

// Along the channel in which it is widest.
Spread spread_of(const Group& group) {
  Spread widest;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    double count = 0, sum = 0, squares = 0;
    for (const Counted& one : group) {
      const double x = one.colour[channel];
      count += one.count, sum += one.count * x, squares += one.count * x * x;
    }
    const double now = squares - sum * sum / count;
    if (channel == 0 || now > widest.squares) widest = {channel, now, sum / count};
  }
  return widest;
}

// The group whose colours differ most is cut at its mean, again and again.
std::vector<Group> cut(Group all, std::size_t groups) {
  std::vector<Group> result{std::move(all)};
  std::vector<Spread> spreads{spread_of(result[0])};
  while (result.size() < groups) {
    const auto widest = std::ranges::max_element(spreads, {}, &Spread::squares);
    if (widest->squares < 0.5) break;
    Group& group = result[static_cast<std::size_t>(widest - spreads.begin())];
    const auto above = std::partition(group.begin(), group.end(),
                                      [&](const Counted& one) { return one.colour[widest->channel] <= widest->mean; });
    Group other(above, group.end());
    group.erase(above, group.end());
    *widest = spread_of(group);
    spreads.push_back(spread_of(other));
    result.push_back(std::move(other));
  }
  return result;
}

Rgb8 mean_of(const Group& group) {
  std::array<double, 3> sum{};
  double count = 0;
  for (const Counted& one : group) {
    count += one.count;
    for (std::size_t i = 0; i < 3; ++i) sum[i] += one.count * one.colour[i];
  }
  Rgb8 mean;
  for (std::size_t i = 0; i < 3; ++i) mean[i] = static_cast<std::uint8_t>(sum[i] / count + 0.5);
  return mean;
}

std::uint8_t nearest(const std::vector<Rgb8>& colours, const Rgb8& wanted) {
  std::size_t best = 0;
  int least = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < colours.size() && least > 0; ++i) {
    int distance = 0;
    for (std::size_t c = 0; c < 3; ++c) distance += (colours[i][c] - wanted[c]) * (colours[i][c] - wanted[c]);
    if (distance < least) best = i, least = distance;
  }
  return static_cast<std::uint8_t>(best);
}

}  // namespace

Indexed indexed(const Image& image) {
  const Group all = counted(image);
  Indexed result;
  const std::size_t exact = all.size() <= most ? all.size() : kept;
  for (std::size_t i = 0; i < exact; ++i) result.colours.push_back(all[i].colour);
  if (exact < all.size())
    for (const Group& group : cut(Group(all.begin() + kept, all.end()), most - kept))
      result.colours.push_back(mean_of(group));
  std::unordered_map<std::uint32_t, std::uint8_t> places;
  for (const Counted& one : all) places[key_of(one.colour.data())] = nearest(result.colours, one.colour);
  result.pixels.reserve(image.bytes.size() / 3);
  for (std::size_t i = 0; i < image.bytes.size(); i += 3) result.pixels.push_back(places[key_of(&image.bytes[i])]);
  return result;
}

}  // namespace regard::plot
