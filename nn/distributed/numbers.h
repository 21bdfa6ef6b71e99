#pragma once

#include "nn/distributed/communicator.h"
#include "tensor/tensor.h"

namespace regard::distributed {

// The numbers [begin, end) of a contiguous tensor, counted from its first, and the bytes in which they lie.
struct Range {
  std::int64_t begin = 0, end = 0;

  std::int64_t size() const { return end - begin; }
};

inline Range all_of(const Tensor& x) { return {0, x.numel()}; }

inline Communicator::ConstBytes bytes_of(const Tensor& x, Range range) {
  return dispatch(x.dtype(), [&](auto zero) {
    const auto* data = x.data<decltype(zero)>();
    return std::as_bytes(std::span(data + range.begin, data + range.end));
  });
}

inline Communicator::Bytes writable_bytes_of(Tensor& x, Range range) {
  return dispatch(x.dtype(), [&](auto zero) {
    auto* data = x.writable<decltype(zero)>();
    return std::as_writable_bytes(std::span(data + range.begin, data + range.end));
  });
}

// to[range] ← from
inline void put(Tensor& to, Range range, const Tensor& from) {
  const Communicator::ConstBytes bytes = bytes_of(from, all_of(from));
  std::copy(bytes.begin(), bytes.end(), writable_bytes_of(to, range).begin());
}

}  // namespace regard::distributed
