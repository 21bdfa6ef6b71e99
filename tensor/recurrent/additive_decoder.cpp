#include "tensor/recurrent/additive_decoder.h"

#include "tensor/create.h"
#include "tensor/ops/reduce.h"
#include "tensor/recurrent/additive_look.h"
#include "tensor/recurrent/cells.h"
#include "tensor/view.h"

namespace regard {
namespace {

using recurrent::add_to, recurrent::for_gradients, recurrent::for_states, recurrent::go_backward, recurrent::go_forward,
    recurrent::Gru, recurrent::LookSizes, recurrent::PackedMatrix, recurrent::StepRows, recurrent::Steps;

template <class T>
using GruForward = recurrent::Forward<Gru, T>;
template <class T>
using GruBackward = recurrent::Backward<Gru, T>;

AdditiveDecoderInputs contiguous_inputs(AdditiveDecoderInputs in) {
  in.keep = expand(in.keep, in.keys.shape().without(-1));
  for (Tensor* x : {&in.projected, &in.initial, &in.keys, &in.values, &in.keep, &in.query, &in.score, &in.context,
                    &in.hidden, &in.bias})
    *x = contiguous(*x);
  return in;
}

LookSizes sizes_of(const AdditiveDecoderInputs& in) {
  return {in.keys.shape()[1], in.keys.shape()[2], in.values.shape()[2]};
}

// What the looks work on: keys and values of each sequence, and which of them are kept.
template <class T>
struct Source {
  const T *keys, *values, *keep, *score;
  LookSizes sizes;

  explicit Source(const AdditiveDecoderInputs& in)
      : keys(in.keys.data<T>()),
        values(in.values.data<T>()),
        keep(in.keep.data<T>()),
        score(in.score.data<T>()),
        sizes(sizes_of(in)) {}
  std::int64_t keys_at(std::int64_t i) const { return i * sizes.keys * sizes.features; }
  std::int64_t values_at(std::int64_t i) const { return i * sizes.keys * sizes.values; }
  std::int64_t keep_at(std::int64_t i) const { return i * sizes.keys; }
};

// A GRU that looks before it steps. What it finds is added to what is projected of the input.
template <class T>
struct DecoderForward {
  GruForward<T> gru;  // reads `reading`
  Source<T> source;
  PackedMatrix<T> query, context_weight;
  StepRows<const T> projected;
  StepRows<T> queries, contexts, weights, reading;

  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    query.multiply(gru.before(t, begin, end), queries(t, begin), queries.size);
    for (std::int64_t i = begin; i < end; ++i)
      recurrent::look(source.sizes, queries(t, i), source.keys + source.keys_at(i), source.values + source.values_at(i),
                      source.keep + source.keep_at(i), source.score, weights(t, i), contexts(t, i));
    std::copy_n(projected(t, begin), (end - begin) * reading.size, reading(0, begin));
    context_weight.multiply({contexts(t, begin), end - begin, contexts.size, contexts.size, 1}, reading(0, begin),
                            reading.size, true);
    gru.multiply(t, begin, end);
  }
  void finish(std::int64_t t, std::int64_t i) const { gru.finish(t, i); }
  void pass(std::int64_t t, std::int64_t i) const { gru.pass(t, i); }
};

template <class T>
struct DecoderBackward {
  GruBackward<T> gru;
  Source<T> source;
  PackedMatrix<T> query, context_weight;
  StepRows<const T> queries, weights, arriving_contexts, arriving_weights;
  StepRows<T> to_query, to_context, to_weights;  // of each step; and of the step at hand
  T *to_keys, *to_values;
  StepRows<T> to_score;

  void arrive(std::int64_t state, std::int64_t begin, std::int64_t end) const { gru.arrive(state, begin, end); }
  void start(std::int64_t t, std::int64_t i) const { gru.start(t, i); }
  void pass(std::int64_t t, std::int64_t i) const { gru.pass(t, i); }

  void multiply(std::int64_t t, std::int64_t begin, std::int64_t end) const {
    gru.multiply(t, begin, end);
    const std::int64_t gates = gru.to_projected.size, rows = end - begin;
    context_weight.multiply({gru.to_projected(t, begin), rows, gates, gates, 1}, to_context(0, begin), to_context.size);
    add_to(to_context(0, begin), arriving_contexts(t, begin), rows * to_context.size);
    for (std::int64_t i = begin; i < end; ++i) look_back(t, i);
    query.multiply({to_query(t, begin), rows, to_query.size, to_query.size, 1}, gru.to_states.h(0, begin),
                   gru.to_states.h.size, true);
  }
  void look_back(std::int64_t t, std::int64_t i) const {
    std::copy_n(arriving_weights(t, i), to_weights.size, to_weights(0, i));
    std::fill_n(to_query(t, i), to_query.size, T{0});
    recurrent::look_gradients(source.sizes, queries(t, i), source.keys + source.keys_at(i),
                              source.values + source.values_at(i), source.keep + source.keep_at(i), source.score,
                              weights(t, i), to_context(0, i), to_weights(0, i), to_query(t, i),
                              to_keys + source.keys_at(i), to_values + source.values_at(i), to_score(0, i));
  }
};

}  // namespace

AdditiveDecoderShape shape_of(const AdditiveDecoderInputs& in) {
  const std::int64_t length = in.projected.shape()[0], batch = in.projected.shape()[1];
  return {{length + 1, batch, in.hidden.shape()[1]},
          {length, batch, in.values.shape()[2]},
          {length, batch, in.keys.shape()[1]}};
}

AdditiveDecoderParts parts_of(const Tensor& all, const AdditiveDecoderShape& shape) {
  const auto part = [&](const Shape& of, std::int64_t offset) {
    return all.view(of, contiguous_strides(of), all.offset() + offset);
  };
  return {part(shape.states, 0), part(shape.contexts, shape.states.numel()),
          part(shape.weights, shape.states.numel() + shape.contexts.numel())};
}

void require_additive_decoder(const AdditiveDecoderInputs& in) {
  constexpr const char* name = "additive_decoder";
  require_sequence(name, 3, {in.projected, {in.initial}, in.hidden, in.bias}, {});
  for (const Tensor* x : {&in.keys, &in.values, &in.keep, &in.query, &in.score, &in.context})
    require_same_dtype(name, in.projected, *x);
  const Shape &keys = in.keys.shape(), &values = in.values.shape();
  const std::int64_t batch = in.projected.shape()[1], hidden = in.hidden.shape()[1];
  if (keys.rank() != 3 || values.rank() != 3 || keys[0] != batch || values[0] != batch || keys[1] != values[1])
    fail<ShapeError>("{}: keys {} and values {} for {} sequences: needs (B, K, D) and (B, K, M)", name, keys, values,
                     batch);
  if (in.query.shape() != Shape{keys[2], hidden} || in.score.shape() != Shape{keys[2]})
    fail<ShapeError>("{}: W_q {} and w {} for keys {}: needs (D, H), {}, and (D)", name, in.query.shape(),
                     in.score.shape(), keys, Shape{keys[2], hidden});
  if (in.context.shape() != Shape{3 * hidden, values[2]})
    fail<ShapeError>("{}: W_c {} for values {}: needs (3H, M), {}", name, in.context.shape(), values,
                     Shape{3 * hidden, values[2]});
  if (broadcast(name, in.keep.shape(), {keys[0], keys[1]}) != Shape{keys[0], keys[1]})
    fail<ShapeError>("{}: keep {} does not broadcast to (B, K), {}", name, in.keep.shape(), Shape{keys[0], keys[1]});
}

AdditiveDecoderResult additive_decoder(const AdditiveDecoderInputs& given, bool keeps) {
  require_additive_decoder(given);
  const AdditiveDecoderInputs in = contiguous_inputs(given);
  const AdditiveDecoderShape shape = shape_of(in);
  const DType dtype = in.projected.dtype();
  const Steps steps(in.projected.shape(), in.hidden.shape()[1], {});
  const std::int64_t kept = keeps ? steps.length : 1;
  AdditiveDecoderResult made{empty({shape.numel()}, dtype), empty({kept, steps.batch, Gru::kept * steps.hidden}, dtype),
                             empty({kept, steps.batch, in.keys.shape()[2]}, dtype)};
  AdditiveDecoderParts parts = parts_of(made.all, shape);
  SequenceResult gru{parts.states, made.gates};
  Tensor reading = empty({1, steps.batch, 3 * steps.hidden}, dtype);
  dispatch_float("additive_decoder", dtype, [&]<class T>(T) {
    std::copy_n(in.initial.data<T>(), in.initial.numel(), parts.states.writable<T>());
    go_forward(steps, DecoderForward<T>{GruForward<T>(steps, in.hidden, reading, in.bias, gru), Source<T>(in),
                                        for_states<T>(in.query), for_states<T>(in.context), in.projected, made.queries,
                                        parts.contexts, parts.weights, reading});
  });
  return made;
}

AdditiveDecoderInputs additive_decoder_gradients(const Tensor& gradient, const AdditiveDecoderInputs& given,
                                                 const AdditiveDecoderResult& made) {
  const AdditiveDecoderInputs in = contiguous_inputs(given);
  const AdditiveDecoderShape shape = shape_of(in);
  const Tensor all = contiguous(gradient);
  const AdditiveDecoderParts g = parts_of(all, shape), parts = parts_of(made.all, shape);
  const DType dtype = all.dtype();
  const Steps steps(in.projected.shape(), in.hidden.shape()[1], {});
  const SequenceResult gru{parts.states, made.gates};
  SequenceGradients of_gru = recurrent::room_for_gradients<Gru>(gru.states);
  const LookSizes sizes = sizes_of(in);
  Tensor to_query = empty({steps.length, steps.batch, sizes.features}, dtype);
  Tensor to_context = empty({1, steps.batch, sizes.values}, dtype),
         to_weights = empty({1, steps.batch, sizes.keys}, dtype);
  Tensor to_keys = zeros(in.keys.shape(), dtype), to_values = zeros(in.values.shape(), dtype);
  Tensor to_score = zeros({1, steps.batch, sizes.features}, dtype);
  dispatch_float("additive_decoder", dtype, [&]<class T>(T) {
    go_backward(steps, DecoderBackward<T>{GruBackward<T>(steps, in.hidden, g.states, gru, of_gru), Source<T>(in),
                                          for_gradients<T>(in.query), for_gradients<T>(in.context), made.queries,
                                          parts.weights, g.contexts, g.weights, to_query, to_context, to_weights,
                                          to_keys.writable<T>(), to_values.writable<T>(), to_score});
  });
  const Tensor before = states_before(parts.states, {});
  return {.projected = of_gru.projected,
          .initial = of_gru.initial,
          .keys = to_keys,
          .values = to_values,
          .keep = {},
          .query = weight_gradient(to_query, before),
          .score = sum(to_score, {0, 1}),
          .context = weight_gradient(of_gru.projected, parts.contexts),
          .hidden = weight_gradient(of_gru.hidden, before),
          .bias = sum(of_gru.hidden, {0, 1})};
}

}  // namespace regard
