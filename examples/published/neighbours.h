#pragma once

#include "nn/text/tokens.h"

#include <functional>
#include <optional>
#include <queue>

namespace regard::nn {

// Merges neighbours in a row of tokens: again and again the two whose union comes first, until no two have one. Of
// equal ones the two further left come first. A linked list and a queue make it O(n log n) for n tokens.
class NeighbourMerger {
 public:
  struct Union {
    double priority;  // higher ones come first
    std::int64_t token;
  };
  // The token that two neighbours make, or nothing.
  using Find = std::function<std::optional<Union>(std::int64_t left, std::int64_t right)>;

  explicit NeighbourMerger(Find find) : find_(std::move(find)) {}

  void merge(Tokens& tokens, std::size_t from = 0);  // those from there to the end

 private:
  struct Link {
    std::int64_t token, previous, next;  // the token is −1 where it has become part of the one before
  };
  struct Candidate {
    Union made;
    std::int64_t index, left, right;
    bool operator<(const Candidate& other) const;  // comes later
  };
  Link& at(std::int64_t index) { return links_[static_cast<std::size_t>(index)]; }
  std::int64_t count() const { return static_cast<std::int64_t>(links_.size()); }
  void propose(std::int64_t index);
  bool is_there(const Candidate& candidate);
  void join(const Candidate& candidate);

  Find find_;
  std::vector<Link> links_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace regard::nn
