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

void Program::option(const std::string& name, double& value, const std::string& help, double low, double high) {
  parser_->app.add_option(name, value, help)->check(CLI::Range(low, high))->capture_default_str();
}

void Program::option(const std::string& name, std::uint64_t& value, const std::string& help) {
  parser_->app.add_option(name, value, help)->check(CLI::NonNegativeNumber)->capture_default_str();
}

void Program::option(const std::string& name, std::optional<int>& value, const std::string& help, int low, int high) {
  parser_->app.add_option(name, value, help)->check(CLI::Range(low, high));
}

void Program::text(const std::string& name, std::string& value, const std::string& help, const std::string& kind) {
  CLI::Option* option = parser_->app.add_option(name, value, help)->type_name(kind);
  if (!value.empty()) option->capture_default_str();
}

void Program::choice(const std::string& name, std::string& value, const std::string& help,
                     std::vector<std::string> choices) {
  parser_->app.add_option(name, value, help)->check(CLI::IsMember(std::move(choices)))->capture_default_str();
}

void Program::flag(const std::string& name, bool& value, const std::string& help) {
  parser_->app.add_flag(name, value, help);
}

void Program::words(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  parser_->app.add_option(name, values, help);
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
