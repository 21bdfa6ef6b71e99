#pragma once

#include <initializer_list>
#include <string>

namespace regard {

// A sentence under a picture that says more than what is drawn: "the learned width is the best". It may be true for one
// seed and not for another, so it stands beside its condition, and is written only where that holds.
struct Claim {
  bool is_so;
  std::string sentence;
};

// Those sentences that are so, one after the other.
inline std::string told(std::initializer_list<Claim> claims) {
  std::string text;
  for (const Claim& claim : claims)
    if (claim.is_so) text += (text.empty() ? "" : " ") + claim.sentence;
  return text;
}

}  // namespace regard
