// The text grows by one token a turn, and all of it is read each time. What ends the loop is looked at before a token
// is kept.
nn::Tokens greedy(const Model& model, const nn::Tokens& prompt, std::int64_t end, std::size_t longest) {
  nn::Tokens text = prompt, written;
  while (written.size() < longest) {
    const auto next = static_cast<std::int64_t>(argmax(model(text), 0).item());
    if (next == end) break;
    text.push_back(next);
    written.push_back(next);
  }
  return written;
}
