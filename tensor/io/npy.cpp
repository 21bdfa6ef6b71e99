#include "tensor/io/npy.h"

#include "tensor/io/file.h"
#include "tensor/io/stored.h"
#include "tensor/view.h"

#include <charconv>

namespace regard {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct Header {
  std::string type;  // such as <f4
  bool column_major = false;
  Shape shape;
  std::size_t data_begin = 0;
};

// The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Header read() {
    Header header;
    header.type = quoted_after("'descr':");
    header.column_major = after("'fortran_order':").substr(0, 4) == "True";
    std::string_view rest = after("'shape':");
    const auto close = rest.find(')');
    if (rest.empty() || rest[0] != '(' || close == std::string_view::npos) complain("the shape is not a tuple");
    for (rest = rest.substr(1, close - 1); !rest.empty();) {
      const auto skip = rest.find_first_not_of(" ,L");
      if (skip == std::string_view::npos) break;
      rest.remove_prefix(skip);
      std::int64_t size = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
      if (error != std::errc{} || size < 0) complain("the shape holds something else than sizes");
      if (header.shape.rank() == Shape::max_rank) complain("it has more axes than a tensor can have");
      header.shape.push_back(size);
      rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    return header;
  }

 private:
  std::string_view after(std::string_view key) {
    const auto found = text_.find(key);
    if (found == std::string_view::npos) complain(fmt::format("the header has no {}", key.substr(0, key.size() - 1)));
    const auto value = text_.find_first_not_of(' ', found + key.size());
    return value == std::string_view::npos ? std::string_view{} : text_.substr(value);
  }

  std::string quoted_after(std::string_view key) {
    const std::string_view rest = after(key);
    const auto close = rest.find('\'', 1);
    if (rest.empty() || rest[0] != '\'' || close == std::string_view::npos)
      complain("it is a structured array (only plain numbers can be read)");
    return std::string(rest.substr(1, close - 1));
  }

  [[noreturn]] void complain(const std::string& what) { fail<IoError>("load_npy: {}: {}", name_, what); }

  std::string_view text_;
  const std::string& name_;
};

Header read_header(std::string_view bytes, const std::string& name) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  if (bytes.size() < 12 || bytes.substr(0, magic.size()) != magic)
    fail<IoError>("load_npy: {}: this is not a .npy file", name);
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) fail<IoError>("load_npy: {}: version {} of the format is unknown", name, version);
  std::size_t begin = 10, length = byte(8) | byte(9) << 8;
  if (version > 1) {
    begin = 12;
    length |= byte(10) << 16 | byte(11) << 24;
  }
  if (bytes.size() < begin + length) fail<IoError>("load_npy: {}: the header of {} bytes is cut off", name, length);
  Header header = HeaderReader(bytes.substr(begin, length), name).read();
  header.data_begin = begin + length;
  return header;
}

constexpr std::pair<std::string_view, StoredType> types[] = {
    {"<f4", StoredType::f32}, {"<f8", StoredType::f64}, {"<f2", StoredType::f16},    {"<i8", StoredType::i64},
    {"<i4", StoredType::i32}, {"<i2", StoredType::i16}, {"|i1", StoredType::i8},     {"<u4", StoredType::u32},
    {"<u2", StoredType::u16}, {"|u1", StoredType::u8},  {"|b1", StoredType::boolean}};

StoredType stored_type(const std::string& type, const std::string& name) {
  for (const auto& [word, stored] : types)
    if (type == word) return stored;
  fail<IoError>("load_npy: {}: elements of type '{}' cannot be read (f2 … f8, i1 … i8, u1 … u4 and b1 can)", name,
                type);
}

Tensor read_data(std::string_view bytes, StoredType type, const Shape& shape, const std::string& name) {
  try {
    require_possible(shape);
  } catch (const ShapeError& error) {
    fail<IoError>("load_npy: {}: {}", name, error.what());
  }
  if (bytes.size() != static_cast<std::size_t>(shape.numel()) * size_of(type))
    fail<IoError>("load_npy: {}: the shape {} does not match the {} bytes of data", name, shape, bytes.size());
  return widen(bytes, type, shape);
}

}  // namespace

Tensor load_npy(const std::string& path) {
  const std::string bytes = read_file(path);
  const Header header = read_header(bytes, path);
  const std::string_view data = std::string_view(bytes).substr(header.data_begin);
  const StoredType type = stored_type(header.type, path);
  if (!header.column_major) return read_data(data, type, header.shape, path);
  Shape reversed;  // column-major data is row-major data with the axes in reverse
  std::vector<int> order;
  for (int axis = header.shape.rank() - 1; axis >= 0; --axis) {
    reversed.push_back(header.shape[axis]);
    order.push_back(axis);
  }
  return contiguous(permute(read_data(data, type, reversed, path), order));
}

void save_npy(const std::string& path, const Tensor& x) {
  const Tensor packed = contiguous(x);
  const char* type = x.dtype() == DType::f32 ? "<f4" : x.dtype() == DType::f64 ? "<f8" : "<i8";
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                   comma_separated(x.shape()), x.rank() == 1 ? "," : "");
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';  // the data starts at a multiple of 64
  header += '\n';
  std::string file(magic);
  file += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  file += header;
  file.append(reinterpret_cast<const char*>(packed.bytes()),
              static_cast<std::size_t>(packed.numel()) * size_of(x.dtype()));
  write_file(path, file);
}

}  // namespace regard
