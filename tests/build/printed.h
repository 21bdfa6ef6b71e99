#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

// While it lives, what is printed goes into the file REGARD_PRINTED/name. In the end it is printed as well, so that
// nothing is lost of what a failing test has to say.
class Printed {
 public:
  explicit Printed(const std::string& name) : path_(std::filesystem::path(REGARD_PRINTED) / name) {
    std::filesystem::create_directories(path_.parent_path());
    std::fflush(stdout);
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0666);
    before_ = dup(STDOUT_FILENO);
    dup2(file_, STDOUT_FILENO);
  }
  ~Printed() {
    std::fflush(stdout);
    dup2(before_, STDOUT_FILENO);
    close(before_);
    lseek(file_, 0, SEEK_SET);
    char piece[4096];
    for (ssize_t size = 0; (size = read(file_, piece, sizeof piece)) > 0;)
      std::fwrite(piece, 1, static_cast<std::size_t>(size), stdout);
    close(file_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  // What was printed so far is dropped.
  void forget() {
    std::fflush(stdout);
    if (ftruncate(file_, 0) != 0) std::fputs("Printed::forget: the file keeps what was printed\n", stderr);
  }

 private:
  std::filesystem::path path_;
  int file_, before_;
};
