#pragma once

#include "nn/save/json.h"
#include "nn/tools/view/recording.h"

#include <map>

namespace regard::nn {

// The files of the page beside this one, which embed.cmake of nn/tools makes a source of.
extern const std::string_view page_html, page_style, page_script;

// Texts of base64, each kept once: heads that share keys, or a mask, share them in the file too.
class Blobs {
 public:
  Json add(const std::string& bytes);  // its number
  std::string to_html() const;         // <script type="text/plain" id="b0">…

 private:
  std::map<std::string, std::int64_t> numbers_;
};

// One attention as the page reads it. Weights and gradients are bytes: the scale s of a row, an f32, is its largest
// |x|, and byte b stands for (b − 128)/127·s; byte 0 stands for 0, as for a hidden key. s is NaN where the row holds a
// NaN or an infinity.
JsonObject pack(const RecordedAttention& one, Blobs& blobs);

}  // namespace regard::nn
