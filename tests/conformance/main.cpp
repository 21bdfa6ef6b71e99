// The laws of attention as a table: variants × laws, and planted mistakes × laws.
#include "examples/program.h"
#include "tensor/error.h"
#include "tests/variants/variants.h"

#include <algorithm>

using namespace regard::nn::kit;

namespace {

std::vector<Report> examine_all(const std::vector<Variant>& list, const std::vector<std::string>& words) {
  const auto has = [](const std::string& word) {
    return [&word](const Variant& variant) { return variant.name.find(word) != std::string::npos; };
  };
  for (const std::string& word : words)
    if (std::ranges::none_of(list, has(word)))
      regard::fail<regard::ValueError>("no variant has '{}' in its name", word);
  std::vector<Report> reports;
  for (const Variant& variant : list)
    if (words.empty() || std::ranges::any_of(words, [&](const std::string& word) { return has(word)(variant); }))
      reports.push_back(examine(variant));
  return reports;
}

// How many planted mistakes are rejected by the law they break.
std::size_t count_rejected(const std::vector<Report>& reports) {
  std::size_t rejected = 0;
  for (const Report& report : reports)
    for (const Planted& one : planted())
      for (const Law law : report.broken()) rejected += one.variant.name == report.variant && one.law == law;
  return rejected;
}

}  // namespace

int main(int argc, char** argv) {
  regard::Program program("Puts every kind of attention through the laws that all of them have to obey");
  bool mistakes = false;
  std::vector<std::string> words;
  program.flag("--planted", mistakes, "examine the planted mistakes instead: each must break its law");
  program.words("names", words, "only variants whose name contains one of these");
  if (!program.parse(argc, argv)) return program.exit_code();

  std::vector<Variant> list = variants();
  if (mistakes) {
    list.clear();
    for (const Planted& one : planted()) list.push_back(one.variant);
  }
  const std::vector<Report> reports = examine_all(list, words);
  fmt::print("{}\n", table(reports));
  if (mistakes) {
    const std::size_t rejected = count_rejected(reports);
    fmt::print("{} of {} planted mistakes rejected by the law they break\n", rejected, reports.size());
    return rejected == reports.size() ? 0 : 1;
  }
  std::size_t passed = 0;
  for (const Report& report : reports) passed += report.passed();
  fmt::print("{} of {} variants pass\n", passed, reports.size());
  return !reports.empty() && passed == reports.size() ? 0 : 1;
}
