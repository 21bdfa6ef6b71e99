#include "nn/distributed/communicator.h"

#include "examples/trainers/first_ranks.h"
#include "nn/distributed/agree.h"
#include "nn/distributed/world.h"
#include "nn/layers/dropout.h"
#include "nn/layers/linear.h"
#include "tensor/compare.h"
#include "tensor/error.h"
#include "tests/catch.h"
#include "tests/distributed/thread_ranks.h"

#include <array>

using namespace regard;
using namespace regard::distributed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("A program that was started alone is rank 0 of 1") {
  CHECK(world().rank() == 0);
  CHECK(world().size() == 1);
  CHECK(gather(world(), "me") == std::vector<std::string>{"me"});
  CHECK(any(world(), true));
  CHECK(!any(world(), false));
}

TEST_CASE("What rank 0 has goes to all") {
  for (int size = 1; size <= 9; ++size)
    run_ranks(size, [](Communicator& ranks) {
      std::array<double, 3> numbers{0, 0, 0};
      if (ranks.first()) numbers = {1, 2, 3};
      broadcast(ranks, std::as_writable_bytes(std::span(numbers)));
      if (numbers != std::array<double, 3>{1, 2, 3}) throw std::logic_error("another thing arrived");
    });
}

TEST_CASE("All know what each has said") {
  run_ranks(5, [](Communicator& ranks) {
    const std::vector<std::string> all = gather(ranks, std::string(static_cast<std::size_t>(ranks.rank()), 'x'));
    if (all != std::vector<std::string>{"", "x", "xx", "xxx", "xxxx"}) throw std::logic_error("not what was said");
    if (!any(ranks, ranks.rank() == 3) || any(ranks, false)) throw std::logic_error("any is wrong");
  });
}

TEST_CASE("Ranks that differ do not go on") {
  CHECK_NOTHROW(run_ranks(3, [](Communicator& ranks) { require_same(ranks, "the seed", "1"); }));
  CHECK_THROWS_WITH(
      run_ranks(3, [](Communicator& ranks) { require_same(ranks, "the seed", ranks.rank() == 2 ? "7" : "1"); }),
      ContainsSubstring("the ranks do not agree on the seed: rank 0 has 1, rank 2 has 7"));
}

TEST_CASE("A model is the same everywhere after a broadcast") {
  struct Model {
    nn::Linear linear;
    nn::Dropout dropout;
    std::int64_t steps = 0;
    void visit(nn::Visitor& v) {
      v("linear", linear);
      v("dropout", dropout);
      v("steps", steps);
    }
  };
  run_ranks(3, [](Communicator& ranks) {
    Generator generator(static_cast<std::uint64_t>(ranks.rank()));
    Model model{nn::Linear({.in = 3, .out = 2}, generator), nn::Dropout(0.5, generator), ranks.rank()};
    const std::string before = hash_of(model);
    broadcast(ranks, model);
    require_same(ranks, "the bits of the model", hash_of(model));
    if (ranks.first() && hash_of(model) != before) throw std::logic_error("the first one has changed");
    if (model.steps != 0) throw std::logic_error("the counter stayed as it was");
  });
  CHECK_THROWS_WITH(run_ranks(2,
                              [](Communicator& ranks) {
                                Generator generator(1);
                                nn::Linear linear({.in = 3, .out = 2 + ranks.rank()}, generator);
                                broadcast(ranks, linear);
                              }),
                    ContainsSubstring("do not agree on what the model is made of"));
}

// Rank 1 never sends. Ranks 0 and 2 wait: rank 0 for rank 2, which itself waits for rank 1.
TEST_CASE("A rank that hangs is told from ranks that wait for others") {
  std::array<std::string, 3> ended;
  const auto program = [&](Communicator& ranks) {
    ranks.set_patience(std::chrono::milliseconds(200));
    if (ranks.rank() == 1) return std::this_thread::sleep_for(std::chrono::seconds(3));
    std::array<std::byte, 1> byte{};
    std::vector<Communicator::Message> messages{ranks.receive(ranks.rank() == 0 ? 2 : 1, 5, byte)};
    try {
      ranks.wait(messages);
    } catch (const std::runtime_error& error) {
      ended[static_cast<std::size_t>(ranks.rank())] = error.what();
    }
  };
  constexpr bool all_is_received = false;  // rank 1 does not hear that the others give up
  run_ranks(3, program, all_is_received);
  CHECK(ended[0] == "rank 0 has waited 0.4 s for rank 1, and ends all ranks");
  CHECK(ended[2] == "rank 2 has waited 0.4 s for rank 1, and ends all ranks");
}

TEST_CASE("A rank that is late is waited for: it was asked for, and all go on") {
  constexpr bool all_is_received = false;  // rank 0 was never impatient, and has not read the question
  run_ranks(
      2,
      [](Communicator& ranks) {
        ranks.set_patience(std::chrono::milliseconds(400));
        if (ranks.first()) std::this_thread::sleep_for(std::chrono::milliseconds(600));
        for (int i = 0; i < 3; ++i)
          if (any(ranks, i == ranks.rank()) != (i < 2)) throw std::logic_error("another answer");
      },
      all_is_received);
}

TEST_CASE("The first few ranks are as patient as all") {
  run_ranks(2, [](Communicator& ranks) {
    ranks.set_patience(std::chrono::seconds(7));
    if (FirstRanks(ranks, 1).patience() != std::chrono::seconds(7)) throw std::logic_error("another patience");
  });
}
