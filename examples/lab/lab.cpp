#include "examples/lab/lab.h"

#include "tensor/create.h"
#include "tensor/error.h"

#include <exception>

namespace regard::lab {
namespace {

Answer last;

}  // namespace

void Answer::add(const Tensor& all) {
  for (const double x : to_vector(all)) numbers.push_back(x);
}

Tensor head_mask(const double* on, int count, std::int64_t layers, std::int64_t heads) {
  if (count != layers * heads)
    fail<ShapeError>("head_mask: {} numbers are given, and there are {} layers of {} heads", count, layers, heads);
  return tensor(std::vector<double>(on, on + count), {layers, heads});
}

int answer(const std::function<void(Answer&)>& work) {
  last = {};
  try {
    work(last);
  } catch (const std::exception& error) {
    last = {{}, error.what()};
    return -1;
  }
  return static_cast<int>(last.numbers.size());
}

}  // namespace regard::lab

const double* lab_numbers() { return regard::lab::last.numbers.data(); }
const char* lab_text() { return regard::lab::last.text.data(); }
int lab_text_size() { return static_cast<int>(regard::lab::last.text.size()); }
