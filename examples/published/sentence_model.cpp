#include "examples/published/bytes.h"
#include "examples/published/sentence_pieces.h"
#include "nn/save/json.h"
#include "tensor/io/file.h"

#include <cmath>
#include <filesystem>

// A tokenizer.model is a message of Google's protocol buffers: fields one after another, each a key, number·8 + type,
// and a value. Type 0 is a whole number of 7 bits a byte, the lowest first, where the highest bit says that more
// follow; 1 is 8 bytes; 2 is a length and so many bytes, a text or a message inside; 5 is 4 bytes.
namespace regard::nn {
namespace {

struct Field {
  std::uint64_t number, type, value;  // the value of type 0
  std::string_view bytes;             // that of the others
};

class Message {
 public:
  Message(std::string_view bytes, const std::string& file) : rest_(bytes), file_(file) {}

  std::optional<Field> next() {
    if (rest_.empty()) return std::nullopt;
    const std::uint64_t key = whole_number();
    Field field{key >> 3, key & 7, 0, {}};
    if (field.type == 0)
      field.value = whole_number();
    else if (field.type == 1 || field.type == 2 || field.type == 5)
      field.bytes = take(field.type == 1 ? 8 : field.type == 5 ? 4 : whole_number());
    else
      malformed(file_, "it has a field of the type {}: this is no tokenizer.model", field.type);
    return field;
  }

 private:
  std::uint64_t whole_number() {
    std::uint64_t number = 0;
    for (int bits = 0; bits < 64; bits += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      number |= std::uint64_t{byte & 0x7FU} << bits;
      if (byte < 0x80) return number;
    }
    malformed(file_, "it has a whole number of more than 64 bits: this is no tokenizer.model");
  }
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size())
      malformed(file_, "a field has {} bytes, and {} are left: it is cut off", size, rest_.size());
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  const std::string& file_;
};

std::string with_blanks(std::string_view text) {
  std::string blank = "▁", result(text);
  for (std::size_t at = 0; (at = result.find(blank, at)) != std::string::npos; ++at)
    result.replace(at, blank.size(), " ");
  return result;
}

// SentencePiece: 1 the piece, 2 its score, 3 its kind.
void read_piece(Message message, SentencePieces::Content& into, const std::string& file) {
  using enum SentencePieces::Kind;
  constexpr SentencePieces::Kind kinds[] = {normal, normal, unknown, control, special, unused, byte};
  std::string piece;
  float score = 0;
  std::uint64_t kind = 1;
  while (const auto field = message.next()) {
    if (field->number == 1) piece = with_blanks(field->bytes);
    if (field->number == 2 && field->bytes.size() == 4) score = number_at<float>(field->bytes, 0);
    if (field->number == 3) kind = field->value;
  }
  const auto token = std::ssize(into.pieces);
  if (kind < 1 || kind > 6) malformed(file, "piece {} is of the kind {}, which is not known", token, kind);
  if (!std::isfinite(score)) malformed(file, "piece {} has the score {}", token, score);
  into.pieces.push_back(piece);
  into.scores.push_back(score);
  into.kinds.push_back(kinds[kind]);
}

// TrainerSpec: 3 how the pieces were found, 2 for BPE; 41 the piece that begins a text, −1 for none.
void read_trainer(Message message, SentencePieces::Content& into, const std::string& file) {
  std::uint64_t type = 1;
  while (const auto field = message.next()) {
    if (field->number == 3) type = field->value;
    if (field->number == 41) into.begin = static_cast<std::int64_t>(field->value);
  }
  constexpr const char* names[] = {"0", "unigram", "BPE", "word", "char"};
  if (type != 2)
    malformed(file, "its pieces are of the kind {}, and BPE is all that can be read", names[type < 5 ? type : 0]);
}

// NormalizerSpec: 2 a table of characters to be replaced, 3 whether a blank is put in front, 4 whether blanks in a row
// become one, 5 whether blanks are written ▁.
void read_normalizer(Message message, SentencePieces::Content& into, const std::string& file) {
  std::uint64_t front = 1, joined = 1, written = 1;
  while (const auto field = message.next()) {
    if (field->number == 2 && !field->bytes.empty())
      malformed(file, "it replaces characters before the text is cut (a charsmap), which is not known here");
    if (field->number == 3) front = field->value;
    if (field->number == 4) joined = field->value;
    if (field->number == 5) written = field->value;
  }
  if (joined) malformed(file, "it makes one of several blanks (remove_extra_whitespaces), which is not known here");
  if (!written) malformed(file, "its blanks are not written ▁, which is not known here");
  into.blank = front ? SentencePieces::Blank::first : SentencePieces::Blank::none;
}

}  // namespace

SentencePieces SentencePieces::load_model(const std::filesystem::path& path) {
  return parse_model(read_file(path), path.string());
}

// ModelProto: 1 a piece, again and again; 2 TrainerSpec, 3 NormalizerSpec.
SentencePieces SentencePieces::parse_model(std::string_view bytes, const std::string& file) {
  Content content;
  bool has_kind = false, has_normalizer = false;
  for (Message message(bytes, file); const auto field = message.next();) {
    if (field->number <= 3 && field->type != 2) malformed(file, "field {} is no message", field->number);
    const Message inside(field->bytes, file);
    if (field->number == 1) read_piece(inside, content, file);
    if (field->number == 2) read_trainer(inside, content, file), has_kind = true;
    if (field->number == 3) read_normalizer(inside, content, file), has_normalizer = true;
  }
  if (content.pieces.empty() || !has_kind || !has_normalizer)
    malformed(file,
              "it does not hold pieces, their kind, and what is done to a text before: this is no tokenizer.model");
  return of(std::move(content), file);
}

}  // namespace regard::nn
