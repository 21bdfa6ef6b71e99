#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard {

std::string read_file(const std::string& path);

// The file is written under another name, flushed to the disk and then renamed: a crash leaves the old file or the new
// one, never half of one.
void write_file(const std::string& path, std::string_view bytes);
void write_file(const std::string& path, const std::vector<std::string_view>& pieces);  // one after the other

}  // namespace regard
