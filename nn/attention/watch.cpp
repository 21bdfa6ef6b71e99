#include "nn/attention/watch.h"

namespace regard::nn {

AttentionWatch*& attention_watch() {
  thread_local AttentionWatch* watch = nullptr;
  return watch;
}

}  // namespace regard::nn
