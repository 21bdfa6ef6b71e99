#pragma once

namespace regard {

// Whether operations on this thread are recorded. A SetRecording switches that while it lives. A NoGrad switches it
// off: values are computed and forgotten.
bool is_recording();

class SetRecording {
 public:
  explicit SetRecording(bool on);
  ~SetRecording();
  SetRecording(const SetRecording&) = delete;
  SetRecording& operator=(const SetRecording&) = delete;

 private:
  bool before_;
};

struct NoGrad : SetRecording {
  NoGrad() : SetRecording(false) {}
};

}  // namespace regard
