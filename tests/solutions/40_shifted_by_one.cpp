// Place t of the target is place t + 1 of the input: begin is only read, and end is only said.
Rows teacher_forced(const nn::Tokens& text, std::int64_t begin, std::int64_t end) {
  Rows rows{text, text};
  rows.input.insert(rows.input.begin(), begin);
  rows.target.push_back(end);
  return rows;
}
