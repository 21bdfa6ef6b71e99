#pragma once

#include "nn/tools/view/recording.h"

#include <filesystem>

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
  std::string back = {};  // the address of the page that leads here
};

// Writes one file that shows a recording in any browser, without a network: lines from token to token, all heads at a
// glance, and how one weight is computed.
//
//   write_viewer(recording, {"the", "cat", "sat"}, "view.html");
//
// A weight is a byte: a multiple of 1/127 of the largest |weight| of its row, so it is off by at most 1/254 of that.
// The page computes weights anew where the score is a dot product, additive or Gaussian.
void write_viewer(const Recording& recording, const ViewerTokens& tokens, const std::filesystem::path& file,
                  const ViewerOptions& options = {});

}  // namespace regard::nn
