#include "nn/distributed/agree.h"

#include "nn/distributed/numbers.h"
#include "nn/save/save.h"
#include "tensor/math/vector.h"

#include <fmt/format.h>

namespace regard::distributed {

void broadcast(Communicator& ranks, const nn::Members& members) {
  if (ranks.size() == 1) return;
  nn::TensorFile all{nn::state_of(members), {}};
  std::string names;
  for (const auto& [name, x] : all.tensors) names += fmt::format("{}: {} {}\n", name, x.dtype(), x.shape());
  require_same(ranks, "what the model is made of", names);
  for (auto& [name, x] : all.tensors) {
    Tensor received = empty(x.shape(), x.dtype());
    put(received, contiguous(x));
    broadcast(ranks, writable_bytes_of(received));
    x = received;
  }
  nn::load(members, all);
}

// FNV-1a, 64 bits: short to write down, and two models that differ have the same hash once in 10¹⁹ times.
std::string hash_of(const nn::Members& members) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto& [name, x] : nn::state_of(members)) {
    const Tensor packed = contiguous(x);
    for (const std::byte byte : bytes_of(packed)) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

std::string build_of_this_program() {
  return fmt::format("{}, registers of {} bits", __VERSION__, 8 * math::vector_bytes);
}

}  // namespace regard::distributed
