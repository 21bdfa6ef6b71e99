#include "examples/published/character_class.h"
#include "examples/trainers/paths.h"
#include "examples/trainers/translation_tasks.h"
#include "nn/text/unicode.h"
#include "tensor/error.h"
#include "tensor/io/file.h"
#include "tensor/random/random.h"

#include <filesystem>
#include <map>
#include <sstream>

namespace regard {
namespace {

constexpr std::int64_t pieces = 1000, rare = 2;

struct Pair {
  std::string source, target, rest;
};

void require_utf8(const std::string& line, const std::string& file, std::int64_t number) {
  for (std::size_t place = 0; place < line.size();) {
    const nn::Character c = nn::first_character(std::string_view(line).substr(place));
    if (c.code == nn::not_a_character)
      fail<IoError>("{}, line {}: it is not UTF-8: byte {} of it is 0x{:02X}", file, number, place,
                    static_cast<unsigned char>(line[place]));
    place += c.bytes;
  }
}

std::vector<Pair> pairs_of(const std::string& text, const std::string& file) {
  std::vector<Pair> pairs;
  std::istringstream lines(text);
  std::int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    require_utf8(line, file, number);
    Pair pair;
    std::istringstream columns(line);
    std::getline(columns, pair.source, '\t') && std::getline(columns, pair.target, '\t') &&
        std::getline(columns, pair.rest);
    if (words_of(pair.source).empty() || words_of(pair.target).empty())
      fail<IoError>("{}, line {}: it is not a text, a tab and its translation", file, number);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

// What is equal in texts that are held out together.
std::string without_marks(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string& word : words_of(text))
    if (nn::class_of(nn::first_character(word).code) != nn::CharacterClass::mark) words.push_back(word);
  return join_words(words, " ");
}

struct Split {
  std::vector<Pair> lessons;
  std::vector<Example> held_out;
};

Split split(std::vector<Pair> pairs, std::int64_t wanted, const std::string& file) {
  std::map<std::string, std::vector<Pair>> groups;
  for (Pair& pair : pairs) groups[without_marks(pair.source)].push_back(std::move(pair));
  const std::int64_t count = std::ssize(groups), held_out = std::min(wanted, count / 10);
  if (held_out < 1) fail<IoError>("{}: there are {} different texts; 10 or more are needed", file, count);
  Generator generator(1);  // the same texts for every seed of the training
  const std::vector<double> place = to_vector(permutation(count, generator));
  Split result;
  std::size_t i = 0;
  for (auto& [key, group] : groups) {
    if (place[i++] >= static_cast<double>(held_out)) {
      for (Pair& pair : group) result.lessons.push_back(std::move(pair));
      continue;
    }
    std::map<std::string, Example> examples;
    for (const Pair& pair : group) {
      Example& example = examples[pair.source];
      example.source = pair.source;
      example.right.push_back(pair.target);
      example.attribution = pair.rest;
    }
    for (auto& [source, example] : examples) result.held_out.push_back(std::move(example));
  }
  return result;
}

bool is_long(const Pair& pair) {
  return std::max(std::ssize(words_of(pair.source)), std::ssize(words_of(pair.target))) > longest_text;
}

}  // namespace

TranslationTask pair_task(const std::filesystem::path& path, const PairOptions& o) {
  const std::string text = read_file(path);
  std::vector<Pair> all = pairs_of(text, path.string());
  const auto left_out = static_cast<std::int64_t>(std::erase_if(all, is_long));
  Split data = split(std::move(all), o.held_out, path.string());
  std::vector<std::string> sources, targets;
  for (const Pair& pair : data.lessons) sources.push_back(pair.source), targets.push_back(pair.target);
  const auto language = [&](const std::vector<std::string>& texts) {
    return o.byte_pairs ? language_of_byte_pairs(texts, pieces) : language_of_words(texts, rare);
  };
  TranslationTask task{language(sources),        language(targets),    {},
                       std::move(data.held_out), fingerprint_of(text), left_out};
  Lessons::Pairs pairs;
  for (const std::string& one : sources) pairs[0].push_back(task.source.encode(one));
  for (const std::string& one : targets) pairs[1].push_back(task.target.encode(one));
  task.lessons = [pairs](Generator&) { return pairs; };
  return task;
}

}  // namespace regard
