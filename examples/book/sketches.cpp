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
      .words({295, 52}, "slope of y by a: 3·1 + 1 = 4", 13)
      .words({295, 172}, "slope of y by b: 2·1 = 2", 13)
      .svg("Boxes for a, b, u and y, with arrows from each to what is computed of it, and the slope at each arrow");
}

// Chapter 5: from the features x to the loss.
std::string attention_steps() {
  Sketch sketch(950, 230);
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
      .arrow({{486, 77}, {616, 77}}, "masked_softmax", {549, 64})
      .box({616, 57}, 40, 40, "α", Tint::weight)
      .line({{656, 77}, {676, 77}, {676, 134}})
      .line({{190, 190}, {676, 190}, {676, 134}})
      .arrow({{676, 134}, {746, 134}}, "matmul", {710, 121})
      .box({746, 114}, 40, 40, "o")
      .arrow({{786, 134}, {896, 134}}, "squared error", {839, 121})
      .box({896, 114}, 40, 40, "L");
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
        .box({x + 136, 30}, 120, 40, name, name == "attention" ? Tint::weight : Tint::plain)
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
  return sketch.words({444, 219}, "from the cache", 13)
      .words({617, 219}, "new", 13)
      .svg("Three steps: each computes one query, one key and one value, and keeps those of the steps before");
}

// Chapter 12: encoder and decoder.
std::string transformer() {
  Sketch sketch(670, 430);
  const auto column = [&](double x, const std::string& from) {
    sketch.words({x + 110, 18}, from)
        .arrow({{x + 110, 30}, {x + 110, 52}})
        .box({x, 52}, 220, 36, "embedding + positions");
    sketch.arrow({{x + 110, 88}, {x + 110, 122}});
  };
  column(30, "source");
  column(400, "target, shifted by one place");
  sketch.box({20, 110}, 240, 138, "")
      .box({30, 122}, 220, 40, "self-attention, all to all", Tint::weight)
      .arrow({{140, 162}, {140, 196}})
      .box({30, 196}, 220, 40, "feed-forward")
      .words({278, 180}, "× N")
      .arrow({{140, 236}, {140, 272}})
      .box({80, 272}, 120, 36, "memory")
      .arrow({{200, 290}, {326, 290}, {326, 216}, {400, 216}})
      .words({264, 308}, "keys and values", 13)
      .box({390, 110}, 240, 212, "")
      .box({400, 122}, 220, 40, "self-attention, causal", Tint::weight)
      .arrow({{510, 162}, {510, 196}}, "queries", {542, 178})
      .box({400, 196}, 220, 40, "cross-attention", Tint::weight)
      .arrow({{510, 236}, {510, 270}})
      .box({400, 270}, 220, 40, "feed-forward")
      .words({648, 216}, "× N")
      .arrow({{510, 310}, {510, 346}})
      .box({400, 346}, 220, 36, "output layer")
      .arrow({{510, 382}, {510, 404}})
      .words({510, 415}, "p of the next token");
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
