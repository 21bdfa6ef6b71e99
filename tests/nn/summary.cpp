#include "nn/summary.h"

#include "nn/all.h"
#include "tests/catch.h"

namespace regard::nn {

namespace {

struct Block {
  Variable scale = parameter(ones({3}, DType::f64)), frozen = Variable(ones({2}));
  Variable tied = scale;
  Tensor table = zeros({10, 2});
  std::vector<LayerNorm> norms = std::vector<LayerNorm>(2, LayerNorm({.size = 3}));
  void visit(Visitor& v) {
    v("scale", scale);
    v("frozen", frozen);
    v("tied", tied);
    v("table", table);
    v("norms", norms);
  }
};

}  // namespace

TEST_CASE("summary: a tree with shapes and counts") {
  Generator g(1);
  Sequential net{Linear({.in = 3, .out = 4}, g), ReLU{}, Linear({.in = 4, .out = 1}, g)};
  CHECK(summary(net) ==
        "Sequential            21\n"
        "├─ 0: Linear          16\n"
        "│  ├─ weight  (4, 3)  12\n"
        "│  └─ bias    (4)      4\n"
        "├─ 1: ReLU             0\n"
        "└─ 2: Linear           5\n"
        "   ├─ weight  (1, 4)   4\n"
        "   └─ bias    (1)      1\n"
        "21 parameters, 84 bytes\n");
}

TEST_CASE("summary: a module in a module stands below it") {
  Generator g(1);
  Sequential net{Sequential{Linear({.in = 3, .out = 4}, g)}, ReLU{}};
  CHECK(summary(net) ==
        "Sequential                16\n"
        "├─ 0: Sequential          16\n"
        "│  └─ 0: Linear           16\n"
        "│     ├─ weight   (4, 3)  12\n"
        "│     └─ bias     (4)      4\n"
        "└─ 1: ReLU                 0\n"
        "16 parameters, 64 bytes\n");
}

TEST_CASE("summary: what is shared counts once; buffers and frozen parameters say so") {
  Block block;
  CHECK(summary(block) ==
        "Block                           11\n"
        "├─ scale               (3)       3\n"
        "├─ frozen              (2)       2  frozen\n"
        "├─ tied                (3)       0  = scale\n"
        "├─ table               (10, 2)      buffer\n"
        "├─ norms.0: LayerNorm            6\n"
        "│  ├─ weight           (3)       3\n"
        "│  └─ bias             (3)       3\n"
        "└─ norms.1: LayerNorm            0\n"
        "   ├─ weight           (3)       0  = norms.0.weight\n"
        "   └─ bias             (3)       0  = norms.0.bias\n"
        "11 parameters (2 of them frozen), 56 bytes\n");
}

}  // namespace regard::nn
