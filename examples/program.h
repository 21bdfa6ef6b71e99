#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace regard {

// The command line of a program: a description, its options with their defaults, --help. Unknown options and values out
// of range are errors that name the choices.
//
// A program ends with 0 if all is well, with 1 if what it shows does not hold, and with 2 after an error: a mistake in
// the command line, an exception that nobody caught, or standard output that could not be written.
class Program {
 public:
  explicit Program(const std::string& description);
  ~Program();

  void option(const std::string& name, int& value, const std::string& help, int low, int high);
  void option(const std::string& name, double& value, const std::string& help, double low, double high);
  void option(const std::string& name, std::uint64_t& value, const std::string& help);
  void option(const std::string& name, std::optional<int>& value, const std::string& help, int low, int high);
  void text(const std::string& name, std::string& value, const std::string& help,
            const std::string& kind);  // FILE, DIR
  void choice(const std::string& name, std::string& value, const std::string& help, std::vector<std::string> choices);
  void flag(const std::string& name, bool& value, const std::string& help);
  // One or more, behind a --name, or wherever they stand if the name has no dashes.
  void words(const std::string& name, std::vector<std::string>& values, const std::string& help);

  // True if the program should go on; otherwise main returns exit_code(): 0 after --help, 2 after an error.
  bool parse(int argc, char** argv);
  int exit_code() const { return exit_code_; }

 private:
  struct Parser;  // keeps the large header of the option parser out of every example
  std::unique_ptr<Parser> parser_;
  int exit_code_ = 0;
};

}  // namespace regard
