// From sequence to sequence: what the model computes, and that it learns to align.
#include "nn/recurrent/seq2seq.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {
namespace {

constexpr std::int64_t E = 8, H = 20, letters = 7;  // token 0 begins the target

Seq2SeqOptions options(double dropout = 0, std::int64_t layers = 1) {
  return {.source_count = letters,
          .target_count = letters,
          .embedding = E,
          .hidden = H,
          .layers = layers,
          .dropout = dropout};
}

Seq2Seq with_attention(Generator& g, const Seq2SeqOptions& o = options()) {
  return Seq2Seq(AttentionDecoder(AdditiveScore({.query_size = H, .key_size = 2 * H, .hidden = H}, g),
                                  ResetGate::after_product, {.in = E, .hidden = H, .memory = 2 * H}, g),
                 o, g);
}

Seq2Seq without_attention(Generator& g, const Seq2SeqOptions& o = options()) {
  return Seq2Seq(SummaryDecoder(ResetGate::after_product, {.in = E, .hidden = H, .memory = 2 * H}, g), o, g);
}

Tensor random_tokens(const Shape& shape, Generator& g) { return randint(shape, g, 1, letters); }

// The target as it is read: 0, and all but the last of what is to be written.
Tensor shifted(const Tensor& target) {
  return cat({zeros({target.size(0), 1}, DType::i64), slice(target, 1, 0, -1)}, 1);
}

// Trains to write the source backwards, and returns the model.
void learn_to_reverse(Seq2Seq& model, int steps) {
  Generator g(5);
  optim::Adam optimizer(model, {.learning_rate = 1e-2});
  for (int step = 0; step < steps; ++step) {
    const Tensor source = random_tokens({32, 6}, g), target = flip(source, 1);
    const Variable loss = cross_entropy_loss(model(source, {}, shifted(target)).logits, target);
    optimizer.zero_grad();
    loss.backward();
    optim::clip_norm(parameters(model), 1);
    optimizer.step();
  }
}

// Writes by itself: at each step the likeliest token, which the next step reads.
Tensor write(Seq2Seq& model, const Tensor& source, std::int64_t length) {
  const NoGrad no_grad;
  auto state = model.start(source, {});
  Tensor last = zeros({source.size(0)}, DType::i64);
  std::vector<Tensor> written;
  for (std::int64_t t = 0; t < length; ++t) written.push_back(last = argmax(model.step(last, state).logits, -1));
  return stack(written, 1);
}

void check_steps(Seq2Seq model) {
  Generator g(3);
  const Tensor source = random_tokens({3, 6}, g), lengths = tensor({6, 2, 4}, DType::i64);
  const Tensor target = random_tokens({3, 4}, g);
  const auto all = model(source, lengths, target);
  CHECK(all.logits.shape() == Shape{3, 4, letters});
  auto state = model.start(source, lengths);
  for (std::int64_t t = 0; t < 4; ++t) {
    const auto one = model.step(select(target, 1, t), state);
    CHECK(identical(one.logits.value(), select(all.logits, 1, t).value()));
    CHECK(one.weights.defined() == all.weights.defined());
  }
  CHECK(state.position == 4);

  // What follows the end of a source, and the other sources, change nothing.
  const Tensor other = cat({slice(source, 0, 1, 3), slice(source, 0, 1, 2)}, 0);
  const Tensor unlike =
      where(greater_equal(unsqueeze(arange(6), 0), tensor({{2}, {6}, {6}}, DType::i64)), tensor(1, DType::i64), other);
  const auto again = model(slice(unlike, 0, 0, 2), tensor({2, 4}, DType::i64), slice(target, 0, 1, 3));
  CHECK(identical(again.logits.value(), slice(all.logits, 0, 1, 3).value()));
}

}  // namespace

TEST_CASE("seq2seq: a step at a time is all steps at once, and padding changes nothing, bit for bit") {
  Generator g(1);
  check_steps(with_attention(g));
  check_steps(without_attention(g));
  check_steps(with_attention(g, options(0, 2)));
}

TEST_CASE("seq2seq: with attention it learns to write backwards, and looks where it should") {
  Generator g(1), fresh(99);
  Seq2Seq model = with_attention(g);
  learn_to_reverse(model, 250);
  const Tensor source = random_tokens({100, 6}, fresh), target = flip(source, 1);
  CHECK(mean(to(equal(write(model, source, 6), target), DType::f64)).item() > 0.95);
  const Tensor looks = argmax(model(source, {}, shifted(target)).weights, -1);  // (100, 6): the place it looks at most
  const Tensor right = flip(unsqueeze(arange(6), 0), 1);
  CHECK(mean(to(equal(looks, right), DType::f64)).item() > 0.5);  // a state knows of its neighbours, too
}

TEST_CASE("seq2seq: dropout draws anew in training, and is off in eval; all parameters take part") {
  Generator g(1);
  auto model = with_attention(g, options(0.3, 2));
  const Tensor source = random_tokens({2, 4}, g), target = random_tokens({2, 3}, g);
  const auto logits = [&] { return model(source, {}, target).logits; };
  CHECK(!identical(logits().value(), logits().value()));
  assert_connected(sum(logits()), model);
  eval(model);
  CHECK(identical(logits().value(), logits().value()));
}

TEST_CASE("seq2seq: dropout between two layers of the encoder, and none where there is one") {
  for (const std::int64_t layers : {1, 2}) {
    Generator g(1);
    Seq2SeqEncoder encoder(ResetGate::after_product, options(0.3, layers), g);
    Dropout of_embeddings(0, g);
    const Tensor source = random_tokens({2, 4}, g);
    const auto read = [&] { return encoder(source, {}, of_embeddings).encoded.states.value(); };
    CHECK(identical(read(), read()) == (layers == 1));
  }
}

}  // namespace regard::nn
