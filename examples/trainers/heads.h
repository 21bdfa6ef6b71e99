#pragma once

#include "examples/plot/figure.h"
#include "nn/text/tokens.h"
#include "nn/transformer/decoder_model.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"

#include <string>
#include <vector>

namespace regard {

// Where all heads of a model that writes look while it reads a text of L tokens: weights (layers, H, L, L).
Tensor looks_at(nn::DecoderModel model, const nn::Tokens& text);  // a copy shares the parameters

// The same with NaN for what a model that writes must not see: all that comes later than what it reads. A picture then
// shows what is masked in another colour than what is 0.
Tensor without_masked(const Tensor& weights);

// The head that gives most of its weight to the token before the one it reads, to the first of all, or to the one it
// reads; `share` is a mean over the tokens that have another before them.
enum class Place { before, first, itself };
struct HeadAt {
  std::int64_t layer = 0, head = 0;
  double share = 0;
};
HeadAt most_at(const Tensor& weights, Place place);

// A picture of those of these heads that give it more than 0.4 of their weight, or else of the first, with the tokens
// of the text beside each.
plot::Figure heads_figure(const Tensor& weights, std::vector<std::string> tokens);

// Which model has more of its weight somewhere, a published one or the one trained here, and how much both have.
std::string more_weight(const std::string& where, double published, double ours);

// The head that looks most at the token right before the one it reads, and how much: a sentence without its dot.
std::string most_on_previous(const Tensor& weights);

}  // namespace regard
