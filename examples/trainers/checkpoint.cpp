#include "examples/trainers/checkpoint.h"

#include <cstdlib>

namespace regard {
namespace {

// In the file it is text.
std::map<std::string, std::string> text_of(const Origin& origin) {
  return {{"program", origin.program},
          {"seed", std::to_string(origin.seed)},
          {"data", std::to_string(origin.fingerprint)},
          {"micro-batches", std::to_string(origin.micro_batches)}};
}

std::string differences(const nn::Skipped& skipped, bool verbose) {
  std::vector<std::string> all;
  for (const std::string& one : skipped.misshapen) all.push_back(one);
  for (const std::string& one : skipped.missing) all.push_back(one + " is missing in it");
  for (const std::string& one : skipped.unexpected) all.push_back(one + " is not known here");
  const std::string counts =
      fmt::format("\n{} of its parts are not known here, {} are missing, and {} have other sizes",
                  skipped.unexpected.size(), skipped.missing.size(), skipped.misshapen.size());
  if (all.empty()) return "";
  return counts + "\n" + (verbose ? join_words(all, "\n") : all.front() + " (--verbose names all)");
}

}  // namespace

std::int64_t micro_batches_of(const nn::TensorFile& file) {
  const auto found = file.metadata.find("micro-batches");
  return found == file.metadata.end() ? 0 : std::atoll(found->second.c_str());
}

void save_checkpoint(const std::vector<nn::NamedMember>& parts, const Origin& origin, const std::string& path) {
  nn::save(parts, path, text_of(origin));
}

void restore(const std::vector<nn::NamedMember>& parts, const Origin& origin, const nn::TensorFile& file,
             const std::string& path, bool verbose) {
  auto stored = file.metadata, wanted = text_of(origin);
  const nn::Skipped skipped = nn::load(parts, file, {.strict = false}, path);
  if (stored["program"] != wanted["program"])
    fail<ValueError>("--load: {} is a checkpoint of {}{}", path,
                     stored["program"].empty() ? "another program" : stored["program"], differences(skipped, verbose));
  if (stored["data"] != wanted["data"]) fail<ValueError>("--load: {} was made with other data", path);
  if (stored["seed"] != wanted["seed"]) fail<ValueError>("--load: {} was made with --seed {}", path, stored["seed"]);
  if (stored["micro-batches"] != wanted["micro-batches"])
    fail<ValueError>("--load: {} was made with --micro-batches {}: with {} other numbers would come out", path,
                     stored["micro-batches"], wanted["micro-batches"]);
  if (!skipped.empty())
    fail<ValueError>("--load: {} was made with other options{}", path, differences(skipped, verbose));
}

}  // namespace regard
