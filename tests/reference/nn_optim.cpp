// Optimisers take PyTorch's path, step by step, and schedules have its rates.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {
namespace {

double option(const NnCase& test, const std::string& name, double missing) {
  const auto found = test.record().numbers.find(name);
  return found == test.record().numbers.end() ? missing : found->second;
}

// The same problem as in nn_optim.py: ½|a|² + ⟨s, a⟩ + ⟨s′, sin b⟩, but at step 2 b is not part of it.
template <class Make>
void check_path(const NnCase& test, const Make& make) {
  test.check({}, [&](const Variables& in) {
    Variable a = parameter(in.at("a").value()), b = parameter(in.at("b").value());
    auto optimizer = make(std::vector<Variable>{a, b});
    const Tensor slopes = in.at("slopes").value();
    std::vector<Tensor> path;
    for (std::int64_t t = 0; t < slopes.size(0); ++t) {
      const Tensor now = select(slopes, 0, t);
      optimizer.set_learning_rate(test.number(fmt::format("rate {}", t)));
      optimizer.zero_grad();
      Variable loss = sum(Variable(slice(now, 0, 0, 3)) * a + 0.5 * a * a);
      if (t != 2) loss = loss + sum(Variable(slice(now, 0, 3)) * sin(b));
      loss.backward();
      optimizer.step();
      path.push_back(cat({a.value(), b.value()}, 0));
    }
    return Variables{{"path", Variable(stack(path, 0))}};
  });
}

void check_sgd(const NnCase& test) {
  check_path(test, [&](auto parameters) {
    return optim::SGD(parameters,
                      {.momentum = option(test, "momentum", 0), .weight_decay = option(test, "weight_decay", 0)});
  });
}

void check_adam(const NnCase& test) {
  check_path(test, [&](auto parameters) {
    return optim::Adam(parameters, {.beta1 = option(test, "beta1", 0.9),
                                    .beta2 = option(test, "beta2", 0.999),
                                    .epsilon = option(test, "eps", 1e-8),
                                    .weight_decay = option(test, "weight_decay", 0)});
  });
}

void check_adamw(const NnCase& test) {
  check_path(test, [&](auto parameters) {
    return optim::AdamW(parameters, {.beta1 = option(test, "beta1", 0.9),
                                     .beta2 = option(test, "beta2", 0.999),
                                     .epsilon = option(test, "eps", 1e-8),
                                     .weight_decay = option(test, "weight_decay", 0)});
  });
}

void check_rmsprop(const NnCase& test) {
  check_path(test, [&](auto parameters) {
    return optim::RMSprop(parameters, {.smoothing = option(test, "alpha", 0.99),
                                       .epsilon = option(test, "eps", 1e-8),
                                       .momentum = option(test, "momentum", 0),
                                       .weight_decay = option(test, "weight_decay", 0)});
  });
}

template <class Schedule>
void check_rates(const NnCase& test, const Schedule& schedule) {
  test.check({}, [&](const Variables& in) {
    std::vector<double> rates;
    for (std::int64_t t = 0; t < in.at("like").numel(); ++t) rates.push_back(schedule(t));
    return Variables{{"rates", Variable(tensor(rates, in.at("like").shape(), test.dtype()))}};
  });
}

void check_linear(const NnCase& test) {
  check_rates(test, optim::LinearDecay{
                        .start = test.number("start"), .total = test.integer("total"), .end = test.number("end")});
}

void check_inverse_sqrt(const NnCase& test) {
  check_rates(test, optim::WarmupInverseSqrt{.peak = test.number("start"), .warmup = test.integer("warmup")});
}

void check_warmup_cosine(const NnCase& test) {
  check_rates(test, optim::WarmupCosine{.peak = test.number("start"),
                                        .warmup = test.integer("warmup"),
                                        .total = test.integer("total"),
                                        .end = test.number("end")});
}

}  // namespace

TEST_CASE("optimisers and schedules are PyTorch's, step by step") {
  check_family("optim", {{"sgd", check_sgd},
                         {"adam", check_adam},
                         {"adamw", check_adamw},
                         {"rmsprop", check_rmsprop},
                         {"linear", check_linear},
                         {"inverse sqrt", check_inverse_sqrt},
                         {"warmup cosine", check_warmup_cosine}});
}

}  // namespace regard::reference
