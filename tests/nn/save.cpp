#include "nn/save/save.h"

#include "autograd/all.h"
#include "nn/save/safetensors.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <filesystem>
#include <fstream>

namespace regard::nn {

namespace {

struct Layer {
  explicit Layer(double value) : weight(parameter(full({2, 3}, value))), mean(full({3}, value, DType::f64)) {}
  Variable weight, missing;
  Tensor mean, none;
  Generator noise{7, 11};
  std::int64_t steps = 5;
  bool training = true;
  void visit(Visitor& v) {
    v("weight", weight);
    v("missing", missing);
    v("mean", mean);
    v("none", none);
    v("noise", noise);
    v("steps", steps);
    v("training", training);
  }
};

struct Model {
  explicit Model(double value) : first(value), rest{Layer(value + 1), Layer(value + 2)}, tied(first.weight) {}
  Layer first;
  std::vector<Layer> rest;
  Variable tied;
  void visit(Visitor& v) {
    v("first", first);
    v("rest", rest);
    v("tied", tied);
  }
};

// Lists what it is told to.
struct Bag {
  std::vector<std::pair<std::string, Variable>> items;
  void visit(Visitor& v) {
    for (auto& [name, item] : items) v(name, item);
  }
};

Variable scalar(double value) { return parameter(tensor(value)); }

}  // namespace

TEST_CASE("save: what a module lists is in the file, under the names it lists") {
  const Folder folder;
  Model model(1);
  model.first.noise = Generator(UINT64_MAX, 1ull << 63);
  save(model, folder / "m");
  const auto tensors = load_safetensors(folder / "m").tensors;
  std::vector<std::string> names;
  for (const auto& [name, x] : tensors) names.push_back(name);
  CHECK(names == std::vector<std::string>{"first.mean", "first.noise", "first.steps", "first.weight", "rest.0.mean",
                                          "rest.0.noise", "rest.0.steps", "rest.0.weight", "rest.1.mean",
                                          "rest.1.noise", "rest.1.steps",
                                          "rest.1.weight"});  // and not "tied", which is first.weight
  CHECK(identical(tensors.at("rest.1.weight"), full({2, 3}, 3)));
  CHECK(identical(tensors.at("rest.0.mean"), full({3}, 2, DType::f64)));
  CHECK(identical(tensors.at("first.steps"), tensor(5, DType::i64)));
  CHECK(identical(tensors.at("rest.0.noise"), tensor({7, 11}, DType::i64)));
  CHECK(tensors.at("first.noise").data<std::int64_t>()[0] == -1);  // the same 64 bits
  CHECK(tensors.at("first.noise").data<std::int64_t>()[1] == INT64_MIN);
}

TEST_CASE("save: parameters, buffers, generators and counters all come back") {
  const Folder folder;
  Model model(1), other(5);
  model.first.noise = Generator(UINT64_MAX, 1ull << 63);
  model.rest[1].steps = -1;
  save(model, folder / "m");
  other.first.noise.take(100);
  other.rest[1].training = false;
  CHECK(load(other, folder / "m").empty());
  CHECK(identical(other.first.weight.value(), full({2, 3}, 1)));
  CHECK(identical(other.rest[1].weight.value(), full({2, 3}, 3)));
  CHECK(identical(other.rest[1].mean, full({3}, 3, DType::f64)));
  CHECK(other.first.noise.seed() == UINT64_MAX);
  CHECK(other.first.noise.position() == 1ull << 63);
  CHECK(other.rest[0].noise.position() == 11);
  CHECK(other.rest[1].steps == -1);
  CHECK(other.tied.same_as(other.first.weight));
  CHECK_FALSE(other.rest[1].training);  // not part of the file
}

TEST_CASE("load: a graph recorded with the old parameters notices") {
  const Folder folder;
  Model model(1);
  save(model, folder / "m");
  const Variable loss = sum(square(model.first.weight));
  load(model, folder / "m");
  CHECK_THROWS_AS(loss.backward(), Error);
}

TEST_CASE("load: strict lists all that does not fit, and changes nothing") {
  const Folder folder;
  Bag saved{{{"a", scalar(1)},
             {"b", parameter(zeros({2, 3}))},
             {"c", parameter(zeros({2}, DType::f64))},
             {"d", scalar(4)},
             {"e", scalar(5)}}};
  save(saved, folder / "m");
  Bag bag{{{"a", scalar(10)},
           {"b", parameter(zeros({3, 2}))},
           {"c", parameter(zeros({2}))},
           {"x", scalar(40)},
           {"y", scalar(50)}}};
  const std::string all =
      "missing: x, y; unexpected: d, e; misshapen: b is f32 (2, 3) in the file and f32 (3, 2) here, c is f64 (2) in "
      "the file and f32 (2) here";
  check_errors(
      {{[&] { load(bag, folder / "m"); }, "IoError",
        "load: " + (folder / "m").string() + ": the file does not fit: " + all +
            " (load(…, {.strict = false}) leaves these out; {.convert = true} takes numbers of another dtype)"}});
  CHECK(bag.items[0].second.item() == 10);

  const Skipped skipped = load(bag, folder / "m", {.strict = false});
  CHECK(skipped.to_string() == all);
  CHECK(skipped.missing == std::vector<std::string>{"x", "y"});
  CHECK(skipped.unexpected == std::vector<std::string>{"d", "e"});
  CHECK(skipped.misshapen.size() == 2);
  CHECK(bag.items[0].second.item() == 1);
  CHECK(bag.items[3].second.item() == 40);
}

TEST_CASE("load: numbers of another dtype are converted when it is asked, and only then") {
  const Tensor thirds = tensor({1. / 3, -2. / 3, 1e-30}, DType::f64);
  const TensorFile wide{{{"w", thirds}}, {}}, narrow{{{"w", to(thirds, DType::f32)}}, {}};
  Bag f32{{{"w", parameter(zeros({3}))}}}, f64{{{"w", parameter(zeros({3}, DType::f64))}}};
  const Variable before = f64.items[0].second;
  CHECK(load(f64, narrow, {.convert = true}).empty());
  CHECK(identical(f64.items[0].second.value(), to(narrow.tensors.at("w"), DType::f64)));
  CHECK(before.same_as(f64.items[0].second));
  CHECK(load(f32, wide, {.convert = true}).empty());
  CHECK(identical(f32.items[0].second.value(), narrow.tensors.at("w")));

  const std::string skip = "load: memory: the file does not fit: misshapen: w is ";
  const std::string leave = " here (load(…, {.strict = false}) leaves these out";
  const TensorFile whole{{{"w", arange(3)}}, {}}, longer{{{"w", zeros({4})}}, {}};
  check_errors({
      {[&] { load(f64, narrow); }, "IoError",
       skip + "f32 (3) in the file and f64 (3)" + leave + "; {.convert = true} takes numbers of another dtype)"},
      {[&] { load(f32, whole, {.convert = true}); }, "IoError", skip + "i64 (3) in the file and f32 (3)" + leave + ")"},
      {[&] { load(f64, longer, {.convert = true}); }, "IoError",
       skip + "f32 (4) in the file and f64 (3)" + leave + ")"},
  });
  CHECK(identical(f64.items[0].second.value(), to(narrow.tensors.at("w"), DType::f64)));
}

// The upper half of the bits of an f32 is the same number as BF16: 1.5 and −2.
TEST_CASE("load: BF16 is read as f32, and goes into f64 when it is asked") {
  const std::string header = R"({"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  bytes += header + std::string("\xC0\x3F\x00\xC0", 4);
  const TensorFile file = parse_safetensors(bytes, "x");
  Bag f32{{{"w", parameter(zeros({2}))}}}, f64{{{"w", parameter(zeros({2}, DType::f64))}}};
  load(f32, file);
  load(f64, file, {.convert = true});
  CHECK(identical(f32.items[0].second.value(), tensor({1.5, -2})));
  CHECK(identical(f64.items[0].second.value(), tensor({1.5, -2}, DType::f64)));
}

TEST_CASE("load: generators and counters are checked too") {
  const Folder folder;
  save_safetensors(folder / "m", {{{"seed", arange(3)}, {"count", ones({})}}, {}});
  Generator seed(1, 2);
  std::int64_t count = 3;
  CHECK(load({{"seed", seed}, {"count", count}}, folder / "m", {.strict = false}).to_string() ==
        "misshapen: count is f32 () in the file and i64 () here, seed is i64 (3) in the file and i64 (2) here");
  CHECK(seed.position() == 2);
  CHECK(count == 3);
}

TEST_CASE("load: a file that is cut off changes nothing") {
  const Folder folder;
  Model model(1), other(5);
  save(model, folder / "m");
  std::filesystem::resize_file(folder / "m", std::filesystem::file_size(folder / "m") - 1);
  CHECK_THROWS_AS(load(other, folder / "m"), IoError);
  CHECK_THROWS_AS(load(other, folder / "m", {.strict = false}), IoError);
  CHECK(identical(other.first.weight.value(), full({2, 3}, 5)));
}

TEST_CASE("save: what cannot be stored is refused before anything is written") {
  const Folder folder;
  const auto path = folder / "m";
  Bag twice{{{"w", scalar(1)}, {"w", scalar(2)}}};
  Bag result{{{"w", scalar(1) * 2}}};
  Bag reserved{{{"__metadata__", scalar(1)}}};
  Bag latin{
      {{"gr\xF6\xDF"
        "e",
        scalar(1)}}};
  check_errors({{[&] { save(twice, path); }, "ValueError",
                 "state: two members have the name w (each name that visit gives must be another)"},
                {[&] { load(twice, path); }, "ValueError",
                 "state: two members have the name w (each name that visit gives must be another)"},
                {[&] { save(result, path); }, "ValueError", "state: w is the result of an operation, not a parameter"},
                {[&] { save(reserved, path); }, "ValueError",
                 "save: __metadata__ cannot be the name of a tensor: the format uses it"},
                {[&] { save(latin, path); }, "ValueError",
                 "save: the text \"gr\uFFFD\uFFFDe\" is not UTF-8, which the format asks for"},
                {[&] {
                   save_safetensors(path, {{{"w", Tensor()}}, {}});
                 },
                 "ValueError", "save: the tensor \"w\" has no value yet"}});
  CHECK(folder.count() == 0);
}

TEST_CASE("load: from memory, by the names of another program, without the generators that it does not have") {
  Layer layer(1);
  const TensorFile file{{{"w", full({2, 3}, 7)}, {"running", full({3}, 8, DType::f64)}}, {}};
  const std::map<std::string, std::string> names{{"weight", "w"}, {"mean", "running"}};
  const auto in_file = [&](const std::string& name) { return names.contains(name) ? names.at(name) : name; };
  CHECK(load(layer, file, {.name_in_file = in_file, .weights_only = true}).empty());
  CHECK(layer.weight.value().at({1, 2}) == 7);
  CHECK(layer.mean.at({0}) == 8);
  CHECK(layer.steps == 5);
  CHECK(layer.noise.seed() == 7);
  CHECK_THROWS_WITH(load(layer, file, {.name_in_file = in_file}),
                    "load: memory: the file does not fit: missing: noise, steps (load(…, {.strict = false}) leaves "
                    "these out)");
  CHECK_THROWS_WITH(load(layer, file, {.weights_only = true}),
                    "load: memory: the file does not fit: missing: mean, weight; unexpected: running, w (load(…, "
                    "{.strict = false}) leaves these out)");
  // A tensor that no name of ours stands for is left over, whatever it is called.
  const TensorFile more{{{"w", full({2, 3}, 9)}, {"weight", full({2, 3}, 6)}, {"noise", full({2}, 6, DType::i64)}}, {}};
  CHECK(load(layer, more, {.strict = false, .name_in_file = in_file, .weights_only = true}).to_string() ==
        "missing: mean (running in the file); unexpected: weight");
  CHECK(layer.weight.value().at({0, 0}) == 9);
  CHECK(layer.noise.seed() == 7);  // weights only
  CHECK(load({{"all", layer}}, TensorFile{{{"all.weight", full({2, 3}, 4)}}, {}}, {.strict = false}).missing.size() ==
        3);
  CHECK(layer.weight.value().at({0, 0}) == 4);
}

TEST_CASE("load: bytes in memory are a file") {
  const Folder folder;
  Layer layer(3), other(4);
  save(layer, folder / "m");
  std::ifstream stream(folder / "m", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  CHECK(load(other, parse_safetensors(bytes, "bytes")).empty());
  CHECK(other.weight.value().at({0, 0}) == 3);
}

}  // namespace regard::nn
