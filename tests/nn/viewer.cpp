#include "nn/tools/view/viewer.h"

#include "autograd/all.h"
#include "examples/published/base64.h"
#include "nn/all.h"
#include "nn/save/json.h"
#include "tensor/io/file.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/tensor/folder.h"

#include <cstring>
#include <filesystem>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

// A file of the viewer, read back without its script.
struct Page {
  std::string html;
  Json data;

  explicit Page(const std::filesystem::path& file) : html(read_file(file)) {
    data = parse_json(between("<script type=\"application/json\" id=\"recording\">", "</script>"),
                      {.file = "view.html", .part = "the data", .depth = 8});
  }
  std::string between(const std::string& begin, const std::string& end) const {
    const std::size_t at = html.find(begin);
    REQUIRE(at != std::string::npos);
    const std::size_t from = at + begin.size();
    return html.substr(from, html.find(end, from) - from);
  }
  std::string blob(std::int64_t number) const {
    return from_base64(between(fmt::format("<script type=\"text/plain\" id=\"b{}\">", number), "</script>")).value();
  }
  std::vector<float> floats(std::int64_t number) const {
    const std::string bytes = blob(number);
    std::vector<float> all(bytes.size() / 4);
    std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }
  const Json& attention(std::size_t i) const { return std::get<JsonList>(data.find("attentions")->value)[i]; }
  const Json& head(std::size_t i, std::size_t h) const {
    return std::get<JsonList>(attention(i).find("heads")->value)[h];
  }
  // Bytes and scales as numbers, (rows, columns).
  Tensor numbers(const Json& of_head, const char* bytes, const char* scales, std::int64_t columns) const {
    const std::string packed = blob(of_head.find(bytes)->size());
    const std::vector<float> scale = floats(of_head.find(scales)->size());
    std::vector<double> all;
    for (std::size_t at = 0; at < packed.size(); ++at) {
      const double byte = static_cast<unsigned char>(packed[at]), s = scale[at / static_cast<std::size_t>(columns)];
      all.push_back(byte == 0 ? 0 : (byte - 128) / 127 * s);
    }
    return tensor(all, {static_cast<std::int64_t>(scale.size()), columns}, DType::f64);
  }
};

// Weights of H heads that look at all keys before them.
Tensor random_weights(std::int64_t heads, std::int64_t length, std::uint64_t seed = 1) {
  const Tensor scores = noise({heads, length, length}, seed, DType::f32, 2);
  return masked_softmax(scores, 1, Mask::causal().table({length, length}));
}

std::vector<std::string> words(std::int64_t count) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(fmt::format("t{}", i));
  return all;
}

}  // namespace

TEST_CASE("viewer: a number in the file is off by half a step of its row, keeps its sign, and is known to be 0") {
  const Folder folder;
  const Tensor weights = random_weights(2, 9), slopes = noise({2, 9, 9}, 5, DType::f32) * greater(weights, 0.0);
  Recording recording;
  recording.add({.name = "mine", .weights = weights, .gradient = slopes});
  write_viewer(recording, words(9), folder / "view.html");
  const Page page(folder / "view.html");
  for (std::int64_t h = 0; h < 2; ++h) {
    const auto check = [&](const Tensor& kept, const char* bytes, const char* scales) {
      const Tensor numbers = select(kept, 0, h), read = page.numbers(page.head(0, h), bytes, scales, 9);
      const std::string packed = page.blob(page.head(0, h).find(bytes)->size());
      for (std::int64_t i = 0; i < 9; ++i) {
        const double largest = max(abs(slice(numbers, 0, i, i + 1))).item();
        for (std::int64_t j = 0; j < 9; ++j) {
          CHECK(std::abs(read.at({i, j}) - numbers.at({i, j})) <= largest / 254 * 1.00001);
          CHECK((packed[static_cast<std::size_t>(9 * i + j)] != 0) == (j <= i));
        }
      }
    };
    check(weights, "weights", "scales");
    check(slopes, "gradients", "gradientScales");
  }
}

TEST_CASE("viewer: a row that holds no numbers says so") {
  const Folder folder;
  Recording recording;
  recording.add({.name = "mine", .weights = tensor({{NAN, 0.5}, {0.25, 0.75}})});
  write_viewer(recording, words(2), folder / "view.html");
  const Page page(folder / "view.html");
  const std::vector<float> scales = page.floats(page.head(0, 0).find("scales")->size());
  CHECK(std::isnan(scales[0]));
  CHECK(scales[1] == 0.75f);
}

TEST_CASE("viewer: q and k are in the file bit by bit, and heads that share keys share them there") {
  const Folder folder;
  Generator g(1);
  MultiHeadAttention heads(ScaledDotProduct{}, {.model = 8, .heads = 4, .key_value_heads = 2}, g);
  const Variable x = noise({1, 5, 8}, 1, DType::f32);
  Recording recording;
  {
    const Recorder recorder(recording, heads);
    heads(x, x, x);
  }
  write_viewer(recording, words(5), folder / "view.html");
  const Page page(folder / "view.html");
  CHECK(std::get<std::string>(page.attention(0).find("formula")->value) == "dot");
  CHECK(std::get<double>(page.attention(0).find("factor")->value) == 1 / std::sqrt(2.0));
  for (std::size_t h = 0; h < 4; ++h) {
    const std::vector<float> q = page.floats(page.head(0, h).find("q")->size());
    const std::vector<double> expected = to_vector(select(recording[0].formula.q, 0, static_cast<std::int64_t>(h)));
    CHECK(std::vector<double>(q.begin(), q.end()) == expected);
  }
  CHECK(page.head(0, 0).find("k")->size() == page.head(0, 1).find("k")->size());
  CHECK(page.head(0, 0).find("k")->size() != page.head(0, 2).find("k")->size());
}

TEST_CASE("viewer: what is fused gives the same bytes as what is composed") {
  const Folder folder;
  const auto file = [&](Method method, const char* name) {
    Attention attention(ScaledDotProduct{}, {.method = method});
    const Variable q = parameter(noise({1, 2, 40, 4}, 1)), v = noise({1, 2, 40, 3}, 2);
    Recording recording;
    {
      const Recorder recorder(recording);
      sum(square(attention(q, q, v, Mask::causal()).output)).backward();
    }
    write_viewer(recording, words(40), folder / name);
    return Page(folder / name);
  };
  const Page composed = file(Method::composed, "a.html"), fused = file(Method::fused, "b.html");
  for (std::size_t h = 0; h < 2; ++h) {
    const auto compare = [&](const char* bytes, const char* scales) {
      const Tensor a = composed.numbers(composed.head(0, h), bytes, scales, 40),
                   b = fused.numbers(fused.head(0, h), bytes, scales, 40);
      CHECK(max(abs(a - b)).item() <= max(abs(a)).item() / 120);  // where they were about to be rounded up or down
    };
    compare("weights", "scales");
    compare("gradients", "gradientScales");
  }
}

TEST_CASE("viewer: 4 layers of 8 heads and 256 tokens are less than 3 MB") {
  const Folder folder;
  Recording recording;
  for (int layer = 0; layer < 4; ++layer)
    recording.add(
        {.name = fmt::format("layer {}", layer), .weights = random_weights(8, 256, static_cast<std::uint64_t>(layer))});
  write_viewer(recording, words(256), folder / "view.html");
  CHECK(std::filesystem::file_size(folder / "view.html") < 3'000'000);
}

TEST_CASE("viewer: tokens are text, whatever they look like") {
  const Folder folder;
  Recording recording;
  recording.add({.name = "</script><b>", .weights = ones({5, 5})});
  const std::vector<std::string> tokens{"<script>alert(1)</script>", "&amp;", "\xE2\x82", "\"quoted\"", "<!--blobs-->"};
  write_viewer(recording, tokens, folder / "view.html", {.title = "<i>title"});
  const Page page(folder / "view.html");
  for (const char* text : {"<script>alert", "<b>", "<i>", "&amp;", "\xE2\x82\""})
    CHECK(page.html.find(text) == std::string::npos);
  const auto& list = std::get<JsonList>(page.data.find("lists")->value)[0];
  const auto& shown = std::get<JsonList>(list.find("tokens")->value);
  CHECK(shown[0].value == Json{tokens[0]}.value);
  CHECK(shown[2].value == Json{std::string("\\xE2\\x82")}.value);
  CHECK(shown[4].value == Json{tokens[4]}.value);
}

TEST_CASE("viewer: what is seen first is an address of the page, and an attention that there is not is an error") {
  const Folder folder;
  Recording recording;
  for (const char* name : {"first", "second"}) recording.add({.name = name, .weights = ones({3, 3})});
  ViewerOptions options{.opening = {"Look at it.", "second", 0, 2}, .back = "../index.html"};
  write_viewer(recording, words(3), folder / "view.html", options);
  const Page page(folder / "view.html");
  CHECK(page.data.find("opening")->value == Json{std::string("&layer=1&head=0&heads=0&query=2")}.value);
  CHECK(page.data.find("about")->value == Json{std::string("Look at it.")}.value);
  CHECK(page.data.find("back")->value == Json{std::string("../index.html")}.value);
  options.opening.attention = "third";
  CHECK_THROWS_WITH(write_viewer(recording, words(3), folder / "view.html", options),
                    "write_viewer: it should open with 'third', and no attention of the recording has this name");
}

TEST_CASE("viewer: bytes that look like a character and are none are written as numbers") {
  // The first and the last of each length, whole; then those just outside: a longer form than needed, a half of a pair
  // of UTF-16, and past the last that there is.
  const std::vector<std::string> whole{"\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF0\x90\x80\x80",
                                       "\xF4\x8F\xBF\xBF"};
  const std::vector<std::string> none{"\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80"};
  const std::vector<std::string> told{"\\xC1\\xBF", "\\xE0\\x9F\\xBF", "\\xED\\xA0\\x80", "\\xF0\\x8F\\xBF\\xBF",
                                      "\\xF4\\x90\\x80\\x80"};
  for (const bool real : {true, false}) {
    const Folder folder;
    Recording recording;
    recording.add({.name = "a", .weights = ones({5, 5})});
    write_viewer(recording, real ? whole : none, folder / "view.html");
    const Page page(folder / "view.html");
    const auto& shown = std::get<JsonList>(std::get<JsonList>(page.data.find("lists")->value)[0].find("tokens")->value);
    for (std::size_t i = 0; i < 5; ++i) CHECK(shown[i].value == Json{(real ? whole : told)[i]}.value);
  }
}

TEST_CASE("viewer: the page loads nothing") {
  const Folder folder;
  Recording recording;
  recording.add({.name = "mine", .weights = ones({1, 1})});
  write_viewer(recording, {"a"}, folder / "view.html");
  const std::string html = read_file(folder / "view.html");
  for (const char* word : {" src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest", "import("})
    CHECK(html.find(word) == std::string::npos);
}

TEST_CASE("viewer: tokens must be there, and their lists have names") {
  Recording recording;
  CHECK_THROWS_WITH(write_viewer(recording, {"a"}, "view.html"), "write_viewer: nothing was recorded");
  recording.add({.name = "mine", .weights = ones({2, 3}), .queries = "target", .keys = "source"});
  CHECK_THROWS_WITH(write_viewer(recording, {"a", "b"}, "view.html"),
                    "write_viewer: 'mine' has 3 keys, and the list '' 2 tokens");
  const std::vector<TokenList> lists{{"target", {"a", "b"}}, {"Source", {"c", "d", "e"}}};
  CHECK_THROWS_WITH(write_viewer(recording, lists, "view.html"),
                    "write_viewer: the keys of 'mine' are 'source', and no list of tokens has this name");
  Recording some;
  some.add({.name = "mine", .weights = ones({1, 3}), .of_some = true});
  CHECK_THROWS_WITH(write_viewer(some, {"a", "b", "c"}, "view.html"),
                    ContainsSubstring("write_viewer: of 'mine' only some queries were recorded"));
}

}  // namespace regard::nn
