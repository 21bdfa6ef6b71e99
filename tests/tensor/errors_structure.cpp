// What the errors of indexing, joining, multiplying and files say, in full.
#include "tensor/all.h"
#include "tensor/io/file.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <fstream>

namespace regard {

namespace {

const Tensor given_matrix = zeros({2, 3}), given_index = zeros({2, 1}, DType::i64);

}  // namespace

TEST_CASE("errors: indexing") {
  check_errors({
      {[] { index_select(given_matrix, 0, given_matrix); }, "DTypeError",
       "index_select: indexes must be i64, got f32 (2, 3)"},
      {[] { index_select(given_matrix, 0, given_index); }, "ShapeError", "index_select: the index (2, 1) must be 1-d"},
      {[] { gather(given_matrix, -1, arange(2)); }, "ShapeError",
       "gather: the index (2) and the tensor (2, 3) must agree in all axes but axis 1"},
      {[] { gather(given_matrix, 1, given_index + 3); }, "ValueError", "gather: the index 3 is outside [0, 3)"},
      {[] { gather(given_matrix, 1, given_index - 1); }, "ValueError", "gather: the index -1 is outside [0, 3)"},
      {[] { scatter_add(given_matrix, 1, given_index, given_matrix); }, "ShapeError",
       "scatter_add: the index (2, 1) and the source (2, 3) differ"},
      {[] {
         masked_fill(given_matrix, zeros({4, 2, 3}), 0);
       },
       "ShapeError", "masked_fill: the mask (4, 2, 3) does not broadcast to (2, 3)"},
      {[] { tril(arange(3)); }, "ShapeError", "tril: (3) is not a matrix"},
      {[] { triu(arange(3)); }, "ShapeError", "triu: (3) is not a matrix"},
      {[] { one_hot(arange(3), 2); }, "ValueError", "one_hot: the index 2 is outside [0, 2)"},
  });
}

TEST_CASE("errors: joining") {
  check_errors({
      {[] { cat({}, 0); }, "ValueError", "cat: there is nothing to join"},
      {[] { stack({}, 0); }, "ValueError", "stack: there is nothing to join"},
      {[] {
         cat({given_matrix, zeros({3, 2})}, 0);
       },
       "ShapeError", "cat: (2, 3) and (3, 2) differ in another axis than 0"},
      {[] {
         stack({given_matrix, zeros({3})}, 0);
       },
       "ShapeError", "stack: (2, 3) and (3) differ"},
      {[] {
         split(given_matrix, {1, 1}, 1);
       },
       "ShapeError", "split: [1, 1] does not cut axis 1 of (2, 3) into parts"},
      {[] {
         pad(given_matrix, {{1, 1}});
       },
       "ShapeError", "pad: (2, 3) needs widths for 2 axes, got 1"},
      {[] {
         pad(given_matrix, {{0, 0}, {1, -1}});
       },
       "ValueError", "pad: the widths 1 and -1 of axis 1 must not be negative"},
      {[] {
         place(given_matrix, {2, 4}, 1, 2, 1);
       },
       "ShapeError", "place: (2, 3) does not fit into (2, 4) on axis 1 from 2 in steps of 1"},
  });
}

TEST_CASE("errors: appending") {
  const auto behind = [](const Tensor& x, const Tensor& more) {
    return [=] {
      Room room;
      append(x, more, room);
    };
  };
  const std::string differ = ": they may differ in the axis before the last only";
  check_errors({
      {behind({}, zeros({3})), "ShapeError", "append: (3): it must be (…, L, D)"},
      {behind(given_matrix, zeros({1, 4})), "ShapeError", "append: (1, 4) behind (2, 3)" + differ},
      {behind(given_matrix, zeros({1, 1, 3})), "ShapeError", "append: (1, 1, 3) behind (2, 3)" + differ},
      {behind(zeros({1, 2, 3}), zeros({2, 1, 3})), "ShapeError", "append: (2, 1, 3) behind (1, 2, 3)" + differ},
      {behind(zeros({2, 3}, DType::f64), zeros({1, 3})), "DTypeError",
       "append: f64 (2, 3) and f32 (1, 3) do not mix (convert one of them with to(x, DType::f64))"},
  });
}

TEST_CASE("errors: multiplying") {
  check_errors({
      {[] {
         matmul(zeros({2, 3, 4}), zeros({2, 5, 6}));
       },
       "ShapeError", "matmul: (2, 3, 4) × (2, 5, 6): the inner dimensions 4 and 5 differ"},
      {[] {
         matmul(zeros({2, 3, 4}), zeros({2, 6, 4}));
       },
       "ShapeError", "matmul: (2, 3, 4) × (2, 6, 4): the inner dimensions 4 and 6 differ (did you mean transpose(b)?)"},
      {[] { matmul(tensor(2), given_matrix); }, "ShapeError",
       "matmul: () × (2, 3): a single number is not a matrix (a * b multiplies by it)"},
      {[] {
         matmul(zeros({2, 3, 4}), zeros({3, 4, 5}));
       },
       "ShapeError", "matmul: (2, 3, 4) × (3, 4, 5): the batches (2) and (3) do not broadcast"},
      {[] { bmm(given_matrix, given_matrix); }, "ShapeError",
       "bmm: (2, 3) × (2, 3): needs (B, M, K) and (B, K, N) with the same B (matmul broadcasts)"},
      {[] {
         linear(given_matrix, zeros({4, 2}));
       },
       "ShapeError", "linear: x (2, 3) and weight (4, 2): needs (…, in) and (out, in)"},
      {[] { linear(tensor(2), given_matrix); }, "ShapeError",
       "linear: x () and weight (2, 3): needs (…, in) and (out, in)"},
      {[] { linear(given_matrix, zeros({3})); }, "ShapeError",
       "linear: x (2, 3) and weight (3): needs (…, in) and (out, in)"},
      {[] { linear(given_matrix, given_matrix, zeros({3})); }, "ShapeError",
       "linear: weight (2, 3) and bias (3): needs (out, in) and (out)"},
      {[] {
         linear(zeros({2, 3}), zeros({2, 3}), zeros({2}, DType::f64));
       },
       "DTypeError", "linear: f32 (2, 3) and f64 (2) do not mix (convert one of them with to(x, DType::f32))"},
      {[] { outer(given_matrix, given_matrix); }, "ShapeError",
       "outer: (2, 3) and (2, 3): both must be vectors, with one axis"},
  });
}

TEST_CASE("errors: files") {
  const Folder folder;
  const auto path = folder / "x.npy";
  const std::string name = path.string(), place = folder.path().string();
  const auto load = [path](const std::string& bytes) {
    return [path, bytes] {
      std::ofstream(path, std::ios::binary) << bytes;
      load_npy(path);
    };
  };
  const auto load_header = [&](const std::string& header, const std::string& data = "12345678") {
    return load(std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header + data);
  };
  const auto load_shape = [&](const std::string& shape) {
    return load_header("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }");
  };
  check_errors({
      {[=] { load_npy(path); }, "IoError", "cannot read " + name + ": No such file or directory"},
      {[&] { load_npy(folder.path()); }, "IoError", "cannot read " + place + ": it is a folder"},
      {[&] { write_file(folder / "no/x.npy", ""); }, "IoError",
       "cannot write " + place + "/no/x.npy: No such file or directory"},
      {[&] { write_file(folder.path(), ""); }, "IoError", "cannot write " + place + ": it is not a regular file"},
      {load("hello, world"), "IoError", "load_npy: " + name + ": this is not a .npy file"},
      {load("\x93NUMPY\x07-----------"), "IoError", "load_npy: " + name + ": version 7 of the format is unknown"},
      {load("\x93NUMPY\x01-\x50\x01{'descr': "), "IoError",
       "load_npy: " + name + ": the header of 336 bytes is cut off"},
      {load_header("{'descr': '<f4'}"), "IoError", "load_npy: " + name + ": the header has no 'fortran_order'"},
      {load_header("{'descr': [('a', '<f4')]}"), "IoError",
       "load_npy: " + name + ": it is a structured array (only plain numbers can be read)"},
      {load_shape("2"), "IoError", "load_npy: " + name + ": the shape is not a tuple"},
      {load_shape("(2, x)"), "IoError", "load_npy: " + name + ": the shape holds something else than sizes"},
      {load_shape("(1, 1, 1, 1, 1, 1, 2)"), "IoError",
       "load_npy: " + name + ": it has more axes than a tensor can have"},
      {load_shape("(4294967296, 4294967296)"), "IoError",
       "load_npy: " + name + ": shape: (4294967296, 4294967296) has more elements than memory can hold"},
      {load_shape("(3, 1)"), "IoError", "load_npy: " + name + ": the shape (3, 1) does not match the 8 bytes of data"},
      {load_header("{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }"), "IoError",
       "load_npy: " + name + ": elements of type '>f8' cannot be read (f2 … f8, i1 … i8, u1 … u4 and b1 can)"},
  });
}

}  // namespace regard
