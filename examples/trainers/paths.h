#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace regard {

// What cannot be read or written is better known before a training than after. These are errors that name the option
// and the path as it was typed.
void require_readable(const std::string& option, const std::string& path);
void require_writable(const std::string& option, const std::string& path);  // a file, which may be there already
void require_writable_folder(const std::string& option, const std::filesystem::path& path);  // made if it is not there

// The path of data: the file of this name, or else the one in examples/data. An error that begins with `option` if
// there is neither.
std::filesystem::path example_data(const std::string& file, const std::string& option = "");

// A number that follows from the bytes, for which a double has room.
std::int64_t fingerprint_of(const std::string& bytes);
// A number that follows from the bytes of all files that example_data has found so far. With other data a training
// cannot go on, and ranks cannot train together.
std::int64_t fingerprint_of_data();

}  // namespace regard
