#pragma once

#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// What the page calls: plain functions with C's names, which take numbers and addresses of numbers, and leave their
// answer where lab_numbers() and lab_text() point. They return how many numbers these are; −1 stands for an error,
// whose sentence is the text.
#ifdef __EMSCRIPTEN__
#define LAB extern "C" __attribute__((used, visibility("default")))
#else
#define LAB extern "C"
#endif

namespace regard::lab {

struct Answer {
  std::vector<double> numbers = {};
  std::string text = {};

  void add(double x) { numbers.push_back(x); }
  void add(const Tensor& all);  // its elements, row by row
};

// Ones and zeros for the heads of `layers` layers with `heads` heads each: (layers, heads).
Tensor head_mask(const double* on, int count, std::int64_t layers, std::int64_t heads);

// Runs `work`, which fills the answer. What it throws becomes a sentence.
int answer(const std::function<void(Answer&)>& work);

}  // namespace regard::lab

LAB const double* lab_numbers();
LAB const char* lab_text();
LAB int lab_text_size();
