#include "tensor/io/file.h"

#include "tensor/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace regard {
namespace {

[[noreturn]] void fail_to(const char* what, const std::string& path) {
  fail<IoError>("{} {}: {}", what, path, std::strerror(errno));
}

void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to("cannot write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// The name of a draft ends with "<process>.<number>.part", behind what it begins with. Which process writes it? 0 if it
// is no draft.
pid_t writer_of(std::string_view name, std::string_view before) {
  if (!name.starts_with(before) || !name.ends_with(".part")) return 0;
  name.remove_prefix(before.size());
  pid_t process = 0;
  int number = 0, length = 0;
  const std::string rest(name);
  if (std::sscanf(rest.c_str(), "%d.%d.part%n", &process, &number, &length) != 2) return 0;
  return static_cast<std::size_t>(length) == rest.size() ? process : 0;
}

// A process that is killed while it saves leaves its draft behind. Whoever saves under the same name next removes it.
void remove_abandoned_drafts(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::string before = path.filename().string() + ".";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const pid_t process = writer_of(entry.path().filename().string(), before);
    const bool is_gone = process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
    if (is_gone) std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail<IoError>("cannot read {}: it is a folder", path);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_to("cannot read", path);
  // One byte more than there should be, to meet the end. Pipes and the like have no size, and files may grow.
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  std::string bytes;
  for (std::size_t chunk = ignored ? 4096 : size + 1; file; chunk = bytes.size()) {
    const std::size_t before = bytes.size();
    bytes.resize(before + chunk);
    file.read(bytes.data() + before, static_cast<std::streamsize>(chunk));
    bytes.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) fail_to("cannot read", path);
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) { write_file(path, std::vector{bytes}); }

void write_file(const std::string& path, const std::vector<std::string_view>& pieces) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    fail<IoError>("cannot write {}: it is not a regular file", path);
  static std::atomic<int> count{0};  // threads may save under the same name at once
  const std::string draft = fmt::format("{}.{}.{}.part", path, ::getpid(), count.fetch_add(1));
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail_to("cannot write", path);
  try {
    for (const std::string_view piece : pieces) write_all(file, piece, path);
    if (::fsync(file) != 0) fail_to("cannot write", path);
  } catch (...) {
    ::close(file);
    ::unlink(draft.c_str());
    throw;
  }
  if (::close(file) != 0 || std::rename(draft.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(draft.c_str());
    errno = reason;
    fail_to("cannot write", path);
  }
  remove_abandoned_drafts(path);
}

}  // namespace regard
