#include "tensor/recurrent/delta_rule.h"

#include "tensor/recurrent/delta_chunk.h"
#include "tensor/threads/parallel.h"

namespace regard {
namespace {

using recurrent::chunk_steps, recurrent::DeltaChunk, recurrent::DeltaRows, recurrent::DeltaSizes;

DeltaSizes sizes_of(const DeltaInputs& in) {
  const std::int64_t length = in.q.size(-2), features = in.q.size(-1), values = in.v.size(-1);
  return {in.state.numel() / (features * values), length, features, values, in.beta.defined(),
          in.log_decay.rank() == in.q.rank()};
}

DeltaInputs contiguous_inputs(DeltaInputs in) {
  for (Tensor* x : {&in.q, &in.k, &in.v, &in.beta, &in.log_decay, &in.state})
    if (x->defined()) *x = contiguous(*x);
  return in;
}

// The steps of a head from `step` on. T is const for a tensor that is.
template <class T, class Inputs>
DeltaRows<T> rows_at(Inputs& all, const DeltaSizes& n, std::int64_t head, std::int64_t step) {
  const auto at = [&](auto& x, std::int64_t width) -> T* {
    if (!x.defined()) return nullptr;
    const std::int64_t offset = (head * n.length + step) * width;
    if constexpr (std::is_const_v<T>)
      return x.template data<std::remove_const_t<T>>() + offset;
    else
      return x.template writable<T>() + offset;
  };
  return {at(all.q, n.features), at(all.k, n.features), at(all.v, n.values), at(all.beta, 1),
          at(all.log_decay, n.fades_per_feature ? n.features : 1)};
}

// Calls body(chunk, head) for each head; a task has a chunk to work in.
template <class T, class Body>
void for_each_head(const DeltaSizes& n, const Body& body) {
  const std::int64_t work = n.length * n.features * n.values * 4 / multiply_adds_of_a_number;
  parallel_for(n.heads, items_of_a_task(work), [&](std::int64_t begin, std::int64_t end) {
    DeltaChunk<T> chunk(n);
    for (std::int64_t head = begin; head < end; ++head) body(chunk, head);
  });
}

}  // namespace

void require_delta_rule(const DeltaInputs& in) {
  const char* name = "delta_rule";
  for (const Tensor* x : {&in.k, &in.v, &in.beta, &in.log_decay, &in.state})
    if (x->defined()) require_same_dtype(name, in.q, *x);
  const int rank = in.q.rank();
  if (rank < 2 || in.k.shape() != in.q.shape() || in.k.size(-1) == 0)
    fail<ShapeError>("{}: q {} and k {}: both must be (…, L, Dk), with Dk > 0", name, in.q.shape(), in.k.shape());
  if (in.v.rank() != rank || in.v.shape() != in.q.shape().with(-1, std::max<std::int64_t>(1, in.v.size(-1))))
    fail<ShapeError>("{}: v {} for keys {}: it must be (…, L, Dv), with the same axes in front, and Dv > 0", name,
                     in.v.shape(), in.k.shape());
  const Shape steps = in.q.shape().without(-1), state = in.k.shape().with(-2, in.k.size(-1)).with(-1, in.v.size(-1));
  if (in.beta.defined() && in.beta.shape() != steps)
    fail<ShapeError>("{}: beta {} for keys {}: it must be {}, a number for each step", name, in.beta.shape(),
                     in.k.shape(), steps);
  if (in.log_decay.defined() && in.log_decay.shape() != steps && in.log_decay.shape() != in.k.shape())
    fail<ShapeError>("{}: log_decay {} for keys {}: it must be {}, or {} for one of each feature", name,
                     in.log_decay.shape(), in.k.shape(), steps, in.k.shape());
  if (in.state.shape() != state)
    fail<ShapeError>("{}: a state {} for keys {} and values {}: it must be {}", name, in.state.shape(), in.k.shape(),
                     in.v.shape(), state);
}

DeltaResult delta_rule(const DeltaInputs& given, bool keep_states) {
  require_delta_rule(given);
  const DeltaInputs in = contiguous_inputs(given);
  const DeltaSizes n = sizes_of(in);
  const Shape states = in.state.shape().with(-2, n.chunks() * n.features);  // N of them, one below the other
  DeltaResult made{empty(in.v.shape().with(-2, n.length + n.features), in.q.dtype()),
                   keep_states ? empty(states, in.q.dtype()) : Tensor()};
  dispatch_float("delta_rule", in.q.dtype(), [&]<class T>(T) {
    const std::int64_t state_size = n.features * n.values;
    for_each_head<T>(n, [&](DeltaChunk<T>& chunk, std::int64_t head) {
      T* o = made.outputs.template writable<T>() + head * (n.length * n.values + state_size);
      T* state = o + n.length * n.values;
      std::copy_n(in.state.data<T>() + head * state_size, state_size, state);
      for (std::int64_t c = 0, step = 0; c < n.chunks(); ++c, step += chunk_steps) {
        if (keep_states)
          std::copy_n(state, state_size, made.states.template writable<T>() + (head * n.chunks() + c) * state_size);
        chunk.look(rows_at<const T>(in, n, head, step), std::min(chunk_steps, n.length - step), state);
        chunk.read(state, o + step * n.values);
        chunk.write(state);
      }
    });
  });
  return made;
}

DeltaInputs delta_rule_gradients(const Tensor& gradient, const DeltaInputs& given, const DeltaResult& made) {
  const DeltaInputs in = contiguous_inputs(given);
  const DeltaSizes n = sizes_of(in);
  const Tensor g = contiguous(gradient);
  const auto like = [](const Tensor& x) { return x.defined() ? empty(x.shape(), x.dtype()) : Tensor(); };
  DeltaInputs to{like(in.q), like(in.k), like(in.v), like(in.beta), like(in.log_decay), like(in.state)};
  dispatch_float("delta_rule", g.dtype(), [&]<class T>(T) {
    const std::int64_t state_size = n.features * n.values;
    for_each_head<T>(n, [&](DeltaChunk<T>& chunk, std::int64_t head) {
      const std::int64_t begin = head * (n.length * n.values + state_size), end = begin + n.length * n.values;
      const T* before = made.states.template data<T>() + (head + 1) * n.chunks() * state_size;  // behind the last
      const T* after = made.outputs.template data<T>() + end;
      T* to_state = to.state.template writable<T>() + head * state_size;
      std::copy_n(g.data<T>() + end, state_size, to_state);
      for (std::int64_t c = n.chunks() - 1; c >= 0; --c, after = before) {
        const std::int64_t step = c * chunk_steps;
        before -= state_size;
        chunk.look(rows_at<const T>(in, n, head, step), std::min(chunk_steps, n.length - step), before);
        chunk.gradients(before, after, g.data<T>() + begin + step * n.values, to_state, rows_at<T>(to, n, head, step));
      }
    });
  });
  return to;
}

}  // namespace regard
