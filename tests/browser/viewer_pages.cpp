// viewer_pages FOLDER: writes pages of the viewer, and into expected.js the numbers of the tensors that they must show.
#include "autograd/all.h"
#include "nn/all.h"
#include "nn/tools/view/viewer.h"
#include "tensor/io/file.h"
#include "tests/nn/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

using namespace regard;
using namespace regard::nn;

namespace {

std::string expected = "const expected = {\n";

Variable noise(const Shape& shape, std::uint64_t seed) {
  Generator generator(seed);
  return parameter(normal(shape, generator));
}

// The numbers of all pairs: [step, layer, head, query, key, weight, gradient, score], null for what is not known.
void expect(const std::string& page, const Recording& recording) {
  const auto steps = recording.steps(), names = recording.names();
  const auto number_in = [](const std::vector<std::string>& all, const std::string& one) {
    return std::distance(all.begin(), std::find(all.begin(), all.end(), one));
  };
  expected += fmt::format("\"{}\": [\n", page);
  for (std::size_t r = 0; r < recording.size(); ++r) {
    const RecordedAttention& one = recording[r];
    for (std::int64_t h = 0; h < one.heads(); ++h)
      for (std::int64_t i = 0; i < one.query_count(); ++i)
        for (std::int64_t j = 0; j < one.key_count(); ++j) {
          const std::string slope = one.gradient.defined() ? fmt::format("{:.9g}", one.gradient.at({h, i, j})) : "null";
          const bool is_known = one.formula.kind != ScoreFormula::Kind::other;
          const std::string score = is_known ? fmt::format("{:.9g}", by_hand(one.formula, h, i, j)) : "null";
          expected += fmt::format("[{},{},{},{},{},{:.9g},{},{}],\n", number_in(steps, one.step),
                                  number_in(names, one.name), h, i, j, one.weights.at({h, i, j}), slope, score);
        }
  }
  expected += "],\n";
}

struct Pages {
  std::filesystem::path folder;

  void write(const std::string& name, const Recording& recording, const ViewerTokens& tokens) const {
    write_viewer(recording, tokens, folder / name, {.title = name});
    expect(name, recording);
  }

  void dot() const {
    Generator g(1);
    EncoderStack stack(ScaledDotProduct{},
                       {.layers = 2, .layer = {.model = 12, .heads = 3, .hidden = 12, .placement = NormPlacement::pre}},
                       g);
    const std::vector<std::string> words{
        "<script>document.body.remove()</script>", "the", "cat & co", "sat", "on", "it"};
    Recording recording;
    for (const std::uint64_t epoch : {1, 2, 3}) {
      const Recorder recorder(recording, stack, {.step = fmt::format("epoch {}", epoch)});
      sum(square(stack(noise({1, 6, 12}, epoch), Mask::causal()).output)).backward();
    }
    write("dot.html", recording, words);
    write_viewer(recording, words, folder / "opening.html",
                 {.opening = {"Look at the third head.", "layers.1.attention", 2}, .back = "../index.html"});
    Recording plain;  // no formula is known
    plain.add({.name = "mine", .weights = recording[0].weights});
    write("plain.html", plain, words);
  }

  // Few keys beside many queries.
  void spread() const {
    Recording recording;
    recording.add({.name = "mine", .weights = full({12, 2}, 0.5), .queries = "queries", .keys = "keys"});
    std::vector<std::string> queries;
    for (int i = 0; i < 12; ++i) queries.push_back(fmt::format("query {}", i));
    write_viewer(recording, std::vector<TokenList>{{"queries", queries}, {"keys", {"key 0", "key 1"}}},
                 folder / "spread.html");
  }

  void cross(const std::string& name, const AnyScore& score) const {
    Attention attention(score);
    Recording recording;
    {
      const Recorder recorder(recording, attention, {.queries = "queries", .keys = "keys"});
      sum(square(attention(noise({3, 4}, 1), noise({5, 4}, 2), noise({5, 2}, 3)).output)).backward();
    }
    write(name, recording,
          std::vector<TokenList>{{"queries", {"q0", "q1", "q2"}}, {"keys", {"k0", "k1", "k2", "k3", "k4"}}});
  }

  void decoding() const {
    Generator g(1);
    MultiHeadAttention heads(ScaledDotProduct{}, {.model = 8, .heads = 2}, g);
    const Variable x = noise({1, 4, 8}, 1);
    Cache cache;
    Recording recording;
    {
      const Recorder recorder(recording, heads);
      for (std::int64_t i = 0; i < 4; ++i) {
        const Variable now = slice(x, 1, i, i + 1);
        heads(now, now, now, Mask::causal(), {.cache = &cache});
      }
    }
    write("decoding.html", recording, {"one", "two", "three", "four"});
  }

  void picture() const {
    Attention attention(ScaledDotProduct{});
    const Variable x = noise({17, 4}, 1);
    Recording recording;
    {
      const Recorder recorder(recording, attention);
      attention(x, x, x);
    }
    std::vector<std::string> names{"class"};
    for (int i = 0; i < 16; ++i) names.push_back(fmt::format("patch {}", i + 1));
    const Tensor pixels = reshape(linspace(0, 1, 64), {8, 8});
    write("picture.html", recording,
          std::vector<TokenList>{{"", names, TokenPicture{.pixels = pixels, .rows = 4, .columns = 4, .first = 1}}});
  }

  // 1000 tokens, without numbers to compare: they would be millions.
  void long_text() const {
    Attention attention(ScaledDotProduct{}, {.method = Method::fused});
    const Variable x = noise({1, 4, 1000, 8}, 1);
    Recording recording;
    {
      const Recorder recorder(recording, attention);
      attention(x, x, x, Mask::causal());
    }
    std::vector<std::string> names;
    for (int i = 0; i < 1000; ++i) names.push_back(fmt::format("token {}", i));
    write_viewer(recording, names, folder / "long.html", {.title = "long.html"});
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "viewer_pages FOLDER\n");
    return 2;
  }
  const Pages pages{argv[1]};
  std::filesystem::create_directories(pages.folder);
  Generator g(1);
  pages.dot();
  pages.cross("additive.html", AdditiveScore({.query_size = 4, .key_size = 4, .hidden = 6}, g));
  pages.cross("gaussian.html", GaussianKernel{1, noise({5}, 7)});
  pages.spread();
  pages.decoding();
  pages.picture();
  pages.long_text();
  write_file(pages.folder / "expected.js", expected + "};\n");
}
