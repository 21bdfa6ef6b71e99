// Files that are not what they should be: an IoError, and nothing worse.
#include "tensor/create.h"
#include "tensor/io/file.h"
#include "tensor/io/npy.h"
#include "tensor/random/generator.h"
#include "tests/catch.h"
#include "tests/tensor/folder.h"

#include <filesystem>
#include <fstream>

namespace regard {

namespace {

using std::string_literals::operator""s;

std::string file_with(const std::string& header, const std::string& data) {
  return "\x93NUMPY\x01\0"s + static_cast<char>(header.size()) + '\0' + header + data;
}

std::string file_with_shape(const std::string& shape, const std::string& data = "12345678") {
  return file_with("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

// Loads the bytes. True if they were a tensor, false if they were refused; every other exception gets out.
bool loads(const Folder& folder, const std::string& bytes) {
  const auto path = folder / "x.npy";
  std::ofstream(path, std::ios::binary) << bytes;  // write_file would wait for the disk each time
  try {
    return load_npy(path).defined();
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("malformed npy: the helper makes good files") {
  const Folder folder;
  CHECK(loads(folder, file_with_shape("(2,)")));
  CHECK(loads(folder, file_with_shape("(1, 2)")));
}

TEST_CASE("malformed npy: cut off at every byte") {
  const Folder folder;
  save_npy(folder / "x.npy", tensor({{1, 2}, {3, 4}}));
  const std::string bytes = read_file(folder / "x.npy");
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    CHECK_FALSE(loads(folder, bytes.substr(0, length)));
  }
  CHECK(loads(folder, bytes));
  CHECK_FALSE(loads(folder, bytes + "x"));
}

TEST_CASE("malformed npy: shapes that are none, or cannot be") {
  const Folder folder;
  for (const char* shape : {"(3,)",
                            "(1,)",
                            "()",
                            "(-2,)",
                            "(-1, -2)",
                            "(2.0,)",
                            "(two,)",
                            "2",
                            "(2",
                            "",
                            "None",
                            "[2]",
                            "(2; 1)",
                            "(18446744073709551618,)",
                            "(9223372036854775807,)",
                            "(4611686018427387904, 8)",
                            "(4294967296, 4294967296, 2)",
                            "(4611686018427387904, 4, 0)",
                            "(0, 4611686018427387904, 4)",
                            "(1, 1, 1, 1, 1, 1, 1, 1, 1, 2)"}) {
    CAPTURE(shape);
    CHECK_FALSE(loads(folder, file_with_shape(shape)));
  }
  // Products that wrap round to 0, and strides that do not fit, with the no bytes of data that would match.
  for (const char* shape : {"(4294967296, 4294967296)", "(0, 4611686018427387904, 4)", "(4611686018427387904, 4, 0)"}) {
    CAPTURE(shape);
    CHECK_FALSE(loads(folder, file_with_shape(shape, "")));
  }
}

TEST_CASE("malformed npy: headers that say something else") {
  const Folder folder;
  for (const char* header : {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, }",
                             "{'descr':", "{'descr': '<f4", "{'descr': <f4, 'fortran_order': False, 'shape': (2,), }",
                             "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }",
                             "{'fortran_order': False, 'shape': (2,), }", "{'descr': '<f4', 'shape': (2,), }"}) {
    CAPTURE(header);
    CHECK_FALSE(loads(folder, file_with(header, "12345678")));
  }
  for (const char* type : {">f8", ">f4", ">i8", "|O", "<f16", "<c8", "<u8", "<U2", "|S8", "<M8[s]", "|V8", ""}) {
    CAPTURE(type);
    const auto header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (1,), }}", type);
    CHECK_FALSE(loads(folder, file_with(header, "12345678")));
  }
}

TEST_CASE("malformed npy: other files altogether") {
  const Folder folder;
  CHECK_FALSE(loads(folder, ""));
  CHECK_FALSE(loads(folder, "hello, world: this is a line of text"));
  std::string bytes = file_with_shape("(2,)");
  for (char version : {0, 4, 127, -1}) {
    bytes[6] = version;
    CHECK_FALSE(loads(folder, bytes));
  }
  CHECK_FALSE(loads(folder, "\x93NUMPY\x02\0\xFF\xFF\xFF\xFF"s + "{'descr': '<f4'"));  // a header of 4 GiB
  CHECK_THROWS_AS(load_npy(folder / "missing.npy"), IoError);
  CHECK_THROWS_AS(load_npy(folder.path()), IoError);
}

TEST_CASE("malformed npy: thousands of files with a few bytes changed") {
  const Folder folder;
  const auto path = folder / "x.npy";
  save_npy(path, arange(6));
  const std::string original = read_file(path);
  const Generator generator(1);
  std::uint64_t position = 0;
  const auto random = [&](std::size_t bound) { return generator.at(position++).first % bound; };
  int loaded = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = original;
    for (auto changes = 1 + random(3); changes > 0; --changes) {
      const std::size_t place = random(2) ? random(75) : random(bytes.size());  // most of it is padding
      bytes[place] = static_cast<char>(random(4) == 0 ? random(256) : "0123456789(),'<>fiu -LTF"[random(24)]);
    }
    ++(loads(folder, bytes) ? loaded : refused);
  }
  CHECK(loaded > 100);
  CHECK(refused > 100);
}

TEST_CASE("npy files: written whole or not at all, with nothing left behind") {
  const Folder folder;
  const auto path = folder / "x.npy";
  save_npy(path, arange(3));
  save_npy(path, arange(5));  // replaces the first
  CHECK(load_npy(path).numel() == 5);
  CHECK(folder.count() == 1);

  CHECK_THROWS_AS(save_npy(folder / "missing/x.npy", arange(3)), IoError);
  std::filesystem::create_directories(folder / "full/inside");
  CHECK_THROWS_AS(save_npy(folder / "full", arange(3)), IoError);  // a folder is not replaced
  CHECK(std::filesystem::is_directory(folder / "full/inside"));
  CHECK(folder.count() == 2);
}

}  // namespace regard
