#include "examples/program.h"

#include <CLI/CLI.hpp>

namespace regard {

struct Program::Parser {
  explicit Parser(const std::string& description) : app(description) {}
  CLI::App app;
};

Program::Program(const std::string& description) : parser_(std::make_unique<Parser>(description)) {}
Program::~Program() = default;

void Program::option(const std::string& name, int& value, const std::string& help, int low, int high) {
  parser_->app.add_option(name, value, help)->check(CLI::Range(low, high))->capture_default_str();
}

void Program::option(const std::string& name, std::uint64_t& value, const std::string& help) {
  parser_->app.add_option(name, value, help)->capture_default_str();
}

bool Program::parse(int argc, char** argv) {
  try {
    parser_->app.parse(argc, argv);
    return true;
  } catch (const CLI::ParseError& error) {
    exit_code_ = parser_->app.exit(error);
    return false;
  }
}

}  // namespace regard
