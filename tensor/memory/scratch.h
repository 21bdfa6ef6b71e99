#pragma once

#include "tensor/memory/buffer.h"

namespace regard {

// Memory for intermediate numbers, not initialised: on the stack where it is small.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (bytes > sizeof near_) far_ = TensorBuffer(bytes);
    data_ = static_cast<T*>(far_ ? far_.data() : near_);
  }
  Scratch(const Scratch&) = delete;  // data_ may point into it
  T* data() { return data_; }

 private:
  alignas(64) std::byte near_[1 << 14];
  TensorBuffer far_;
  T* data_;
};

}  // namespace regard
