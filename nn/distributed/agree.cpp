#include "nn/distributed/agree.h"

#include "nn/distributed/numbers.h"
#include "tensor/error.h"
#include "tensor/math/vector.h"

#include <fmt/format.h>

namespace regard::distributed {
namespace {

// Goes through all members, and hands on what each is called and its bytes.
struct Members : nn::Visitor {
  virtual void member(const std::string& path, const std::string& kind, Communicator::ConstBytes bytes) = 0;

  void on_parameter(const std::string& path, Variable& parameter) override { tensor(path, parameter.value()); }
  void on_buffer(const std::string& path, Tensor& buffer) override { tensor(path, buffer); }
  void on_generator(const std::string& path, Generator& generator) override {
    const std::uint64_t numbers[] = {generator.seed(), generator.position()};
    member(path, "a generator", std::as_bytes(std::span(numbers)));
  }
  void on_counter(const std::string& path, std::int64_t& counter) override {
    member(path, "a counter", std::as_bytes(std::span(&counter, 1)));
  }

 private:
  void tensor(const std::string& path, const Tensor& x) {
    const Tensor packed = contiguous(x);
    member(path, fmt::format("{} {}", x.dtype(), x.shape()), bytes_of(packed, all_of(packed)));
  }
};

struct Names final : Members {
  std::string all;
  void member(const std::string& path, const std::string& kind, Communicator::ConstBytes) override {
    all += fmt::format("{}: {}\n", path, kind);
  }
};

// FNV-1a, 64 bits: short to write down, and two models that differ have the same hash once in 10¹⁹ times.
struct Hash final : Members {
  std::uint64_t hash = 0xcbf29ce484222325;
  void member(const std::string&, const std::string&, Communicator::ConstBytes bytes) override {
    for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
  }
};

struct Broadcast final : nn::Visitor {
  explicit Broadcast(Communicator& communicator) : ranks(communicator) {}

  void on_parameter(const std::string&, Variable& parameter) override {
    assign(parameter, received(parameter.value()));
  }
  void on_buffer(const std::string&, Tensor& buffer) override { buffer = received(buffer); }
  void on_generator(const std::string&, Generator& generator) override {
    std::uint64_t numbers[] = {generator.seed(), generator.position()};
    distributed::broadcast(ranks, std::as_writable_bytes(std::span(numbers)));
    generator = Generator(numbers[0], numbers[1]);
  }
  void on_counter(const std::string&, std::int64_t& counter) override {
    distributed::broadcast(ranks, std::as_writable_bytes(std::span(&counter, 1)));
  }

 private:
  Tensor received(const Tensor& x) {
    Tensor result = empty(x.shape(), x.dtype());
    put(result, all_of(result), contiguous(x));
    distributed::broadcast(ranks, writable_bytes_of(result, all_of(result)));
    return result;
  }

  Communicator& ranks;
};

}  // namespace

void broadcast(Communicator& ranks, const std::function<void(nn::Visitor&)>& visit) {
  if (ranks.size() == 1) return;
  Names names;
  visit(names);
  require_same(ranks, "what the model is made of", names.all);
  Broadcast visitor(ranks);
  visit(visitor);
}

std::string hash_of(const std::function<void(nn::Visitor&)>& visit) {
  Hash hash;
  visit(hash);
  return fmt::format("{:016x}", hash.hash);
}

void require_same_state(Communicator& ranks, const std::function<void(nn::Visitor&)>& visit) {
  if (ranks.size() > 1) require_same(ranks, "the bits of the model", hash_of(visit));
}

std::string build_of_this_program() {
  return fmt::format("{}, registers of {} bits", __VERSION__, 8 * math::vector_bytes);
}

}  // namespace regard::distributed
