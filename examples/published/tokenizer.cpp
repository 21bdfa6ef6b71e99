#include "examples/published/tokenizer.h"

#include "examples/published/normal_form.h"
#include "examples/published/tokenizer_json.h"
#include "tensor/io/file.h"

#include <filesystem>

namespace regard::nn {

PublishedTokenizer PublishedTokenizer::load(const std::filesystem::path& folder) {
  const std::filesystem::path json = folder / "tokenizer.json", model = folder / "tokenizer.model";
  if (std::filesystem::exists(json)) return parse(read_file(json), json.string());
  if (!std::filesystem::exists(model)) return PublishedTokenizer(BytePairs::load(folder));
  SentencePieces pieces = SentencePieces::load_model(model);
  const std::int64_t first = pieces.first();
  PublishedTokenizer tokenizer(std::move(pieces));
  if (first >= 0) tokenizer.before_ = {first};
  return tokenizer;
}

PublishedTokenizer PublishedTokenizer::parse(std::string_view json, const std::string& file) {
  TokenizerJson read = read_tokenizer_json(json, file);
  PublishedTokenizer tokenizer = read.of_bytes ? PublishedTokenizer(BytePairs::of(read.bytes, file))
                                               : PublishedTokenizer(SentencePieces::of(std::move(read.pieces), file));
  tokenizer.before_ = read.before;
  tokenizer.behind_ = read.behind;
  tokenizer.in_nfc_ = read.in_nfc;
  return tokenizer;
}

std::int64_t PublishedTokenizer::size() const {
  return std::visit([](const auto& kind) { return kind.size(); }, kind_);
}

Tokens PublishedTokenizer::encode(std::string_view text) const {
  Tokens tokens = before_;
  const auto add = [&](const Tokens& more) { tokens.insert(tokens.end(), more.begin(), more.end()); };
  if (!in_nfc_) {
    add(std::visit([&](const auto& kind) { return kind.encode(text); }, kind_));
  } else {
    const auto& pairs = std::get<BytePairs>(kind_);
    for (const auto& [part, special] : pairs.parts(text))
      add(special >= 0 ? Tokens{special} : pairs.encode(in_nfc(part), SpecialText::ordinary));
  }
  add(behind_);
  return tokens;
}

std::string PublishedTokenizer::text_of(std::int64_t token, std::int64_t previous) const {
  if (token >= size()) return "";
  if (const auto* pairs = std::get_if<BytePairs>(&kind_)) return pairs->bytes(token);
  return std::get<SentencePieces>(kind_).text_of(token, previous);
}

std::string PublishedTokenizer::decode(const Tokens& tokens) const {
  std::string text;
  std::int64_t previous = -1;
  for (const std::int64_t token : tokens) text += text_of(token, std::exchange(previous, token));
  return text;
}

}  // namespace regard::nn
