#include "autograd/gradcheck/order_check.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/analytic.h"
#include "autograd/gradcheck/element_check.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace regard::gradchecks {
namespace {

// What is known of the gradient of an input, or of all of them, once its elements were compared.
struct Told {
  bool any = false;    // some element is not 0 on both sides
  bool clear = false;  // of some element it is so much more that an error of 1 % would show
};

class OrderCheck {
 public:
  OrderCheck(int order, const Weighted& l, const GradcheckOptions& options, GradcheckReport& report)
      : order_(order), l_(l), options_(options), report_(report) {}

  void run() {
    const std::vector<Tensor> analytic = analytic_gradients(l_, options_.layout);
    Told all;
    for (std::size_t i = 0; i < l_.inputs.size(); ++i) {
      if (!is_float(l_.inputs[i].dtype())) continue;
      const Told told = check_input(i, to_vector(analytic[i]));
      all.any = all.any || told.any;
      all.clear = all.clear || told.clear;
      const bool is_required = options_.required < 0 || i < static_cast<std::size_t>(options_.required);
      // At second order single inputs may well have none: a linear function has no curvature. But not all of them.
      const bool may_be_none = order_ == 2 && !told.any;
      if (is_required && !told.clear && !may_be_none) set(Verdict::vacuous, why_vacuous(i, told));
    }
    if (order_ == 2 && !all.clear)
      set(Verdict::vacuous, all.any ? "all second derivatives are below 100 times the noise in their measurement"
                                    : "all second derivatives are 0");
    if (!failed_.empty()) set(Verdict::fail, fmt::format("order {}, {}", order_, who_failed()));
  }

 private:
  Told check_input(std::size_t input, const std::vector<double>& analytic) {
    Told told;
    CheckedElement worst;
    for (std::size_t n = 0; n < analytic.size(); ++n) {
      const auto index = static_cast<std::int64_t>(n);
      const auto noise = [&] {
        if (noises_.empty()) noises_ = gradient_noise(l_, options_.layout);
        return element_of(noises_[input], index);
      };
      const SlopeMeter meter(l_, results_, input, index, options_.eps);
      const auto [e, kink] = compare({order_, input, index, analytic[n]}, meter, options_.tolerance, noise);
      told.any = told.any || !(std::abs(e.analytic) <= nothing && std::abs(e.numeric) <= std::max(nothing, e.noise));
      told.clear = told.clear || !(size_of(e) <= std::max(nothing, 100 * e.noise));
      note(e);
      if (kink)
        note_kink(e, *kink);
      else if (e.error > std::max(options_.tolerance, worst.error))
        worst = e;
    }
    if (worst.error > 0) failed_.push_back(worst);
    return told;
  }

  void note(const CheckedElement& element) {
    if (order_ == 1) ++report_.element_count;
    if (options_.keep_elements) report_.elements.push_back(element);
    double& worst = order_ == 1 ? report_.worst : report_.worst_second;
    if (element.error > std::max(report_.worst, report_.worst_second)) report_.worst_element = element;
    worst = std::max(worst, element.error);
  }

  void note_kink(const CheckedElement& element, const Kink& kink) {
    set(Verdict::kink,
        fmt::format("{}{}: the slope{} is {:.6g} to the left and {:.6g} to the right; move the input away from the "
                    "kink",
                    order_ == 2 ? "order 2, " : "", name_of_element(element), order_ == 2 ? " of the gradient" : "",
                    kink.left, kink.right));
  }

  // At second order the inputs are followed by the cotangent.
  bool is_cotangent(std::size_t input) const { return input >= report_.shapes.size(); }
  std::string name(std::size_t input) const { return is_cotangent(input) ? "the cotangent" : name_of(input, options_); }

  // "input 0 element 2" in a list; "input 0 element [1, 2]" in a matrix.
  std::string name_of_element(const CheckedElement& e) const {
    const bool is_list = is_cotangent(e.input) || report_.shapes[e.input].rank() < 2;
    return fmt::format("{} element {}", name(e.input),
                       is_list ? std::to_string(e.index) : index_of(report_.shapes[e.input], e.index));
  }

  // The worst element; where inputs have names, that of each that fails.
  std::string who_failed() {
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

  std::string why_vacuous(std::size_t input, const Told& told) const {
    if (l_.inputs[input].numel() == 0) return fmt::format("{} has no elements", name(input));
    if (!told.any) return fmt::format("{}: analytic and numeric gradients are both 0", name(input));
    return fmt::format("{}{}: nothing could be told, its gradients are below 100 times the noise in their measurement",
                       order_ == 2 ? "order 2, " : "", name(input));
  }

  // A failure outweighs a kink, and a kink outweighs a vacuous input. Of equals the first is told.
  void set(Verdict verdict, std::string reason) {
    const auto weight = [](Verdict v) {
      return v == Verdict::fail ? 3 : v == Verdict::kink ? 2 : v == Verdict::vacuous;
    };
    if (weight(verdict) <= weight(report_.verdict)) return;
    report_.verdict = verdict;
    report_.reason = std::move(reason);
  }

  int order_;
  const Weighted& l_;
  const GradcheckOptions& options_;
  GradcheckReport& report_;
  std::vector<Tensor> results_ = results(l_.f, l_.inputs);
  std::vector<Tensor> noises_;          // of the analytic gradients; computed when first asked for, which is rare
  std::vector<CheckedElement> failed_;  // of each input that fails the worst element
};

}  // namespace

void check_order(int order, const Weighted& l, const GradcheckOptions& options, GradcheckReport& report) {
  OrderCheck(order, l, options, report).run();
}

std::string name_of(std::size_t input, const GradcheckOptions& options) {
  return input < options.names.size() ? options.names[input] : fmt::format("input {}", input);
}

}  // namespace regard::gradchecks
