// Several documents in one row of a batch.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

TEST_CASE("documents: a query sees its own document alone, as ranges, and with causal those before it") {
  // The first document of a sequence may bear the number of the last one of the sequence before it.
  const Tensor ids = tensor({{7, 7, 3, 3, 3}, {3, 1, 1, 1, 2}}, DType::i64);
  const Mask mask = Mask::causal() & Mask::documents(ids);
  CHECK(mask.to_string() == "causal & documents (2, 5)");
  CHECK(mask.picture({2, 5, 5}) ==
        "■····\n■■···\n··■··\n··■■·\n··■■■\n\n"
        "■····\n·■···\n·■■··\n·■■■·\n····■\n");
  const ResolvedMask known = mask.resolve({2, 3, 5, 5}, DType::f32);
  CHECK(!known.visible.keep.defined());
  CHECK(known.visible.ranges.size() == 10);
  CHECK(Mask::documents(ids).table({2, 5, 5}).at({0, 3, 4}) == 1);
  CHECK(mask.resolve({2, 3, 1, 5}, DType::f32, 3).visible.ranges[0].first == 2);  // a step of decoding, at position 3
  CHECK(identical(positions_in_documents(ids), tensor({{0, 1, 0, 1, 2}, {0, 0, 1, 2, 0}}, DType::i64)));
}

TEST_CASE("documents: fused, a document gives the same bits alone and packed, with positions that begin again") {
  const std::int64_t lengths[] = {100, 77, 1, 600};
  std::vector<double> all;
  for (std::size_t d = 0; d < 4; ++d)
    all.insert(all.end(), static_cast<std::size_t>(lengths[d]), static_cast<double>(d));
  const Tensor ids = tensor(all, {1, std::ssize(all)}, DType::i64);
  const RotateOptions options{.layout = RotaryLayout::halves};
  for (const DType dtype : {DType::f32, DType::f64}) {
    const Variable x = noise({1, 2, ids.size(1), 16}, 1, dtype);
    Attention packed(Rotary(ScaledDotProduct{}, options, unsqueeze(positions_in_documents(ids), 1)),
                     {.method = Method::fused});
    Attention alone(Rotary(ScaledDotProduct{}, options), {.method = Method::fused});
    for (const Mask& mask : {Mask(), Mask::causal()}) {
      const Tensor y = packed(x, x, x, mask & Mask::documents(ids)).output.value();
      std::int64_t begin = 0;
      for (const std::int64_t length : lengths) {
        const Variable own = slice(x, 2, begin, begin + length);
        CHECK(identical(slice(y, 2, begin, begin + length), alone(own, own, own, mask).output.value()));
        begin += length;
      }
    }
  }
}

TEST_CASE("documents: what is no packing is refused") {
  const auto ids = [](const Nested& of) { return tensor(of, DType::i64); };
  CHECK_THROWS_WITH(Mask::documents(ids({{0, 1, 0}})),
                    "Mask::documents: sequence 0: document 0 begins again at position 2: it must stand in one piece");
  CHECK_THROWS_WITH(Mask::documents(ids({0, 1})), "Mask::documents: (2): it must be (B, L)");
  CHECK_THROWS_WITH(Mask::documents(ids({{0, 1}})).table({2, 2, 2}),
                    "Mask::documents: ids (1, 2) do not fit scores (2, 2, 2): they must be (B, L)");
  CHECK_THROWS_WITH(Mask::documents(ids({{0, 1}})).table({1, 3, 3}),
                    "Mask::documents: a query at position 2, and ids for 2 positions");
  const Mask mask = Mask::documents(ids({{0, 1}}));
  CHECK_THROWS_WITH(mask.at(-1).table({1, 2, 2}), "Mask::documents: a query at position -1, and ids for 2 positions");
  CHECK_THROWS_WITH((mask & mask).table({1, 2, 2}), Catch::Matchers::ContainsSubstring("it is given twice"));
}

}  // namespace regard::nn
