#pragma once

#include "autograd/variable.h"
#include "tensor/ops/append.h"

#include <any>
#include <concepts>

namespace regard::nn {

// A kind of attention may have its own type of cache. It knows how many tokens it holds and the position of the next
// one, and can go on with some of the sequences only, for beam search.
template <class C>
concept Remembers = std::default_initializable<C> && requires(C& cache, const Tensor& sequences) {
  { cache.length() } -> std::same_as<std::int64_t>;
  { cache.position() } -> std::same_as<std::int64_t>;
  cache.select(sequences);  // those with these numbers (i64), in this order
};

// What any attention remembers of earlier calls. It is empty until an attention asks for it by its type. A copy is
// independent.
class Cache {
 public:
  std::int64_t length() const { return length_ ? length_(held_) : 0; }
  std::int64_t position() const { return position_ ? position_(held_) : 0; }
  void select(const Tensor& sequences) {
    if (select_) select_(held_, sequences);
  }
  template <Remembers C>
  C& as() {
    if (!held_.has_value()) hold(C{});
    if (held_.type() != typeid(C)) fail<ValueError>("Cache: another kind of attention has left it");
    return std::any_cast<C&>(held_);
  }

 private:
  template <class C>
  void hold(C cache) {
    held_ = std::move(cache);
    length_ = [](const std::any& held) { return std::any_cast<const C&>(held).length(); };
    position_ = [](const std::any& held) { return std::any_cast<const C&>(held).position(); };
    select_ = [](std::any& held, const Tensor& sequences) { std::any_cast<C&>(held).select(sequences); };
  }

  std::any held_;
  std::int64_t (*length_)(const std::any& held) = nullptr;
  std::int64_t (*position_)(const std::any& held) = nullptr;
  void (*select_)(std::any& held, const Tensor& sequences) = nullptr;
};

// What multi-head attention remembers: projected keys and values, (B, G, L, D) for G heads of keys. A step is appended
// in memory that has room for more; only if gradients are recorded is all copied each time.
struct KeyValueCache {
  Variable keys = {}, values = {};  // undefined before the first step
  // One for each token and head, (B, H, L, 1), such as gates; undefined: none. They leave with their keys: what is
  // summed along the text must be kept as sums where keys are evicted.
  Variable numbers = {};
  std::int64_t next = 0;  // the position of the next key
  Room room_of_keys = {}, room_of_values = {}, room_of_numbers = {};

  std::int64_t length() const { return keys.defined() ? keys.size(-2) : 0; }
  std::int64_t position() const { return next; }
  void append(const Variable& more_keys, const Variable& more_values);
  const Variable& append_numbers(const Variable& more);   // returns all
  void keep_ends(std::int64_t first, std::int64_t last);  // only so many of the first keys, and of the last
  void select(const Tensor& sequences);
};

}  // namespace regard::nn
