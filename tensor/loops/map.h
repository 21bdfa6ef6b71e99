#pragma once

#include "tensor/loops/registers.h"
#include "tensor/loops/walk.h"
#include "tensor/threads/parallel.h"

#include <tuple>

namespace regard::loops {

// Element by element:  out[i] = f(x[i], …)  for every index i of a shape. plain.h is the loop that defines it, one
// `for` for each axis; here it is made fast (README.md).

// The loop of one operation, over numbers that lie side by side: out[i] from in[0][i], in[1][i], … That is all an
// operation has to bring. How tensors lie in memory is the business of map.cpp, which is compiled once for all
// operations; so the types of the numbers are hidden from it.
using DenseLoop = FunctionRef<void*, const void* const*, std::int64_t>;  // (out, in, count)

// Runs the loop over all elements of `target`, in pieces, on all threads. There are up to three operands, of one dtype,
// and they are broadcast to the shape of the target.
void run_dense(Tensor target, std::initializer_list<const Tensor*> operands, DenseLoop loop);

// The same into a new tensor, with types: loop(out, {x, …}, count).
template <class Out, class In, class Loop, class... Operands>
Tensor map_loop(const Shape& shape, const Loop& loop, const Operands&... operands) {
  constexpr std::size_t N = sizeof...(Operands);
  (operands.template data<In>(), ...);  // refuses other types
  Tensor result = empty(shape, dtype_of<Out>());
  run_dense(result, {&operands...}, [&](void* out, const void* const* in, std::int64_t count) {
    std::array<const In*, N> typed;
    for (std::size_t n = 0; n < N; ++n) typed[n] = static_cast<const In*>(in[n]);
    loop(static_cast<Out*>(out), typed, count);
  });
  return result;
}

// result[i] = f(x[i], …) for operands that are broadcast to `shape`.
template <class Out, class In, class F, class... Operands>
Tensor map_broadcast(const Shape& shape, F f, const Operands&... operands) {
  const auto loop = [f](Out* __restrict out, std::array<const In*, sizeof...(Operands)> in, std::int64_t count) {
    const auto over_elements = [=](const auto*... x) {
      for (std::int64_t i = 0; i < count; ++i) out[i] = f(x[i]...);
    };
    std::apply(over_elements, in);
  };
  return map_loop<Out, In>(shape, loop, operands...);
}

template <class Out, class In, class F>
Tensor map(const Tensor& x, F f) {
  return map_broadcast<Out, In>(x.shape(), f, x);
}

// The same for functions of tensor/math, which take registers (registers.h).
template <class T, class F, class... Operands>
Tensor map_registers(const Shape& shape, F f, const Operands&... operands) {
  const auto loop = [f](T* out, std::array<const T*, sizeof...(Operands)> in, std::int64_t count) {
    std::apply([&](const auto*... x) { each(out, count, f, x...); }, in);
  };
  return map_loop<T, T>(shape, loop, operands...);
}

}  // namespace regard::loops
