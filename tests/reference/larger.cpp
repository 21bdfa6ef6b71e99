// Extra cases of awkward sizes: more than a vector register, just over a block, and nothing at all.

#include "tests/cases/case.h"
#include "tests/catch.h"
#include "tests/reference/extra.h"

namespace regard::reference {

using cases::In;

namespace {

Functions make_larger_cases() {
  const gradchecks::Function product = [](const In& in) { return matmul(in[0], in[1]); };
  Functions f = {
      {"pow/37", [](const In& in) { return pow(in[0], in[1]); }},
      {"divide/5x1-over-7", [](const In& in) { return in[0] / in[1]; }},
      {"sum/3x65", [](const In& in) { return sum(in[0], 0); }},
      {"mean/523", [](const In& in) { return mean(in[0]); }},
      {"var/3x65", [](const In& in) { return var(in[0], -1, KeepDim::no, 1); }},
      {"max/4x33", [](const In& in) { return max(in[0], 1); }},
      {"logsumexp/3x65", [](const In& in) { return logsumexp(in[0], -1); }},
      {"softmax/3x65", [](const In& in) { return softmax(in[0], -1); }},
      {"softmax/65x3", [](const In& in) { return softmax(in[0], 0); }},
      {"log_softmax/3x65", [](const In& in) { return log_softmax(in[0], -1); }},
      {"cumsum/2x65", [](const In& in) { return cumsum(in[0], 1); }},
      {"prod/3x65", [](const In& in) { return prod(in[0], 1); }},
      {"cumprod/2x65", [](const In& in) { return cumprod(in[0], 1); }},
      {"sort/3x33", [](const In& in) { return sort(in[0], -1); }},
      {"topk/2x40", [](const In& in) { return topk(in[0], 5, 1).values; }},
      {"gather/4x19", [](const In& in) { return gather(in[1], 1, in[0].value()); }},
      {"scatter_add/3x50", [](const In& in) { return scatter_add(in[1], 1, in[0].value(), in[2]); }},
      {"matmul/17x33x9", product},
      {"matmul/batches", product},
      {"matmul/row-65", product},
      {"delta_rule/70-steps",
       [](const In& in) {
         const Variable k = in[1] / sqrt(sum(square(in[1]), -1, keepdim));
         const auto [output, state] =
             delta_rule(in[0], k, in[2], {.beta = sigmoid(in[4]), .log_decay = -softplus(in[5]), .state = in[3]});
         return cat({output, state}, -2);
       }},
      {"exp/empty", [](const In& in) { return exp(in[0]); }},
      {"add/empty", [](const In& in) { return in[0] + in[1]; }},
      {"sum/empty", [](const In& in) { return sum(in[0], 0); }},
      {"logsumexp/empty", [](const In& in) { return logsumexp(in[0], 0); }},
      {"softmax/no-rows", [](const In& in) { return softmax(in[0], -1); }},
      {"softmax/empty-rows", [](const In& in) { return softmax(in[0], 0); }},
      {"cumsum/empty", [](const In& in) { return cumsum(in[0], 0); }},
      {"topk/none", [](const In& in) { return topk(in[0], 0, 1).values; }},
      {"slice/none", [](const In& in) { return slice(in[0], 0, 2, 2); }},
      {"cat/empty-part", [](const In& in) { return cat(in, 1); }},
      {"gather/none", [](const In& in) { return gather(in[1], 1, in[0].value()); }},
      {"index_select/none", [](const In& in) { return index_select(in[1], 0, in[0].value()); }},
      {"matmul/no-rows", product},
      {"matmul/no-inner", product},
      {"matmul/no-columns-batch", product},
      {"matmul/no-inner-batch", product},
  };
  for (const char* name : {"exp", "log", "sqrt", "rsqrt", "square", "sin", "cos", "tanh", "erf", "sigmoid", "softplus",
                           "silu", "gelu", "gelu_tanh"})
    f[fmt::format("{}/37", name)] = pointwise_functions().at(name);
  return f;
}

}  // namespace

const Functions& larger_cases() {
  static const Functions functions = make_larger_cases();
  return functions;
}

std::vector<Subject> subjects() {
  std::vector<Subject> result;
  for (const cases::Case& row : cases::all_cases())
    if (const Record* record = find(table_records(), row.id)) result.push_back({record, row.f});
  for (const Record& record : larger_records())
    if (const auto found = larger_cases().find(record.id); found != larger_cases().end())
      result.push_back({&record, found->second});
  return result;
}

TEST_CASE("larger cases: every one has a record, and every record its function") {
  for (const auto& [id, f] : larger_cases()) {
    INFO(id);
    CHECK(find(larger_records(), id));
  }
  for (const Record& record : larger_records()) {
    INFO(record.id);
    CHECK(larger_cases().count(record.id) == 1);
  }
}

}  // namespace regard::reference
