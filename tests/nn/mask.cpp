#include "nn/attention/mask.h"

#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <limits>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("mask: causal is by position, and the offset moves the queries") {
  CHECK(Mask::causal().picture({3, 3}) ==
        "■··\n"
        "■■·\n"
        "■■■\n");
  CHECK(Mask::causal(2).picture({1, 4}) == "■■■·\n");
  CHECK(Mask::causal().at(2).picture({1, 4}) == "■■■·\n");
}

TEST_CASE("mask: an offset of a call moves the queries as at() does, on top of it") {
  const Shape scores{2, 2, 7};
  const Mask near = Mask::by_position("near", [](const Tensor& query, const Tensor& key) {
    return less(abs(subtract(to(key, DType::f64), to(query, DType::f64))), 2);
  });
  for (const Mask& mask :
       {Mask::causal(), Mask::others(), near, Mask::others() & Mask::causal(), Mask::others().at(1)}) {
    INFO(mask.to_string());
    const Visible moved = mask.resolve(scores, DType::f32, 3).visible;
    CHECK(identical(visible_table(moved, scores, DType::f32), mask.at(3).table(scores)));
    CHECK(!identical(mask.at(3).table(scores), mask.table(scores)));
  }
  CHECK(Mask::others().at(1).at(2).picture({1, 5}) == "■■■·■\n");
}

TEST_CASE("mask: valid lengths of a batch, and of each query; 0 is allowed") {
  CHECK(Mask::valid_lengths({2, 0}).picture({2, 1, 3}) == "■■·\n\n···\n");
  CHECK(Mask::valid_lengths({7}).picture({1, 1, 3}) == "■■■\n");  // in decoding, the others are still to come
  const Tensor per_query = tensor({{1, 3}, {0, 2}}, DType::i64);
  CHECK(Mask::valid_lengths(per_query).picture({2, 2, 3}) == "■··\n■■■\n\n···\n■■·\n");
  CHECK(Mask::valid_lengths(per_query).table({2, 4, 2, 3}).shape() == Shape{2, 1, 2, 3});
}

TEST_CASE("mask: keep and drop say which way round they read, and get an axis of heads where there is one") {
  const Tensor marks = tensor({{1, 0, 1}, {0, 0, 1}}, DType::i64);
  CHECK(Mask::keep(marks).picture({2, 3}) == "■·■\n··■\n");
  CHECK(Mask::drop(marks).picture({2, 3}) == "·■·\n■■·\n");
  const Tensor batched = tensor({{{1, 0}}, {{0, 1}}}, DType::f32);  // (B, Lq, Lk) = (2, 1, 2)
  CHECK(Mask::keep(batched).picture({2, 1, 2}) == "■·\n\n·■\n");
  CHECK(Mask::keep(batched, MaskAxes::per_batch).picture({2, 2, 1, 2}) == "■·\n\n■·\n\n·■\n\n·■\n");
  CHECK(Mask::keep(batched, MaskAxes::per_head).picture({2, 2, 1, 2}) == "■·\n\n·■\n\n■·\n\n·■\n");
}

TEST_CASE("mask: & lets a pair pass that passes both, biases add up, and -inf drops") {
  const Variable bias = parameter(tensor({{1, -inf, 3}}, DType::f64));
  const Mask mask =
      Mask::causal() & Mask::valid_lengths({2}) & Mask::bias(bias) & Mask::bias(tensor({{10, 0, 0}}, DType::f64));
  CHECK(mask.picture({1, 3, 3}) == "■··\n■··\n■··\n");
  const ResolvedMask resolved = mask.resolve({1, 3, 3}, DType::f64);
  CHECK(identical(resolved.bias.value(), tensor({{11, 0, 3}}, DType::f64)));
  sum(resolved.bias).backward();
  CHECK(identical(bias.gradient().value(), tensor({{1, 0, 1}}, DType::f64)));
}

// The three words of the book, each of which may see only those before it: the first sees nothing.
TEST_CASE("mask: where a query sees nothing −10⁹ looks at what is hidden, −∞ is NaN, and left out is 0") {
  const Tensor before = f64({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}), hidden = 1 - before;
  const Variable scores = parameter(std::log(2) * f64({{-1, -1, -2}, {1, 0, 1}, {0, -1, -1}}));
  const auto first = [](const Variable& weights) { return select(weights.value(), 0, 0); };
  const auto others = [](const Variable& weights) { return slice(weights.value(), 0, 1); };
  const Variable replaced = softmax(where(before, scores, -1e9), -1), added = softmax(scores + hidden * -1e9, -1);
  const Variable infinite = softmax(where(before, scores, -inf), -1), left_out = masked_softmax(scores, 1, before);
  CHECK(allclose(first(replaced), full({3}, 1.0 / 3, DType::f64), 1e-15));
  CHECK(allclose(first(added), f64({0.4, 0.4, 0.2}), 1e-6));  // as if there were no mask
  CHECK(allclose(first(softmax(to(scores, DType::f32) + to(hidden, DType::f32) * -1e9, -1)), full({3}, 1.0f / 3)));
  CHECK(sum(is_nan(first(infinite))).item() == 3);
  CHECK(identical(first(left_out), zeros({3}, DType::f64)));
  for (const Variable& weights : {replaced, added, infinite, left_out})  // where something is seen all agree
    CHECK(allclose(others(weights), f64({{1, 0, 0}, {2.0 / 3, 1.0 / 3, 0}}), 1e-6));
  const Tensor slopes = grad({sum(square(left_out))}, {scores})[0].value();
  CHECK(identical(select(slopes, 0, 0), zeros({3}, DType::f64)));
  CHECK(sum(is_nan(slopes)).item() == 0);
}

TEST_CASE("mask: a condition may say the same for all queries, or for all pairs, in any dtype") {
  const auto table = [](const Mask::Condition& sees) {
    return to_vector(expand(Mask::by_position("mine", sees).table({2, 3}, DType::f64), {2, 3}));
  };
  using Numbers = std::vector<double>;
  CHECK(table([](auto&, auto&) { return tensor({1, 0, 1}, DType::f64); }) == Numbers{1, 0, 1, 1, 0, 1});  // each key
  CHECK(table([](auto&, auto&) { return full({}, 1, DType::f64); }) == Numbers{1, 1, 1, 1, 1, 1});
  CHECK(table([](auto& q, auto& k) { return to(equal(q, k), DType::i64); }) == Numbers{1, 0, 0, 0, 1, 0});
  CHECK_THROWS_WITH(table([](auto&, auto&) { return ones({4}, DType::f64); }), ContainsSubstring("Mask::mine: (1, 4)"));
  CHECK_THROWS_WITH(table([](auto&, auto&) {
                      return tensor({2, 1, 1}, DType::f64);
                    }),
                    ContainsSubstring("Mask::mine: it holds 2"));
}

TEST_CASE("mask: without queries it has no marks") {
  CHECK(Mask::keep(zeros({0, 3}), MaskAxes::per_pair).table({0, 3}, DType::f64).shape() == Shape{0, 3});
}

TEST_CASE("mask: prints what it is made of") {
  CHECK(fmt::format("{}", Mask()) == "all");
  CHECK(fmt::format("{}", Mask::causal() & Mask::valid_lengths({2, 6})) == "causal & valid_lengths [2, 6]");
  CHECK(fmt::format("{}", Mask::causal(3) & Mask::drop(zeros({2, 4}))) == "causal at 3 & drop (2, 4)");
}

TEST_CASE("mask: what does not fit is refused") {
  CHECK_THROWS_WITH(Mask::keep(tensor({{0, 1, -1e9}})),
                    ContainsSubstring("it holds -1000000000, which is neither 0 nor 1"));
  CHECK_THROWS_WITH(Mask::keep(zeros({2, 3})).picture({2, 4}),
                    ContainsSubstring("Mask::keep: (2, 3) does not fit scores (2, 4)"));
  CHECK_THROWS_WITH(Mask::drop(zeros({3})).picture({3, 3}), ContainsSubstring("does not fit"));
  CHECK_THROWS_WITH(Mask::bias(zeros({2, 1, 3})).picture({2, 3}),
                    ContainsSubstring("Mask::bias: (2, 1, 3) does not fit"));
  CHECK_THROWS_WITH(Mask::valid_lengths({-1}), ContainsSubstring("a length is -1: it must be 0 or more"));
  CHECK_THROWS_WITH(Mask::valid_lengths({1, 2}).picture({1, 2, 3}), ContainsSubstring("(B) or (B, Lq)"));
  CHECK_THROWS_WITH(Mask::valid_lengths({1}).picture({2, 3}), ContainsSubstring("does not fit queries (2)"));
  CHECK_THROWS_AS(Mask::valid_lengths(tensor({1.0})), DTypeError);
}

TEST_CASE("mask: three axes beside heads must be named, since B may equal H") {
  const Tensor marks = ones({2, 3, 3});
  CHECK_THROWS_WITH(Mask::drop(marks).picture({2, 2, 3, 3}),
                    "Mask::drop: (2, 3, 3) beside scores (2, 2, 3, 3): its first axis could be the batch or the heads. "
                    "Say which: Mask::drop(…, MaskAxes::per_batch) or MaskAxes::per_head");
  CHECK_NOTHROW(Mask::keep(ones({1, 3, 3})).picture({2, 2, 3, 3}));
  CHECK_THROWS_WITH(Mask::keep(ones({4, 3, 3}), MaskAxes::per_head).picture({4, 2, 3, 3}),
                    "Mask::keep: (4, 3, 3) does not fit scores (4, 2, 3, 3): it must be (H, Lk) or (H, Lq, Lk), "
                    "beside scores (B, H, Lq, Lk)");
  CHECK_THROWS_WITH(Mask::bias(alibi_bias(2, 4, 4, 0, DType::f32), MaskAxes::per_head).picture({2, 4, 4}),
                    ContainsSubstring("does not fit scores (2, 4, 4): it must be (H, Lk)"));  // sequences are not heads
  CHECK_THROWS_WITH(Mask::keep(ones({4, 2, 3, 3}), MaskAxes::per_batch).picture({4, 2, 3, 3}),
                    ContainsSubstring("it must be (B, Lk) or (B, Lq, Lk)"));
  const auto of_batch = [](const Tensor&, const Tensor&) { return ones({4, 3, 3}); };
  CHECK_THROWS_WITH(Mask::by_position("mine", of_batch).picture({4, 2, 3, 3}),
                    "Mask::mine: (4, 3, 3) does not fit scores (4, 2, 3, 3): it must be (Lq, Lk)");
  CHECK_THROWS_WITH(Mask::keep(ones({5, 3}), MaskAxes::per_batch).picture({4, 2, 3, 3}),
                    "Mask::keep: (5, 3) does not fit scores (4, 2, 3, 3): it must be (B, Lk) or (B, Lq, Lk)");
  CHECK_THROWS_WITH(Mask::keep(ones({4, 3})).picture({4, 2, 2, 3}), ContainsSubstring("((B, Lk) is MaskAxes::per_ba"));
}

TEST_CASE("mask: (B, Lk) hides keys of a sequence from all its queries, also where B = Lq") {
  const Tensor marks = tensor({{1, 0}, {0, 1}});
  CHECK(Mask::keep(marks, MaskAxes::per_batch).picture({2, 2, 2}) == "■·\n■·\n\n·■\n·■\n");
  CHECK(Mask::keep(marks, MaskAxes::per_batch).picture({2, 1, 2, 2}) == "■·\n■·\n\n·■\n·■\n");
  CHECK(Mask::keep(marks, MaskAxes::per_head).picture({1, 2, 2, 2}) == "■·\n■·\n\n·■\n·■\n");
  CHECK(Mask::keep(marks, MaskAxes::per_pair).picture({2, 2, 2}) == "■·\n·■\n\n■·\n·■\n");
  CHECK(Mask::keep(tensor({{1, 0}})).picture({1, 1, 2}) == "■·\n");  // one query, one sequence: the same either way
  CHECK(Mask::keep(marks).picture({3, 2, 2}) == "■·\n·■\n\n■·\n·■\n\n■·\n·■\n");  // cannot be (B, Lk)
  CHECK_THROWS_WITH(Mask::keep(marks).picture({2, 2, 2}),
                    "Mask::keep: (2, 2) beside scores (2, 2, 2): its first axis could be the queries or the batch. Say "
                    "which: Mask::keep(…, MaskAxes::per_pair) or MaskAxes::per_batch");
  const auto same = [](const Tensor& q, const Tensor& k) { return equal(q, k); };
  CHECK(Mask::by_position("same", same).picture({2, 2, 2}) == "■·\n·■\n\n■·\n·■\n");  // by position, so per pair
}

TEST_CASE("mask: a bias makes a table only if it hides a pair") {
  const Shape scores{1, 2, 3, 3};
  const Variable finite = noise({1, 1, 1, 3});
  const ResolvedMask without = (Mask::causal() & Mask::bias(finite)).resolve(scores, DType::f64);
  CHECK(without.visible.ranges.size() == 3);
  CHECK_FALSE(without.visible.keep.defined());
  CHECK(without.bias.same_as(finite));
  const Variable hiding = tensor({0, -INFINITY, 1}, {1, 1, 1, 3}, DType::f64);
  const ResolvedMask with = (Mask::causal() & Mask::bias(hiding)).resolve(scores, DType::f64);
  CHECK(identical(with.visible.keep, tensor({1, 0, 1}, {1, 1, 1, 3}, DType::f64)));
  CHECK(identical(with.bias.value(), tensor({0, 0, 1}, {1, 1, 1, 3}, DType::f64)));
}

TEST_CASE("mask: the bias of ALiBi, named per head, is Alibi, with as many sequences as heads") {
  const Variable x = noise({2, 2, 4, 4});
  const Mask mask = Mask::bias(alibi_bias(2, 4, 4, 0, DType::f64), MaskAxes::per_head);
  const Tensor right = Attention(Alibi(ScaledDotProduct{}, 2))(x, x, x).output.value();
  CHECK(allclose(Attention(ScaledDotProduct{})(x, x, x, mask).output.value(), right, 1e-13, 1e-15));
  CHECK(allclose(Attention(ScaledDotProduct{}, {.method = Method::fused})(x, x, x, mask).output.value(), right, 1e-12,
                 1e-14));
}

}  // namespace regard::nn
