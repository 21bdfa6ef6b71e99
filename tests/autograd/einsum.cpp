// Products and sums by letters: values by hand, laws, and what does not fit.
#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"

namespace regard {
namespace {

using Catch::Matchers::ContainsSubstring;

const Variable table = f64({{1, 2}, {3, 4}}), row = f64({10, 1});

}  // namespace

TEST_CASE("einsum: small ones by hand") {
  CHECK(identical(einsum("ij->ij", table).value(), table.value()));
  CHECK(identical(einsum("ij->ji", table).value(), f64({{1, 3}, {2, 4}})));
  CHECK(identical(einsum("ba", table).value(), f64({{1, 3}, {2, 4}})));  // in alphabetical order
  CHECK(identical(einsum("bA->A b", table).value(), einsum("bA", table).value()));
  CHECK(identical(einsum("ij->", table).value(), f64(10)));
  CHECK(identical(einsum("ij->j", table).value(), f64({4, 6})));
  CHECK(identical(einsum("ii", table).value(), f64(5)));
  CHECK(identical(einsum("ii->i", table).value(), f64({1, 4})));
  CHECK(identical(einsum("i,i", row, row).value(), f64(101)));
  CHECK(identical(einsum("i,i->i", row, row).value(), f64({100, 1})));
  CHECK(identical(einsum("i,j", row, row).value(), f64({{100, 10}, {10, 1}})));
  CHECK(identical(einsum("ij,j", table, row).value(), f64({12, 34})));
  CHECK(identical(einsum("i,ij", row, table).value(), f64({13, 24})));
  CHECK(identical(einsum("ij, jk -> ik", table, table).value(), f64({{7, 10}, {15, 22}})));
  CHECK(identical(einsum("ij,ij->", table, table).value(), f64(30)));
  CHECK(identical(einsum("ij,kj->ki", table, table).value(), f64({{5, 11}, {11, 25}})));
  CHECK(identical(einsum(",ij->ji", Variable(f64(2)), table).value(), f64({{2, 6}, {4, 8}})));
  CHECK(identical(einsum("i,ij,j->", row, table, row).value(), f64(154)));
  CHECK(identical(einsum("i,i,i->i", row, row, row).value(), f64({1000, 1})));
}

TEST_CASE("einsum: diagonals of many axes") {
  const Tensor x = noise({3, 2, 3, 3});
  const Variable one = einsum("ibii->bi", Variable(x)), pair = einsum("ibij->jbi", Variable(x));
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t b = 0; b < 2; ++b) {
      CHECK(one.value().at({b, i}) == x.at({i, b, i, i}));
      for (std::int64_t j = 0; j < 3; ++j) CHECK(pair.value().at({j, b, i}) == x.at({i, b, i, j}));
    }
  CHECK(einsum("iijj->ji", Variable(noise({2, 2, 3, 3}))).shape() == Shape{3, 2});
  CHECK(einsum("ii->i", Variable(zeros({0, 0}))).shape() == Shape{0});
}

TEST_CASE("einsum: attention by letters is attention by matmul") {
  const Variable q = noise({2, 3, 4, 5}, 1), k = noise({2, 3, 6, 5}, 2), v = noise({2, 3, 6, 7}, 3);
  const Variable scores = matmul(q, transpose(k)), w = softmax(scores, -1);
  CHECK(allclose(einsum("bhqd,bhkd->bhqk", q, k).value(), scores.value(), 1e-14, 1e-14));
  CHECK(allclose(einsum("bhqk,bhkd->bhqd", w, v).value(), matmul(w, v).value(), 1e-14, 1e-14));
  const Variable heads_inside = einsum("bqhd,bkhd->bhqk", transpose(q, 1, 2), transpose(k, 1, 2));
  CHECK(allclose(heads_inside.value(), scores.value(), 1e-14, 1e-14));
  CHECK(allclose(einsum("bhqk,bhkd->bqhd", w, v).value(), transpose(matmul(w, v), 1, 2).value(), 1e-14, 1e-14));
}

TEST_CASE("einsum: sums go through products of matrices, and so do five axes of a batch") {
  const Variable a = leaf({{1, 2}, {3, 4}}), y = einsum("bqd,bkd->bqk", unsqueeze(a, 0), unsqueeze(a, 0));
  bool found = false;
  for (const Variable* x = &y; x->node(); x = &x->node()->inputs[0])
    found = found || std::string_view(x->node()->op.name) == "matmul";
  CHECK(found);
  const Variable wide = noise({2, 1, 2, 3, 2, 5}), other = noise({2, 1, 2, 3, 2, 5}, 2);
  CHECK(allclose(einsum("abcdei,abcdei->edcba", wide, other).value(),
                 permute(sum(wide * other, -1), {4, 3, 2, 1, 0}).value(), 1e-13, 1e-13));
}

TEST_CASE("einsum: the gradient of a product is the einsum of the others") {
  const Variable a = parameter(noise({2, 3}, 1)), b = parameter(noise({3, 4}, 2)), c = parameter(noise({4}, 3));
  const Tensor g = noise({2}, 4);
  const auto found = grad({einsum("ij,jk,k->i", a, b, c)}, {a, b, c}, {.gradients = {g}});
  CHECK(allclose(found[0].value(), einsum("i,jk,k->ij", Variable(g), b, c).value(), 1e-13, 1e-14));
  CHECK(allclose(found[1].value(), einsum("i,ij,k->jk", Variable(g), a, c).value(), 1e-13, 1e-14));
  CHECK(allclose(found[2].value(), einsum("i,ij,jk->k", Variable(g), a, b).value(), 1e-13, 1e-14));
}

TEST_CASE("einsum: what does not fit is named") {
  const Variable image = ones({2, 2, 2, 2, 2});
  CHECK_THROWS_WITH(einsum("bijhd,bklhe,hde->bhijkl", image, image, ones({2, 2, 2})),
                    ContainsSubstring("einsum: the product") && ContainsSubstring("another order may have fewer"));
  CHECK(einsum("bijhd,hde,bklhe->bhijkl", image, ones({2, 2, 2}), image).shape() == Shape{2, 2, 2, 2, 2, 2});
  check_errors({
      {[] { einsum("ij,jk->ik", table); }, "ValueError", "einsum: operands of 'ij,jk->ik' are 2, not 1"},
      {[] { einsum("i", row, row); }, "ValueError", "einsum: operands of 'i' are 1, not 2"},
      {[] { einsum("...i->i", row); }, "ValueError", "einsum: '.' in '...i->i' is no letter (give each axis a letter)"},
      {[] { einsum("i1->i", table); }, "ValueError", "einsum: '1' in 'i1->i' is no letter (give each axis a letter)"},
      {[] { einsum("ij->i->j", table); }, "ValueError",
       "einsum: '-' in 'ij->i->j' is no letter (give each axis a letter)"},
      {[] { einsum("i->i,i", row); }, "ValueError", "einsum: ',' in 'i->i,i' is no letter (give each axis a letter)"},
      {[] { einsum("ij->ik", table); }, "ValueError", "einsum: 'k' of the result is in no operand of 'ij->ik'"},
      {[] { einsum("i->ii", row); }, "ValueError", "einsum: 'i' is twice in the result of 'i->ii'"},
      {[] { einsum("ijk->i", table); }, "ShapeError",
       "einsum: (2, 2) as 'ijk' of 'ijk->i': needs a letter for each axis"},
      {[] {
         einsum("ij,jk->ik", table, Variable(zeros({3, 2}, DType::f64)));
       },
       "ShapeError", "einsum: (3, 2) as 'jk' of 'ij,jk->ik': 'j' has the size 2 before"},
      {[] {
         einsum("ii", Variable(zeros({2, 3})));
       },
       "ShapeError", "einsum: (2, 3) as 'ii' of 'ii': 'i' has the size 2 before"},
      {[] { einsum("i,i", row, Variable(zeros({2}))); }, "DTypeError",
       "einsum: f64 (2) and f32 (2) do not mix (convert one of them with to(x, DType::f64))"},
  });
}

}  // namespace regard
