#include "nn/decoding/beam.h"
#include "tensor/all.h"
#include "tests/museum/tools.h"

namespace regard::museum::beam_of_sums {

// museum: wrong
nn::Tokens translation_wrong(const nn::Writer& writer) {
  return nn::beam_search(writer, {0}, {.width = 3, .tokens = 8, .end = 0})[0].tokens;
}
// museum: /wrong

// museum: right
nn::Tokens translation(const nn::Writer& writer) {
  return nn::beam_search(writer, {0}, {.width = 3, .tokens = 8, .end = 0, .length_penalty = 1})[0].tokens;
}
// museum: /right

// A model that is rather sure of the text 1 2 3 4 5. At the beginning there may also be nothing to say.
nn::Writer sure_of_five() {
  Tensor rows = tensor({{0.3, 0.6, 0.025, 0.025, 0.025, 0.025}});
  for (std::int64_t i = 1; i < 6; ++i) {
    const Tensor next = to(equal(arange(6), static_cast<double>((i + 1) % 6)), DType::f32);
    rows = cat({rows, reshape(next * 0.82 + 0.03, {1, 6})}, 0);
  }
  return {.read = [rows](const Tensor& tokens) { return log(index_select(rows, 0, select(tokens, 1, -1))); },
          .select = [](const Tensor&) {},
          .vocabulary = 6};
}

const Hung on_the_wall({
    .name = "beam_of_sums",
    .title = "Beam search without a length penalty",
    .looks =
        "Translations are too short. Some are empty. And the wider the beam, the worse it is, which nobody expects "
        "of a better search.",
    .common = "Common, and no fault of any line: it is what the sum of log-probabilities says. TensorFlow's NMT "
              "tutorial had it as its default (pull request 206 asks for another); that wider beams get worse is "
              "reported by Koehn and Knowles, 2017.",
    .lesson = "Every token makes a text less likely, so sums of log-probabilities compare lengths more than texts. "
              "Here \"nothing\" has the probability 0.30. The five tokens and the end have 0.6·0.85⁵ = 0.27; but each "
              "of these steps is far more likely. So the logarithm is divided by ((5 + n)/6)^α, with n for the number "
              "of tokens, the end included. With α = 1 \"nothing\" gets −1.20/1 = −1.20, and the five tokens get "
              "−1.32/1.83 = −0.72, which is more.",
    .look =
        [](bool wrong) {
          const nn::Tokens found = (wrong ? translation_wrong : translation)(sure_of_five());
          const std::string text = comma_separated(found);
          return by_law("of two texts, the one whose steps are likelier comes first", text == "1, 2, 3, 4, 5",
                        "the best text: " + (text.empty() ? "(empty)" : text));
        },
});

}  // namespace regard::museum::beam_of_sums
