// The worst deviations from PyTorch of each operation. With REGARD_DEVIATIONS=FILE they are written into the file as
// JSON, from which the pages of operations are made.

#include "tests/catch.h"
#include "tests/reference/deviation.h"
#include "tests/reference/evaluate.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace regard::reference {
namespace {

// Over all cases of an operation. In f32, ours and PyTorch's own are both measured against its f64.
struct Worst {
  int cases = 0;
  std::int64_t numbers = 0;
  bool has_gradients = false;
  double output = 0, gradients = 0, second = 0;
  double output_f32 = 0, gradients_f32 = 0, output_f32_pytorch = 0, gradients_f32_pytorch = 0;
};

void take(double& worst, const std::vector<Tensor>& ours, const std::vector<Tensor>& reference, double floor,
          std::int64_t& numbers) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const Deviation found = deviation(ours[i], reference[i], floor);
    worst = std::max(worst, found.worst);
    numbers += found.count;
  }
}

std::string operation_of(const Record& record) { return record.id.substr(0, record.id.find('/')); }

std::map<std::string, Worst> worst_by_operation() {
  std::map<std::string, Worst> all;
  for_each_subject(DType::f64, [&](const Record& record, const Results& ours) {
    Worst& worst = all[operation_of(record)];
    ++worst.cases;
    worst.has_gradients = worst.has_gradients || !record.gradients.empty();
    take(worst.output, {ours.output}, {record.output}, record.floor, worst.numbers);
    take(worst.gradients, ours.gradients, record.gradients, record.floor, worst.numbers);
    take(worst.second, ours.second, record.second, record.floor, worst.numbers);
  });
  for_each_subject(DType::f32, [&](const Record& record, const Results& ours) {
    Worst& worst = all[operation_of(record)];
    std::int64_t counted = 0;
    take(worst.output_f32, {ours.output}, {record.output}, record.floor, counted);
    take(worst.gradients_f32, ours.gradients, record.gradients, record.floor, counted);
    worst.output_f32_pytorch = std::max(worst.output_f32_pytorch, record.f32.output);
    for (const double theirs : record.f32.gradients)
      worst.gradients_f32_pytorch = std::max(worst.gradients_f32_pytorch, theirs);
  });
  return all;
}

nlohmann::ordered_json as_json(const Worst& worst) {
  nlohmann::ordered_json row = {{"cases", worst.cases},
                                {"numbers", worst.numbers},
                                {"output", worst.output},
                                {"output_f32", worst.output_f32},
                                {"output_f32_pytorch", worst.output_f32_pytorch}};
  if (!worst.has_gradients) return row;
  row["gradients"] = worst.gradients;
  row["second"] = worst.second;
  row["gradients_f32"] = worst.gradients_f32;
  row["gradients_f32_pytorch"] = worst.gradients_f32_pytorch;
  return row;
}

}  // namespace

TEST_CASE("deviations by operation: all have some numbers that were compared") {
  const std::map<std::string, Worst> all = worst_by_operation();
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const OpInfo& op : op_list) {
    INFO(op.name);
    const auto found = all.find(op.name);
    REQUIRE(found != all.end());
    CHECK(found->second.numbers > 0);
    CHECK(found->second.has_gradients == (op.kind != OpKind::not_differentiable));
    CHECK(found->second.output <= 1e-13);
    json[op.name] = as_json(found->second);
  }
  CHECK(all.size() == op_list.size());
  if (const char* file = std::getenv("REGARD_DEVIATIONS")) CHECK(std::ofstream(file) << json.dump(1) << '\n');
}

}  // namespace regard::reference
