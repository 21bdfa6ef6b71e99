#pragma once

#include "tests/museum/exhibit.h"

#include <filesystem>
#include <string>

namespace regard::museum {

// The page of an exhibit, in Markdown: what its file says, its code, its curves in a sentence and a picture, and what
// the tool prints. `sources` is the folder of exhibits/.
std::string page_of(const Exhibit& exhibit, const std::filesystem::path& sources);

// README.md: a row for each.
std::string index_of(const std::vector<Exhibit>& wall);

}  // namespace regard::museum
