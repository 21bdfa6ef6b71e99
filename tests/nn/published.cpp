// Published weights in our models: the texts and numbers that come out are known from other programs.
#include "examples/published/all.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/folder.h"

namespace regard::nn {

namespace {

LlamaCheckpoint stories() { return load_llama2c(example_data / "stories260K.bin"); }
LlamaCheckpoint stories_in_halves() { return load_hugging_face(reference_data / "stories260K"); }

// The tokens that the model goes on with, each time the likeliest one.
Tokens continued(const Llama& model, const Tokens& prompt, std::int64_t count) {
  return generate(writer(model), {prompt}, {.tokens = count})[0];
}

// What another program computed, for each of a few prompts.
struct Story {
  std::string prompt, text;
  Tokens tokens;  // the prompt, and what it is continued with
  std::int64_t prompt_length;
  std::vector<double> logits;  // behind the prompt
};
std::vector<Story> published_stories() {
  std::vector<Story> all;
  const Json file = load_json("stories260K.json");
  for (const Json& one : list_in(file)) {
    const auto at = [&](const char* name) -> const Json& { return *one.find(name); };
    std::vector<double> logits;
    for (const Json& number : list_in(list_in(at("logits")).back())) logits.push_back(*number.get_if<double>());
    all.push_back(
        {text_in(at("prompt")), text_in(at("text")), tokens_in(at("tokens")), at("prompt_length").size(), logits});
  }
  return all;
}

}  // namespace

TEST_CASE("stories260K: both formats, both layouts and both methods write the published texts, token by token") {
  const SentencePieces pieces = SentencePieces::load(example_data / "tok512.bin", 512);
  const Llama models[] = {llama_from(stories()), llama_from(stories(), {.method = Method::composed}),
                          llama_from(stories_in_halves()), llama_from(with_layout(stories(), RotaryLayout::halves))};
  for (const Story& story : published_stories()) {
    Tokens prompt{SentencePieces::begin};
    if (!story.prompt.empty()) std::ranges::copy(pieces.encode(story.prompt), std::back_inserter(prompt));
    CHECK(std::ssize(prompt) == story.prompt_length);
    for (const Llama& model : models) {
      Tokens written = prompt;
      std::ranges::copy(continued(model, prompt, std::ssize(story.tokens) - std::ssize(prompt)),
                        std::back_inserter(written));
      CHECK(written == story.tokens);
      CHECK(pieces.decode(written) == story.text);
    }
  }
}

// The first words are right in the wrong layout too, and no shape says that it is wrong.
TEST_CASE("stories260K: in the wrong layout of rotary pairs it writes something else") {
  LlamaCheckpoint wrong = stories();
  wrong.options.layout = RotaryLayout::halves;
  const Tokens all = published_stories()[0].tokens;
  CHECK(continued(llama_from(wrong), {SentencePieces::begin}, std::ssize(all) - 1) !=
        Tokens(all.begin() + 1, all.end()));
}

TEST_CASE("stories260K: the logits are those of a program of another kind") {
  for (const Story& story : published_stories()) {
    const Tokens prompt(story.tokens.begin(), story.tokens.begin() + story.prompt_length);
    const auto logits_of = [&](Llama model) {
      const NoGrad no_grad;
      return flatten(model(unsqueeze(token_tensor(prompt), 0), {.last = true})).value();
    };
    const Tensor right = tensor(story.logits, {std::ssize(story.logits)}, DType::f64);
    CHECK(largest_difference(logits_of(llama_from(stories(), {.dtype = DType::f64})), right) < 1e-9);
    CHECK(largest_difference(logits_of(llama_from(stories_in_halves(), {.dtype = DType::f64})), right) < 1e-9);
    CHECK(largest_difference(to(logits_of(llama_from(stories())), DType::f64), right) < 1e-4);
  }
}

TEST_CASE("a Llama goes to a file and comes back") {
  const Folder folder;
  Llama model = llama_from(stories());
  save_llama2c(folder / "x", checkpoint_of(model, stories().options), Llama2cVersion::v1);
  const LlamaCheckpoint back = load_llama2c(folder / "x");
  for (const auto& [name, tensor] : stories().tensors) CHECK(identical(back.tensors.at(name), tensor));
  LlamaOptions other = stories().options;
  other.layers = 4;
  CHECK_THROWS_AS(checkpoint_of(model, other), ValueError);
}

TEST_CASE("the GPT that sorts: all intermediate values that were stored with it") {
  const auto stored = load_json_tensors(example_data / "gpt-nano-sort-t0-partials.json");
  Gpt model = gpt_from(load_mingpt(example_data / "gpt-nano-sort-model.json"),
                       {.dtype = DType::f64, .method = Method::composed});
  const NoGrad no_grad;
  int compared = 0;
  const auto same = [&](const std::string& name, const Variable& found) {
    INFO(name);
    ++compared;
    CHECK(largest_difference(found.value(), to(stored.at(name), DType::f64)) < 2e-6);
  };
  const Tensor tokens = to(stored.at("idx"), DType::i64);
  auto& layers = model.decoder.layers;
  auto& first = layers[0];
  const Variable x = model.embedding(tokens);
  same("tok_emb", model.embedding.tokens(tokens));
  same("pos_emb", unsqueeze(slice(model.embedding.positions->table, 0, 0, 11), 0));
  same("x", x);

  const Variable normed = first.around_attention.norm(x);
  const auto& heads = first.attention.as<MultiHeadAttention>();
  const Variable q = heads.w_q(normed), k = heads.w_k(normed), v = heads.w_v(normed);
  same("ln1", normed);
  same("q", split_heads(q, 3));
  same("k", split_heads(k, 3));
  same("v", split_heads(v, 3));
  same("qkv", cat({q, k, v}, -1));
  const Variable scores = matmul(split_heads(q, 3), transpose(split_heads(k, 3))) / 4.0;
  const Tensor sees = Mask::causal().table({3, 3, 11, 11}, DType::f64);
  const Variable hidden = where(sees, scores, 0.0);
  ++compared;  // of the scores before the softmax those that are seen
  CHECK(largest_difference(hidden.value(), where(sees, to(stored.at("att"), DType::f64), zeros({}, DType::f64))) <
        2e-6);
  const auto mixed = first.attention(normed, normed, normed, Mask::causal());
  same("attSm", mixed.weights);
  same("y", merge_heads(matmul(mixed.weights, split_heads(v, 3))));
  same("yProj", mixed.output);
  const Variable after = x + mixed.output;
  same("attnResid", after);
  const Variable inner = first.around_feed_forward.norm(after), wide = first.feed_forward.as<FeedForward>().up(inner);
  same("ln2", inner);
  same("fc", wide);
  same("gelu", gelu(wide, GeluForm::tanh));
  same("mlp", first.feed_forward(inner));
  same("mlpResid", after + first.feed_forward(inner));

  Variable y = x;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    y = layers[i](y, Mask::causal()).output;
    same(fmt::format("block{}", i), y);
  }
  same("ln_f", (*model.decoder.norm)(y));
  const Variable logits = model(tokens);
  same("lm_head", logits);
  same("probs", softmax(logits, -1));
  CHECK(compared == 24);  // all that are stored but the tokens
}

TEST_CASE("the GPT that sorts sorts all 729 inputs") {
  const Gpt model = gpt_from(load_mingpt(example_data / "gpt-nano-sort-model.json"));
  std::vector<Tokens> prompts;
  for (int number = 0; number < 729; ++number) {
    Tokens digits;
    for (int place = 0, rest = number; place < 6; ++place, rest /= 3) digits.push_back(rest % 3);
    prompts.push_back(digits);
  }
  const std::vector<Tokens> written = generate(writer(model), prompts, {.tokens = 6});
  int sorted = 0;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    std::ranges::sort(prompts[i]);
    sorted += written[i] == prompts[i];
  }
  CHECK(sorted == 729);
}

}  // namespace regard::nn
