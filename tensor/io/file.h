#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace regard {

std::string read_file(const std::filesystem::path& path);

// The file is written beside its place, flushed to the disk and then renamed: a crash leaves the old file or the new
// one, never half of one.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace regard
