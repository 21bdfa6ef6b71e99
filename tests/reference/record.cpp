#include "tests/reference/record.h"

#include "tests/cases/case.h"
#include "tests/catch.h"
#include "tests/reference/json_tensor.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace regard::reference {
namespace {

// One tensor for each of those in `like`, of its shape and dtype.
std::vector<Tensor> read_list(const json& list, const std::vector<Tensor>& like) {
  if (list.size() != like.size())
    fail<ValueError>("reference data: {} tensors where {} were expected", list.size(), like.size());
  std::vector<Tensor> result;
  for (std::size_t i = 0; i < like.size(); ++i) result.push_back(read_data(list[i], like[i].shape(), like[i].dtype()));
  return result;
}

Record read_record(const json& x) {
  Record record;
  record.id = x.at("case");
  record.floor = x.at("floor");
  record.output = read_tensor(x.at("output"));
  std::vector<Tensor> leaves;
  for (const json& input : x.at("inputs")) {
    record.inputs.push_back(read_tensor(input));
    if (is_float(record.inputs.back().dtype())) leaves.push_back(record.inputs.back());
  }
  if (x.contains("gradients")) {
    record.cotangent = read_data(x.at("cotangent"), record.output.shape(), record.output.dtype());
    record.gradients = read_list(x.at("gradients"), leaves);
  }
  if (x.contains("second")) {
    record.directions = read_list(x.at("directions"), leaves);
    leaves.push_back(record.cotangent);
    record.second = read_list(x.at("second"), leaves);
  }
  if (x.contains("f32")) {
    const json& f32 = x.at("f32");
    record.f32.dtype = dtype_named(f32.at("dtype"));
    record.f32.output = f32.at("output");
    if (f32.contains("gradients")) record.f32.gradients = f32.at("gradients").get<std::vector<double>>();
  }
  return record;
}

std::vector<Record> read_files(const std::vector<std::string>& families) {
  std::vector<Record> records;
  for (const std::string& family : families) {
    const std::string path = fmt::format("{}/{}.json", REGARD_REFERENCE_DATA, family);
    std::ifstream file(path);
    if (!file) fail<IoError>("reference data: cannot read {} (run tests/reference/make.py)", path);
    const json content = json::parse(file);
    for (const json& x : content.at("records")) records.push_back(read_record(x));
  }
  return records;
}

}  // namespace

const std::vector<Record>& table_records() {
  static const auto records = read_files({"arithmetic", "pointwise", "reductions", "views", "joining", "indexing",
                                          "order", "products", "fused", "attention", "recurrent"});
  return records;
}

const std::vector<Record>& larger_records() {
  static const auto records = read_files({"larger"});
  return records;
}

const std::vector<Record>& point_records(DType dtype) {
  static const auto f64 = read_files({"points_f64"}), f32 = read_files({"points_f32"});
  return dtype == DType::f64 ? f64 : f32;
}

const Record* find(const std::vector<Record>& records, const std::string& id) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const Record& r) { return r.id == id; });
  return found == records.end() ? nullptr : &*found;
}

TEST_CASE("every case has a reference record with its inputs, bit for bit") {
  for (const cases::Case& row : cases::all_cases()) {
    INFO(row.id << ": the data is not of this table of cases; run tests/reference/make.py again");
    const Record* record = find(table_records(), row.id);
    REQUIRE(record);
    REQUIRE(record->inputs.size() == row.inputs.size());
    for (std::size_t i = 0; i < row.inputs.size(); ++i) CHECK(identical(record->inputs[i], row.inputs[i].value()));
    CHECK(record->gradients.empty() == (row.op->kind == OpKind::not_differentiable));
    CHECK(record->second.size() == (record->gradients.empty() ? 0 : record->gradients.size() + 1));
    CHECK(record->f32.gradients.size() == record->gradients.size());
  }
}

TEST_CASE("every reference record has its case") {
  std::set<std::string> ids;
  for (const cases::Case& row : cases::all_cases()) ids.insert(row.id);
  for (const Record& record : table_records()) {
    INFO(record.id << ": there is no such case; run tests/reference/make.py again");
    CHECK(ids.erase(record.id) == 1);  // and no case has two
  }
}

TEST_CASE("every operation has a reference record") {
  std::set<std::string> operations;
  for (const Record& record : table_records()) operations.insert(record.id.substr(0, record.id.find('/')));
  for (const OpInfo& row : op_list) {
    INFO(row.name);
    CHECK(operations.count(row.name) == 1);
  }
}

}  // namespace regard::reference
