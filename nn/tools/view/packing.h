#pragma once

#include "nn/save/json.h"
#include "nn/tools/view/viewer.h"

#include <map>
#include <string_view>

namespace regard::nn {

// The files of the page beside this one, which embed.cmake of nn/tools makes a source of.
extern const std::string_view page_html, page_style, page_script;

// Rows of numbers as bytes, each row with a scale of its own. A scale above 0: a byte b means b/255·scale. Below 0,
// where numbers may be negative: (b − 128)/127·|scale|. NaN: the row holds numbers that are none.
struct PackedRows {
  std::string bytes, scales;  // scales: f32
  std::string seen = {};      // a bit for each number, lowest first: whether it is something else than 0
  bool all_seen = true;

  void append(const double* row, std::int64_t count, bool is_signed);
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

// One attention as the page reads it. What it takes is added to `sizes`, of base64.
JsonObject pack(const RecordedAttention& one, const ViewerOptions& options, Blobs& blobs, ViewerSize& sizes);
// The same sizes, before anything is shared.
void add_expected(const RecordedAttention& one, const ViewerOptions& options, ViewerSize& sizes);

}  // namespace regard::nn
