// 46. Reading a file of a stranger · grade 2 · chapter 15_checkpoints
//
// A friend sends you what his model has learned: one matrix, in a file that could not be simpler. The first four bytes
// are the number of rows, the next four the number of columns, both whole numbers without a sign. Behind them stand the
// numbers of the matrix, four bytes each (f32), row after row. All are little-endian, as in this computer's memory.
// To read it takes a few lines. But a download may have broken off. And who writes the header decides how much memory
// you ask for, and how far you read. So nothing in it is believed before it was compared with the length of the file.
//
// Hint: number_at<std::uint32_t>(bytes, 4) is the number that begins at byte 4. To compare rows·columns·4 with the
// length is nearly right. But 2³¹·2³¹·4 = 2⁶⁴, which is 0 in 64 bits. A division does not overflow.
#include "examples/exercises/exercise.h"
#include "examples/published/bytes.h"
#include "tensor/create.h"
#include "tensor/error.h"

#include <bit>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

using namespace regard;

struct Matrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<float> numbers;  // row after row
};

// TODO: the bytes of a file → its matrix. If the file is too short for a header, or if its length is not what the
// header says, throw an error that says how many bytes were expected and how many there are:
//   fail<IoError>("expected {} bytes …", …)
Matrix read_matrix(const std::string& bytes) { return {}; }

// ---- This is what checks it. ----

namespace {

std::string file(std::uint32_t rows, std::uint32_t columns, const std::vector<float>& numbers) {
  std::string bytes;
  append_number(bytes, rows);
  append_number(bytes, columns);
  for (const float number : numbers) append_number(bytes, number);
  return bytes;
}

// What the reader says of a file that it should refuse.
std::string refusal(const std::string& bytes, const std::string& what_is_wrong) {
  try {
    read_matrix(bytes);
  } catch (const std::bad_alloc&) {
    exercises::expect(false, what_is_wrong + " Your code asked for all that memory before it looked at the length.");
  } catch (const std::length_error&) {
    exercises::expect(false, what_is_wrong + " Your code asked for all that memory before it looked at the length.");
  } catch (const std::exception& error) {
    return error.what();
  }
  exercises::expect(false, what_is_wrong + " Your code reads it all the same.");
  return "";
}

// A matrix as a tensor.
Tensor shown(const Matrix& read) {
  exercises::expect(std::ssize(read.numbers) == read.rows * read.columns,
                    fmt::format("You return {} rows, {} columns and {} numbers: these do not fit.", read.rows,
                                read.columns, read.numbers.size()));
  return tensor({read.numbers.begin(), read.numbers.end()}, {read.rows, read.columns});
}

// The message should name both numbers of bytes: behind the header, or of the whole file.
void expect_both(const std::string& message, int expected, int there) {
  const auto has = [&](int number) { return message.find(std::to_string(number)) != std::string::npos; };
  exercises::expect(
      (has(expected) && has(there)) || (has(expected + 8) && has(there + 8)),
      fmt::format("Your message is \"{}\". Would you know from it what is wrong? It helps to say how many "
                  "bytes were expected behind the header, {}, and how many there are, {}.",
                  message, expected, there));
}

}  // namespace

int main() {
  return exercises::exercise([] {
    const std::vector<float> six{0, 12, 6, 1, 2, 3};
    exercises::expect("a file of 2 rows and 3 columns", shown(read_matrix(file(2, 3, six))),
                      tensor({{0, 12, 6}, {1, 2, 3}}),
                      {{zeros({0, 0}), "Nothing has been read."},
                       {tensor({{0, 6, 2}, {12, 1, 3}}), "The file has row after row, and not column after column."},
                       {tensor({{0, 12}, {6, 1}, {2, 3}}), "Rows and columns are exchanged: the rows come first."},
                       {tensor({{std::bit_cast<float>(3u), 0, 12}, {6, 1, 2}}),
                        "The first number that you read is the number of columns. The header has eight bytes."},
                       {zeros({2, 3}), "The shape is right. Now the numbers: the first of them begins at byte 8."}});
    exercises::expect("a file of 3 rows and 1 column", shown(read_matrix(file(3, 1, {1, 2, 3}))),
                      tensor({{1}, {2}, {3}}));

    const std::string whole = file(2, 3, six);
    expect_both(refusal(whole.substr(0, 28), "A download broke off, and the last number is missing."), 24, 20);
    const std::string of_five = refusal(whole.substr(0, 5), "A file of 5 bytes has no whole header.");
    for (const char* five_less_eight : {"-3", "1844674407370955"})
      exercises::expect(of_five.find(five_less_eight) == std::string::npos,
                        "Of a file of 5 bytes your message is \"" + of_five +
                            "\". See that there is a whole header before you read it: 5 − 8 is less than 0.");
    refusal("", "An empty file has no header.");
    expect_both(refusal(whole + "more", "Behind the last number 4 more bytes follow. This is not such a file."), 24,
                28);
    refusal(file(1 << 20, 1 << 20, six),
            "A header of 2²⁰ rows and columns says that 4 TB follow, and there are 24 bytes.");
    refusal(file(1u << 31, 1u << 31, {}),
            "A header says that 2³¹ rows of 2³¹ numbers follow, and nothing follows. 2³¹·2³¹·4 is 2⁶⁴, which is 0 in "
            "64 bits.");
  });
}
