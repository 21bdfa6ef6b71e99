#include "tests/museum/tools.h"

#include "autograd/backward.h"
#include "autograd/gradcheck/bisect/bisect.h"
#include "nn/optim/adam.h"
#include "nn/tools/anomaly/anomaly.h"
#include "tensor/compare.h"
#include "tensor/error.h"
#include "tensor/ops/arithmetic.h"

#include <regex>

namespace regard::museum {
namespace {

// A report as its page shows it: without what hangs on the machine. That is digits after the fourth, and the largest
// error of a gradcheck, of which the noise of the measurement is a part.
std::string as_shown(const std::string& report) {
  const std::string text = std::regex_replace(report, std::regex("   worst [^ ]+"), "");
  static const std::regex number("-?[0-9]+\\.[0-9]+(e[-+][0-9]+)?");
  std::string shown;
  auto end = text.begin();
  for (std::sregex_iterator found(text.begin(), text.end(), number); found != std::sregex_iterator(); ++found) {
    shown.append(end, text.begin() + found->position());
    shown += fmt::format("{:.4g}", std::stod(found->str()));
    end = text.begin() + found->position() + found->length();
  }
  return shown.append(end, text.end());
}

}  // namespace

Finding by_gradcheck(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                     const GradcheckOptions& options) {
  const GradcheckReport report = gradcheck(f, inputs, options);
  return {!report.passed(), "gradcheck", as_shown(to_string(report))};
}

Finding by_bisect(const gradchecks::Function& f, const std::vector<Variable>& inputs) {
  const BisectReport report = bisect(f, inputs);
  return {!report.all_agree(), "bisect", as_shown(to_string(report))};
}

Finding by_error(const std::string& tool, const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return {true, tool, error.what()};
  }
  return {false, tool, "no error"};
}

Finding by_law(const std::string& law, bool holds, const std::string& seen) { return {!holds, "a law: " + law, seen}; }

Finding by_law(const std::string& law, const Tensor& result, const Tensor& expected, double tolerance) {
  if (result.shape() != expected.shape())
    return {true, "a law: " + law, fmt::format("shape {}, and {} is expected", result.shape(), expected.shape())};
  const double off = largest_difference(result, expected);
  return {!(off <= tolerance), "a law: " + law, fmt::format("largest difference {:.2g}", off)};
}

Finding by_anomaly(const std::function<void()>& run) {
  return by_error("AnomalyMode", [&] {
    AnomalyMode watch;
    run();
  });
}

double descend(const Variable& loss, std::vector<Variable> parameters, double rate) {
  const std::vector<Variable> slopes = grad({loss}, parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    assign(parameters[i], parameters[i].value() - rate * slopes[i].value());
  return loss.item();
}

std::vector<double> losses(int steps, const std::function<double()>& step) {
  std::vector<double> list;
  for (int i = 0; i < steps; ++i) list.push_back(step());
  return list;
}

std::vector<double> train(int steps, double rate, const std::vector<Variable>& parameters,
                          const std::function<Variable()>& loss) {
  optim::Adam adam(parameters, {.learning_rate = rate});
  return losses(steps, [&] {
    const Variable now = loss();
    adam.zero_grad();
    now.backward();
    adam.step();
    return now.item();
  });
}

}  // namespace regard::museum
