#include "examples/published/sentence_pieces.h"

#include "examples/published/bytes.h"
#include "examples/published/neighbours.h"
#include "nn/save/json.h"
#include "nn/text/unicode.h"
#include "tensor/io/file.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {
namespace {

std::string byte_piece(unsigned byte) { return fmt::format("<0x{:02X}>", byte); }

bool names_a_byte(const std::string& piece) {
  for (unsigned byte = 0; byte < 256; ++byte)
    if (piece == byte_piece(byte)) return true;
  return false;
}

std::uint64_t pair_key(std::int64_t left, std::int64_t right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint64_t>(right);
}

}  // namespace

SentencePieces SentencePieces::load(const std::filesystem::path& path, std::optional<std::int64_t> vocabulary) {
  return parse(read_file(path), path.string(), vocabulary);
}

SentencePieces SentencePieces::parse(std::string_view bytes, const std::string& file,
                                     std::optional<std::int64_t> vocabulary) {
  Content content;
  if (bytes.size() < 4) malformed(file, "it starts with the 4 bytes of a length, and ends after {}", bytes.size());
  const auto longest = number_at<std::uint32_t>(bytes, 0);
  bytes.remove_prefix(4);
  while (!bytes.empty()) {
    const auto token = std::ssize(content.pieces);
    if (bytes.size() < 8) malformed(file, "piece {} is cut off", token);
    const auto score = number_at<float>(bytes, 0);
    const auto length = number_at<std::int32_t>(bytes, 4);
    bytes.remove_prefix(8);
    if (!std::isfinite(score)) malformed(file, "piece {} has the score {}", token, score);
    if (length < 0 || static_cast<std::uint32_t>(length) > longest)
      malformed(file, "piece {} has {} bytes, where the longest has {}", token, length, longest);
    if (static_cast<std::size_t>(length) > bytes.size())
      malformed(file, "piece {} has {} bytes, and the file {} more: it is cut off", token, length, bytes.size());
    content.pieces.emplace_back(bytes.substr(0, static_cast<std::size_t>(length)));
    content.scores.push_back(score);
    content.kinds.push_back(token == unknown ? Kind::unknown : token <= end ? Kind::control : Kind::normal);
    bytes.remove_prefix(static_cast<std::size_t>(length));
  }
  const auto size = std::ssize(content.pieces);
  if (size <= end) malformed(file, "it has {} pieces, and the first three are unknown, begin and end", size);
  if (vocabulary && *vocabulary != size)
    malformed(file, "it has {} pieces, and the model a vocabulary of {}: it is the tokenizer of another model", size,
              *vocabulary);
  return of(std::move(content), file);
}

SentencePieces SentencePieces::of(Content content, const std::string& file) {
  SentencePieces all;
  all.pieces_ = std::move(content.pieces);
  all.kinds_ = std::move(content.kinds);
  all.scores_ = std::move(content.scores);
  all.blank_ = content.blank;
  all.first_ = content.begin;
  if (all.first_ >= all.size()) malformed(file, "texts begin with piece {} of {}", all.first_, all.size());
  for (std::int64_t token = 0; token < all.size(); ++token) {
    const std::string& piece = all.piece(token);
    if (all.is(Kind::special, token) && piece.empty()) malformed(file, "token {} has no text", token);
    if (all.is(Kind::byte, token) && !names_a_byte(piece))
      malformed(file, "the piece {} is of the kind byte, and no <0xNN>", in_quotes(piece));
    if (all.is(Kind::unknown, token)) all.unknown_ = token;
    if (all.is(Kind::special, token) || (content.reads_control && all.is(Kind::control, token)))
      all.special_.emplace_back(piece, token);
    if (!all.is(Kind::control, token) && !all.is(Kind::unused, token)) all.numbers_.emplace(piece, token);
  }
  const auto is_known = [&](unsigned byte) { return all.numbers_.contains(byte_piece(byte)); };
  all.has_bytes_ = is_known(0);
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (is_known(byte) != all.has_bytes_)
      malformed(file, "it has the piece {}, and not the piece {}: bytes are there all or none",
                byte_piece(all.has_bytes_ ? 0 : byte), byte_piece(all.has_bytes_ ? byte : 0));
    if (!all.has_bytes_) continue;
    all.bytes_[byte] = all.numbers_.at(byte_piece(byte));
    all.kinds_[static_cast<std::size_t>(all.bytes_[byte])] = Kind::byte;
  }
  const auto number_of = [&](const std::string& piece) {
    const auto token = all.find(piece);
    if (!token) malformed(file, "{} is merged, or made, and no piece", in_quotes(piece));
    return *token;
  };
  double rank = 0;
  for (const auto& [left, right] : content.merges)
    all.merges_.try_emplace(pair_key(number_of(left), number_of(right)), Ranked{-rank++, number_of(left + right)});
  return all;
}

void SentencePieces::save(const std::filesystem::path& path) const {
  if (scores_.empty())
    fail<ValueError>("save: the pieces are merged by a list, and a file of llama2.c has scores only");
  std::size_t longest = 0;
  for (const std::string& piece : pieces_) longest = std::max(longest, piece.size());
  std::string bytes;
  append_number(bytes, static_cast<std::uint32_t>(longest));
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    append_number(bytes, scores_[i]);
    append_number(bytes, static_cast<std::int32_t>(pieces_[i].size()));
    bytes += pieces_[i];
  }
  write_file(path, bytes);
}

const std::string& SentencePieces::piece(std::int64_t token) const {
  if (token < 0 || token >= size())
    fail<ValueError>("sentence pieces: token {} is outside the {} there are", token, size());
  return pieces_[static_cast<std::size_t>(token)];
}

double SentencePieces::score(std::int64_t token) const {
  piece(token);
  return scores_.empty() ? 0 : scores_[static_cast<std::size_t>(token)];
}

std::optional<std::int64_t> SentencePieces::find(std::string_view text) const {
  const auto found = numbers_.find(std::string(text));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<SentencePieces::Ranked> SentencePieces::union_of(std::int64_t left, std::int64_t right) const {
  if (!merges_.empty()) {
    const auto found = merges_.find(pair_key(left, right));
    return found == merges_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto token = find(piece(left) + piece(right));
  return token ? std::optional(Ranked{score(*token), *token}) : std::nullopt;
}

void SentencePieces::encode_ordinary(std::string_view text, Tokens& tokens) const {
  const std::size_t from = tokens.size();
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_character(rest).bytes);
    rest.remove_prefix(character.size());
    if (const auto token = find(character))
      tokens.push_back(*token);
    else if (has_bytes_)
      for (const char byte : character) tokens.push_back(bytes_[static_cast<unsigned char>(byte)]);
    else if (tokens.size() == from || tokens.back() != unknown_)  // several in a row are one
      tokens.push_back(unknown_);
  }
  NeighbourMerger merger([this](std::int64_t left, std::int64_t right) -> std::optional<NeighbourMerger::Union> {
    const auto made = union_of(left, right);
    return made ? std::optional(NeighbourMerger::Union{made->priority, made->token}) : std::nullopt;
  });
  merger.merge(tokens, from);
}

Tokens SentencePieces::encode(std::string_view text) const {
  Tokens tokens;
  for (bool is_first = true; !text.empty(); is_first = false) {
    std::size_t cut = text.size();  // where the next special piece begins: the earliest, and of several the longest
    const std::pair<std::string, std::int64_t>* next = nullptr;
    for (const auto& one : special_) {
      const std::size_t place = text.find(one.first);
      if (place > cut || place == std::string_view::npos) continue;
      if (place == cut && next && next->first.size() >= one.first.size()) continue;
      cut = place, next = &one;
    }
    const bool has_blank = blank_ == Blank::each || (blank_ == Blank::first && is_first);
    if (cut > 0) encode_ordinary((has_blank ? " " : "") + std::string(text.substr(0, cut)), tokens);
    if (next) tokens.push_back(next->second);
    text.remove_prefix(cut + (next ? next->first.size() : 0));
  }
  return tokens;
}

std::string SentencePieces::text_of(std::int64_t token, std::int64_t previous) const {
  const std::string& text = piece(token);
  if (is(Kind::control, token)) return "";
  if (is(Kind::byte, token)) return std::string(1, static_cast<char>(std::stoi(text.substr(3, 2), nullptr, 16)));
  const bool is_dropped = blank_ != Blank::none && previous >= 0 && is(Kind::control, previous);
  return is_dropped && text.starts_with(' ') ? text.substr(1) : text;
}

std::string SentencePieces::decode(const Tokens& tokens) const {
  std::string text;
  std::int64_t previous = unknown;
  for (const std::int64_t token : tokens) {
    text += text_of(token, previous);
    previous = token;
  }
  return text;
}

}  // namespace regard::nn
