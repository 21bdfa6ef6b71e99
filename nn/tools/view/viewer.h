#pragma once

#include "nn/tools/view/recording.h"

#include <filesystem>
#include <initializer_list>

namespace regard::nn {

// Tokens that are the patches of a picture, row by row: those from `first` on.
struct TokenPicture {
  Tensor pixels;  // (height, width), from 0 for black to 1 for white
  std::int64_t rows, columns;
  std::int64_t first = 0;
};

struct TokenList {
  std::string name;  // as RecordedAttention::queries and keys call it
  std::vector<std::string> tokens;
  std::optional<TokenPicture> picture = {};
};

// What queries and keys are called: one list for all, or several with names, such as those of two languages.
struct ViewerTokens {
  std::vector<TokenList> lists;

  ViewerTokens(std::initializer_list<const char*> tokens) : lists{{"", {tokens.begin(), tokens.end()}}} {}
  ViewerTokens(std::vector<std::string> tokens) : lists{{"", std::move(tokens)}} {}  // NOLINT: implicit: one list
  ViewerTokens(std::vector<TokenList> several) : lists(std::move(several)) {}        // NOLINT: implicit: several
};

// What is seen first: what an address after # says is seen instead. Left out: the first attention, all heads.
struct ViewerOpening {
  std::string about = {};                        // what there is to see, in a few sentences
  std::string attention = {};                    // its name in the recording
  std::int64_t head = -1, query = -1, key = -1;  // from 0 on
};

struct ViewerOptions {
  std::string title = "Attention";
  ViewerOpening opening = {};
  std::string back = {};   // the address of the page that leads here
  bool q_and_k = false;    // f32: the page works out scores and weights from them, term by term
  bool gradients = false;  // u8: ∂loss/∂weight, where there was a backward pass
  std::int64_t most_bytes = 20'000'000;
};

// What the file holds, in bytes.
struct ViewerSize {
  std::int64_t file = 0, weights = 0, q_and_k = 0, gradients = 0;
  std::string to_string() const;  // "2.97 MB: weights 2.91, q and k 0.00, gradients 0.00"
};

// Writes one file that shows a recording in any browser, without a network: lines from token to token, all heads at a
// glance, and how one weight is computed.
//
//   fmt::print("{}\n", write_viewer(recording, {"the", "cat", "sat"}, "view.html").to_string());
//
// A weight is a byte: a multiple of 1/255 of the largest weight of its row, so it is off by at most 1/510 of that. In a
// row with negative weights steps are 1/127 of the largest |weight|, and a weight is off by at most 1/254 of it. With q
// and k the page computes weights anew where the score is a dot product, additive or Gaussian. What would be too large
// is an error that says what to leave out.
ViewerSize write_viewer(const Recording& recording, const ViewerTokens& tokens, const std::filesystem::path& file,
                        const ViewerOptions& options = {});

}  // namespace regard::nn
