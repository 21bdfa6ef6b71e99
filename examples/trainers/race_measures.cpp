#include "examples/trainers/race_measures.h"

#include "examples/trainers/timing.h"
#include "nn/tools/explain/paths.h"

namespace regard::race {

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
    const double time = processor_milliseconds([&] {
      const Variable loss = nn::cross_entropy_loss((*racer)(batch.tokens), batch.answers);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    });
    if (i > 0) times.push_back(time);
  }
  return median(times);
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
