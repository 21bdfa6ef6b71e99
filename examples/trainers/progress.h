#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace regard {

// How far a training is.
struct Standing {
  std::string name;
  std::int64_t done, total;
  double rate;           // a second
  std::int64_t seconds;  // left; or, when all is done, what it took
  double loss;
  double samples = 0;  // a second, of all ranks together; 0: it is not shown
};

std::string line_of(const Standing& standing);
// The same in no more than so many columns: with a bar if there is room, and else with less and less.
std::string line_of(const Standing& standing, int columns);

// Says on standard error how far a training is: on a terminal in a line that is drawn again and again, elsewhere in a
// few lines.
class Progress {
 public:
  Progress(std::string name, std::int64_t first, std::int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `samples`: how many have been learned from since the beginning; 0: they are not shown.
  void show(std::int64_t done, double loss, std::int64_t samples = 0);

 private:
  using Clock = std::chrono::steady_clock;
  std::string name_;
  std::int64_t first_, total_;
  bool open_ = false;  // the cursor stands behind the line
  Clock::time_point start_ = Clock::now();
  double shown_at_ = -1;
};

// A line of something else on standard error, while a progress may be shown there: it takes the place of what is shown.
void note_beside_progress(const std::string& line);

}  // namespace regard
