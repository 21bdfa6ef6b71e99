#pragma once

#include "autograd/gradcheck/gradcheck.h"

namespace regard {

// Which operation has the wrong rule? A function is made of operations that it records. If its gradient is wrong, the
// rule of one of them is, and a check of the whole function does not say which. bisect tests each operation alone:
//
//   Σ g·dy = Σ ∂x·dx       g: random numbers instead of the gradient that arrives at the result y
//                          ∂x: what the rule returns for it, one for each input
//                          dx: a random direction in which the inputs move; dy: how the result then moves, measured
//
// All operations move their own inputs in the same four runs of the function; an input with little influence moves once
// more, alone. Of the operations that disagree, the first use of each is checked element by element, as gradcheck does.
// Then experiments are made to say what the mistake is (mistake.h).
namespace bisecting {

// The element of a gradient that is off the most. Its input is counted among those of the operation.
struct WrongGradient : gradchecks::CheckedElement {
  std::string origin;   // of that input: "input 0 of the function", or "the result of operation 3, exp"
  std::string mistake;  // what is likely wrong: "it is the right one times 2"
};

struct WrongRule {
  const OpInfo* op;
  std::size_t number;  // in the order of recording, from 1
  Variable result;
  std::string reason;                         // what the check of this operation alone says
  std::vector<WrongGradient> gradients = {};  // those that are off
  bool holds_what_moves = false;              // it may hold a number that moves with the inputs
  std::size_t more_uses = 0;                  // of the same operation that disagree, too, and were not examined
};

struct NotJudged {  // at a kink, or beside a number that was taken out of the record, say
  const OpInfo* op;
  std::size_t number;
  std::string reason;
};

}  // namespace bisecting

struct BisectReport {
  std::size_t operation_count = 0;
  std::int64_t evaluation_count = 0;  // how often the function was run
  std::vector<bisecting::WrongRule> wrong;
  std::vector<bisecting::NotJudged> not_judged;

  bool all_agree() const { return wrong.empty(); }
};

// Inputs as for gradcheck: f64, or i64 that are passed on. The function must be deterministic. A parameter that it
// holds, and is not among the inputs, is not moved: give all of them as inputs (nn::bisect_module does). First order
// only. `names` are those of the inputs, for the report.
BisectReport bisect(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                    const std::vector<std::string>& names = {});

std::string to_string(const BisectReport& report);

}  // namespace regard

template <>
struct fmt::formatter<regard::BisectReport> : regard::TextFormatter<regard::BisectReport> {};
