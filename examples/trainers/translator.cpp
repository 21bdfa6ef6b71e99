#include "examples/trainers/translator.h"

#include "autograd/ops/index.h"
#include "examples/trainers/descend.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "nn/decoding/generate.h"
#include "nn/losses.h"
#include "nn/text/teacher_forcing.h"
#include "tensor/ops/index.h"
#include "tensor/ops/join.h"

namespace regard {
namespace {

nn::TransformerOptions sizes_of(const Language& from, const Language& to, const TranslatorOptions& o) {
  return {.source_vocabulary = from.size,
          .target_vocabulary = to.size,
          .encoder_layers = o.layers,
          .decoder_layers = o.layers,
          .layer = {.model = o.width,
                    .heads = o.heads,
                    .hidden = 4 * o.width,
                    .placement = nn::NormPlacement::pre,
                    .dropout = o.dropout,
                    .method = nn::Method::fused}};
}

std::vector<std::string> pieces_of(const Language& language, const nn::Tokens& tokens) {
  std::vector<std::string> pieces;
  for (const std::int64_t token : tokens) pieces.push_back(language.piece(token));
  return pieces;
}

}  // namespace

Translator::Translator(Language from, Language to, const TranslatorOptions& o, Generator& generator)
    : source(std::move(from)),
      target(std::move(to)),
      options(o),
      model(nn::ScaledDotProduct{}, sizes_of(source, target, o), generator),
      optimizer(model, {.beta2 = 0.98}) {}

double Translator::learn(const std::array<nn::PaddedTokens, 2>& pairs, double rate) {
  const nn::PaddedTokens &texts = pairs[0], &translations = pairs[1];
  const nn::TeacherForced forced =
      nn::teacher_forcing(translations, {.begin = target.begin, .end = target.end, .padding = target.padding});
  return descend(model, optimizer, rate, texts.tokens, [&](const Part& part) {
    const nn::Encoded read = model.encode(part(texts.tokens), nn::Mask::valid_lengths(part(texts.lengths)));
    return cross_entropy_share(model.decode(part(forced.input), read), part(forced.target),
                               {.label_smoothing = options.label_smoothing});
  });
}

nn::Writer Translator::writer_of(const std::vector<nn::Tokens>& texts) const {
  const nn::PaddedTokens padded = nn::pad_right(texts, source.padding);
  return nn::writer(model, padded.tokens, padded.lengths);
}

std::vector<std::string> Translator::translate(const std::vector<std::string>& texts) const {
  constexpr std::size_t together = 256;
  std::vector<std::string> translations;
  for (std::size_t begin = 0; begin < texts.size(); begin += together) {
    std::vector<nn::Tokens> some;
    for (std::size_t i = begin; i < std::min(texts.size(), begin + together); ++i)
      some.push_back(source.encode(texts[i]));
    const std::vector<nn::Tokens> prompts(some.size(), nn::Tokens{target.begin});
    for (const nn::Tokens& written :
         nn::generate(writer_of(some), prompts, {.tokens = options.longest, .end = target.end}))
      translations.push_back(target.decode(written));
  }
  return translations;
}

std::vector<nn::Hypothesis> Translator::candidates(const std::string& text, std::int64_t beam) const {
  return nn::beam_search(writer_of({source.encode(text)}), {target.begin},
                         {.width = beam, .tokens = options.longest, .end = target.end, .length_penalty = 0.6});
}

Looks Translator::looks(const std::string& text, const std::string& translation) const {
  const NoGrad no_grad;
  auto own = model;  // a copy shares the parameters, and has a mode of its own
  nn::eval(own);
  const nn::Tokens read = source.encode(text);
  nn::Tokens written = target.encode(translation), input = written;
  input.insert(input.begin(), target.begin);
  written.push_back(target.end);
  const nn::Encoded memory = own.encode(unsqueeze(nn::token_tensor(read), 0));
  std::vector<Tensor> weights;
  for (const nn::LayerWeights& layer :
       own.predict(unsqueeze(nn::token_tensor(input), 0), memory, {.weights = true}).weights)
    weights.push_back(transpose(layer.cross.value()));  // (1, H, source, target)
  return {cat(weights, 0), pieces_of(source, read), pieces_of(target, written)};
}

}  // namespace regard
