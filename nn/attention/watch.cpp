#include "nn/attention/watch.h"

namespace regard::nn {
namespace {

// The next of this thread from an observer on; null if nobody watches.
AttentionWatch* watch_from(Observer* one) {
  while (one && !dynamic_cast<AttentionWatch*>(one)) one = one->older();
  return dynamic_cast<AttentionWatch*>(one);
}

}  // namespace

bool is_watched() { return watch_from(newest_observer) != nullptr; }

void tell_watches(const Attended& call) {
  for (AttentionWatch* watch = watch_from(newest_observer); watch; watch = watch_from(watch->older())) watch->saw(call);
}

}  // namespace regard::nn
