#include "nn/module.h"

#include "autograd/all.h"
#include "nn/attention/skeleton.h"
#include "nn/layers/linear.h"
#include "tests/catch.h"

namespace regard::nn {

namespace {

struct Gate {
  Variable scale = parameter(ones({3}));
  Variable missing;
  bool training = true;
  void visit(Visitor& v) {
    v("scale", scale);
    v("missing", missing);
    v("training", training);
  }
};

struct Pair {
  Gate first;
  std::vector<Gate> list = std::vector<Gate>(2);
  std::optional<Gate> maybe;
  Tensor buffer = zeros({2});
  Variable tied = list[1].scale;
  void visit(Visitor& v) {
    v("first", first);
    v("list", list);
    v("maybe", maybe);
    v("buffer", buffer);
    v("tied", tied);
  }
};

// A list of members takes what it can change, and that will be there: to load into a copy would be in vain.
template <class Member>
constexpr bool can_be_named = std::constructible_from<NamedMember, const char*, Member>;
static_assert(can_be_named<Variable&> && can_be_named<Tensor&> && can_be_named<Gate&> && can_be_named<std::int64_t&>);
static_assert(!can_be_named<const Variable&> && !can_be_named<const Gate&> && !can_be_named<bool&>);
static_assert(!can_be_named<Variable> && !can_be_named<Tensor> && !can_be_named<Gate>);

}  // namespace

TEST_CASE("module: parameters have the path to them as a name, and each is listed once") {
  Pair pair;
  std::vector<std::string> names;
  for (const auto& [name, parameter] : named_parameters(pair)) names.push_back(name);
  CHECK(names == std::vector<std::string>{"first.scale", "list.0.scale", "list.1.scale"});
  CHECK(parameter_count(pair) == 9);
  pair.maybe.emplace();
  CHECK(parameter_count(pair) == 12);
}

TEST_CASE("module: a copy shares its parameters, a clone does not, and both keep what is tied") {
  Pair pair;
  Pair copy = pair, other = clone(pair);
  assign(pair.first.scale, full({3}, 7));
  CHECK(copy.first.scale.value().at({0}) == 7);
  CHECK(other.first.scale.value().at({0}) == 1);
  CHECK(other.tied.same_as(other.list[1].scale));
  CHECK_FALSE(other.tied.same_as(pair.tied));
  CHECK(other.first.scale.requires_grad());
}

TEST_CASE("module: train and eval reach every member") {
  Pair pair;
  CHECK(set_method(pair, Method::fused) == 0);  // no member has a method
  eval(pair);
  CHECK_FALSE(pair.first.training);
  CHECK_FALSE(pair.list[1].training);
  train(pair);
  CHECK(pair.list[1].training);
}

TEST_CASE("convert: a module in another dtype computes in it, and what was shared is shared") {
  struct Tied {
    Linear a, b;
    Tensor buffer = ones({2}), counts = zeros({2}, DType::i64);
    explicit Tied(Generator& g) : a({.in = 2, .out = 2}, g), b(a) {}
    void visit(Visitor& v) {
      v("a", a);
      v("b", b);
      v("buffer", buffer);
      v("counts", counts);
    }
  };
  Generator g(1);
  Tied model(g);
  const Tensor before = model.a.weight.value();
  convert(model, DType::f64);
  CHECK(model.a.weight.dtype() == DType::f64);
  CHECK(model.buffer.dtype() == DType::f64);
  CHECK(model.counts.dtype() == DType::i64);
  CHECK(model.a.weight.same_as(model.b.weight));
  CHECK(model.a.weight.requires_grad());
  CHECK(identical(to(model.a.weight.value(), DType::f32), before));
  CHECK(model.b(zeros({1, 2}, DType::f64)).dtype() == DType::f64);
  convert(model, DType::f32);
  CHECK(identical(model.b.weight.value(), before));
  CHECK_THROWS_AS(convert(model, DType::i64), DTypeError);
}

}  // namespace regard::nn
