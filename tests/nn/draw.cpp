// The modules of a model, found from the names of its parameters and the order of recording, and its picture.
#include "nn/tools/draw/draw.h"

#include "examples/published/published.h"
#include "nn/all.h"
#include "nn/tools/draw/picture.h"
#include "nn/tools/explain/modules.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <algorithm>
#include <map>

namespace regard::nn {
namespace {

using Operations = std::map<std::string, std::vector<std::string>>;  // of each module, in order

Operations operations_by_module(const Variable& loss, const std::vector<NamedParameter>& names) {
  const graph::Trace steps = graph::trace("test", loss);
  const std::vector<ModulePath> modules = modules_of(steps, names);
  Operations list;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].op()) list[name_of(modules[i])].push_back(steps[i].op()->name);
  return list;
}

bool has(const std::vector<std::string>& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

struct Example {
  Generator g{1};
  Transformer model;
  Tensor tokens = to(tensor({{1, 2, 3, 4}}), DType::i64);

  explicit Example(NormPlacement placement, std::int64_t layers = 2)
      : model(ScaledDotProduct{},
              {.source_vocabulary = 9,
               .target_vocabulary = 9,
               .encoder_layers = layers,
               .decoder_layers = layers,
               .layer = {.model = 8, .heads = 2, .hidden = 16, .placement = placement}},
              g) {}
  Variable loss() { return cross_entropy_loss(model.decode(tokens, model.encode(tokens)), tokens); }
};

}  // namespace

TEST_CASE("modules: of a transformer, softmax lies in its attention, and additions in their layers") {
  for (const NormPlacement placement : {NormPlacement::pre, NormPlacement::post}) {
    Example example(placement);
    const Operations list = operations_by_module(example.loss(), named_parameters(example.model));
    for (const std::string layer : {"encoder.layers.0", "encoder.layers.1", "decoder.layers.0", "decoder.layers.1"}) {
      CHECK(has(list.at(layer + ".attention"), "masked_softmax"));
      CHECK(has(list.at(layer + ".attention.w_q"), "linear"));
      CHECK(std::ranges::count(list.at(layer), "add") == (layer.starts_with("encoder") ? 2 : 3));
    }
    CHECK(has(list.at("decoder.layers.1.cross"), "masked_softmax"));
    CHECK(has(list.at(""), "cross_entropy"));
    CHECK_FALSE(list.contains("encoder.layers"));
  }
}

TEST_CASE("draw: modules of a model are boxes in boxes, and tied parameters are drawn once") {
  Generator g(1);
  Gpt model = make_gpt({.model = 16, .layers = 12, .heads = 4, .vocabulary = 9, .longest = 8}, g);
  const Tensor text = to(tensor({{3, 1, 4, 1, 5}}), DType::i64);
  const Drawing drawing = draw(sum(model(text)), named_parameters(model));
  std::map<std::string, int> open, closed;
  for (const Picture::Frame& frame : lay_out(drawing).frames)
    ++(frame.open ? open : closed)[drawing.nodes[frame.node].name];
  CHECK(open["decoder"] == 1);
  CHECK(open["layers.11"] == 1);
  CHECK(open["attention"] > 0);
  CHECK(closed["attention"] > 0);  // there is room for some
  CHECK(open["attention"] + closed["attention"] == 12);
  CHECK(std::ranges::count(drawing.nodes, "embedding.tokens.weight", &DrawnNode::name) == 1);  // tied: used in two
}

TEST_CASE("draw: each parameter of a model is drawn once, and each operation") {
  Example example(NormPlacement::pre);
  const Variable loss = example.loss();
  const auto names = named_parameters(example.model);
  const Drawing drawing = draw(loss, names);
  const auto count = [&](DrawnNode::Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(drawing.nodes, kind, &DrawnNode::kind));
  };
  CHECK(count(DrawnNode::Kind::parameter) == names.size());
  const graph::Trace steps = graph::trace("test", loss);
  const auto is_operation = [](const graph::Step& step) { return step.op() != nullptr; };
  CHECK(count(DrawnNode::Kind::operation) == static_cast<std::size_t>(std::ranges::count_if(steps, is_operation)));
  for (const Picture::Path& path : lay_out(drawing).paths)
    for (std::size_t i = 1; i < path.bends.size(); ++i) CHECK(path.bends[i - 1].bottom < path.bends[i].top);
}

}  // namespace regard::nn
