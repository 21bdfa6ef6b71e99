// Transformers: a step of training, and writing.
#include "examples/published/by_columns.h"
#include "examples/published/published.h"
#include "nn/all.h"
#include "tests/bench/measure.h"

namespace regard::bench {
namespace {

using namespace nn;

Tensor tokens(const Shape& shape, std::int64_t vocabulary) {
  Generator generator(1);
  return randint(shape, generator, 0, vocabulary);
}

// One step of training: forward, backward, Adam.
template <Module M, class Loss>
Run step(M model, const Loss& loss) {
  const auto shared = std::make_shared<M>(std::move(model));
  const auto optimizer = std::make_shared<optim::Adam>(parameters(*shared));
  return [=] {
    optimizer->zero_grad();
    loss(*shared).backward();
    optimizer->step();
  };
}

Variable loss_of(const Variable& logits, const Tensor& targets) {
  return cross_entropy_loss(flatten(logits, 0, 1), flatten(targets));
}

// 2 + 2 layers, sequences of 24 tokens in and out.
Run translation() {
  Generator generator(1);
  const LayerOptions layer{
      .model = 128, .heads = 4, .hidden = 512, .placement = NormPlacement::post, .method = Method::fused};
  Transformer model(ScaledDotProduct{},
                    {.source_vocabulary = 64,
                     .target_vocabulary = 64,
                     .encoder_layers = 2,
                     .decoder_layers = 2,
                     .layer = layer,
                     .tied = false},
                    generator);
  model.encoder.norm = Norm(layer);  // as PyTorch's has them, in any case
  model.decoder.norm = Norm(layer);
  const Tensor source = tokens({64, 24}, 64), target = tokens({64, 25}, 64);
  return step(std::move(model), [=](auto& m) {
    return loss_of(m.decode(slice(target, 1, 0, 24), m.encode(source)), contiguous(slice(target, 1, 1)));
  });
}

Run gpt() {
  Generator generator(1);
  const Tensor text = tokens({4, 65}, 512);
  return step(make_gpt({.model = 128, .layers = 4, .heads = 4, .vocabulary = 512, .longest = 64}, generator),
              [=](auto& m) { return loss_of(m(slice(text, 1, 0, 64)), contiguous(slice(text, 1, 1))); });
}

LlamaOptions stories(const std::string& size) {
  if (size == "260K")
    return {.model = 64,
            .hidden = 172,
            .layers = 5,
            .heads = 8,
            .key_value_heads = 4,
            .vocabulary = 512,
            .longest = 0,
            .layout = RotaryLayout::interleaved};
  const bool small = size == "15M";
  return {.model = small ? 288 : 768,
          .hidden = small ? 768 : 2048,
          .layers = small ? 6 : 12,
          .heads = small ? 6 : 12,
          .key_value_heads = small ? 6 : 12,
          .vocabulary = 32000,
          .longest = 0,
          .layout = RotaryLayout::interleaved};
}

// The time of a token, as the mean of 64 that follow a prompt of so many.
Run write(const std::string& size, std::int64_t prompt) {
  Generator generator(1);
  const LlamaOptions options = stories(size);
  const auto model = std::make_shared<Llama>(make_llama(options, generator));
  store_by_columns(*model);  // as llama_from does
  const Tensor text = tokens({1, prompt}, options.vocabulary);
  const auto cache = std::make_shared<StackCache>();
  const NoGrad no_grad;
  (*model)(text, {.cache = cache.get(), .last = true});
  return [=] {
    const NoGrad none;
    StackCache from_here = *cache;
    Tensor next = zeros({1, 1}, DType::i64);
    for (int i = 0; i < 64; ++i) next = argmax((*model)(next, {.cache = &from_here, .last = true}), -1);
  };
}

Run read(const std::string& size, std::int64_t prompt) {
  Generator generator(1);
  const LlamaOptions options = stories(size);
  const auto model = std::make_shared<Llama>(make_llama(options, generator));
  store_by_columns(*model);  // as llama_from does
  const Tensor text = tokens({1, prompt}, options.vocabulary);
  return [=] {
    const NoGrad none;
    StackCache cache;
    (*model)(text, {.cache = &cache, .last = true});
  };
}

}  // namespace

void register_measurements() {
  for (const int threads : {1, 2}) measure({"translation_step", threads}, "regard", {}, translation);
  for (const int threads : {1, 2}) measure({"gpt_step", threads}, "regard", {}, gpt);
  for (const int threads : {1, 2})
    for (const std::string size : {"260K", "15M", "110M"}) {
      measure({"write_64/" + size, threads}, "regard", {}, [=] { return write(size, 8); });
      measure({"read_512/" + size, threads}, "regard", {}, [=] { return read(size, 512); });
    }
  // The cost of a token against how many there are before it.
  for (const std::int64_t n : {256, 512, 1024, 2048, 4096})
    measure({fmt::format("write_64_after/{}", n), 1}, "regard", {}, [=] { return write("260K", n); });
}

}  // namespace regard::bench
