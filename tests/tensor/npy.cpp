// Files as NumPy writes them, read and written to the byte.
#include "tensor/io/npy.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/io/file.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/tensor/folder.h"

#include <cmath>
#include <limits>

namespace regard {
using Values = std::vector<double>;

namespace {

using std::string_literals::operator""s;

// What numpy.save writes: the magic bytes, the version, the length of the header, the header padded to 128 bytes in
// all, and the data.
std::string numpy_file(std::string header, const std::string& data, char version = 1) {
  const std::size_t prefix = version == 1 ? 10 : 12;
  header.resize(128 - prefix - 1, ' ');
  header += '\n';
  std::string file = "\x93NUMPY"s + version + '\0' + static_cast<char>(header.size()) + '\0';
  if (version > 1) file += "\0\0"s;
  return file + header + data;
}

std::string numpy_file(const std::string& type, const std::string& shape, const std::string& data) {
  return numpy_file("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

Tensor load(const Folder& folder, const std::string& bytes) {
  write_file(folder / "x.npy", bytes);
  return load_npy(folder / "x.npy");
}

const std::string one_to_six = "\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xA0\x40\0\0\xC0\x40"s;

}  // namespace

TEST_CASE("npy: arrays of every type NumPy can hand over") {
  const Folder folder;
  const auto check = [&](const std::string& type, const std::string& data, DType dtype, const Values& values) {
    CAPTURE(type);
    const Tensor x = load(folder, numpy_file(type, fmt::format("({},)", values.size()), data));
    CHECK(x.dtype() == dtype);
    CHECK(to_vector(x) == values);
  };
  check("<f4", one_to_six, DType::f32, {1, 2, 3, 4, 5, 6});
  check("<f8", "\x9A\x99\x99\x99\x99\x99\xB9\x3F"s, DType::f64, {0.1});
  check("<f2", "\0\x3C\xFF\x7B"s, DType::f32, {1, 65504});
  check("<i8", "\x02\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s, DType::i64, {2, -1});
  check("<i4", "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\x7F"s, DType::i64, {-2, 2147483647});
  check("<i2", "\xFE\xFF\x2C\x01"s, DType::i64, {-2, 300});
  check("|i1", "\xFE\x7F"s, DType::i64, {-2, 127});
  check("<u4", "\xFF\xFF\xFF\xFF"s, DType::i64, {4294967295});
  check("<u2", "\xFF\xFF"s, DType::i64, {65535});
  check("|u1", "\xFF\x01"s, DType::i64, {255, 1});
  check("|b1", "\x01\0"s, DType::i64, {1, 0});
}

TEST_CASE("npy: shapes, column-major order, and later versions") {
  const Folder folder;
  CHECK(load(folder, numpy_file("<f4", "(2, 3)", one_to_six)).at({1, 0}) == 4);
  CHECK(load(folder, numpy_file("<f4", "(6, 1)", one_to_six)).shape() == Shape{6, 1});
  CHECK(load(folder, numpy_file("<f8", "()", "\x9A\x99\x99\x99\x99\x99\xB9\x3F"s)).item() == 0.1);
  CHECK(load(folder, numpy_file("<f4", "(2, 0, 3)", "")).shape() == Shape{2, 0, 3});
  const Tensor fortran =
      load(folder, numpy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
                              "\0\0\x80\x3F\0\0\x80\x40\0\0\0\x40\0\0\xA0\x40\0\0\x40\x40\0\0\xC0\x40"s));
  CHECK(identical(fortran, tensor({{1, 2, 3}, {4, 5, 6}})));
  CHECK(fortran.is_contiguous());
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }";
  for (char version : {2, 3}) CHECK(load(folder, numpy_file(header, one_to_six, version)).shape() == Shape{3, 2});
  // Python 2 wrote its long integers with an L.
  CHECK(load(folder, numpy_file("<f4", "(2L, 3L)", one_to_six)).shape() == Shape{2, 3});
}

TEST_CASE("npy: we write what NumPy writes, byte for byte") {
  const Folder folder;
  const auto saved = [&](const Tensor& x) {
    save_npy(folder / "x.npy", x);
    return read_file(folder / "x.npy");
  };
  const Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  CHECK(saved(x) == numpy_file("<f4", "(2, 3)", one_to_six));
  CHECK(saved(flatten(x)) == numpy_file("<f4", "(6,)", one_to_six));
  CHECK(saved(tensor(0.1, DType::f64)) == numpy_file("<f8", "()", "\x9A\x99\x99\x99\x99\x99\xB9\x3F"s));
  CHECK(saved(tensor({-1}, DType::i64)) == numpy_file("<i8", "(1,)", std::string(8, '\xFF')));
  CHECK(saved(zeros({2, 0, 3})) == numpy_file("<f4", "(2, 0, 3)", ""));
}

TEST_CASE("npy: what is saved comes back, bit for bit") {
  const Folder folder;
  const auto check = [&](const Tensor& x) {
    save_npy(folder / "x.npy", x);
    CHECK(identical(load_npy(folder / "x.npy"), x));
  };
  for (DType dtype : {DType::f32, DType::f64, DType::i64}) {
    const Tensor x = reshape(arange(-12, 12, 1, dtype), {2, 3, 4});
    for (const Tensor& view :
         {x, transpose(x), flip(x, 0), slice(x, 2, 1, to_end, 2), select(x, 1, 2), expand(slice(x, 0, 1, 2), {5, 3, 4}),
          select(flatten(x), 0, 7), reshape(x, {1, 2, 3, 1, 4, 1}), slice(x, 1, 0, 0)})
      check(view);
  }
  using Limits = std::numeric_limits<double>;
  check(tensor({NAN, -0.0, INFINITY, -INFINITY, Limits::denorm_min(), Limits::max()}, DType::f64));
  Tensor large = empty({2}, DType::i64);  // beyond what a double can hold
  large.writable<std::int64_t>()[0] = INT64_MAX;
  large.writable<std::int64_t>()[1] = INT64_MIN + 1;
  check(large);
}

}  // namespace regard
