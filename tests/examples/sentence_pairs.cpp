// Pairs of sentences from a file, as lessons and as texts that are held out.
#include "examples/trainers/translation_tasks.h"
#include "tensor/io/file.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <fmt/format.h>

#include <set>

namespace regard {

namespace {

// "text 0", "text 1" …, each with two translations.
std::string some_pairs(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format("Text number {}.\tTexte numéro {} !\tby A\nText number {}\tLe texte {}.\tby B\n", i, i, i, i);
  return text;
}

TranslationTask task_of(const Folder& folder, const std::string& text, const PairOptions& options = {}) {
  write_file(folder / "pairs.tsv", text);
  return pair_task(folder / "pairs.tsv", options);
}

}  // namespace

TEST_CASE("words of a text: in lower case, marks alone") {
  CHECK(words_of("Don't STOP, Zoë!") == std::vector<std::string>{"don", "'", "t", "stop", ",", "zoë", "!"});
  CHECK(words_of("ÉTÉ Ÿ ŒUVRE Ω Я Ё") == std::vector<std::string>{"été", "ÿ", "œuvre", "ω", "я", "ё"});
  CHECK(words_of("3 × 10") == std::vector<std::string>{"3", "×", "10"});
  CHECK(words_of(" \t ").empty());
}

TEST_CASE("sentence pairs: texts that differ in marks only are held out together, with all translations") {
  const Folder folder;
  const TranslationTask task = task_of(folder, some_pairs(40));
  std::set<std::string> texts;
  for (const Example& example : task.held_out) texts.insert(example.source);
  CHECK(task.held_out.size() == 8);  // a tenth of 40 texts, each with a full stop and without
  CHECK(texts.size() == 8);
  for (const Example& example : task.held_out) {
    const bool stop = example.source.back() == '.';
    CHECK(texts.contains(stop ? example.source.substr(0, example.source.size() - 1) : example.source + "."));
    CHECK(example.attribution == (stop ? "by A" : "by B"));
    REQUIRE(example.right.size() == 1);
  }
  Generator generator(1);
  const Lessons::Pairs pairs = task.lessons(generator);
  CHECK(pairs[0].size() == 72);
  CHECK(pairs[1].size() == 72);
}

TEST_CASE("sentence pairs: one text with several translations") {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 10; ++i) text += fmt::format("t {}\tune {}\r\n\nt {}\tdeux {}\n", i, i, i, i);
  const TranslationTask task = task_of(folder, text);
  REQUIRE(task.held_out.size() == 1);
  const std::string number = words_of(task.held_out[0].source)[1];
  CHECK(task.held_out[0].right == std::vector<std::string>{"une " + number, "deux " + number});
}

TEST_CASE("sentence pairs: byte pairs write everything") {
  const Folder folder;
  const TranslationTask task = task_of(folder, some_pairs(20), {.byte_pairs = true});
  const std::string text = "Größer als Ω\n";
  CHECK(task.target.decode(task.target.encode(text)) == text);
  CHECK(task.source.unknown(text) == std::nullopt);
}

TEST_CASE("sentence pairs: texts that are too long are left out, and counted") {
  const Folder folder;
  std::string wordy;
  for (int i = 0; i < 81; ++i) wordy += "word ";
  const std::string text = some_pairs(20);
  const TranslationTask task = task_of(folder, text + "Short\t" + wordy + "\n" + wordy + "\tCourt\n");
  CHECK(task.left_out == 2);
  CHECK(task_of(folder, text).left_out == 0);
}

TEST_CASE("sentence pairs: other data have another fingerprint") {
  const Folder folder;
  const std::int64_t one = task_of(folder, some_pairs(20)).fingerprint;
  CHECK(one == task_of(folder, some_pairs(20)).fingerprint);
  CHECK(one != task_of(folder, some_pairs(20) + "A\tB\n").fingerprint);
}

TEST_CASE("sentence pairs: files that are none") {
  const Folder folder;
  const std::string file = (folder / "pairs.tsv").string();
  const auto reads = [&](const std::string& text) { return [&folder, text] { task_of(folder, text); }; };
  const std::string no_pair = ": it is not a text, a tab and its translation";
  check_errors({
      {reads("Go.\tVa !\nGo. Marche.\n"), "IoError", file + ", line 2" + no_pair},
      {reads("\n\nGo.\t\n"), "IoError", file + ", line 3" + no_pair},
      {reads("\tVa !\n"), "IoError", file + ", line 1" + no_pair},
      {reads("Go.\tVa !\nZo\xEB\tZoé\n"), "IoError", file + ", line 2: it is not UTF-8: byte 2 of it is 0xEB"},
      {reads(some_pairs(9)), "IoError", file + ": there are 9 different texts; 10 or more are needed"},
      {reads(""), "IoError", file + ": there are 0 different texts; 10 or more are needed"},
  });
  CHECK(error_of([] { pair_task("nowhere.tsv", {}); }).first == "IoError");
}

}  // namespace regard
