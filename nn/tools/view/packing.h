#pragma once

#include "nn/save/json.h"
#include "nn/tools/view/recording.h"

#include <map>

namespace regard::nn {

// Rows of numbers as bytes, each row with a scale of its own. A scale above 0: a byte b means b/255·scale. Below 0,
// where numbers may be negative: (b − 128)/127·|scale|. NaN: the row holds numbers that are none.
struct PackedRows {
  std::string bytes, scales;  // scales: f32
  std::string seen = {};      // a bit for each number, lowest first: whether it is something else than 0
  bool all_seen = true;

  void append(const double* row, std::int64_t count, bool is_signed);
  void mark_seen(const double* row, std::int64_t count);

 private:
  std::int64_t marked_ = 0;
};

// f32 numbers as bytes, lowest byte first.
std::string packed_floats(const Tensor& x);

// Texts of base64, each kept once: heads that share keys, or a mask, share them in the file too.
class Blobs {
 public:
  std::int64_t add(const std::string& bytes, std::int64_t& size_of_kind);  // its number
  std::string to_html() const;                                             // <script type="text/plain" id="b0">…

 private:
  std::map<std::string, std::int64_t> numbers_;
};

// One attention as the page reads it.
struct PackingOptions {
  bool q_and_k, gradients;
};
struct PackedSizes {
  std::int64_t weights = 0, q_and_k = 0, gradients = 0;  // of base64, in bytes
  std::int64_t sum() const { return weights + q_and_k + gradients; }
};
PackedSizes expected_size(const RecordedAttention& one, const PackingOptions& options);  // before anything is shared
JsonObject pack(const RecordedAttention& one, const PackingOptions& options, Blobs& blobs, PackedSizes& sizes);

}  // namespace regard::nn
