// What layers, losses, optimisers and data say of bad arguments.
#include "nn/all.h"
#include "tests/tensor/error_case.h"

namespace regard::nn {

TEST_CASE("errors: layers") {
  Generator g(1);
  const Linear linear({.in = 3, .out = 4}, g);
  const Conv1d conv1d({.in = 2, .out = 2, .kernel = 3}, g);
  const Conv2d conv2d({.in = 2, .out = 2, .kernel = 3, .dilation = 2}, g);
  const Embedding table({.count = 3, .size = 2}, g);
  const LayerNorm norm({.size = 3});
  const RMSNorm rms({.size = 3});
  check_errors({
      {[&] { Linear({.in = 0, .out = 4}, g); }, "ValueError", "Linear: in = 0 must be 1 or more"},
      {[&] { Linear({.in = 3, .out = -1}, g); }, "ValueError", "Linear: out = -1 must be 1 or more"},
      {[&] {
         linear(zeros({2, 5}));
       },
       "ShapeError", "Linear: (2, 5): the last axis must have 3 features"},
      {[&] { linear(zeros({})); }, "ShapeError", "Linear: (): the last axis must have 3 features"},
      {[&] {
         linear(zeros({2, 3}, DType::f64));
       },
       "DTypeError", "linear: f64 (2, 3) and f32 (4, 3) do not mix (convert one of them with to(x, DType::f64))"},
      {[&] { Embedding({.count = 0, .size = 2}, g); }, "ValueError", "Embedding: count = 0 must be 1 or more"},
      {[&] { table(zeros({2})); }, "DTypeError", "Embedding: indexes must be i64, got f32 (2)"},
      {[&] {
         table(tensor({0, 3}, DType::i64));
       },
       "ValueError", "Embedding: the index 3 is outside the 3 rows of the table"},
      {[&] {
         table(tensor({-1, 1}, DType::i64));
       },
       "ValueError", "Embedding: the index -1 is outside the 3 rows of the table"},
      {[&] { LayerNorm({.size = 0}); }, "ValueError", "LayerNorm: size = 0 must be 1 or more"},
      {[&] {
         norm(zeros({3, 2}));
       },
       "ShapeError", "LayerNorm: (3, 2): the last axis must have 3 features"},
      {[&] { RMSNorm({.size = 0}); }, "ValueError", "RMSNorm: size = 0 must be 1 or more"},
      {[&] { rms(zeros({})); }, "ShapeError", "RMSNorm: (): the last axis must have 3 features"},
      {[&] { Dropout(1, 1); }, "ValueError", "Dropout: p = 1 is outside [0, 1): it is the probability to drop"},
      {[&] { Dropout(-0.5, g); }, "ValueError", "Dropout: p = -0.5 is outside [0, 1): it is the probability to drop"},
      {[&] { Dropout(NAN, 1); }, "ValueError", "Dropout: p = nan is outside [0, 1): it is the probability to drop"},
      {[&] { Conv1d({.in = 3, .out = 4, .kernel = 1, .groups = 2}, g); }, "ValueError",
       "Conv1d: groups = 2 must divide in = 3 and out = 4"},
      {[&] { Conv1d({.in = 3, .out = 4, .kernel = 0}, g); }, "ValueError", "Conv1d: kernel = (1, 0) must be 1 or more"},
      {[&] {
         conv1d(zeros({2, 3, 4}));
       },
       "ShapeError", "Conv1d: (2, 3, 4): needs (B, 2, L)"},
      {[&] {
         conv1d(zeros({2, 2, 2}));
       },
       "ShapeError", "Conv1d: a window of 1 × 3 does not fit into 1 × 2 (with the padding)"},
      {[&] { Conv2d({.in = 3, .out = 4, .kernel = 1, .groups = 0}, g); }, "ValueError",
       "Conv2d: groups = 0 must be 1 or more"},
      {[&] {
         Conv2d({.in = 3, .out = 4, .kernel = 1, .stride = {1, 0}}, g);
       },
       "ValueError", "Conv2d: stride = (1, 0) must be 1 or more"},
      {[&] { Conv2d({.in = 3, .out = 4, .kernel = 1, .padding = -1}, g); }, "ValueError",
       "Conv2d: padding = (-1, -1) must be 0 or more"},
      {[&] {
         conv2d(zeros({2, 5, 5}));
       },
       "ShapeError", "Conv2d: (2, 5, 5): needs (B, 2, H, W)"},
      {[&] {
         conv2d(zeros({1, 2, 5, 4}));
       },
       "ShapeError", "Conv2d: a window of 5 × 5 does not fit into 5 × 4 (with the padding)"},
      {[&] {
         MaxPool2d({.kernel = 2, .padding = {1, 2}});
       },
       "ValueError", "MaxPool2d: padding = (1, 2) is more than half of the kernel (2, 2)"},
      {[&] {
         MaxPool2d({.kernel = 2})(zeros({4, 4}));
       },
       "ShapeError", "MaxPool2d: (4, 4): needs (B, C, H, W)"},
      {[&] { init::kaiming_normal({3}, g); }, "ShapeError", "init: (3): a weight has two axes or more, (out, in, …)"},
      {[&] {
         init::xavier_uniform({3, 0}, g);
       },
       "ShapeError", "init: (3, 0): an empty weight has no variance"},
  });
}

TEST_CASE("errors: losses") {
  const Tensor x = zeros({2, 3}), classes = zeros({2}, DType::i64);
  check_errors({
      {[&] {
         mse_loss(x, zeros({2, 1}));
       },
       "ShapeError", "mse_loss: prediction (2, 3) and target (2, 1) must have one shape"},
      {[&] { l1_loss(x, zeros({3})); }, "ShapeError", "l1_loss: prediction (2, 3) and target (3) must have one shape"},
      {[&] { cross_entropy_loss(x, zeros({3}, DType::i64)); }, "ShapeError",
       "cross_entropy_loss: logits (2, 3) and classes (3): needs classes (2), the logits' axes but the last"},
      {[&] { cross_entropy_loss(zeros({}), zeros({}, DType::i64)); }, "ShapeError",
       "cross_entropy_loss: logits () have no axis of classes"},
      {[&] { cross_entropy_loss(x, zeros({2})); }, "DTypeError", "cross_entropy: indexes must be i64, got f32 (2)"},
      {[&] { cross_entropy_loss(x, classes, {.label_smoothing = 2}); }, "ValueError",
       "cross_entropy: a label smoothing of 2 is outside [0, 1]"},
  });
}

TEST_CASE("errors: optimisers, clipping and schedules") {
  const Variable w = parameter(zeros({2})), x = parameter(zeros({3}));
  using namespace optim;
  check_errors({
      {[&] { SGD({}); }, "ValueError", "SGD: there is no parameter to optimise"},
      {[&] {
         Adam({w, x, x});
       },
       "ValueError", "Adam: parameter 2 is parameter 1 again, and would be moved twice"},
      {[&] {
         Adam({w, Variable()});
       },
       "ValueError", "Adam: parameter 1 is undefined"},
      {[&] { SGD({sin(w)}); }, "ValueError",
       "SGD: parameter 0 (2) is the result of 'sin', and would never be moved: give its new value to the parameter "
       "that was there with assign(parameter, value)"},
      {[&] { SGD({Variable(ones({2}))}); }, "ValueError",
       "SGD: parameter 0 (2) needs no gradient, and would never be moved: leave it out, or make it with parameter(…)"},
      {[&] { SGD({w}, {.learning_rate = -1}); }, "ValueError", "SGD: learning_rate = -1 is not 0 or more"},
      {[&] { SGD({w}).set_learning_rate(NAN); }, "ValueError", "SGD: learning_rate = nan is not 0 or more"},
      {[&] { SGD({w}, {.momentum = 1}); }, "ValueError", "SGD: momentum = 1 is outside [0, 1)"},
      {[&] { SGD({w}, {.weight_decay = -1}); }, "ValueError", "SGD: weight_decay = -1 is not 0 or more"},
      {[&] { Adam({w}, {.beta1 = 1}); }, "ValueError", "Adam: beta1 = 1 is outside [0, 1)"},
      {[&] { AdamW({w}, {.beta2 = -0.5}); }, "ValueError", "AdamW: beta2 = -0.5 is outside [0, 1)"},
      {[&] { AdamW({w}, {.epsilon = -1}); }, "ValueError", "AdamW: epsilon = -1 is not 0 or more"},
      {[&] { RMSprop({w}, {.smoothing = 1}); }, "ValueError", "RMSprop: smoothing = 1 is outside [0, 1)"},
      {[&] { clip_norm({w}, 0); }, "ValueError", "clip_norm: the limit 0 is not above 0"},
      {[&] { clip_value({w}, NAN); }, "ValueError", "clip_value: the limit nan is not above 0"},
      {[&] { WarmupInverseSqrt{.peak = 1, .warmup = 0}(1); }, "ValueError",
       "WarmupInverseSqrt: warmup = 0 must be 1 or more"},
      {[&] { WarmupCosine{.peak = 1, .warmup = 5, .total = 5}(1); }, "ValueError",
       "WarmupCosine: total = 5 must be 6 or more"},
  });
}

TEST_CASE("errors: data") {
  Generator g(1);
  check_errors({
      {[&] {
         batches(std::array{zeros({3, 2}), zeros({4})}, {.size = 1}, g);
       },
       "ShapeError", "batches: tensors (3, 2) and (4) differ in their first axis"},
      {[&] {
         batches(std::array{zeros({3}), zeros({})}, {.size = 1}, g);
       },
       "ShapeError", "batches: tensor 1 is a single number and has no rows"},
      {[&] {
         batches(std::array{zeros({}), zeros({3})}, {.size = 1}, g);
       },
       "ShapeError", "batches: tensor 0 is a single number and has no rows"},
      {[&] { batches(std::array{zeros({3})}, {.size = 0}, g); }, "ValueError", "batches: a size of 0 is not 1 or more"},
      {[&] { train_test_split(std::array{zeros({3})}, {.test = 1.5}, g); }, "ValueError",
       "train_test_split: a test share of 1.5 is outside [0, 1]"},
      {[&] {
         train_test_split(std::array{zeros({3}), zeros({2})}, {}, g);
       },
       "ShapeError", "train_test_split: tensors (3) and (2) differ in their first axis"},
  });
}

}  // namespace regard::nn
