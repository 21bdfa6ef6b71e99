#pragma once

#include <memory>
#include <utility>

namespace regard::nn {

// A value whose type is forgotten but for the interface that it has. A copy copies what is held: so a struct that holds
// one is a value like any other. The interface has a function copy() that returns a std::unique_ptr of itself.
template <class Interface>
class Held {
 public:
  Held() = default;
  explicit Held(std::unique_ptr<Interface> one) : one_(std::move(one)) {}
  Held(const Held& other) : one_(other.one_ ? other.one_->copy() : nullptr) {}
  Held(Held&& other) noexcept = default;
  Held& operator=(Held other) noexcept {
    one_.swap(other.one_);
    return *this;
  }
  ~Held() = default;

  explicit operator bool() const { return one_ != nullptr; }
  Interface* operator->() const { return one_.get(); }

 private:
  std::unique_ptr<Interface> one_;
};

}  // namespace regard::nn
