#include "nn/text/neighbours.h"

namespace regard::nn {

void NeighbourMerger::merge(Tokens& tokens, std::size_t from) {
  links_.clear();
  for (std::size_t i = from; i < tokens.size(); ++i) links_.push_back({tokens[i], count() - 1, count() + 1});
  for (std::int64_t place = 0; place + 1 < count(); ++place) propose(place);
  while (!queue_.empty()) {
    const Candidate first = queue_.top();
    queue_.pop();
    if (is_there(first)) join(first);
  }
  tokens.resize(from);
  for (std::int64_t place = 0; place < count(); place = at(place).next) tokens.push_back(at(place).token);
}

bool NeighbourMerger::Candidate::operator<(const Candidate& other) const {
  return made.priority != other.made.priority ? made.priority < other.made.priority : place > other.place;
}

// Puts a token and the one behind it in the queue.
void NeighbourMerger::propose(std::int64_t place) {
  const std::int64_t left = at(place).token, right = at(at(place).next).token;
  if (const auto made = find_(left, right)) queue_.push({*made, place, left, right});
}

// Since two were put in the queue, one of them may have been merged with another.
bool NeighbourMerger::is_there(const Candidate& candidate) {
  const Link& left = at(candidate.place);
  return left.token == candidate.left && left.next < count() && at(left.next).token == candidate.right;
}

void NeighbourMerger::join(const Candidate& candidate) {
  Link& left = at(candidate.place);
  Link& right = at(left.next);
  left.token = candidate.made.token;
  left.next = right.next;
  right.token = -1;
  if (left.next < count()) {
    at(left.next).previous = candidate.place;
    propose(candidate.place);
  }
  if (left.previous >= 0) propose(left.previous);
}

}  // namespace regard::nn
