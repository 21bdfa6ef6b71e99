// drawing_pages FOLDER: writes pages of draw(), and into expected.js where the nodes must stand when a page is opened.
#include "autograd/all.h"
#include "examples/published/published.h"
#include "nn/all.h"
#include "nn/tools/draw/draw.h"
#include "nn/tools/draw/picture.h"
#include "tensor/io/file.h"

#include <fmt/format.h>

#include <filesystem>

using namespace regard;
using namespace regard::nn;

namespace {

struct Pages {
  std::filesystem::path folder;
  std::string expected = "const expected = {\n";

  void write(const std::string& name, const Drawing& drawing) {
    write_file(folder / name, to_html(drawing, name));
    expected += fmt::format("\"{}\": [\n", name);
    for (const auto& [node, x, y, width, height, open] : lay_out(drawing).frames)
      expected += fmt::format("[{},{:.3f},{:.3f},{:.3f},{:.3f},{}],\n", node, x, y, width, height, open);
    expected += "],\n";
  }

  void gpt(const std::string& name, std::int64_t layers) {
    Generator g(1);
    Gpt model = make_gpt({.model = 16, .layers = layers, .heads = 4, .vocabulary = 9, .longest = 8}, g);
    const Tensor text = to(regard::tensor({{3, 1, 4, 1, 5}}), DType::i64);
    const Variable loss = cross_entropy_loss(slice(model(text), 1, 0, -1), slice(text, 1, 1));
    write(name, draw(loss, named_parameters(model)));
  }
  void chain() {
    const Variable x = parameter(regard::tensor({-0.5, 2.0}, DType::f64));
    Variable y = sqrt(x);
    for (int i = 0; i < 60; ++i) y = tanh(y) + x;
    write("chain.html", draw(sum(y), {{"<script>document.body.remove()</script>", x}}));
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "drawing_pages FOLDER\n");
    return 2;
  }
  Pages pages{argv[1]};
  std::filesystem::create_directories(pages.folder);
  pages.gpt("gpt.html", 12);
  pages.gpt("deep.html", 100);
  pages.chain();
  write_file(pages.folder / "expected.js", pages.expected + "};\n");
}
