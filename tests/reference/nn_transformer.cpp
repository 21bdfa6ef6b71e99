// Layers of transformers are PyTorch's, in either placement of the norms, computed either way.
#include "nn/transformer/stack.h"

#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {
namespace {

using namespace nn;

LayerOptions layer_of(const NnCase& test, Method method) {
  const bool gelu = test.record().numbers.count("gelu") > 0 && test.integer("gelu") == 1;
  return {.model = 4,
          .heads = 2,
          .hidden = 6,
          .placement = test.integer("pre") == 1 ? NormPlacement::pre : NormPlacement::post,
          .feed_forward = gelu ? FeedForwardKind::gelu : FeedForwardKind::relu,
          .dtype = test.dtype(),
          .method = method};
}

bool is_padded(const NnCase& test) { return test.record().inputs.count("lengths") > 0; }
Mask lengths_of(const NnCase& test) { return is_padded(test) ? Mask::valid_lengths(test.input("lengths")) : Mask(); }

// y (B, L, E) with 0 at padded positions.
Variable real_rows(const NnCase& test, const Variable& y) {
  if (!is_padded(test)) return y;
  const Tensor real = less(arange(y.size(1)), unsqueeze(test.input("lengths"), 1));
  return where(unsqueeze(real, -1), y, Variable(zeros({}, y.dtype())));
}

void check_encoder_layer(const NnCase& test, Method method) {
  Generator generator(0);
  EncoderLayer layer(ScaledDotProduct{}, layer_of(test, method), generator);
  Mask mask = lengths_of(test);
  if (test.integer("causal") == 1) mask = mask & Mask::causal();
  test.check_module(layer, [&](const Variables& in) {
    return Variables{{"y", real_rows(test, layer(in.at("x"), mask).output)}};
  });
}

void check_decoder_layer(const NnCase& test, Method method) {
  Generator generator(0);
  DecoderLayer layer(ScaledDotProduct{}, ScaledDotProduct{}, layer_of(test, method), generator);
  test.check_module(layer, [&](const Variables& in) {
    return Variables{{"y", layer(in.at("x"), in.at("memory"), Mask::causal(), lengths_of(test)).output}};
  });
}

struct Both {
  EncoderStack encoder;
  DecoderStack decoder;
  void visit(Visitor& v) {
    v("encoder", encoder);
    v("decoder", decoder);
  }
};

void check_both(const NnCase& test, Method method) {
  Generator generator(0);
  const StackOptions options{.layers = 2, .layer = layer_of(test, method)};
  Both model{EncoderStack(ScaledDotProduct{}, options, generator),
             DecoderStack(ScaledDotProduct{}, ScaledDotProduct{}, options, generator)};
  // PyTorch's has a norm behind the last layer in any case.
  for (std::optional<Norm>* norm : {&model.encoder.norm, &model.decoder.norm}) *norm = Norm(options.layer);
  test.check_module(model, [&](const Variables& in) {
    const Variable memory = model.encoder(in.at("source"), lengths_of(test)).output;
    return Variables{{"y", model.decoder(in.at("target"), memory, Mask::causal(), lengths_of(test)).output}};
  });
}

NnCheckers checkers(Method method) {
  return {{"encoder layer", [=](const NnCase& test) { check_encoder_layer(test, method); }},
          {"decoder layer", [=](const NnCase& test) { check_decoder_layer(test, method); }},
          {"transformer", [=](const NnCase& test) { check_both(test, method); }}};
}

}  // namespace

TEST_CASE("transformers are PyTorch's") { check_family("transformer", checkers(Method::composed)); }
TEST_CASE("transformers are PyTorch's, with fused attention") { check_family("transformer", checkers(Method::fused)); }

}  // namespace regard::reference
