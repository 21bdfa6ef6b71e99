// Muon against numbers by its formula (tests/reference/muon.py), and against what is known of singular values.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <filesystem>

namespace regard::optim {

using Catch::Matchers::ContainsSubstring;

namespace {

Tensor start() { return f64({{1, -0.5}, {0.25, 2}, {-1.5, 0.75}}); }

void step(Muon& muon, const Variable& w, const Tensor& slope) {
  muon.zero_grad();
  sum(w * Variable(slope)).backward();
  muon.step();
}

Tensor after_two_steps(const MuonOptions& options) {
  const Variable w = parameter(start());
  Muon muon({w}, options);
  step(muon, w, f64({{0.5, -1}, {2, 0.25}, {-0.75, 1.5}}));
  step(muon, w, f64({{1, 0.5}, {-0.25, -2}, {0.125, 0.375}}));
  return w.value();
}

// A singular value s after five steps.
double grown(double s) {
  for (int i = 0; i < 5; ++i) s = 3.4445 * s - 4.7750 * s * s * s + 2.0315 * s * s * s * s * s;
  return s;
}

}  // namespace

TEST_CASE("Muon: two steps are those of its formula") {
  CHECK(allclose(after_two_steps({.learning_rate = 0.1, .momentum = 0.9, .weight_decay = 0.5}),
                 f64({{0.7492815753455093, -0.4311526285946816},
                      {0.10111181336867456, 1.8759974282794418},
                      {-1.31182366240541, 0.5547351243439479}}),
                 1e-13, 1e-13));
  const Variable wide = parameter(zeros({2, 3}, DType::f64));
  const Tensor slope = f64({{0.5, -1, 2}, {0.25, -0.75, 1.5}});
  Muon muon({wide}, {.learning_rate = 1, .momentum = 0, .weight_decay = 0});
  step(muon, wide, slope);
  CHECK(allclose(wide.value(), -orthogonalized(slope), 1e-14, 1e-14));  // √max(1, 2/3) = 1
}

// By hand: a diagonal matrix has its singular values on the diagonal, and each grows by itself. Turned by matrices that
// are orthogonal, U·diag(s)·Vᵀ gives U·diag(grown)·Vᵀ; of another size it is the same.
TEST_CASE("Muon: singular values grow to about 1, and singular vectors stay") {
  const double length = std::sqrt(9.0 + 1.0 + 0.0025);
  const Tensor scaled = f64({{3 / length, 0, 0, 0}, {0, 1 / length, 0, 0}, {0, 0, 0.05 / length, 0}});
  const Tensor expected =
      f64({{grown(3 / length), 0, 0, 0}, {0, grown(1 / length), 0, 0}, {0, 0, grown(0.05 / length), 0}});
  CHECK(allclose(orthogonalized(scaled * 7), expected, 1e-12, 1e-12));
  for (const double s : {3 / length, 1 / length, 0.05 / length}) {
    CHECK(grown(s) > 0.68);
    CHECK(grown(s) < 1.14);
  }
  const double c = std::cos(0.4), d = std::sin(0.4);
  const Tensor u = f64({{c, -d, 0}, {d, c, 0}, {0, 0, 1}});
  const Tensor v = f64({{1, 0, 0, 0}, {0, c, 0, -d}, {0, 0, 1, 0}, {0, d, 0, c}});
  const Tensor turned = matmul(u, matmul(scaled, v));
  CHECK(allclose(orthogonalized(turned), matmul(u, matmul(expected, v)), 1e-12, 1e-12));
  CHECK(allclose(orthogonalized(transpose(turned)), transpose(orthogonalized(turned)), 1e-12, 1e-12));
  CHECK(identical(orthogonalized(zeros({2, 3})), zeros({2, 3})));
}

TEST_CASE("Muon: it goes on from what it lists, and takes matrices only") {
  const Variable whole = parameter(start()), half = parameter(start());
  Muon one({whole}), before({half}), after({half});
  for (int i = 0; i < 4; ++i) {
    if (i == 2) {
      const auto folder = std::filesystem::temp_directory_path() / "regard_muon.safetensors";
      nn::save(before, folder);
      nn::load(after, folder);
      std::filesystem::remove(folder);
    }
    step(one, whole, noise({3, 2}, static_cast<std::uint64_t>(i)));
    step(i < 2 ? before : after, half, noise({3, 2}, static_cast<std::uint64_t>(i)));
  }
  CHECK(identical(whole.value(), half.value()));
  Generator g(1);
  nn::Linear layer({.in = 2, .out = 3}, g);
  CHECK_THROWS_WITH(Muon(layer), ContainsSubstring("Muon: parameter 'bias' (3) is no matrix"));
}

}  // namespace regard::optim
