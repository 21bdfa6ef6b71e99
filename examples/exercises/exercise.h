#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "tensor/tensor.h"

#include <functional>
#include <string>
#include <vector>

// What stands below the line in each exercise: it compares what the reader wrote with what is right, and says in a
// sentence what went wrong.
namespace regard::exercises {

// A wrong answer that is often given, and what to think about then.
struct Mistake {
  Tensor answer;
  std::string sentence;
};

// Ends the exercise unless `got` has the shape of `expected` and the same numbers, up to tolerance·(1 + |number|).
// `what` is the call that was made: "softmax_rule(weights, g)". Of the mistakes the first that was made is told. Each
// must differ from what is expected, and from those before it: else its sentence is never told, or not where it should.
void expect(const std::string& what, const Tensor& got, const Tensor& expected,
            const std::vector<Mistake>& mistakes = {}, double tolerance = 1e-6);

struct NumberMistake {
  double answer;
  std::string sentence;
};
void expect(const std::string& what, double got, double expected, const std::vector<NumberMistake>& mistakes = {},
            double tolerance = 1e-6);

// The same for a number that was found on paper and typed in. It does not tell the right one. Whole numbers must be
// exact; of others four digits are enough.
void expect_typed(const std::string& what, double typed, double expected,
                  const std::vector<NumberMistake>& mistakes = {});

// Ends the exercise with the sentence unless `right`.
void expect(bool right, const std::string& sentence);

// Ends the exercise, with what the gradient check says and with the sentence, unless the gradient of f is right.
void expect_gradient(const std::string& what, const gradchecks::Function& f, const std::vector<Variable>& inputs,
                     const std::string& sentence, const GradcheckOptions& options = {});

// How the checks of an exercise ended, and what is said about it.
struct Outcome {
  bool right;
  std::string text;
};
Outcome outcome_of(const std::function<void()>& checks);

// All of main: runs the checks, and says how it ended. 0 if all were right, 1 if one was not.
int exercise(const std::function<void()>& checks);

}  // namespace regard::exercises
