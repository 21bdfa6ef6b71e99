#pragma once

#include "autograd/variable.h"
#include "nn/held.h"
#include "tensor/ops/append.h"

#include <concepts>
#include <typeinfo>

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
  std::int64_t length() const { return held_ ? held_->length() : 0; }
  std::int64_t position() const { return held_ ? held_->position() : 0; }
  void select(const Tensor& sequences) {
    if (held_) held_->select(sequences);
  }
  template <Remembers C>
  C& as() {
    if (!held_) held_ = Held<Interface>(std::make_unique<Of<C>>());
    if (held_->type() != typeid(C)) fail<ValueError>("Cache: another kind of attention has left it");
    return static_cast<Of<C>&>(*held_.operator->()).cache;
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::unique_ptr<Interface> copy() const = 0;
    virtual const std::type_info& type() const = 0;
    virtual std::int64_t length() const = 0;
    virtual std::int64_t position() const = 0;
    virtual void select(const Tensor& sequences) = 0;
  };
  template <class C>
  struct Of final : Interface {
    C cache = {};

    std::unique_ptr<Interface> copy() const override { return std::make_unique<Of>(*this); }
    const std::type_info& type() const override { return typeid(C); }
    std::int64_t length() const override { return cache.length(); }
    std::int64_t position() const override { return cache.position(); }
    void select(const Tensor& sequences) override { cache.select(sequences); }
  };

  Held<Interface> held_;
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
