#include "examples/exercises/exercise.h"

#include "tensor/compare.h"
#include "tensor/print.h"

#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>

namespace regard::exercises {

namespace {

// What ends an exercise that is not right yet. It is the reader's result, not an error of the program.
struct NotYet {
  std::string text;
};

constexpr const char* arrow = "→ ";  // before the sentence that says what to think about

bool same_numbers(const Tensor& a, const Tensor& b, double tolerance) {
  return a.shape() == b.shape() && allclose(a, b, tolerance, tolerance);
}

// "  expected  [1, 2]", with the further lines of a matrix below its first
std::string shown(const std::string& name, const Tensor& numbers) {
  std::string text = to_string(numbers, {.precision = 4, .threshold = 60});
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    text.insert(at + 1, std::string(13, ' '));
  return fmt::format("    {:<9}{}\n", name, text);
}

std::string where_it_differs(const Tensor& got, const Tensor& expected, double tolerance) {
  if (got.shape() != expected.shape())
    return fmt::format("The shape is {}, but {} was expected.", to_string(got.shape()), to_string(expected.shape()));
  const std::vector<double> a = to_vector(got), b = to_vector(expected);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || std::abs(a[i] - b[i]) <= tolerance * (1 + std::abs(b[i]))) continue;  // ==: infinities
    if (std::isnan(a[i])) return fmt::format("Number {} is not a number (0/0, or ∞ − ∞).", i);
    return fmt::format("Number {} is the first that differs: {:.6g}, but {:.6g} was expected.", i, a[i], b[i]);
  }
  return "";
}

}  // namespace

void expect(const std::string& what, const Tensor& got, const Tensor& expected, const std::vector<Mistake>& mistakes,
            double tolerance) {
  const Tensor ours = to(got, DType::f64), right = to(expected, DType::f64);
  if (same_numbers(ours, right, tolerance)) return;
  std::string text = fmt::format("  {}\n", what) + shown("expected", right) + shown("got", ours);
  for (const Mistake& mistake : mistakes)
    if (same_numbers(ours, to(mistake.answer, DType::f64), tolerance)) throw NotYet{text + arrow + mistake.sentence};
  throw NotYet{text + arrow + where_it_differs(ours, right, tolerance)};
}

namespace {

// What to think about, if the number is not the expected one.
std::optional<std::string> sentence_for(double got, double expected, const std::vector<NumberMistake>& mistakes,
                                        double tolerance) {
  const auto close = [&](double a, double b) { return std::abs(a - b) <= tolerance * (1 + std::abs(b)); };
  if (close(got, expected)) return {};
  for (const NumberMistake& mistake : mistakes)
    if (close(got, mistake.answer)) return mistake.sentence;
  return "Go through your computation once more, number by number.";
}

}  // namespace

void expect(const std::string& what, double got, double expected, const std::vector<NumberMistake>& mistakes,
            double tolerance) {
  if (const auto sentence = sentence_for(got, expected, mistakes, tolerance))
    throw NotYet{
        fmt::format("  {}\n    expected {:.6g}\n    got      {:.6g}\n{}{}", what, expected, got, arrow, *sentence)};
}

void expect_typed(const std::string& what, double typed, double expected, const std::vector<NumberMistake>& mistakes) {
  if (const auto sentence = sentence_for(typed, expected, mistakes, 5e-5))
    throw NotYet{fmt::format("  {}\n    yours    {:.6g}\n{}{}", what, typed, arrow, *sentence)};
}

void expect(bool right, const std::string& sentence) {
  if (!right) throw NotYet{arrow + sentence};
}

void expect_gradient(const std::string& what, const gradchecks::Function& f, const std::vector<Variable>& inputs,
                     const std::string& sentence, const GradcheckOptions& options) {
  const GradcheckReport report = gradcheck(f, inputs, options);
  if (report.passed()) return;
  throw NotYet{fmt::format("  the gradient of {}\n  {}\n{}{}", what, to_string(report), arrow, sentence)};
}

int exercise(const std::function<void()>& checks) {
  try {
    checks();
    fmt::print("✓ right\n");
    return 0;
  } catch (const NotYet& not_yet) {
    fmt::print("{}\n", not_yet.text);
  } catch (const std::exception& error) {
    fmt::print("  Your code ended with an error:\n  {}\n", error.what());
  }
  return 1;
}

}  // namespace regard::exercises
