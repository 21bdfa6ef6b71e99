#include "examples/published/byte_pairs.h"

#include "examples/published/byte_alphabet.h"
#include "examples/published/neighbours.h"
#include "nn/save/json.h"
#include "tensor/error.h"

#include <set>

namespace regard::nn {
namespace {

std::uint64_t pair_key(std::int64_t left, std::int64_t right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint64_t>(right);
}

}  // namespace

Tokens BytePairs::encode(std::string_view text, SpecialText special) const {
  struct Span {
    std::size_t begin, count;
  };
  Tokens tokens;
  NeighbourMerger merger([this](std::int64_t left, std::int64_t right) -> std::optional<NeighbourMerger::Union> {
    const Ranked* merge = find_merge(left, right);
    return merge ? std::optional(NeighbourMerger::Union{-static_cast<double>(merge->rank), merge->result})
                 : std::nullopt;
  });
  std::unordered_map<std::string_view, Span> known;  // where, among the tokens, a word stands that was there before
  for (const Part& part : special == SpecialText::token ? parts(text) : std::vector<Part>{{text, -1}}) {
    if (part.special >= 0) tokens.push_back(part.special);
    for (std::string_view rest = part.special < 0 ? part.text : ""; !rest.empty();) {
      const std::string_view word = rest.substr(0, first_piece(rest, pattern_));
      rest.remove_prefix(word.size());
      const auto [place, is_new] = known.try_emplace(word, Span{tokens.size(), 0});
      auto& [begin, count] = place->second;
      for (std::size_t i = 0; i < count; ++i) tokens.push_back(tokens[begin + i]);
      if (!is_new) continue;
      if (const auto whole = whole_words_ ? numbers_.find(std::string(word)) : numbers_.end();
          whole != numbers_.end()) {
        tokens.push_back(whole->second);
        count = 1;
        continue;
      }
      for (const char byte : word) tokens.push_back(token_of(static_cast<unsigned char>(byte)));
      merger.merge(tokens, begin);
      count = tokens.size() - begin;
    }
  }
  return tokens;
}

BytePairs BytePairs::of(const Content& content, const std::string& file) {
  BytePairs pairs;
  pairs.pieces_ = content.pieces;
  pairs.pattern_ = content.pattern;
  pairs.whole_words_ = content.whole_words;
  const std::set<std::int64_t> special(content.special.begin(), content.special.end());
  for (std::int64_t token = 0; token < pairs.size(); ++token)
    (special.contains(token) ? pairs.special_ : pairs.numbers_).emplace(pairs.bytes(token), token);
  const auto number_of = [&](const std::string& piece) {
    const auto found = pairs.numbers_.find(piece);
    if (found == pairs.numbers_.end())
      malformed(file, "the piece {} is not in the vocabulary", in_quotes(written(piece)));
    return found->second;
  };
  for (unsigned byte = 0; byte < 256; ++byte) pairs.bytes_[byte] = number_of(std::string(1, static_cast<char>(byte)));
  for (const auto& [left, right] : content.merges)
    pairs.add_merge(number_of(left), number_of(right), number_of(left + right));
  return pairs;
}

std::string BytePairs::decode(const Tokens& tokens) const {
  std::string text;
  for (const std::int64_t token : tokens) text += bytes(token);
  return text;
}

const std::string& BytePairs::bytes(std::int64_t token) const {
  if (token < 0 || token >= size()) fail<ValueError>("byte pairs: token {} is outside the {} there are", token, size());
  return pieces_[static_cast<std::size_t>(token)];
}

std::int64_t BytePairs::special(const std::string& name) const {
  const auto found = special_.find(name);
  if (found == special_.end()) fail<ValueError>("byte pairs: there is no special token {}", in_quotes(name));
  return found->second;
}

std::vector<BytePairs::Part> BytePairs::parts(std::string_view text) const {
  struct Next {  // the next place of a special token
    const std::string* name;
    std::int64_t token;
    std::size_t place;
  };
  std::vector<Next> all;
  for (const auto& [name, token] : special_) all.push_back({&name, token, text.find(name)});
  std::vector<Part> found;
  for (std::size_t begin = 0; begin < text.size();) {
    const Next* first = nullptr;  // the earliest; of several that begin there the longest
    for (Next& next : all) {
      if (next.place < begin) next.place = text.find(*next.name, begin);
      if (next.place == std::string_view::npos) continue;
      if (!first || next.place < first->place ||
          (next.place == first->place && next.name->size() > first->name->size()))
        first = &next;
    }
    const std::size_t end = first ? first->place : text.size();
    if (end > begin) found.push_back({text.substr(begin, end - begin), -1});
    if (!first) break;
    found.push_back({*first->name, first->token});
    begin = end + first->name->size();
  }
  return found;
}

const BytePairs::Ranked* BytePairs::find_merge(std::int64_t left, std::int64_t right) const {
  const auto found = ranks_.find(pair_key(left, right));
  return found == ranks_.end() ? nullptr : &found->second;
}

std::int64_t BytePairs::add(const std::string& piece) {
  const auto [place, is_new] = numbers_.try_emplace(piece, size());
  if (is_new) pieces_.push_back(piece);
  return place->second;
}

void BytePairs::add_merge(std::int64_t left, std::int64_t right, std::int64_t result) {
  const Ranked merge{static_cast<std::int64_t>(merges_.size()), result};
  if (ranks_.emplace(pair_key(left, right), merge).second) merges_.push_back({left, right, result});
}

}  // namespace regard::nn
