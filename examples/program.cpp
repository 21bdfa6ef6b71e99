#include "examples/program.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>

namespace regard {
namespace {

constexpr int error_status = 2;

// What a program has printed may still be on its way when main ends. Half a result, on a disk that is full, is an
// error.
void close_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  std::fprintf(stderr, "standard output cannot be written: %s\n", std::strerror(errno));
  std::_Exit(error_status);
}

// An error that nobody caught.
void end_with_message() {
  std::fflush(stdout);
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::_Exit(error_status);
  }
  std::abort();
}

template <class Whole>
std::optional<Whole> number_in(const std::string& text) requires std::integral<Whole> {
  Whole number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped_at, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stopped_at == end ? std::optional(number) : std::nullopt;
}
template <class Float>
std::optional<double> number_in(const std::string& text) requires std::floating_point<Float> {
  char* stopped_at = nullptr;
  const double number = std::strtod(text.c_str(), &stopped_at);
  return !text.empty() && stopped_at == text.c_str() + text.size() ? std::optional(number) : std::nullopt;
}

// An option whose value is a number of these, low and high included.
template <class Number, class Value>
CLI::Option* add_number(CLI::App& app, const std::string& name, Value& value, const std::string& help, Number low,
                        Number high) {
  const char* kind = std::integral<Number> ? "a whole number" : "a number";
  const auto read = [=, &value](const std::string& typed) {
    const std::optional<Number> number = number_in<Number>(typed);
    if (!number || !(low <= *number && *number <= high))  // NaN is nowhere
      throw CLI::ValidationError(name, fmt::format("'{}' is not {} from {} to {}", typed, kind, low, high));
    value = *number;
  };
  return app.add_option_function<std::string>(name, read, help)->type_name(fmt::format("{} to {}", low, high));
}

}  // namespace

struct Program::Parser {
  explicit Parser(const std::string& description) : app(description) {}
  CLI::App app;
};

Program::Program(const std::string& description) : parser_(std::make_unique<Parser>(description)) {
  std::atexit(close_output);
  std::set_terminate(end_with_message);
}
Program::~Program() = default;

void Program::option(const std::string& name, int& value, const std::string& help, int low, int high) {
  add_number(parser_->app, name, value, help, low, high)->default_str(fmt::format("{}", value));
}

void Program::option(const std::string& name, double& value, const std::string& help, double low, double high) {
  add_number(parser_->app, name, value, help, low, high)->default_str(fmt::format("{}", value));
}

void Program::option(const std::string& name, std::uint64_t& value, const std::string& help) {
  const auto largest = std::numeric_limits<std::uint64_t>::max();
  add_number<std::uint64_t>(parser_->app, name, value, help, 0, largest)
      ->type_name("a number")
      ->default_str(fmt::format("{}", value));
}

void Program::option(const std::string& name, std::optional<int>& value, const std::string& help, int low, int high) {
  add_number(parser_->app, name, value, help, low, high);
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
    exit_code_ = parser_->app.exit(error) == 0 ? 0 : error_status;
    return false;
  }
}

}  // namespace regard
