#include "nn/tools/anomaly/advice.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace regard::anomaly {
namespace {

// x is the first input, or a; b is the second.
double low(const Finding& f, std::size_t i) { return i < f.inputs.size() ? f.inputs[i].low : NAN; }
double high(const Finding& f, std::size_t i) { return i < f.inputs.size() ? f.inputs[i].high : NAN; }

bool always(const Finding&) { return true; }
bool x_is_zero(const Finding& f) { return low(f, 0) == 0; }
bool x_is_negative(const Finding& f) { return low(f, 0) < 0; }
bool b_is_zero(const Finding& f) { return low(f, 1) <= 0 && high(f, 1) >= 0; }
bool both_are_zero(const Finding& f) { return x_is_zero(f) && b_is_zero(f); }
bool row_is_minus_infinity(const Finding& f) { return std::isinf(high(f, 0)) && high(f, 0) < 0; }
bool row_has_infinity(const Finding& f) { return std::isinf(high(f, 0)) && high(f, 0) > 0; }
bool has_infinity(const Finding& f) {
  return std::ranges::any_of(f.inputs, [](const Extremes& e) { return std::isinf(e.low) || std::isinf(e.high); });
}
bool parameter_is_bad(const Finding& f) { return f.bad_parameter; }
bool came_in(const Finding& f) {
  return std::ranges::any_of(f.inputs, [](const Extremes& e) { return e.nans > 0; });
}

enum class Pass { forward, backward, both };
struct Row {
  std::string_view op;  // empty: any
  Pass pass;
  bool (*fits)(const Finding&);
  std::string_view sentence;
};

// The first row that fits is told, so what is special stands before what is general.
constexpr std::array table{
    Row{"", Pass::forward, parameter_is_bad,
        "a parameter that is not finite was made so by a step of the optimizer: take a smaller learning rate (is it "
        "finite?), shorten gradients with clip_norm, and watch the first backward pass whose gradient is not finite."},
    Row{"", Pass::forward, came_in, "look at where this input was made: no operation that was watched made it."},
    Row{"log", Pass::both, x_is_zero,
        "log 0 is −∞, and its slope there is ∞. Of a softmax take log_softmax instead; else keep x away from 0: "
        "log(x + ε)."},
    Row{"log", Pass::both, x_is_negative, "a number below 0 has no logarithm: look at what should have kept x above."},
    Row{"exp", Pass::forward, always,
        "eˣ is ∞ above 88.7 in f32 and above 709.7 in f64. Take the largest x of a row from all first, as softmax and "
        "logsumexp do, or clamp x."},
    Row{"divide", Pass::forward, both_are_zero,
        "0/0 is NaN. Is b a count, or a sum of weights? It is 0 where all is masked: divide by maximum(b, 1) there."},
    Row{"divide", Pass::both, b_is_zero, "a division by 0: keep b away from 0, as in a / (b + ε) for b ≥ 0."},
    Row{"sqrt", Pass::forward, x_is_negative,
        "a number below 0 has no square root: a variance that is computed as mean(x²) − mean(x)² can fall below; var "
        "cannot."},
    Row{"sqrt", Pass::backward, x_is_zero, "√x has slope ∞ at 0: put a small ε inside the root, sqrt(x + ε)."},
    Row{"rsqrt", Pass::both, x_is_zero, "1/√0 is ∞: put a small ε inside the root, rsqrt(x + ε)."},
    Row{"rsqrt", Pass::both, x_is_negative, "a number below 0 has no square root."},
    Row{"pow", Pass::both, x_is_zero, "0 to a power below 0 is ∞, and its slope is ∞ for a power below 1: use a + ε."},
    Row{"pow", Pass::both, x_is_negative, "a number below 0 has only whole powers."},
    Row{"softmax", Pass::forward, row_is_minus_infinity,
        "a row in which all is masked by −∞ has no softmax. Mask with masked_softmax (or nn::Mask): such a row is 0."},
    Row{"log_softmax", Pass::forward, row_is_minus_infinity,
        "a row in which all is masked by −∞ has no softmax: leave such rows out of the loss."},
    Row{"logsumexp", Pass::both, row_is_minus_infinity, "in this row all is masked by −∞: leave it out."},
    Row{"softmax", Pass::forward, row_has_infinity, "a score of ∞ has no softmax: look at what made it so large."},
    Row{"", Pass::both, has_infinity,
        "∞ − ∞, 0·∞ and ∞/∞ are NaN. Infinities that are there to mask must go through softmax or where before "
        "anything else is computed with them."},
    Row{"to", Pass::both, always, "the largest f32 is 3.4e38: stay in f64, or make the numbers smaller first."},
    Row{"", Pass::backward, always,
        "the gradient grew too large: take a smaller learning rate, shorten gradients with clip_norm, and look at "
        "whether the layers between keep the size of what goes through (normalisation, initial weights)."},
    Row{"", Pass::forward, always,
        "the numbers grew beyond the largest f32, 3.4e38 (f64: 1.8e308). In training this is mostly a learning rate "
        "that is too large: take a smaller one, or shorten gradients with clip_norm."},
};

}  // namespace

std::string_view advice(const Finding& finding) {
  for (const Row& row : table) {
    const bool pass = row.pass == Pass::both || (row.pass == Pass::backward) == finding.backward;
    if (pass && (row.op.empty() || row.op == finding.op) && row.fits(finding)) return row.sentence;
  }
  return "";
}

}  // namespace regard::anomaly
