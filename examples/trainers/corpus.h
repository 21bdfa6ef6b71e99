#pragma once

#include "tensor/random/generator.h"
#include "tensor/tensor.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace regard {

// A text for a model that writes. The first nine tenths are there to learn from, the rest is there to measure with.
struct Corpus {
  std::string text;

  std::size_t border() const { return text.size() * 9 / 10; }
  std::string_view to_learn() const { return std::string_view(text).substr(0, border()); }
  std::string_view to_test() const { return std::string_view(text).substr(border()); }
};

// How text becomes tokens, and tokens text.
struct Spelling {
  std::function<std::vector<std::int64_t>(std::string_view)> encode;
  std::function<std::string(std::int64_t)> text_of;
  Tensor lengths;  // (V): of the text of each token, in bytes

  std::int64_t size() const { return lengths.numel(); }  // V
};
Spelling characters_of(const Corpus& corpus);
// Learned from the part that is there to learn from.
Spelling byte_pairs_of(const Corpus& corpus, std::int64_t vocabulary);

// What tokens cost by the character, from their losses −log p in nats, each or the sum. Models whose tokens differ in
// length can be compared in no other way.
double per_character(const Tensor& losses, const Tensor& tokens, const Spelling& spelling);

// Pieces of a text, and at each place of them the token that comes next: (B, L).
struct Windows {
  Tensor read, next;
};

// All of a text, one window after the other. What is left at its end, and is no window, is dropped.
Windows all_windows(const Tensor& tokens, std::int64_t length);

// Windows that begin anywhere.
Windows random_windows(const Tensor& tokens, std::int64_t count, std::int64_t length, Generator& generator);

}  // namespace regard
