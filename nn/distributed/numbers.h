#pragma once

#include "nn/distributed/communicator.h"
#include "tensor/view.h"

namespace regard::distributed {

// The rows [m·n/M, (m + 1)·n/M) of n: the m-th of M parts.
inline Tensor rows_of(const Tensor& x, std::int64_t m, std::int64_t parts) {
  return slice(x, 0, x.size(0) * m / parts, x.size(0) * (m + 1) / parts);
}

// The bytes in which a contiguous tensor lies.
inline Communicator::ConstBytes bytes_of(const Tensor& x) {
  return {x.bytes(), static_cast<std::size_t>(x.numel()) * size_of(x.dtype())};
}
inline Communicator::Bytes writable_bytes_of(Tensor x) {
  return dispatch(x.dtype(), [&](auto zero) {
    return std::as_writable_bytes(std::span(x.writable<decltype(zero)>(), static_cast<std::size_t>(x.numel())));
  });
}

// to ← from
inline void put(const Tensor& to, const Tensor& from) {
  std::ranges::copy(bytes_of(from), writable_bytes_of(to).begin());
}

}  // namespace regard::distributed
