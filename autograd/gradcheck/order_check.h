#pragma once

#include "autograd/gradcheck/slopes.h"

namespace regard::gradchecks {

// One order: analytic against numeric gradient of Σ c·f for every element of every f64 input.
class OrderCheck {
 public:
  OrderCheck(int order, const GradcheckOptions& options, GradcheckReport& report)
      : order_(order), options_(options), report_(report) {}

  void run(const Functions& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& cotangents);

 private:
  // What is known of the gradient of an input once all of its elements were compared.
  struct Told {
    bool any = false;    // some element is not 0 on both sides
    bool clear = false;  // of some element it is so much more that an error of 1 % would show
  };
  using Noise = std::function<double(std::size_t input, std::int64_t index)>;  // of the analytic gradient
  Told check_input(std::size_t input, const std::vector<double>& analytic, const SlopeMeter& meter, const Noise& noise);
  CheckedElement compare(std::size_t input, std::int64_t index, double analytic, const SlopeMeter& meter,
                         const Noise& noise);
  void look_closer(CheckedElement& element, const Slopes& suspected, const SlopeMeter& meter);
  CheckedElement over_wider_steps(const CheckedElement& element, const SlopeMeter& meter) const;  // the best of them
  void judge(CheckedElement& element) const;
  void note(const CheckedElement& element);
  void note_kink(const CheckedElement& element, double slope, double half_gap);
  bool is_required(std::size_t input) const;
  std::string name_of(std::size_t input) const;
  std::string place_of(const CheckedElement& element) const;
  void blame(std::size_t input, const Shape& shape, const Told& told);
  void set(Verdict verdict, std::string reason);

  int order_;
  const GradcheckOptions& options_;
  GradcheckReport& report_;
  bool failed_ = false, kinked_ = false;
};

}  // namespace regard::gradchecks
