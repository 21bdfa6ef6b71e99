// The length of the file is the only number here that the writer of the header could not choose. As a double a product
// of two large numbers is large, and never 0 by overflow.
Matrix read_matrix(const std::string& bytes) {
  if (bytes.size() < 8) fail<IoError>("expected a header of 8 bytes, and the file has {}", bytes.size());
  Matrix matrix{number_at<std::uint32_t>(bytes, 0), number_at<std::uint32_t>(bytes, 4), {}};
  const double expected = 4.0 * static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns);
  if (static_cast<double>(bytes.size() - 8) != expected)
    fail<IoError>("expected {} bytes behind the header, and there are {}", expected, bytes.size() - 8);
  for (std::size_t place = 8; place < bytes.size(); place += 4)
    matrix.numbers.push_back(number_at<float>(bytes, place));
  return matrix;
}
