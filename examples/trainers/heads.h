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

// "layer 1, head 1", "layer 1, head 2", …: titles for such weights.
std::vector<std::string> head_titles(const Tensor& weights);

// The same with NaN for what a model that writes must not see: all that comes later than what it reads. A picture then
// shows what is masked in another colour than what is 0.
Tensor without_masked(const Tensor& weights);

// A picture of such weights, a row for each layer, with the tokens of the text beside each.
plot::Figure heads_figure(const Tensor& weights, std::vector<std::string> tokens);

// The head that looks most at the token right before the one it reads, and how much: a sentence without its dot.
std::string most_on_previous(const Tensor& weights);

}  // namespace regard
