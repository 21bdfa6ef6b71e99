// Files that cannot be read or written: the error says which and why, the old file stays, and no draft is left behind.
#include "autograd/all.h"
#include "nn/save/safetensors.h"
#include "nn/save/save.h"
#include "tensor/io/file.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace regard::nn {

namespace {

struct Weights {
  Variable w = parameter(zeros({100, 100}));
  void visit(Visitor& v) { v("w", w); }
};

// The administrator may read and write everything, so that the tests of permissions have to be somebody else.
class AsNobody {
 public:
  AsNobody() : was_(::geteuid()) {
    if (was_ == 0 && ::seteuid(65534) != 0) WARN("cannot give up the administrator's rights");
  }
  ~AsNobody() {
    if (::seteuid(was_) != 0) std::abort();
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  explicit operator bool() const { return ::geteuid() != 0; }

 private:
  uid_t was_;
};

// While it lives, files cannot grow beyond this: what a full disk does.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

// The draft of a process that was killed: its number belongs to nobody any more.
TEST_CASE("save: drafts that a killed process left are removed, those of others stay") {
  const Folder folder;
  Weights model;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const std::string gone = fmt::format("m.{}.0.part", child), alive = fmt::format("m.{}.7.part", ::getppid());
  for (const std::string& name : {gone, alive, std::string("m.part"), std::string("m.1x.0.part"), "other." + gone})
    write_file(folder / name.c_str(), "half");
  save(model, folder / "m");
  CHECK(!std::filesystem::exists(folder / gone.c_str()));
  for (const std::string& name : {alive, std::string("m.part"), std::string("m.1x.0.part"), "other." + gone})
    CHECK(std::filesystem::exists(folder / name.c_str()));
}

TEST_CASE("load: a missing file, a folder, an empty file") {
  const Folder folder;
  Weights model;
  write_file(folder / "empty", "");
  check_errors(
      {{[&] { load(model, folder / "missing"); }, "IoError",
        "cannot read " + (folder / "missing").string() + ": No such file or directory"},
       {[&] { load(model, folder.path()); }, "IoError", "cannot read " + folder.path().string() + ": it is a folder"},
       {[&] { load(model, folder / "empty"); }, "IoError",
        "load: " + (folder / "empty").string() +
            ": a safetensors file starts with the 8 bytes of a length; this one ends after 0"}});
}

TEST_CASE("save: where there is no such folder, and where there is a folder already") {
  const Folder folder;
  Weights model;
  std::filesystem::create_directory(folder / "taken");
  check_errors({{[&] { save(model, folder / "no/m"); }, "IoError",
                 "cannot write " + (folder / "no/m").string() + ": No such file or directory"},
                {[&] { save(model, folder / "taken"); }, "IoError",
                 "cannot write " + (folder / "taken").string() + ": it is not a regular file"}});
  CHECK(folder.count() == 1);
}

TEST_CASE("save and load: without permission") {
  const Folder folder;
  Weights model;
  save(model, folder / "m");
  std::filesystem::permissions(folder / "m", std::filesystem::perms::none);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  {
    const AsNobody nobody;
    if (nobody)
      check_errors({{[&] { load(model, folder / "m"); }, "IoError",
                     "cannot read " + (folder / "m").string() + ": Permission denied"},
                    {[&] { save(model, folder / "m"); }, "IoError",
                     "cannot write " + (folder / "m").string() + ": Permission denied"}});
  }
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  CHECK(folder.count() == 1);
}

TEST_CASE("save: when the disk is full, the old file stays as it was") {
  const Folder folder;
  Weights model;
  save(model, folder / "m");
  const std::string before = read_file(folder / "m");
  assign(model.w, ones({100, 100}));
  {
    const FileSizeLimit limit(20'000);  // the file has 40,080 bytes
    check_errors({{[&] { save(model, folder / "m"); }, "IoError",
                   "cannot write " + (folder / "m").string() + ": File too large"}});
  }
  CHECK(read_file(folder / "m") == before);
  CHECK(folder.count() == 1);
}

TEST_CASE("save: who may read and write the file is what the user's mask leaves of 0666") {
  const Folder folder;
  Weights model;
  const mode_t mask = ::umask(0027);
  save(model, folder / "m");
  ::umask(mask);
  CHECK(std::filesystem::status(folder / "m").permissions() == std::filesystem::perms(0640));
}

}  // namespace regard::nn
