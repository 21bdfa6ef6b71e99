#include "autograd/observe.h"

#include <utility>

namespace regard {
namespace {

thread_local bool inside_a_rule = false;

}  // namespace

Observer::Observer() : older_(std::exchange(newest_observer, this)) {}
Observer::~Observer() {  // those that began later may still live
  Observer** link = &newest_observer;
  while (*link && *link != this) link = &(*link)->older_;
  if (*link) *link = older_;
}

InsideRule::InsideRule() : before_(std::exchange(inside_a_rule, true)) {}
InsideRule::~InsideRule() { inside_a_rule = before_; }
bool is_inside_rule() { return inside_a_rule; }

}  // namespace regard
