#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace regard {

// What a model said, and what would have been right, as words.
struct Translated {
  std::vector<std::string> said;
  std::vector<std::vector<std::string>> right;  // one or more
};

// BLEU of a whole test (Papineni, Roukos, Ward, Zhu 2002), 0 … 1:
//
//   min(1, e^(1 − r/c)) · (p₁·p₂· … ·p_N)^(1/N)
//
// pₙ: of all rows of n words that were said, the share that stands in a right translation, too. A row counts at most as
// often as it stands in one of them, so that to repeat a right word gains nothing.
// c: how many words were said. r: how many would be right, for each sentence by the right translation whose length is
// nearest (the shorter of two). Without that factor the surest few words would win.
double bleu(const std::vector<Translated>& sentences, std::int64_t longest = 4);

}  // namespace regard
