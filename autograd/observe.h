#pragma once

#include "autograd/variable.h"

namespace regard {

// A gradient of `of`, which was made on the way back.
struct GradientMade {
  enum class By {
    start,  // it was given to backward() or grad(), whose name is `function`
    rule,   // by the rule of the operation that made `result`, for its input number `input`, from `arrived`
    sum,    // `arrived`, from the uses of `of` so far, plus `next`, from one more
    hook,   // a hook on `of` was shown `arrived`, and returned this instead
  };
  By by;
  const Variable &of, &made;
  const Variable& arrived = made;
  const Variable& next = made;
  const Variable& result = of;
  std::size_t input = 0;
  const char* function = "";
};

// Watches what is computed: to find a NaN (anomaly.h), to measure time, to follow a training. It is active on the
// thread where it was made, as long as it lives. Of several, the newest comes first.
class Observer {
 public:
  Observer();
  virtual ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // An operation has computed `made`. What is returned is used instead.
  virtual Tensor value(const OpInfo&, const graph::Inputs&, const Tensor& made) { return made; }
  virtual void recorded(const Variable&) {}  // the Variable of that value, if it was recorded
  virtual void gradient(const GradientMade&) {}

  Observer* older() const { return older_; }  // the next one; null if there is none

 private:
  Observer* older_;
};
inline constinit thread_local Observer* newest_observer = nullptr;

inline void observe(const GradientMade& event) {
  for (Observer* one = newest_observer; one; one = one->older()) one->gradient(event);
}

// While one lives, a rule is running on this thread: what is computed belongs to a backward pass.
class InsideRule {
 public:
  InsideRule();
  ~InsideRule();
  InsideRule(const InsideRule&) = delete;
  InsideRule& operator=(const InsideRule&) = delete;

 private:
  bool before_;
};
bool is_inside_rule();

}  // namespace regard
