// What was compared, in one line: ctest -R reference/summary -V

#include "tests/catch.h"
#include "tests/reference/deviation.h"
#include "tests/reference/evaluate.h"

#include <algorithm>

namespace regard::reference {
namespace {

struct Total {
  std::int64_t count = 0;
  double worst = 0;
  std::string where;

  void add(const std::string& where_now, const std::vector<Tensor>& ours, const std::vector<Tensor>& reference,
           double floor) {
    const Deviation found = deviation_of_all(ours, reference, floor);
    count += found.count;
    if (found.worst <= worst) return;
    worst = found.worst;
    where = where_now;
  }
};

}  // namespace

TEST_CASE("the summary") {
  Total f64, f32;
  for (const DType dtype : {DType::f64, DType::f32})
    for_each_subject(dtype, [&](const Record& record, const Results& ours) {
      Total& total = dtype == DType::f64 ? f64 : f32;
      total.add(record.id, {ours.output}, {record.output}, record.floor);
      total.add(record.id, ours.gradients, record.gradients, record.floor);
      if (dtype == DType::f64) total.add(record.id, ours.second, record.second, record.floor);
    });
  std::int64_t points = 0;
  for (const DType dtype : {DType::f64, DType::f32})
    for (const Record& record : point_records(dtype)) {
      points += record.output.numel();
      for (const Tensor& gradient : record.gradients) points += gradient.numel();
    }
  fmt::print(
      "reference: {} cases of the table, {} larger, {} at the edges in two dtypes: {} numbers compared; "
      "worst deviation from PyTorch {:.1e} in f64 ({}), {:.1e} in f32 ({})\n",
      table_records().size(), larger_records().size(), point_records(DType::f64).size(), f64.count + f32.count + points,
      f64.worst, f64.where, f32.worst, f32.where);
  CHECK(f64.count > 0);
  CHECK(f32.count > 0);
}

}  // namespace regard::reference
