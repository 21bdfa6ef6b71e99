// All ways of all beginnings compete for the same places: so a beginning may go on in several ways, or in none. What
// has ended is no longer asked, but keeps its place.
std::vector<Found> beam(const Model& model, std::size_t width, std::size_t longest, std::int64_t end) {
  const auto likelier = [](const Found& a, const Found& b) { return a.log_probability > b.log_probability; };
  std::vector<Found> ended, open{{{}, 0}};
  for (std::size_t length = 0; length < longest && !open.empty(); ++length) {
    std::vector<Found> ways;
    for (const Found& beginning : open) {
      const std::vector<double> next = model(beginning.tokens);
      for (std::size_t token = 0; token < next.size(); ++token) {
        if (std::isinf(next[token])) continue;
        ways.push_back(beginning);
        ways.back().tokens.push_back(static_cast<std::int64_t>(token));
        ways.back().log_probability += next[token];
      }
    }
    std::stable_sort(ways.begin(), ways.end(), likelier);
    ways.resize(std::min(ways.size(), width - ended.size()));
    open.clear();
    for (const Found& way : ways) (way.tokens.back() == end ? ended : open).push_back(way);
  }
  ended.insert(ended.end(), open.begin(), open.end());
  std::stable_sort(ended.begin(), ended.end(), likelier);
  return ended;
}
