#include "examples/exercises/exercise.h"

#include "tensor/compare.h"
#include "tensor/create.h"
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

// What ends an exercise that was not written well: its author's error, not the reader's.
struct Fault {
  std::string text;
};

constexpr const char* arrow = "→ ";  // before the sentence that says what to think about

bool same_numbers(const Tensor& a, const Tensor& b, double tolerance) { return allclose(a, b, tolerance, tolerance); }

bool same_number(double a, double b, double tolerance) {
  return same_numbers(full({}, a, DType::f64), full({}, b, DType::f64), tolerance);
}

// Whether a number that was typed is `b`, see expect_typed. A whole number may be off by what a term loses in rounding.
bool same_typed(double typed, double b) {
  constexpr double rounding = 1e-6, half_of_the_fourth_digit = 5e-4;
  const bool whole = std::abs(b - std::round(b)) < rounding;
  return std::abs(typed - b) <= (whole ? rounding : half_of_the_fourth_digit * std::abs(b));
}

// Each mistake has an answer of its own. `same` says whether two answers are alike.
template <class Answer, class Mistakes, class Same>
void expect_distinct(const std::string& what, const Answer& expected, const Mistakes& mistakes, Same same) {
  for (auto one = mistakes.begin(); one != mistakes.end(); ++one) {
    if (same(one->answer, expected))
      throw Fault{fmt::format("{}: a mistake has the answer that is expected: {}", what, one->sentence)};
    for (auto before = mistakes.begin(); before != one; ++before)
      if (same(one->answer, before->answer))
        throw Fault{
            fmt::format("{}: two mistakes have the same answer: {} | {}", what, before->sentence, one->sentence)};
  }
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
    if (same_number(a[i], b[i], tolerance)) continue;
    if (std::isnan(a[i])) return fmt::format("Number {} is not a number (0/0, or ∞ − ∞).", i);
    return fmt::format("Number {} is the first that differs: {:.6g}, but {:.6g} was expected.", i, a[i], b[i]);
  }
  return "";
}

}  // namespace

void expect(const std::string& what, const Tensor& got, const Tensor& expected, const std::vector<Mistake>& mistakes,
            double tolerance) {
  const auto same = [&](const Tensor& a, const Tensor& b) { return same_numbers(a, b, tolerance); };
  expect_distinct(what, expected, mistakes, same);
  if (same(got, expected)) return;
  const Tensor ours = to(got, DType::f64), right = to(expected, DType::f64);
  std::string text = fmt::format("  {}\n", what) + shown("expected", right) + shown("got", ours);
  for (const Mistake& mistake : mistakes)
    if (same(got, mistake.answer)) throw NotYet{text + arrow + mistake.sentence};
  throw NotYet{text + arrow + where_it_differs(ours, right, tolerance)};
}

namespace {

// What to think about, if the number is not the expected one. `same` says whether two numbers are alike.
template <class Same>
std::optional<std::string> sentence_for(const std::string& what, double got, double expected,
                                        const std::vector<NumberMistake>& mistakes, Same same) {
  expect_distinct(what, expected, mistakes, same);
  if (same(got, expected)) return {};
  for (const NumberMistake& mistake : mistakes)
    if (same(got, mistake.answer)) return mistake.sentence;
  return "Go through your computation once more, number by number.";
}

}  // namespace

void expect(const std::string& what, double got, double expected, const std::vector<NumberMistake>& mistakes,
            double tolerance) {
  const auto same = [&](double a, double b) { return same_number(a, b, tolerance); };
  if (const auto sentence = sentence_for(what, got, expected, mistakes, same))
    throw NotYet{
        fmt::format("  {}\n    expected {:.6g}\n    got      {:.6g}\n{}{}", what, expected, got, arrow, *sentence)};
}

void expect_typed(const std::string& what, double typed, double expected, const std::vector<NumberMistake>& mistakes) {
  if (const auto sentence = sentence_for(what, typed, expected, mistakes, same_typed))
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

Outcome outcome_of(const std::function<void()>& checks) {
  try {
    checks();
    return {true, "✓ right"};
  } catch (const NotYet& not_yet) {
    return {false, not_yet.text};
  } catch (const Fault& fault) {
    return {false, "  This exercise has a fault, which is not yours:\n  " + fault.text};
  } catch (const std::exception& error) {
    return {false, fmt::format("  Your code ended with an error:\n  {}", error.what())};
  }
}

int exercise(const std::function<void()>& checks) {
  const Outcome outcome = outcome_of(checks);
  fmt::print("{}\n", outcome.text);
  return outcome.right ? 0 : 1;
}

}  // namespace regard::exercises
