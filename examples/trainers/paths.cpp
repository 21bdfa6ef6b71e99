#include "examples/trainers/paths.h"

#include "tensor/error.h"
#include "tensor/io/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

namespace regard {
namespace {

// Makes a file of that name beside those that are there, and removes it again. No other question is answered as
// reliably: the superuser may write anywhere, except where nobody can.
void require_new_file(const std::string& what, const std::filesystem::path& probe) {
  const int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) fail<IoError>("{}: {}", what, std::strerror(errno));
  ::close(file);
  ::unlink(probe.c_str());
}

// As write_file() names its drafts, so that a name that is too long for those is too long here.
std::string draft_ending() { return fmt::format(".{}.0.part", ::getpid()); }

}  // namespace

void require_readable(const std::string& option, const std::string& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) fail<IoError>("{}: {} is a folder", option, path);
  if (!std::filesystem::exists(path, failure)) fail<IoError>("{}: there is no file {}", option, path);
  if (::access(path.c_str(), R_OK) != 0) fail<IoError>("{}: cannot read {}: {}", option, path, std::strerror(errno));
}

void require_writable(const std::string& option, const std::string& path) {
  std::error_code failure;
  if (path.ends_with('/') || std::filesystem::is_directory(path, failure))
    fail<IoError>("{}: {} is a folder, and the name of a file is wanted", option, path);
  if (std::filesystem::exists(path, failure) && !std::filesystem::is_regular_file(path, failure))
    fail<IoError>("{}: {} is not a regular file", option, path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, failure))
    fail<IoError>("{}: there is no folder {}", option, folder.string());
  require_new_file(fmt::format("{}: cannot write {}", option, path), path + draft_ending());
}

void require_writable_folder(const std::string& option, const std::filesystem::path& path) {
  const std::string what = fmt::format("{}: cannot write to the folder {}", option, path.string());
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure) fail<IoError>("{}: {}", what, failure.message());
  require_new_file(what, path / draft_ending());
}

namespace {

std::map<std::filesystem::path, std::int64_t> found;  // fingerprints of data

}  // namespace

std::filesystem::path example_data(const std::string& file, const std::string& option) {
  const std::filesystem::path shipped = std::filesystem::path(REGARD_EXAMPLE_DATA) / file;
  std::error_code ignored;
  for (const std::filesystem::path& path : {std::filesystem::path(file), shipped})
    if (std::filesystem::exists(path, ignored)) {
      if (std::filesystem::is_regular_file(path, ignored)) found[path] = fingerprint_of(read_file(path));
      return path;
    }
  fail<IoError>("{}there is no file {}, here or in examples/data", option.empty() ? "" : option + ": ", file);
}

// FNV-1a.
std::int64_t fingerprint_of(const std::string& bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return static_cast<std::int64_t>(hash >> 12);
}

std::int64_t fingerprint_of_data() {
  std::int64_t all = 0;
  for (const auto& [path, fingerprint] : found) all ^= fingerprint;  // whatever the folders are called
  return all;
}

}  // namespace regard
