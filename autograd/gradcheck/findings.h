#pragma once

#include "autograd/gradcheck/element_check.h"

namespace regard::gradchecks {

// What was found in one order, as it is compared: element by element, input by input. It goes into the report.
class Findings {
 public:
  Findings(int order, const Weighted& l, const GradcheckOptions& options, GradcheckReport& report)
      : order_(order), l_(l), options_(options), report_(report) {}

  void note(const Compared& compared);
  bool are_enough() const { return options_.stop_at_failure && (worst_.error > 0 || !failed_.empty()); }
  void conclude_input(std::size_t input);  // when all its elements were noted
  void conclude();                         // when all inputs were

 private:
  // What is known of the gradient of an input, or of all of them.
  struct Evidence {
    bool not_zero = false;     // some element is not 0 on both sides
    bool above_noise = false;  // some element is so far above its noise that an error of 1 % would show
  };
  bool is_cotangent(std::size_t input) const;
  std::string name(std::size_t input) const;
  std::string name_of_element(const CheckedElement& e) const;
  std::string who_failed();
  std::string why_vacuous(std::size_t input) const;
  void set(Verdict verdict, std::string reason);

  int order_;
  const Weighted& l_;
  const GradcheckOptions& options_;
  GradcheckReport& report_;
  Evidence input_, all_;
  CheckedElement worst_;                // of the input
  std::vector<CheckedElement> failed_;  // the worst element of each input that fails
};

std::string name_of(std::size_t input, const GradcheckOptions& options);  // "input 0", or the name it was given

}  // namespace regard::gradchecks
