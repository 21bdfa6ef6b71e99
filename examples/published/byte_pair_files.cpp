#include "examples/published/byte_alphabet.h"
#include "examples/published/byte_pairs.h"
#include "nn/save/json.h"
#include "tensor/io/file.h"

#include <filesystem>

namespace regard::nn {
namespace {

constexpr const char* vocabulary_file = "vocab.json";
constexpr const char* merges_file = "merges.txt";

// The names of all tokens, as the file writes them; each number from 0 on is that of one of them.
std::vector<std::string> read_names(const std::string& text, const std::string& file) {
  const Json root = parse_json(text, {.file = file, .part = "the file", .depth = 1});
  const auto* object = root.get_if<JsonObject>();
  if (!object) malformed(file, "it has to map pieces to numbers, and is {}", excerpt(root));
  std::vector<std::string> names(object->size());
  for (const auto& [name, number] : *object) {
    if (!number.is_size() || number.size() >= static_cast<std::int64_t>(names.size()))
      malformed(file, "the piece {} has the number {}, where there are {} pieces", in_quotes(name), excerpt(number),
                names.size());
    std::string& place = names[static_cast<std::size_t>(number.size())];
    if (name.empty() || !place.empty())
      malformed(file, "the piece {} is empty, or has the number of {}", in_quotes(name), in_quotes(place));
    place = name;
  }
  return names;
}

struct WrittenMerge {
  std::string left, right;
};

std::vector<WrittenMerge> read_merges(std::string_view text, const std::string& file) {
  std::vector<WrittenMerge> merges;
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (line == 1 && one.starts_with("#version")) continue;
    const std::size_t blank = one.find(' ');
    if (blank == 0 || blank >= one.size() - 1 || one.find(' ', blank + 1) != std::string_view::npos)
      malformed(file, "line {} is not two pieces with a blank between them", line);
    merges.push_back({std::string(one.substr(0, blank)), std::string(one.substr(blank + 1))});
  }
  return merges;
}

}  // namespace

// Puts the pieces of the two files together. What is a byte, or merged, is known by its bytes; what remains is special.
class BytePairReader {
 public:
  BytePairReader(const std::string& vocabulary, const std::string& folder)
      : vocabulary_(folder + "/" + vocabulary_file), merges_(folder + "/" + merges_file) {
    pairs_.pieces_ = read_names(vocabulary, vocabulary_);
    is_piece_.resize(pairs_.pieces_.size());
    for (std::int64_t token = 0; token < pairs_.size(); ++token) numbers_.emplace(pairs_.bytes(token), token);
  }

  BytePairs read(const std::string& merges) {
    for (const char byte : bytes_in_order()) {
      const std::string one(1, byte);
      const std::int64_t token = number_of(written(one), vocabulary_);
      pairs_.bytes_[static_cast<unsigned char>(byte)] = token;
      note(token, one);
    }
    for (const WrittenMerge& merge : read_merges(merges, merges_)) add(merge);
    for (std::int64_t token = 0; token < pairs_.size(); ++token)
      if (!is_piece(token)) pairs_.special_.emplace(pairs_.bytes(token), token);
    return std::move(pairs_);
  }

 private:
  void add(const WrittenMerge& merge) {
    const std::int64_t left = part(merge.left), right = part(merge.right);
    if (pairs_.find_merge(left, right))
      malformed(merges_, "{} and {} are merged twice", in_quotes(merge.left), in_quotes(merge.right));
    const std::int64_t result = number_of(merge.left + merge.right, merges_);
    note(result, pairs_.bytes(left) + pairs_.bytes(right));
    pairs_.add_merge(left, right, result);
  }

  std::int64_t part(const std::string& name) const {
    const std::int64_t token = number_of(name, merges_);
    if (!is_piece(token)) malformed(merges_, "the piece {} is merged before it is made", in_quotes(name));
    return token;
  }

  std::int64_t number_of(const std::string& name, const std::string& file) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) malformed(file, "the piece {} is not in {}", in_quotes(name), vocabulary_file);
    return found->second;
  }

  bool is_piece(std::int64_t token) const { return is_piece_[static_cast<std::size_t>(token)]; }
  void note(std::int64_t token, const std::string& bytes) {
    pairs_.pieces_[static_cast<std::size_t>(token)] = bytes;
    pairs_.numbers_.emplace(bytes, token);
    is_piece_[static_cast<std::size_t>(token)] = true;
  }

  std::string vocabulary_, merges_;  // the names of the files
  BytePairs pairs_;
  std::unordered_map<std::string, std::int64_t> numbers_;  // as they are written
  std::vector<bool> is_piece_;
};

BytePairs BytePairs::load(const std::filesystem::path& folder) {
  return parse(read_file(folder / vocabulary_file), read_file(folder / merges_file), folder.string());
}

BytePairs BytePairs::parse(const std::string& vocabulary, const std::string& merges, const std::string& folder) {
  return BytePairReader(vocabulary, folder).read(merges);
}

void BytePairs::save(const std::filesystem::path& folder) const {
  std::string vocabulary = "{", merges;
  for (std::int64_t token = 0; token < size(); ++token) {
    const std::string& piece = bytes(token);
    const bool is_special = special_.contains(piece) && special_.at(piece) == token;
    if (is_special && bytes_of_written(piece) && numbers_.contains(*bytes_of_written(piece)))
      fail<ValueError>("save: the special token {} has the name of a piece", in_quotes(piece));
    vocabulary +=
        fmt::format("{}\n  {}: {}", token == 0 ? "" : ",", to_json(Json{is_special ? piece : written(piece)}), token);
  }
  for (const auto& [left, right, result] : merges_) merges += written(bytes(left)) + " " + written(bytes(right)) + "\n";
  write_file(folder / vocabulary_file, vocabulary + "\n}\n");
  write_file(folder / merges_file, merges);
}

}  // namespace regard::nn
