#include "examples/published/sentence_pieces.h"

#include "nn/save/json.h"
#include "nn/save/malformed.h"
#include "nn/text/neighbours.h"
#include "nn/text/unicode.h"
#include "tensor/io/bytes.h"
#include "tensor/io/file.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {
namespace {

constexpr std::int64_t first_byte = 3;  // the token of <0x00>

std::string byte_piece(unsigned byte) { return fmt::format("<0x{:02X}>", byte); }

}  // namespace

SentencePieces SentencePieces::load(const std::filesystem::path& path, std::optional<std::int64_t> vocabulary) {
  return parse(read_file(path), path.string(), vocabulary);
}

SentencePieces SentencePieces::parse(std::string_view bytes, const std::string& file,
                                     std::optional<std::int64_t> vocabulary) {
  SentencePieces all;
  if (bytes.size() < 4) malformed(file, "it starts with the 4 bytes of a length, and ends after {}", bytes.size());
  const auto longest = number_at<std::uint32_t>(bytes, 0);
  bytes.remove_prefix(4);
  while (!bytes.empty()) {
    const std::int64_t token = all.size();
    if (bytes.size() < 8) malformed(file, "piece {} is cut off", token);
    const auto score = number_at<float>(bytes, 0);
    const auto length = number_at<std::int32_t>(bytes, 4);
    bytes.remove_prefix(8);
    if (!std::isfinite(score)) malformed(file, "piece {} has the score {}", token, score);
    if (length < 0 || static_cast<std::uint32_t>(length) > longest)
      malformed(file, "piece {} has {} bytes, where the longest has {}", token, length, longest);
    if (static_cast<std::size_t>(length) > bytes.size())
      malformed(file, "piece {} has {} bytes, and the file {} more: it is cut off", token, length, bytes.size());
    all.pieces_.emplace_back(bytes.substr(0, static_cast<std::size_t>(length)));
    all.scores_.push_back(score);
    all.numbers_.emplace(all.pieces_.back(), token);
    bytes.remove_prefix(static_cast<std::size_t>(length));
  }
  for (unsigned byte = 0; byte < 256; ++byte)
    if (const std::int64_t token = first_byte + byte; token >= all.size() || all.piece(token) != byte_piece(byte))
      malformed(file, "piece {} is not {}, so this is no tokenizer of llama2.c", token, byte_piece(byte));
  if (vocabulary && *vocabulary != all.size())
    malformed(file, "it has {} pieces, and the model a vocabulary of {}: it is the tokenizer of another model",
              all.size(), *vocabulary);
  return all;
}

void SentencePieces::save(const std::filesystem::path& path) const {
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
  return scores_[static_cast<std::size_t>(token)];
}

std::optional<std::int64_t> SentencePieces::find(std::string_view text) const {
  const auto found = numbers_.find(std::string(text));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

Tokens SentencePieces::encode(std::string_view text) const {
  if (text.empty()) return {};
  const std::string with_blank = " " + std::string(text);
  Tokens tokens;
  for (std::string_view rest = with_blank; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_character(rest).bytes);
    rest.remove_prefix(character.size());
    if (const auto token = find(character))
      tokens.push_back(*token);
    else
      for (const char byte : character) tokens.push_back(first_byte + static_cast<unsigned char>(byte));
  }
  NeighbourMerger merger([this](std::int64_t left, std::int64_t right) -> std::optional<NeighbourMerger::Union> {
    const auto token = find(piece(left) + piece(right));
    return token ? std::optional(NeighbourMerger::Union{score(*token), *token}) : std::nullopt;
  });
  merger.merge(tokens);
  return tokens;
}

std::string SentencePieces::text_of(std::int64_t token, std::int64_t previous) const {
  const std::string& text = piece(token);
  if (token == begin || token == end) return "";
  if (token >= first_byte && token < first_byte + 256) return std::string(1, static_cast<char>(token - first_byte));
  return previous == begin && text.starts_with(' ') ? text.substr(1) : text;
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
