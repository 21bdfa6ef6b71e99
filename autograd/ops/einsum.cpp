#include "autograd/ops/einsum.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"

#include <algorithm>
#include <map>

namespace regard {
namespace {

using Letters = std::string;
using Sizes = std::map<char, std::int64_t>;  // of each letter

bool has(const Letters& letters, char c) { return letters.find(c) != Letters::npos; }

// The letters of each operand, and then those of the result.
std::vector<Letters> parsed(std::string_view formula) {
  Letters text(formula);
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->");
  const Letters given = text.substr(0, arrow);
  std::vector<Letters> lists(1);
  for (const char c : given) {
    if (c == ',')
      lists.emplace_back();
    else
      lists.back() += c;
  }
  lists.push_back(arrow == Letters::npos ? "" : text.substr(arrow + 2));
  for (char c = 'A'; arrow == Letters::npos && c <= 'z'; ++c)
    if (std::ranges::count(given, c) == 1) lists.back() += c;
  for (const Letters& list : lists)
    for (const char c : list)
      if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z'))
        fail<ValueError>("einsum: '{}' in '{}' is no letter (give each axis a letter)", c, formula);
  for (const char c : lists.back()) {
    if (!has(given, c)) fail<ValueError>("einsum: '{}' of the result is in no operand of '{}'", c, formula);
    if (std::ranges::count(lists.back(), c) > 1)
      fail<ValueError>("einsum: '{}' is twice in the result of '{}'", c, formula);
  }
  return lists;
}

void add(Sizes& sizes, std::string_view formula, const Letters& letters, const Shape& shape) {
  if (shape.rank() != std::ssize(letters))
    fail<ShapeError>("einsum: {} as '{}' of '{}': needs a letter for each axis", shape, letters, formula);
  for (int axis = 0; const char c : letters) {
    const std::int64_t size = shape[axis++], known = sizes.emplace(c, size).first->second;
    if (size != known)
      fail<ShapeError>("einsum: {} as '{}' of '{}': '{}' has the size {} before", shape, letters, formula, c, known);
  }
}

Shape shape_of(const Letters& letters, const Sizes& sizes) {
  Shape shape;
  for (const char c : letters) shape.push_back(sizes.at(c));
  return shape;
}

// An operand, or a product of some, with a letter for each axis.
struct Lettered {
  Letters letters;
  Variable x;
};

// Where a letter has two axes, of size n, they go to the end: of their n·n numbers each (n + 1)-th is on the diagonal.
Lettered diagonal(Lettered of) {
  auto& [letters, x] = of;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t j = letters.find(letters[i], i + 1);
    if (j == Letters::npos) continue;
    x = transpose(transpose(x, static_cast<int>(j), -1), static_cast<int>(i), -2);
    std::swap(letters[j], letters.back());
    std::swap(letters[i], letters[letters.size() - 2]);
    letters.pop_back();
    x = slice(flatten(x, -2, -1), x.rank() - 2, 0, to_end, x.size(-1) + 1);
    return diagonal(of);
  }
  return of;
}

// Its axes in this order, summed over those that are not in it.
Variable ordered(Lettered of, const Letters& order) {
  std::vector<int> summed, axes;
  for (int axis = 0; axis < std::ssize(of.letters); ++axis)
    if (!has(order, of.letters[static_cast<std::size_t>(axis)])) summed.push_back(axis);
  std::erase_if(of.letters, [&](char c) { return !has(order, c); });
  if (!summed.empty()) of.x = sum(of.x, ReducedAxes(summed));
  for (const char c : order) axes.push_back(static_cast<int>(of.letters.find(c)));
  return of.letters == order ? of.x : permute(of.x, axes);
}

// The product of two, summed over the letters that are not kept: a product of matrices, rows × inner and
// inner × columns, for each of a batch. With nothing to sum over it is a column times a row, which broadcasts.
Lettered product(const Lettered& a, const Lettered& b, const Letters& kept, const Sizes& sizes) {
  Letters batch, rows, inner, columns;
  for (const char c : a.letters) {
    if (has(b.letters, c)) (has(kept, c) ? batch : inner) += c;
    if (!has(b.letters, c) && has(kept, c)) rows += c;
  }
  for (const char c : b.letters)
    if (!has(a.letters, c) && has(kept, c)) columns += c;
  const auto matrices = [&](const Lettered& of, const Letters& down, const Letters& across) {
    Shape shape = shape_of(batch, sizes);
    if (shape.rank() > Shape::max_rank - 2) shape = {shape.numel()};
    for (const Letters& axis : {down, across}) shape.push_back(shape_of(axis, sizes).numel());
    return reshape(ordered(of, batch + down + across), shape);
  };
  const Variable left = matrices(a, rows, inner), right = matrices(b, inner, columns);
  const Letters all = batch + rows + columns;
  if (std::ssize(all) > Shape::max_rank)
    fail<ShapeError>("einsum: the product '{}' of operands would have more than {} axes: another order may have fewer",
                     all, Shape::max_rank);
  return {all, reshape(inner.empty() ? left * right : matmul(left, right), shape_of(all, sizes))};
}

}  // namespace

// y = Σ a·b·…:  linear in each operand, so ∂a is g times the others, summed over what a does not have. The rules of the
// sums and products that it is made of come to this.
Variable einsum(std::string_view formula, const std::vector<Variable>& operands) {
  const std::vector<Letters> lists = parsed(formula);
  const std::size_t count = lists.size() - 1;
  if (operands.size() != count)
    fail<ValueError>("einsum: operands of '{}' are {}, not {}", formula, count, operands.size());
  Sizes sizes;
  for (std::size_t i = 0; i < count; ++i) {
    add(sizes, formula, lists[i], operands[i].shape());
    require_same_dtype("einsum", operands[0].value(), operands[i].value());
  }
  Lettered y = diagonal({lists[0], operands[0]});
  for (std::size_t i = 1; i < count; ++i) {
    Letters kept;  // by the result, or for who comes later
    for (std::size_t later = i + 1; later <= count; ++later) kept += lists[later];
    y = product(y, diagonal({lists[i], operands[i]}), kept, sizes);
  }
  return ordered(y, lists.back());
}

}  // namespace regard
