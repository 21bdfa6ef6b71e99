#include "examples/trainers/race_measures.h"

#include "autograd/path_length.h"
#include "tensor/threads/parallel.h"

#include <ctime>

namespace regard::race {
namespace {

// What others do on the machine, or a second thread that waits, does not count.
struct OneThread {
  int before = thread_count();

  OneThread() { set_thread_count(1); }
  ~OneThread() { set_thread_count(before); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};

}  // namespace

double path_length(const Kind& kind, std::int64_t width, std::int64_t layers, std::int64_t distance) {
  Generator generator(1);
  const std::unique_ptr<Racer> racer = kind.make(width, layers, generator);
  nn::convert(*racer, DType::f64);  // through many layers slopes get very small
  std::vector<Variable> tokens;
  for (std::int64_t i = 0; i <= distance; ++i)
    tokens.push_back(parameter(normal({1, width}, generator, 0, 1, DType::f64)));
  const Variable answer = racer->last_of(tokens);
  const std::int64_t length = regard::path_length(answer, tokens[0]);  // the graph does not outlive its gradients
  const Tensor slope = grad({sum(answer)}, {tokens[0]})[0].value();
  return max(abs(slope)).item() > 0 ? static_cast<double>(length) : -1;
}

double step_time(const Kind& kind, std::int64_t width, std::int64_t distance, int repetitions) {
  const OneThread one_thread;
  Generator generator(1);
  const std::unique_ptr<Racer> racer = kind.make(width, kind.layers, generator);
  optim::Adam optimizer(*racer);
  const Batch batch = draw_batch(4, distance, generator);
  std::vector<double> times;
  for (int i = 0; i <= repetitions; ++i) {
    const std::clock_t start = std::clock();
    const Variable loss = nn::cross_entropy_loss((*racer)(batch.tokens), batch.answers);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    if (i > 0) times.push_back(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::ranges::nth_element(times, times.begin() + repetitions / 2);
  return times[static_cast<std::size_t>(repetitions / 2)];
}

double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, above = 0, below = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += std::log(x[i]) / count, mean_y += std::log(y[i]) / count;
  for (std::size_t i = 0; i < x.size(); ++i) {
    above += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
    below += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
  }
  return above / below;
}

}  // namespace regard::race
