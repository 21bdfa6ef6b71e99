#pragma once

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

}  // namespace regard
