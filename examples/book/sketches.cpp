// The drawings that explain: a product and a sum, attention as a graph, a look, heads, a block, a cache, the
// Transformer.
#include "examples/book/figures.h"
#include "examples/book/sketch.h"

#include <fmt/format.h>

namespace regard::book {
namespace {

// Chapter 0: y = a·b + a, with the slope of each step at its arrow.
std::string chain_rule() {
  return Sketch(600, 190)
      .box({20, 70}, 90, 42, "a = 2")
      .box({20, 132}, 90, 42, "b = 3")
      .box({230, 100}, 130, 42, "u = a·b = 6")
      .box({450, 70}, 130, 42, "y = u + a = 8")
      .arrow({{110, 96}, {230, 114}}, "3", {170, 94})
      .arrow({{110, 153}, {230, 130}}, "2", {170, 154})
      .arrow({{360, 116}, {450, 98}}, "1", {405, 95})
      .arrow({{65, 70}, {65, 30}, {515, 30}, {515, 70}}, "1", {290, 18})
      .svg("Boxes for a, b, u and y, with arrows from each to what is computed of it, and the slope at each arrow");
}

// Chapter 5: from the features x to the loss.
std::string attention_steps() {
  Sketch sketch(850, 230);
  sketch.box({15, 94}, 40, 40, "x");
  const auto branch = [&](double y, const std::string& name, const std::string& by, Tint tint) {
    sketch.arrow({{55, 114}, {80, 114}, {80, y}, {150, y}}, by, {118, y - 13}).box({150, y - 20}, 40, 40, name, tint);
  };
  branch(40, "q", "·W_q", Tint::query);
  branch(114, "k", "·W_k", Tint::key);
  branch(190, "v", "·W_v", Tint::value);
  sketch.arrow({{190, 40}, {262, 40}}, "·1/√2", {226, 27})
      .box({262, 20}, 60, 40, "q/√2", Tint::query)
      .line({{322, 40}, {372, 40}, {372, 77}})
      .line({{190, 114}, {372, 114}, {372, 77}})
      .words({282, 101}, "transpose", 13)
      .arrow({{372, 77}, {446, 77}}, "matmul", {408, 64})
      .box({446, 57}, 40, 40, "s")
      .arrow({{486, 77}, {606, 77}}, "masked_softmax", {546, 64})
      .box({606, 57}, 40, 40, "α", Tint::weight)
      .line({{646, 77}, {666, 77}, {666, 134}})
      .line({{190, 190}, {666, 190}, {666, 134}})
      .arrow({{666, 134}, {736, 134}}, "matmul", {702, 121})
      .box({736, 114}, 36, 40, "o")
      .arrow({{772, 134}, {822, 134}}, "− ² Σ", {796, 120})
      .words({836, 134}, "L");
  return sketch.svg(
      "The tables x, q, k, v, s, α and o, with the operation on each arrow between them, up to the loss L");
}

// Chapter 2: one query looks at three keys, and takes as much of each value.
std::string one_look() {
  const std::vector<std::string> weights{"0.4", "0.2", "0.4"}, scores{"1", "0", "1"};
  Sketch sketch(700, 300);
  sketch.box({285, 14}, 130, 36, "query of love", Tint::query);
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = 40 + 230 * static_cast<double>(i), middle = x + 80;
    sketch.arrow({{350, 50}, {middle, 96}}, "", {})
        .box({x, 96}, 160, 34, "key of " + words[i], Tint::key)
        .words({middle, 144}, "q·k/√D = " + scores[i] + "·ln 2", 13)
        .box({x + 20, 158}, 120, 30, "weight " + weights[i], Tint::weight)
        .box({x, 196}, 160, 34, "value of " + words[i], Tint::value)
        .arrow({{middle, 230}, {350 + (middle - 350) / 12, 262}}, "× " + weights[i],
               {middle + (middle == 350 ? 28 : 0), 248});
  }
  return sketch.box({285, 262}, 130, 32, "output of love", Tint::plain)
      .svg("A query meets three keys; their products become weights, and the output takes that much of each value");
}

// Chapter 7: the features are cut in two, each part looks for itself.
std::string heads() {
  Sketch sketch(775, 240);
  sketch.words({72, 22}, "q, k, v", 13);
  for (int h = 0; h < 2; ++h) {
    const double y = 40 + 100 * h;
    const std::string name = fmt::format("head {}", h + 1), half = h == 0 ? "first half" : "second half";
    sketch.box({20, y}, 104, 26, half, Tint::query)
        .box({20, y + 28}, 104, 26, half, Tint::key)
        .box({20, y + 56}, 104, 26, half, Tint::value)
        .arrow({{124, y + 41}, {186, y + 41}}, name, {155, y + 28})
        .box({186, y + 10}, 130, 62, "its own weights", Tint::weight)
        .arrow({{316, y + 41}, {360, y + 41}})
        .box({360, y + 22}, 136, 38, half + " of o", Tint::value)
        .line({{496, y + 41}, {524, y + 41}, {524, 132}});
  }
  return sketch.arrow({{524, 132}, {624, 132}}, "side by side", {573, 119})
      .box({624, 112}, 56, 40, "·W_o")
      .arrow({{680, 132}, {712, 132}})
      .words({742, 132}, "output")
      .svg(
          "The features of queries, keys and values are cut in two; each part has its own weights, and W_o mixes both");
}

// Chapter 9: a block with the norm first.
std::string block() {
  Sketch sketch(780, 170);
  sketch.words({20, 110}, "x").arrow({{34, 110}, {758, 110}});
  const auto step = [&](double x, const std::string& name) {
    sketch.line({{x, 110}, {x, 50}})
        .arrow({{x, 50}, {x + 36, 50}})
        .box({x + 36, 30}, 70, 40, "norm", Tint::quiet)
        .arrow({{x + 106, 50}, {x + 136, 50}})
        .box({x + 136, 30}, 120, 40, name, name == "attention" ? Tint::weight : Tint::value)
        .line({{x + 256, 50}, {x + 290, 50}})
        .arrow({{x + 290, 50}, {x + 290, 98}})
        .dot({x + 290, 110}, "+");
  };
  step(70, "attention");
  step(410, "feed-forward");
  return sketch.words({215, 134}, "x itself goes on: the residual", 13)
      .svg("A line from left to right; twice a branch leaves it through a norm and a step, and is added to it again");
}

// Chapter 14: what is computed in each step, and what is kept.
std::string cache() {
  Sketch sketch(700, 230);
  sketch.words({110, 18}, "step", 13).words({240, 18}, "the new query", 13).words({490, 18}, "keys and values", 13);
  for (std::size_t step = 0; step < 3; ++step) {
    const double y = 34 + 64 * static_cast<double>(step);
    sketch.words({110, y + 22}, fmt::format("{}: {}", step + 1, words[step]))
        .box({195, y + 4}, 90, 36, words[step], Tint::query)
        .arrow({{285, y + 22}, {335, y + 22}}, "looks", {309, y + 9});
    for (std::size_t i = 0; i <= step; ++i) {
      const double x = 335 + 115 * static_cast<double>(i);
      sketch.box({x, y}, 105, 20, "k of " + words[i], i == step ? Tint::key : Tint::quiet)
          .box({x, y + 22}, 105, 20, "v of " + words[i], i == step ? Tint::value : Tint::quiet);
    }
  }
  return sketch.svg("Three steps: each computes one query, one key and one value, and keeps those of the steps before");
}

// Chapter 12: encoder and decoder.
std::string transformer() {
  Sketch sketch(640, 470);
  const auto column = [&](double x, const std::string& from) {
    sketch.words({x + 110, 18}, from)
        .arrow({{x + 110, 30}, {x + 110, 52}})
        .box({x, 52}, 220, 36, "embedding + positions");
    sketch.arrow({{x + 110, 88}, {x + 110, 122}});
  };
  column(30, "source");
  column(380, "target, shifted by one place");
  sketch.box({20, 110}, 240, 190, "")
      .box({30, 122}, 220, 40, "self-attention, all to all", Tint::weight)
      .arrow({{140, 162}, {140, 246}})
      .box({30, 246}, 220, 40, "feed-forward", Tint::value)
      .words({140, 316}, "× N, each part in a residual", 13)
      .box({370, 110}, 240, 260, "")
      .box({380, 122}, 220, 40, "self-attention, causal", Tint::weight)
      .arrow({{490, 162}, {490, 202}})
      .box({380, 202}, 220, 40, "cross-attention", Tint::weight)
      .arrow({{490, 242}, {490, 316}})
      .box({380, 316}, 220, 40, "feed-forward", Tint::value)
      .words({330, 384}, "× N", 13)
      .line({{140, 286}, {140, 300}})
      .arrow({{260, 222}, {380, 222}}, "keys and values", {314, 209})
      .words({314, 240}, "of the memory", 13)
      .arrow({{490, 356}, {490, 392}})
      .box({380, 392}, 220, 36, "output layer")
      .arrow({{490, 428}, {490, 448}})
      .words({490, 459}, "p of the next token");
  return sketch.svg("An encoder on the left, whose memory the cross-attention of a decoder on the right looks at");
}

}  // namespace

std::vector<Drawing> explaining_drawings() {
  return {{"chain_rule", chain_rule()},
          {"attention_steps", attention_steps()},
          {"one_look", one_look()},
          {"heads", heads()},
          {"block", block()},
          {"kept", cache()},
          {"encoder_decoder", transformer()}};
}

}  // namespace regard::book
