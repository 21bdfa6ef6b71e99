#pragma once

#include "nn/save/save.h"

#include <map>
#include <string>
#include <vector>

namespace regard {

// What a checkpoint belongs to: the program, the seed, a number that follows from the data, and the number of parts
// into which a batch is cut. It can be used with these only.
struct Origin {
  std::string program;
  std::uint64_t seed;
  std::int64_t fingerprint;
  std::int64_t micro_batches = 1;
};

// The number of parts that the checkpoint in a file was made with; 0 if the file does not say.
std::int64_t micro_batches_of(const nn::TensorFile& file);

void save_checkpoint(const std::vector<nn::NamedMember>& parts, const Origin& origin, const std::string& path);

// Puts the parts back from a file that was read from the path. An error if it is not of this origin, or has other
// parts: in three lines, or, if `verbose`, with the names of all that differs.
void restore(const std::vector<nn::NamedMember>& parts, const Origin& origin, const nn::TensorFile& file,
             const std::string& path, bool verbose);

}  // namespace regard
