#include "examples/published/neighbours.h"

namespace regard::nn {

void NeighbourMerger::merge(Tokens& tokens, std::size_t from) {
  links_.clear();
  for (std::size_t i = from; i < tokens.size(); ++i) links_.push_back({tokens[i], count() - 1, count() + 1});
  for (std::int64_t index = 0; index + 1 < count(); ++index) propose(index);
  while (!queue_.empty()) {
    const Candidate first = queue_.top();
    queue_.pop();
    if (is_there(first)) join(first);
  }
  tokens.resize(from);
  for (std::int64_t index = 0; index < count(); index = at(index).next) tokens.push_back(at(index).token);
}

bool NeighbourMerger::Candidate::operator<(const Candidate& other) const {
  return made.priority != other.made.priority ? made.priority < other.made.priority : index > other.index;
}

// Puts a token and the one behind it in the queue.
void NeighbourMerger::propose(std::int64_t index) {
  const std::int64_t left = at(index).token, right = at(at(index).next).token;
  if (const auto made = find_(left, right)) queue_.push({*made, index, left, right});
}

// Since two were put in the queue, one of them may have been merged with another.
bool NeighbourMerger::is_there(const Candidate& candidate) {
  const Link& left = at(candidate.index);
  return left.token == candidate.left && left.next < count() && at(left.next).token == candidate.right;
}

void NeighbourMerger::join(const Candidate& candidate) {
  Link& left = at(candidate.index);
  Link& right = at(left.next);
  left.token = candidate.made.token;
  left.next = right.next;
  right.token = -1;
  if (left.next < count()) {
    at(left.next).previous = candidate.index;
    propose(candidate.index);
  }
  if (left.previous >= 0) propose(left.previous);
}

}  // namespace regard::nn
