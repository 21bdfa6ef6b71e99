#include "examples/trainers/number_words.h"
#include "examples/trainers/translation_tasks.h"
#include "tensor/random/random.h"

#include <algorithm>
#include <set>

namespace regard {
namespace {

constexpr std::int64_t pairs_of_pass = 4096, smallest_held_out = 20, small = 1000, held_out_small = 100;
constexpr std::int64_t always_held_out = 421;

std::string without_hyphens(std::string text) {
  std::ranges::replace(text, '-', ' ');
  return text;
}

Language english() {
  std::vector<std::string> texts{in_english(1000)};
  for (std::int64_t n = 0; n <= 100; ++n) texts.push_back(without_hyphens(in_english(n)));
  const Language words = language_of_words(texts);
  Language language = words;
  language.encode = [words](const std::string& text) { return words.encode(without_hyphens(text)); };
  language.unknown = [words](const std::string& text) { return words.unknown(without_hyphens(text)); };
  return language;
}

Language german() {
  std::vector<std::string> texts{in_german(1000)};
  for (std::int64_t n = 0; n <= 100; ++n) texts.push_back(in_german(n));
  return language_of_characters(texts);
}

// Always the same, whatever the seed of the training.
std::set<std::int64_t> held_out_numbers(std::int64_t largest, std::int64_t count) {
  Generator generator(1);
  std::set<std::int64_t> numbers{always_held_out};
  const auto add = [&](std::int64_t limit, std::int64_t until) {
    while (std::ssize(numbers) < until)
      numbers.insert(static_cast<std::int64_t>(randint({1}, generator, smallest_held_out, limit + 1).at({0})));
  };
  add(std::min(largest, small - 1), held_out_small);
  add(largest, count);
  return numbers;
}

// Numbers to learn from.
std::vector<std::int64_t> drawn(std::int64_t largest, const std::set<std::int64_t>& held_out, Generator& g) {
  const std::int64_t digits = std::ssize(std::to_string(largest));
  std::vector<std::int64_t> numbers;
  while (std::ssize(numbers) < pairs_of_pass) {
    const std::vector<double> lengths = to_vector(randint({pairs_of_pass}, g, 1, 2 * digits + 1)),
                              all = to_vector(randint({pairs_of_pass}, g, 0, largest + 1));
    for (std::size_t i = 0; i < all.size() && std::ssize(numbers) < pairs_of_pass; ++i) {
      auto number = static_cast<std::int64_t>(all[i]), limit = std::int64_t{1};
      for (double length = 0; length < std::min<double>(lengths[i], static_cast<double>(digits)); ++length) limit *= 10;
      number %= limit;
      if (!held_out.contains(number)) numbers.push_back(number);
    }
  }
  return numbers;
}

}  // namespace

TranslationTask number_task(std::int64_t largest, std::int64_t held_out) {
  const std::set<std::int64_t> unseen = held_out_numbers(largest, held_out);
  TranslationTask task{english(), german(), {}, {}, largest};
  for (const std::int64_t number : unseen) task.held_out.push_back({in_english(number), {in_german(number)}});
  task.lessons = [=, source = task.source, target = task.target](Generator& generator) {
    Lessons::Pairs pairs;
    for (const std::int64_t number : drawn(largest, unseen, generator)) {
      pairs[0].push_back(source.encode(in_english(number)));
      pairs[1].push_back(target.encode(in_german(number)));
    }
    return pairs;
  };
  return task;
}

}  // namespace regard
