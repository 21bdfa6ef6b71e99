#include "examples/trainers/csv.h"

#include "examples/trainers/paths.h"
#include "tensor/create.h"
#include "tensor/io/file.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace regard {

Tensor read_csv(const std::string& file) {
  std::istringstream lines(read_file(example_data(file)));
  std::vector<double> values;
  std::int64_t rows = 0, columns = 0, number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream cells(line);
    std::int64_t count = 0;
    bool names = false;
    for (std::string cell; std::getline(cells, cell, ',') && !names; ++count) {
      char* end = nullptr;
      values.push_back(std::strtod(cell.c_str(), &end));
      while (std::isspace(static_cast<unsigned char>(*end))) ++end;
      if (cell.empty() || *end != 0 || !std::isfinite(values.back())) {
        if (number > 1) fail<IoError>("{}, line {}: '{}' is not a number", file, number, cell);
        names = true;
        values.clear();
      }
    }
    if (names || count == 0) continue;
    if (columns == 0) columns = count;
    if (count != columns)
      fail<IoError>("{}, line {}: {} numbers, but {} in the lines before", file, number, count, columns);
    ++rows;
  }
  if (rows == 0) fail<IoError>("{}: there are no numbers in it", file);
  return tensor(values, {rows, columns});
}

}  // namespace regard
