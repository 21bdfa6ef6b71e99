#include "nn/attention/watch.h"

#include <utility>

namespace regard::nn {
namespace {

thread_local AttentionWatch* innermost = nullptr;

}  // namespace

AttentionWatch* attention_watch() { return innermost; }

AttentionWatch::AttentionWatch() : outer_(std::exchange(innermost, this)) {}
AttentionWatch::~AttentionWatch() {
  AttentionWatch** link = &innermost;
  while (*link && *link != this) link = &(*link)->outer_;
  if (*link) *link = outer_;
}

}  // namespace regard::nn
