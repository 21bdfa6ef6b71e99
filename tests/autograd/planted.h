#pragma once

#include "autograd/all.h"

#include <functional>
#include <string>
#include <utility>

// Operations with wrong rules, inside attention that is made by hand. Each computes what it should; only its rule has a
// mistake, of the kinds that people make.
namespace regard::planted {

using In = std::vector<Variable>;

// An operation with any rule.
inline Variable made(const OpInfo& info, const graph::InputRefs& inputs, const Tensor& value, graph::Rule rule) {
  return record(info, inputs, value, std::move(rule));
}

using One = std::function<Variable(const Variable&)>;
using Two = std::function<Variable(const Variable&, const Variable&)>;

// The operations that attention is made of here, one of which may be replaced. All matrices are square.
struct Operations {
  Two times = [](const Variable& a, const Variable& b) { return matmul(a, b); };
  Two plus = [](const Variable& a, const Variable& b) { return a + b; };
  Two minus = [](const Variable& a, const Variable& b) { return a - b; };
  Two product = [](const Variable& a, const Variable& b) { return a * b; };
  Two quotient = [](const Variable& a, const Variable& b) { return a / b; };
  One turned = [](const Variable& x) { return transpose(x); };
  One rows = [](const Variable& b) { return expand(b, {3, 3}); };  // a bias for each of three rows
  One scaled = [](const Variable& x) { return x * 0.5; };
  One weights = [](const Variable& s) { return softmax(s, -1); };
  One squashed = [](const Variable& x) { return tanh(x); };
  One inverse_root = [](const Variable& x) { return rsqrt(x); };
  One power = [](const Variable& x) { return exp(x); };
  One normed = [](const Variable& x) { return x - mean(x, -1, keepdim); };
};

// x, W_q, W_k, W_v, b of 3 positions with 3 features. Twenty operations and more.
inline Variable attention(const Operations& f, const In& in) {
  const Variable& x = in[0];
  const Variable bias = f.rows(in[4]);
  const Variable q = f.plus(f.times(x, in[1]), bias), k = f.minus(f.times(x, in[2]), f.power(bias));
  const Variable v = f.product(f.times(x, in[3]), f.power(x));
  const Variable w = f.weights(f.scaled(f.times(q, f.turned(k))));
  const Variable y = f.normed(f.quotient(f.squashed(f.times(w, v)), 1.5 + square(x)));
  return f.product(f.inverse_root(sum(square(y)) + 1), sum(f.plus(y, x)));
}

inline In attention_inputs() {
  Generator generator(5);
  In inputs;
  for (int i = 0; i < 4; ++i) inputs.push_back(parameter(normal({3, 3}, generator, 0, 0.7, DType::f64)));
  inputs.push_back(parameter(normal({3}, generator, 0, 0.7, DType::f64)));
  return inputs;
}

}  // namespace regard::planted
