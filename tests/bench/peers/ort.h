#pragma once

#include "tensor/tensor.h"
#include "tests/bench/measure.h"
#include "tests/bench/peers/onnx_model.h"

namespace regard::bench {

// ONNX Runtime, which takes part where the environment variable ORT_LIBRARY names its library, libonnxruntime.so. It is
// loaded when the program runs; nothing of it is needed to build.
bool has_ort();

// f32 numbers that lie side by side, in memory that somebody else keeps.
struct Memory {
  float* data;
  onnx::Sizes sizes;
};

// A call of the operation on so many threads: it reads the inputs and the constants, which are behind them and were
// prepared, and writes into the output, in place. Its threads look for work for a while before they sleep, as they do
// by default; but they live no longer than this is kept, so that whoever is measured next has nothing of them in the
// way.
Run ort(const onnx::Operation& operation, const std::vector<Memory>& inputs, const std::vector<Memory>& constants,
        const Memory& output, int threads);

// What an operation gets, and what we make of the same.
struct Example {
  Tensor input;
  std::vector<Tensor> constants;
  Tensor result;
};

// A measurement of it under the name "ort", if it is there, beside ours of the same key. Before anything is timed its
// result is compared with ours.
void measure_ort(const Key& key, const onnx::Operation& operation, const std::function<Example()>& example);

}  // namespace regard::bench
