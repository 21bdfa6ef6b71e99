#include "examples/trainers/progress.h"

#include "examples/trainers/terminal.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>

namespace regard {
namespace {

constexpr const char* erase_line = "\r\033[K";
constexpr int longest_bar = 24, shortest_bar = 8;

std::string facts_of(const Standing& s, bool with_rate) {
  std::string rate = with_rate ? fmt::format("  {:.3g}/s", s.rate) : "";
  if (with_rate && s.samples > 0) rate += fmt::format("  {:.0f} samples/s", s.samples);
  return fmt::format("{}/{}{}  {} {}:{:02}  loss {:.4g}", s.done, s.total, rate, s.done == s.total ? "took" : "left",
                     s.seconds / 60, s.seconds % 60, s.loss);
}

std::string bar_of(const Standing& s, int length) {
  const auto full = length * s.done / s.total;
  std::string bar;
  for (int i = 0; i < length; ++i) bar += i < full ? "█" : "░";
  return bar;
}

}  // namespace

std::string line_of(const Standing& s) { return s.name + "  " + facts_of(s, true); }

std::string line_of(const Standing& s, int columns) {
  const std::string facts = facts_of(s, true);
  const int room = columns - terminal::columns_of(s.name + "    " + facts);
  if (room >= shortest_bar) return fmt::format("{}  {}  {}", s.name, bar_of(s, std::min(room, longest_bar)), facts);
  for (const std::string& line : {line_of(s), facts})
    if (terminal::columns_of(line) <= columns) return line;
  return terminal::begin_of(facts_of(s, false), columns);
}

Progress::Progress(std::string name, std::int64_t first, std::int64_t total)
    : name_(std::move(name)), first_(first), total_(total) {}

Progress::~Progress() {
  if (open_) terminal::note("\n");
}

void Progress::show(std::int64_t done, double loss, std::int64_t samples) {
  const int columns = terminal::columns(STDERR_FILENO);
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const bool last = done == total_;
  if (!last && (columns > 0 ? seconds < shown_at_ + 0.1 : 10 * done / total_ == 10 * (done - 1) / total_)) return;
  shown_at_ = seconds;
  const double rate = static_cast<double>(done - first_) / std::max(seconds, 1e-9);
  const double left = static_cast<double>(total_ - done) / std::max(rate, 1e-9) + 0.5;
  const Standing now{name_,
                     done,
                     total_,
                     rate,
                     static_cast<std::int64_t>(last ? seconds : left),
                     loss,
                     static_cast<double>(samples) / std::max(seconds, 1e-9)};
  // The last column stays free: some terminals begin a new line when it is taken.
  terminal::note(columns == 0 ? line_of(now) + "\n" : erase_line + line_of(now, columns - 1) + (last ? "\n" : ""));
  open_ = columns > 0 && !last;
}

void note_beside_progress(const std::string& line) {
  terminal::note((terminal::columns(STDERR_FILENO) > 0 ? erase_line : "") + line + "\n");
}

}  // namespace regard
