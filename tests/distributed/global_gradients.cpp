#include "nn/distributed/global_gradients.h"

#include "examples/published/published.h"
#include "nn/all.h"
#include "nn/distributed/agree.h"
#include "nn/distributed/world.h"
#include "tests/catch.h"
#include "tests/distributed/thread_ranks.h"

using namespace regard;
using namespace regard::distributed;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::int64_t vocabulary = 11, length = 6;

nn::Gpt small_gpt(double dropout, DType dtype = DType::f32) {
  Generator generator(5);
  return nn::make_gpt({.model = 16,
                       .layers = 2,
                       .heads = 2,
                       .vocabulary = vocabulary,
                       .longest = length,
                       .dropout = dropout,
                       .dtype = dtype},
                      generator);
}

Tensor batch_of(std::int64_t rows, Generator& generator) {
  return randint({rows, length + 1}, generator, 0, vocabulary);
}

Share share_of(nn::Gpt& model, const Tensor& rows) {
  if (rows.size(0) == 0) return {};
  const Tensor read = slice(rows, 1, 0, length), next = slice(rows, 1, 1);
  return {nn::cross_entropy_loss(model(read), next, {.reduction = nn::Reduction::sum}),
          static_cast<double>(next.numel())};
}

// A few steps with dropout and batches of different sizes, some of them smaller than the number of micro-batches.
// Returns the hash of model and optimizer, and the last loss.
std::string train(Communicator& ranks, std::int64_t micro_batches, std::int64_t bucket_bytes = 4096) {
  nn::Gpt model = small_gpt(0.1);
  optim::Adam optimizer(model, {.learning_rate = 1e-2});
  GlobalGradients gradients(model, ranks, {.micro_batches = micro_batches, .bucket_bytes = bucket_bytes});
  Generator data(9);
  double loss = 0;
  for (const std::int64_t rows : {13, 5, 16, 3, 10}) {
    const Tensor batch = batch_of(rows, data);
    loss = gradients.reduce([&](std::int64_t m) { return share_of(model, rows_of(batch, m, micro_batches)); });
    optimizer.step();
  }
  return fmt::format("{} {} {}", hash_of(model), hash_of(optimizer), loss);
}

}  // namespace

TEST_CASE("A transformer with dropout learns the same bits on any number of ranks") {
  for (const std::int64_t micro_batches : {8, 12}) {
    std::string alone;
    run_ranks(1, [&](Communicator& ranks) { alone = train(ranks, micro_batches); });
    for (const int size : {2, 3, 4, 8}) {
      std::vector<std::string> learned(static_cast<std::size_t>(size));
      run_ranks(size, [&](Communicator& ranks) {
        learned[static_cast<std::size_t>(ranks.rank())] = train(ranks, micro_batches, size == 4 ? 1 : 4096);
      });
      CAPTURE(size, micro_batches);
      for (const std::string& one : learned) CHECK(one == alone);
    }
  }
}

TEST_CASE("The gradient is that of the whole batch at once") {
  nn::Gpt model = small_gpt(0, DType::f64);
  Generator data(9);
  const Tensor batch = batch_of(11, data);
  const Share all = share_of(model, batch);
  (all.loss / all.count).backward();
  std::vector<Tensor> expected;
  for (const Variable& parameter : nn::parameters(model)) expected.push_back(parameter.gradient().value());

  double worst = 0;
  run_ranks(3, [&](Communicator& ranks) {
    nn::Gpt copy = small_gpt(0, DType::f64);
    GlobalGradients gradients(copy, ranks, {.micro_batches = 5});
    const double loss = gradients.reduce([&](std::int64_t m) { return share_of(copy, rows_of(batch, m, 5)); });
    if (!ranks.first()) return;
    CHECK(loss == Approx(all.loss.item() / all.count).epsilon(1e-14));
    const std::vector<Variable> parameters = nn::parameters(copy);
    REQUIRE(parameters.size() == expected.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
      worst = std::max(worst, largest_difference(parameters[i].gradient().value(), expected[i]));
  });
  CHECK(worst < 1e-15);
}

// Rank 0 has three samples with the values 1, 1, 1, rank 1 has one with the value 5. Their mean is 2. The means of the
// ranks are 1 and 5, and the mean of these is 3.
TEST_CASE("The mean of means is not the mean where shares are uneven") {
  run_ranks(2, [](Communicator& ranks) {
    struct Model {
      Variable w = parameter(ones({1}, DType::f64));
      void visit(nn::Visitor& v) { v("w", w); }
    } model;
    const Tensor x = tensor({1, 1, 1, 5}, DType::f64);
    GlobalGradients gradients(model, ranks, {.micro_batches = 2});
    gradients.reduce([&](std::int64_t m) {
      const Tensor own = m == 0 ? slice(x, 0, 0, 3) : slice(x, 0, 3);
      return Share{sum(model.w * own), static_cast<double>(own.numel())};
    });
    const double own_mean = ranks.first() ? 1 : 5;
    if (model.w.gradient().value().item() != 2 || own_mean == 2) throw std::logic_error("it is not the mean");
  });
}

TEST_CASE("A rank whose micro-batches have no sample counts nothing") {
  std::string alone;
  const auto one_row = [](Communicator& ranks) {
    nn::Gpt model = small_gpt(0);
    Generator data(1);
    const Tensor batch = batch_of(1, data);
    GlobalGradients gradients(model, ranks, {.micro_batches = 4});
    gradients.reduce([&](std::int64_t m) { return share_of(model, rows_of(batch, m, 4)); });
    std::string all;
    for (const Variable& parameter : nn::parameters(model))
      all += fmt::format("{:.17g} ", sum(square(parameter.gradient())).item());
    return all;
  };
  run_ranks(1, [&](Communicator& ranks) { alone = one_row(ranks); });
  run_ranks(4, [&](Communicator& ranks) {
    if (one_row(ranks) != alone) throw std::logic_error("another gradient");
  });
}

TEST_CASE("Dropout draws other numbers for each micro-batch and each step") {
  struct Model {
    Variable w = parameter(ones({64}));
    nn::Dropout dropout{0.5, std::uint64_t{3}};
    void visit(nn::Visitor& v) {
      v("w", w);
      v("dropout", dropout);
    }
  } model;
  GlobalGradients gradients(model, world(), {.micro_batches = 3});
  std::vector<std::vector<double>> seen;
  for (int step = 0; step < 2; ++step)
    gradients.reduce([&](std::int64_t) {
      const Variable kept = model.dropout(model.w);
      seen.push_back(to_vector(kept.value()));
      return Share{sum(kept), 1};
    });
  for (std::size_t i = 0; i < seen.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(seen[i] != seen[j]);
}

TEST_CASE("A frozen parameter is left alone") {
  struct Model {
    Variable w = parameter(ones({2})), frozen = Variable(ones({2}));
    void visit(nn::Visitor& v) {
      v("w", w);
      v("frozen", frozen);
    }
  } model;
  GlobalGradients gradients(model, world());
  gradients.reduce([&](std::int64_t) { return Share{sum(model.w * model.frozen), 2}; });
  CHECK(model.w.gradient().value().at({0}) == 0.5);
  CHECK(!model.frozen.gradient().defined());
}

// The error comes at all ranks alike, and after all messages: the next batch is as if nothing had been.
TEST_CASE("After a batch without a sample the next one is right") {
  run_ranks(3, [](Communicator& ranks) {
    struct Model {
      Variable w = parameter(ones({5}));
      void visit(nn::Visitor& v) { v("w", w); }
    } model;
    GlobalGradients gradients(model, ranks, {.micro_batches = 3});
    bool refused = false;
    try {
      gradients.reduce([](std::int64_t) { return Share{}; });
    } catch (const ValueError&) {
      refused = true;
    }
    gradients.reduce([&](std::int64_t m) { return Share{sum(model.w) * static_cast<double>(m), 1}; });
    if (!refused || model.w.gradient().value().at({4}) != 1) throw std::logic_error("not (0 + 1 + 2)/3");
  });
}

TEST_CASE("An error while a rank computes ends all, with its number") {
  std::string said;
  constexpr bool all_is_received = false;
  const auto program = [&](Communicator& ranks) {
    struct Model {
      Variable w = parameter(ones({1}));
      void visit(nn::Visitor& v) { v("w", w); }
    } model;
    GlobalGradients gradients(model, ranks, {.micro_batches = 2});
    ranks.set_patience(std::chrono::milliseconds(100));
    try {
      gradients.reduce([&](std::int64_t m) -> Share {
        if (m == 1) throw ValueError("no data");
        return {sum(model.w), 1};
      });
    } catch (const std::runtime_error& error) {
      if (ranks.rank() == 1) said = error.what();
    }
  };
  run_ranks(2, program, all_is_received);
  CHECK(said == "rank 1: no data");
}

TEST_CASE("What cannot be shared is an error") {
  struct Model {
    Variable w = parameter(ones({1}));
    void visit(nn::Visitor& v) { v("w", w); }
  } model;
  CHECK_THROWS_WITH(run_ranks(3, [&](Communicator& ranks) { GlobalGradients(model, ranks, {.micro_batches = 2}); }),
                    ContainsSubstring("2 micro-batches are too few for 3 ranks"));
  GlobalGradients gradients(model, world());
  CHECK_THROWS_WITH(gradients.reduce([](std::int64_t) { return Share{}; }),
                    ContainsSubstring("no micro-batch has a sample"));
}
