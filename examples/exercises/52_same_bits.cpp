// 52. The same bits · grade 2 · chapter 17_machine
//
// You train a model on two computers, from the same seed. After a thousand steps the losses differ in the second digit.
// Is there a mistake in your program, or has one of them more cores? Nobody can tell, if each thread adds up its own
// part of a sum: (a + b) + c and a + (b + c) are rounded differently. So a library that can be trusted takes care that
// a sum has the same bits, however many threads have worked on it.
//
// Hint: The number of threads may decide who does what. It may not decide which numbers are added to each other first.
// What could be cut into pieces, without asking how many threads there are?
#include "examples/exercises/exercise.h"
#include "tensor/create.h"
#include "tensor/random/random.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace regard;

using Task = std::function<void(std::int64_t number)>;

// Some threads. run(count, task) calls task(0), …, task(count − 1), each once: by different threads, and in any order.
struct Threads {
  std::int64_t count;
  std::function<void(std::int64_t count, const Task& task)> run;
};

// TODO: the sum of n numbers, in f32, with the same bits for any number of threads. They are to share the work. And the
// sum of ten million times 0.1 is to be a million, to three digits: see the end of the chapter's section on this.
float sum(const float* x, std::int64_t n, const Threads& threads) {
  std::vector<float> parts(static_cast<std::size_t>(threads.count), 0);
  threads.run(threads.count, [&](std::int64_t t) {
    for (std::int64_t i = t * n / threads.count; i < (t + 1) * n / threads.count; ++i) parts[t] += x[i];
  });
  float total = 0;
  for (const float part : parts) total += part;
  return total;
}

// ---- This is what checks it. ----

namespace {

// Threads that are only played: the tasks run one after another, forwards or backwards.
struct Played {
  std::int64_t count;
  bool backwards;
  std::int64_t tasks = 0;  // how many were given at once, at most

  float sum_of(const std::vector<float>& x) {
    const auto run = [this](std::int64_t given, const Task& task) {
      tasks = std::max(tasks, given);
      for (std::int64_t i = 0; i < given; ++i) task(backwards ? given - 1 - i : i);
    };
    return sum(x.data(), std::ssize(x), {count, run});
  }
};

double exact(const std::vector<float>& x) {
  double total = 0;
  for (const float one : x) total += one;
  return total;
}

std::vector<float> random(std::int64_t count) {
  Generator generator(1);
  const std::vector<double> numbers = to_vector(uniform({count}, generator, 0, 1));
  return {numbers.begin(), numbers.end()};
}

}  // namespace

int main() {
  return exercises::exercise([] {
    for (const std::int64_t n : {0, 1, 2, 5, 511, 512, 513, 1000, 10000}) {
      const std::vector<float> x = random(n);
      const double right = exact(x), got = Played{3, false}.sum_of(x), rounding = 1e-5 * right;
      const std::string what =
          fmt::format("The sum of {} numbers by three threads is {:.4f}, but {:.4f} was expected: ", n, got, right);
      exercises::expect(got >= right - rounding,
                        what + "some are left out. What becomes of those behind the last whole piece?");
      exercises::expect(got <= right + rounding, what + "some are counted twice.");
    }
    const std::vector<float> x = random(100'000);
    Played one{1, false};
    const float alone = one.sum_of(x);
    for (const std::int64_t count : {1, 2, 3, 7, 16})
      for (const bool backwards : {false, true}) {
        Played threads{count, backwards};
        const float together = threads.sum_of(x);
        exercises::expect(count == 1 || threads.tasks > 1,
                          "Nobody shares the work: give the threads several tasks, by threads.run(…).");
        exercises::expect(
            together == alone || !backwards,
            fmt::format(
                "If the tasks are run in another order, the sum is {:.4f} and not {:.4f}. Let each task write a "
                "number of its own, and add these afterwards.",
                together, alone));
        exercises::expect(
            together == alone,
            fmt::format("One thread finds {:.4f}, and {} threads find {:.4f}. What is added first depends on "
                        "the number of threads.",
                        alone, count, together));
      }
    const std::vector<float> tenths(10'000'000, 0.1f);
    exercises::expect(
        std::abs(Played{2, false}.sum_of(tenths) / 1e6 - 1) < 1e-3,
        "The bits are the same, but ten million times 0.1 is far from a million: your blocks are so long that "
        "small numbers are added to large sums.");
  });
}
