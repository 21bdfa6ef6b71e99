#include "autograd/gradcheck/findings.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace regard::gradchecks {

void Findings::note(const Compared& compared) {
  const CheckedElement& e = compared.element;
  input_.not_zero = input_.not_zero ||
                    !(std::abs(e.analytic) <= counts_as_0 && std::abs(e.numeric) <= std::max(counts_as_0, e.noise));
  input_.above_noise = input_.above_noise || !(size_of(e) <= std::max(counts_as_0, 100 * e.noise));
  if (order_ == 1) ++report_.element_count;
  if (options_.keep_elements) report_.elements.push_back(e);
  double& worst = order_ == 1 ? report_.worst : report_.worst_second;
  if (e.error > std::max(report_.worst, report_.worst_second)) report_.worst_element = e;
  worst = std::max(worst, e.error);
  if (compared.kink)
    set(Verdict::kink,
        fmt::format("{}{}: the slope{} is {:.6g} to the left and {:.6g} to the right; move the input away from the "
                    "kink",
                    order_ == 2 ? "order 2, " : "", name_of_element(e), order_ == 2 ? " of the gradient" : "",
                    compared.kink->left, compared.kink->right));
  else if (e.error > std::max(options_.tolerance, worst_.error))
    worst_ = e;
}

void Findings::conclude_input(std::size_t input) {
  if (worst_.error > 0) failed_.push_back(worst_);
  const bool is_required = options_.required < 0 || input < static_cast<std::size_t>(options_.required);
  // At second order single inputs may well have none: a linear function has no curvature. But not all of them.
  const bool may_be_none = order_ == 2 && !input_.not_zero;
  if (is_required && !input_.above_noise && !may_be_none) set(Verdict::vacuous, why_vacuous(input));
  all_ = {all_.not_zero || input_.not_zero, all_.above_noise || input_.above_noise};
  input_ = {};
  worst_ = {};
}

void Findings::conclude() {
  if (order_ == 2 && !all_.above_noise)
    set(Verdict::vacuous, all_.not_zero ? "all second derivatives are below 100 times the noise in their measurement"
                                        : "all second derivatives are 0");
  if (!failed_.empty()) set(Verdict::fail, fmt::format("order {}, {}", order_, who_failed()));
}

// At second order the inputs are followed by the cotangent.
bool Findings::is_cotangent(std::size_t input) const { return input >= report_.shapes.size(); }
std::string Findings::name(std::size_t input) const {
  return is_cotangent(input) ? "the cotangent" : name_of(input, options_);
}

// "input 0 element 2" in a list; "input 0 element [1, 2]" in a matrix.
std::string Findings::name_of_element(const CheckedElement& e) const {
  const bool is_list = is_cotangent(e.input) || report_.shapes[e.input].rank() < 2;
  return fmt::format("{} element {}", name(e.input),
                     is_list ? std::to_string(e.index) : index_of(report_.shapes[e.input], e.index));
}

// The worst element; where inputs have names, that of each that fails.
std::string Findings::who_failed() {
  const auto told = [&](const CheckedElement& e) {
    return fmt::format("{}: analytic {:.10g}, numeric {:.10g}", name_of_element(e), e.analytic, e.numeric);
  };
  std::ranges::stable_sort(failed_, std::greater(), &CheckedElement::error);
  if (options_.names.empty() || failed_.size() == 1) return told(failed_[0]);
  constexpr std::size_t most = 10;
  std::string text = fmt::format("{} of {} inputs fail, the worst first:", failed_.size(), l_.inputs.size());
  for (std::size_t i = 0; i < std::min(most, failed_.size()); ++i)
    text += fmt::format("\n    {}, error {:.1e}", told(failed_[i]), failed_[i].error);
  return failed_.size() <= most ? text : text + fmt::format("\n    and {} more", failed_.size() - most);
}

std::string Findings::why_vacuous(std::size_t input) const {
  if (l_.inputs[input].numel() == 0) return fmt::format("{} has no elements", name(input));
  if (!input_.not_zero) return fmt::format("{}: analytic and numeric gradients are both 0", name(input));
  return fmt::format("{}{}: nothing could be told, its gradients are below 100 times the noise in their measurement",
                     order_ == 2 ? "order 2, " : "", name(input));
}

// A failure outweighs a kink, and a kink outweighs a vacuous input. Of equals the first is told.
void Findings::set(Verdict verdict, std::string reason) {
  const auto weight = [](Verdict v) { return v == Verdict::fail ? 3 : v == Verdict::kink ? 2 : v == Verdict::vacuous; };
  if (weight(verdict) <= weight(report_.verdict)) return;
  report_.verdict = verdict;
  report_.reason = std::move(reason);
}

std::string name_of(std::size_t input, const GradcheckOptions& options) {
  return input < options.names.size() ? options.names[input] : fmt::format("input {}", input);
}

}  // namespace regard::gradchecks
