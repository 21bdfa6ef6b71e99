// Files that are not what they should be: an IoError that says which file and what is wrong, and nothing worse.
#include "autograd/all.h"
#include "nn/save/safetensors.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"

namespace regard::nn {

namespace {

using std::string_literals::operator""s;

std::string eight_bytes(std::uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(length >> 8 * i);
  return bytes;
}

std::string file_with(const std::string& header, std::size_t data_bytes = 0) {
  return eight_bytes(header.size()) + header + std::string(data_bytes, '\0');
}

std::string entry(const std::string& name, const std::string& shape, const std::string& offsets,
                  const std::string& dtype = "\"F32\"") {
  return "\"" + name + "\":{\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

struct Malformed {
  std::string bytes, message;
};

void check_messages(const std::vector<Malformed>& cases) {
  for (const auto& [bytes, message] : cases)
    check_errors({{[&, &content = bytes] { parse_safetensors(content, "x"); }, "IoError", "load: x: " + message}});
}

}  // namespace

TEST_CASE("malformed safetensors: the helpers make good files") {
  const auto two =
      parse_safetensors(file_with("{" + entry("a", "[2]", "[0,8]") + "," + entry("b", "[]", "[8,12]") + "} ", 12), "x");
  CHECK(two.tensors.size() == 2);
  CHECK(two.tensors.at("b").shape() == Shape{});
}

TEST_CASE("malformed safetensors: cut off at every byte, or too long") {
  const std::string bytes = file_with("{" + entry("a", "[2]", "[0,8]") + "}", 8);
  CHECK(parse_safetensors(bytes, "x").tensors.size() == 1);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    CHECK_THROWS_AS(parse_safetensors(bytes.substr(0, length), "x"), IoError);
  }
  check_messages({
      {"", "a safetensors file starts with the 8 bytes of a length; this one ends after 0"},
      {bytes.substr(0, 7), "a safetensors file starts with the 8 bytes of a length; this one ends after 7"},
      {bytes.substr(0, 20),
       "the header should have 54 bytes, and the file has 12: it is cut off, or no safetensors file"},
      {bytes.substr(0, bytes.size() - 1), "the tensors take 8 bytes, and the file holds 7 of them: it is cut off"},
      {bytes + "x", "the tensors take 8 bytes, and 1 more follow that belong to none"},
  });
}

TEST_CASE("malformed safetensors: lengths of headers that no file has") {
  check_messages({
      {eight_bytes(10'000'000'000) + "{}",
       "the header should have 10000000000 bytes, and the file has 2: it is cut off, or no safetensors file"},
      {eight_bytes(UINT64_MAX) + "{}",
       "the header should have 18446744073709551615 bytes, and the file has 2: it is cut off, or no safetensors file"},
      {"\x80\x02}q\0X\5\0model"s,
       "the header should have 1504133810815616 bytes, and the file has 5: it is cut off, or no safetensors file"},
  });
  std::string large = eight_bytes(100'000'001) + "{";
  large.resize(100'000'009);
  check_errors({{[&] { parse_safetensors(large, "x"); }, "IoError",
                 "load: x: the header has 100000001 bytes, more than the 100000000 that the format allows"}});
}

TEST_CASE("malformed safetensors: headers that are not JSON") {
  const std::string no_header = "the header does not start with {: this is no safetensors file";
  const auto wrong_at = [](int byte) {
    return fmt::format("the header is not JSON (it goes wrong at byte {} of it)", byte);
  };
  std::string long_list;
  for (int i = 0; i < 10'000; ++i) long_list += ",0";
  check_messages({
      {file_with(""), no_header},
      {file_with(" {}"), no_header},
      {file_with("[]"), no_header},
      {file_with("hello, world"), no_header},
      {file_with("{"), wrong_at(2)},
      {file_with("{}x"), wrong_at(3)},
      {file_with("{}{}"), wrong_at(3)},
      {file_with("{'a':1}"), wrong_at(2)},
      {file_with("{\"a\":1,}"), wrong_at(8)},
      {file_with("{\"a\":NaN}"), wrong_at(6)},
      {file_with("{\"a\":01}"), wrong_at(7)},
      {file_with("{/* */}"), wrong_at(2)},
      {file_with("{\"\xF6\":1}"), wrong_at(3)},
      {file_with("{\"\\ud800\":1}"), wrong_at(9)},
      {file_with("{}\0\0\0"s), "the header is not JSON (byte 3 of it is 0)"},
      {file_with("{\"a\":1e999}"), wrong_at(10)},
      {file_with("{\"a\":[0" + long_list + "]}"), "the header has a list of more than 10000 values"},
  });
}

TEST_CASE("malformed safetensors: nesting, however deep, takes no stack") {
  const std::string deeper = "the header is nested more than 3 deep";
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  check_messages({
      {file_with("{" + entry("a", "[[2]]", "[0,8]") + "}", 8), deeper},
      {file_with("{\"a\":" + std::string(1'000'000, '[')), deeper},
      {file_with(objects), deeper},
      {file_with("{\"__metadata__\":{\"a\":{\"b\":{}}}}"), deeper},
  });
}

TEST_CASE("malformed safetensors: keys that occur twice") {
  const std::string a = entry("a", "[2]", "[0,8]");
  check_messages({
      {file_with("{" + a + "," + a + "}", 8), "the header has the key \"a\" twice"},
      {file_with("{" + a + "," + entry("\\u0061", "[2]", "[8,16]") + "}", 16), "the header has the key \"a\" twice"},
      {file_with("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"shape\":[1],\"data_offsets\":[0,4]}}", 4),
       "the header has the key \"shape\" twice"},
      {file_with("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}"), "the header has the key \"k\" twice"},
      {file_with("{\"__metadata__\":{},\"__metadata__\":{}}"), "the header has the key \"__metadata__\" twice"},
  });
}

TEST_CASE("malformed safetensors: entries that say something else") {
  const std::string long_name(200, 'n');
  check_messages({
      {file_with("{\"a\":3}"), "the tensor \"a\" has no dtype"},
      {file_with("{\"a\":{}}"), "the tensor \"a\" has no dtype"},
      {file_with("{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,0]}}"), "the tensor \"a\" has no shape"},
      {file_with("{\"a\":{\"dtype\":\"F32\",\"shape\":[0]}}"), "the tensor \"a\" has no data_offsets"},
      {file_with("{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0],\"strides\":[1]}}"),
       "the tensor \"a\" has fields that are unknown: "
       "{\"data_offsets\":[0,0],\"dtype\":\"F32\",\"shape\":[0],\"strides\":[1]}"},
      {file_with("{\"" + long_name + "\":3}"), "the tensor \"" + long_name.substr(0, 79) + "… has no dtype"},
      {file_with("{\"line\\nbreak\":3}"), "the tensor \"line\\nbreak\" has no dtype"},
      {file_with("{\"__metadata__\":3}"), "__metadata__ has to map strings to strings, and is 3"},
      {file_with("{\"__metadata__\":{\"k\":3}}"), "__metadata__ has to map strings to strings, and is {\"k\":3}"},
  });
}

TEST_CASE("malformed safetensors: dtypes that cannot be read are named") {
  std::vector<Malformed> cases;
  for (const char* dtype :
       {"\"U64\"", "\"U32\"", "\"U16\"", "\"F8_E4M3\"", "\"f32\"", "\"\"", "3", "null", "[\"F32\"]"})
    cases.push_back({file_with("{" + entry("a", "[2]", "[0,8]", dtype) + "}", 8),
                     fmt::format("the tensor \"a\" has the dtype {} (these can be read: F64, F32, F16, BF16, I64, I32, "
                                 "I16, I8, U8, BOOL)",
                                 dtype)});
  check_messages(cases);
}

TEST_CASE("malformed safetensors: a boolean is 0 or 1") {
  const std::string header = "{" + entry("a", "[3]", "[0,3]", "\"BOOL\"") + "}";
  check_messages(
      {{eight_bytes(header.size()) + header + "\1\0\2"s, "the tensor \"a\" has the dtype BOOL, and holds the byte 2"}});
}

TEST_CASE("malformed safetensors: shapes that are none, or cannot be") {
  std::vector<Malformed> cases;
  for (const char* shape : {"[-2]", "[-1,-2]", "[2.0]", "[2e0]", "[\"2\"]", "[null]", "2", "\"2\"", "{}", "null",
                            "[9223372036854775808]", "[18446744073709551616]", "[-9223372036854775809]"}) {
    const char* shown = shape == "[2e0]"s                    ? "[2.0]"
                        : shape == "[18446744073709551616]"s ? "[1.8446744073709552e+19]"
                        : shape == "[-9223372036854775809]"s ? "[-9.223372036854776e+18]"
                                                             : shape;
    cases.push_back({file_with("{" + entry("a", shape, "[0,8]") + "}", 8),
                     fmt::format("the tensor \"a\" has the shape {}, which is not a list of sizes", shown)});
  }
  // Products that wrap round to 0 or to something small, and strides that do not fit.
  for (const char* shape : {"9223372036854775807", "4294967296, 4294967296", "4611686018427387904, 4, 0",
                            "0, 4611686018427387904, 4", "6148914691236517206, 3", "2305843009213693952"})
    cases.push_back(
        {file_with("{" + entry("a", "["s + shape + "]", "[0,0]") + "}"),
         fmt::format("the tensor \"a\" has the shape ({}), which has more elements than memory can hold", shape)});
  cases.push_back({file_with("{" + entry("a", "[1,1,1,1,1,1,2]", "[0,8]") + "}", 8),
                   "the tensor \"a\" has 7 axes (the most a tensor can have here is 6)"});
  check_messages(cases);
}

TEST_CASE("malformed safetensors: offsets that are none") {
  std::vector<Malformed> cases;
  for (const char* offsets : {"[8,0]", "[0]", "[0,8,8]", "[]", "[-8,0]", "[0,8.0]", "[\"0\",\"8\"]", "8", "{}", "null",
                              "[0,9223372036854775808]"})
    cases.push_back(
        {file_with("{" + entry("a", "[2]", offsets) + "}", 8),
         fmt::format("the tensor \"a\" has the data_offsets {}, which are not a begin and an end", offsets)});
  check_messages(cases);
}

TEST_CASE("malformed safetensors: offsets that do not fit the shape, each other or the data") {
  const auto two = [](const std::string& first, const std::string& second) {
    return file_with("{" + entry("a", "[2]", first) + "," + entry("b", "[2]", second) + "}", 16);
  };
  check_messages({
      {file_with("{" + entry("a", "[2]", "[0,4]") + "}", 4),
       "the tensor \"a\" has 4 bytes of data, where F32 of (2) takes 8"},
      {file_with("{" + entry("a", "[2]", "[0,8]", "\"I64\"") + "}", 8),
       "the tensor \"a\" has 8 bytes of data, where I64 of (2) takes 16"},
      {file_with("{" + entry("a", "[3]", "[0,8]", "\"BF16\"") + "}", 8),
       "the tensor \"a\" has 8 bytes of data, where BF16 of (3) takes 6"},
      {file_with("{" + entry("a", "[0]", "[0,8]") + "}", 8),
       "the tensor \"a\" has 8 bytes of data, where F32 of (0) takes 0"},
      {two("[0,8]", "[4,12]"),
       "the data of the tensor \"b\" begin at byte 4, and those before it end at 8: there is an overlap"},
      {two("[0,8]", "[0,8]"),
       "the data of the tensor \"b\" begin at byte 0, and those before it end at 8: there is an overlap"},
      {two("[0,8]", "[12,20]"),
       "the data of the tensor \"b\" begin at byte 12, and those before it end at 8: there is a gap"},
      {two("[4,12]", "[12,20]"),
       "the data of the tensor \"a\" begin at byte 4, and those before it end at 0: there is a gap"},
      {file_with("{" + entry("a", "[1099511627776]", "[0,4398046511104]") + "}", 8),
       "the tensors take 4398046511104 bytes, and the file holds 8 of them: it is cut off"},
  });
}

}  // namespace regard::nn
