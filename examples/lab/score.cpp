// Type a score: an expression becomes a score of attention; it is drawn, checked, tried by the laws, and trained.
#include "examples/lab/expression.h"
#include "examples/lab/functions.h"
#include "nn/all.h"
#include "nn/kit/kit.h"
#include "nn/kit/subject.h"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace regard::lab {
namespace {

const std::vector<std::string> names{"q", "k", "w", "D", "i", "j"};

// score(q, k) = the sum over the D features of the expression.
struct TypedScore {
  std::shared_ptr<const Expression> expression;
  Variable w;  // (D), learned, if the expression has one

  TypedScore(std::string_view text, std::int64_t features, DType dtype)
      : expression(std::make_shared<const Expression>(text, names)) {
    if (expression->uses("w")) w = parameter(ones({features}, dtype));
  }
  void visit(nn::Visitor& v) { v("w", w); }

  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    const DType dtype = q.dtype();
    const auto places = [&](std::int64_t first, std::int64_t count, const Shape& shape) {
      return reshape(arange(static_cast<double>(first), static_cast<double>(first + count), 1, dtype), shape);
    };
    const Variable each_q = unsqueeze(q, -2), each_k = unsqueeze(k, -3);
    const std::vector<Variable> values = expression->values({{"q", each_q},
                                                             {"k", each_k},
                                                             {"w", w},
                                                             {"D", full({}, static_cast<double>(q.size(-1)), dtype)},
                                                             {"i", places(offset, q.size(-2), {q.size(-2), 1, 1})},
                                                             {"j", places(0, k.size(-2), {1, k.size(-2), 1})}});
    // A score of all pairs, also where the expression is a plain number.
    return sum(values.back() + (zeros(each_q.shape(), dtype) + zeros(each_k.shape(), dtype)), -1);
  }
};

std::string_view view(const char* text, int size) { return {text, static_cast<std::size_t>(size)}; }

// Fetches values by noisy codes, as the trainers of single scores do. A score compares what two matrices make of the
// codes.
struct Fetcher {
  nn::Linear of_queries, of_keys;
  nn::Attention attention;
  optim::Adam optimizer;

  Fetcher(nn::AnyScore score, std::int64_t codes, std::int64_t features, Generator g)
      : of_queries({.in = codes, .out = features, .bias = false}, g),
        of_keys({.in = codes, .out = features, .bias = false}, g),
        attention(std::move(score)),
        optimizer(nn::parameters(*this), {.learning_rate = 2e-2}) {}
  void visit(nn::Visitor& v) {
    v("of_queries", of_queries);
    v("of_keys", of_keys);
    v("attention", attention);
  }
  nn::AttentionOutput operator()(const Tensor& q, const Tensor& k, const Tensor& v) {
    return attention(of_queries(q), of_keys(k), v);
  }
};

struct Race {
  static constexpr std::int64_t pairs = 8, codes = 6, features = 8, batch = 24;
  Generator random{1};
  Tensor key_codes = normal({pairs, codes}, random), query_codes = normal({pairs, codes}, random);
  std::vector<Fetcher> fetchers = {};

  double learn(Fetcher& one, const Tensor& q, const Tensor& k, const Tensor& v) {
    one.optimizer.zero_grad();
    const Variable loss = nn::mse_loss(one(q, k, v).output, v);
    loss.backward();
    one.optimizer.step();
    return loss.item();
  }
  void step(Answer& out) {
    const Tensor symbols = flatten(argsort(uniform({batch, pairs}, random), 1));
    const auto noisy = [&](const Tensor& all) {
      const Shape shape{batch, pairs, codes};
      return reshape(index_select(all, 0, symbols), shape) + normal(shape, random, 0, 0.2);
    };
    const Tensor q = noisy(query_codes), k = noisy(key_codes), v = normal({batch, pairs, 4}, random);
    for (Fetcher& one : fetchers) out.add(learn(one, q, k, v));
  }
};
std::optional<Race> race;

}  // namespace
}  // namespace regard::lab

using namespace regard;
using lab::Answer, lab::answer, lab::TypedScore;

// The expression for one feature of one query and one key, drawn as a graph: given q, k, w, D, i, j, for each part its
// value, its gradient, and its two operands (−1: none). The text holds the parts, a line each.
LAB int score_graph(const char* text, int size, const double* given, int) {
  return answer([&](Answer& out) {
    const lab::Expression expression(lab::view(text, size), lab::names);
    std::vector<lab::Expression::Named> named;
    for (std::size_t n = 0; n < lab::names.size(); ++n) {
      const Tensor number = full({}, given[n], DType::f64);
      named.push_back({lab::names[n], n < 3 ? parameter(number) : Variable(number)});
    }
    const std::vector<Variable> values = expression.values(named);
    std::vector<Variable> wanted;
    for (const Variable& one : values)
      if (one.requires_grad()) wanted.push_back(one);
    const auto slopes = wanted.empty() ? wanted : grad({values.back()}, wanted, {.allow_unused = true});
    for (std::size_t n = 0, next = 0; n < values.size(); ++n) {
      const auto& part = expression.parts()[n];
      out.add(values[n].value());
      out.add(values[n].requires_grad() ? slopes[next++].item() : 0);
      for (std::size_t side = 0; side < 2; ++side)
        out.add(side < part.parts.size() ? static_cast<double>(part.parts[side]) : -1);
      out.text += part.text == "^" ? fmt::format("^{}\n", part.number) : part.text + "\n";
    }
  });
}

// The gradient check of the score, with its report as text; then the errors of one element for steps of 10⁻¹ … 10⁻¹⁴.
LAB int score_check(const char* text, int size) {
  return answer([&](Answer& out) {
    const TypedScore typed(lab::view(text, size), 3, DType::f64);
    Generator random(5);
    std::vector<Variable> inputs;
    for (const Shape& shape : {Shape{2, 3}, Shape{4, 3}, Shape{3}})
      inputs.push_back(parameter(uniform(shape, random, 0.3, 1.4, DType::f64)));
    if (!typed.w.defined()) inputs.pop_back();
    const auto score = [&](const std::vector<Variable>& in) {
      TypedScore one = typed;
      if (in.size() > 2) one.w = in[2];
      return one(in[0], in[1], 0);
    };
    out.text = to_string(gradcheck(score, inputs, {.required = 0}));
    const Tensor weight = normal({2, 4}, random, 0, 1, DType::f64);
    const Variable whole = sum(score(inputs) * weight);
    double slope = 0;
    if (whole.requires_grad()) slope = grad({whole}, {inputs[0]}, {.allow_unused = true})[0].value().at({0, 1});
    for (int n = 1; n <= 14; ++n) {
      const double h = std::pow(10, -n);
      const auto at = [&](double step) {
        std::vector<Variable> moved = inputs;
        moved[0] = Variable(inputs[0].value() + step * tensor({{0, 1, 0}, {0, 0, 0}}, DType::f64));
        return sum(score(moved) * weight).item();
      };
      const double measured = (at(h) - at(-h)) / (2 * h);
      out.add(std::abs(measured - slope) / std::max(std::abs(slope), 1e-12));
    }
  });
}

// Which laws the score obeys: for each 0 (holds), 1 (not asked) or 2 (broken); the text has a line for each: its name,
// its statement and what was found, with tabs between them. Those that concern files, dropout and fusion are left out.
LAB int score_laws(const char* text, int size) {
  return answer([&](Answer& out) {
    namespace kit = nn::kit;
    using kit::Law;
    const std::string typed(lab::view(text, size));
    const lab::Expression expression(typed, lab::names);
    const auto variant = kit::variant(typed, [&](Generator&) { return TypedScore(typed, 4, DType::f32); });
    for (const Law law : {Law::gradcheck, Law::second_order, Law::row_sums, Law::keys_as_set, Law::queries_apart,
                          Law::padding, Law::batch, Law::nan_poison, Law::masked_row, Law::cached, Law::causal}) {
      const bool waived =
          (law == Law::keys_as_set && expression.uses("j")) || (law == Law::queries_apart && expression.uses("i"));
      std::string found = waived ? "not asked: this score knows positions" : kit::try_law(law, variant);
      out.add(found.empty() ? 0 : waived ? 1 : 2);
      for (char& c : found)
        if (c == '\n' || c == '\t') c = ' ';
      out.text += fmt::format("{}\t{}\t{}\n", info(law).name, info(law).statement, found);
    }
  });
}

// Begins a race on the task of recall: the score beside the dot product.
LAB int score_race(const char* text, int size) {
  return answer([&](Answer&) {
    const TypedScore typed(lab::view(text, size), lab::Race::features, DType::f32);
    auto& own = lab::race.emplace();
    own.fetchers.emplace_back(typed, lab::Race::codes, lab::Race::features, Generator(3));
    own.fetchers.emplace_back(nn::ScaledDotProduct{}, lab::Race::codes, lab::Race::features, Generator(3));
  });
}

// So many steps of it: for each step the error of the score, and that of the dot product.
LAB int score_race_steps(int count) {
  return answer([&](Answer& out) {
    if (!lab::race) fail<ValueError>("score: no race has begun");
    for (int n = 0; n < count; ++n) lab::race->step(out);
  });
}
