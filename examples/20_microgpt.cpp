// microgpt: a whole GPT on a page. It reads a thousand names, one a step, and then writes some of its own. It computes
// what A. Karpathy's program of that name computes, two hundred lines of Python without a library, number by number:
// from the same names and the same 4,192 weights come the same losses.
#include "examples/program.h"
#include "nn/all.h"

#include <chrono>
#include <fstream>

using namespace regard;

// A token is letter − 'a', 0 to 25. A name stands between two borders, 26: written '{', which follows z in ASCII.
constexpr std::int64_t border = 26, longest = 16, heads = 4, steps = 1000;

struct MicroGpt {
  static Variable weight(std::int64_t out, std::int64_t in) { return parameter(zeros({out, in}, DType::f64)); }
  Variable wte = weight(27, 16), wpe = weight(longest, 16), lm_head = weight(27, 16);  // tokens, positions, output
  Variable attn_wq = weight(16, 16), attn_wk = weight(16, 16), attn_wv = weight(16, 16), attn_wo = weight(16, 16);
  Variable mlp_fc1 = weight(64, 16), mlp_fc2 = weight(16, 64);

  void visit(nn::Visitor& v) {
    v("wte", wte), v("wpe", wpe), v("lm_head", lm_head), v("mlp_fc1", mlp_fc1), v("mlp_fc2", mlp_fc2);
    v("attn_wq", attn_wq), v("attn_wk", attn_wk), v("attn_wv", attn_wv), v("attn_wo", attn_wo);
  }
  Variable operator()(const Tensor& text) const {  // (L) → for each place the logits of what comes next, (L, 27)
    const auto norm = [](const Variable& x) { return x / sqrt(mean(square(x), -1, keepdim) + 1e-5); };
    Variable x = norm(index_select(wte, 0, text) + slice(wpe, 0, 0, text.numel()));
    const auto cut = [&](const Variable& w) { return nn::split_heads(unsqueeze(linear(norm(x), w), 0), heads); };
    nn::Attention attend(nn::ScaledDotProduct{});
    const Variable mixed = attend(cut(attn_wq), cut(attn_wk), cut(attn_wv), nn::Mask::causal()).output;
    x = x + linear(squeeze(nn::merge_heads(mixed), 0), attn_wo);
    x = x + linear(relu(linear(norm(x), mlp_fc1)), mlp_fc2);
    return linear(x, lm_head);
  }
};

int main(int argc, char** argv) {
  Program program("microgpt: a GPT on a page reads a thousand names, and then writes some");
  if (!program.parse(argc, argv)) return program.exit_code();
  MicroGpt gpt;
  nn::load(gpt, REGARD_EXAMPLE_DATA "/microgpt/weights.safetensors");
  optim::Adam adam(gpt, {.learning_rate = 0.01, .beta1 = 0.85, .beta2 = 0.99});
  std::ifstream names(REGARD_EXAMPLE_DATA "/microgpt/names_and_losses.txt");
  double published = 0, furthest = 0;
  const auto before = std::chrono::steady_clock::now();
  for (std::string name; names >> name >> published;) {
    nn::Tokens tokens;
    for (const char letter : '{' + name + '{') tokens.push_back(letter - 'a');
    const Tensor text = nn::token_tensor(tokens);
    const std::int64_t places = std::min(longest, text.numel() - 1);
    const Variable loss = nn::cross_entropy_loss(gpt(slice(text, 0, 0, places)), slice(text, 0, 1, places + 1));
    adam.zero_grad();
    loss.backward();
    adam.set_learning_rate(optim::LinearDecay{0.01, steps}(adam.steps()));
    adam.step();
    furthest = std::max(furthest, std::abs(loss.item() - published));
    if (adam.steps() % 100 == 0) fmt::print("{:15}loss {:.15f}, published {:.15f}\n", name, loss.item(), published);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - before;

  std::vector<Generator> generators{Generator(42)};
  for (nn::Tokens text{border}; generators[0].position() < 120;) {  // letters
    const Tensor logits = nn::with_temperature(slice(gpt(nn::token_tensor(text)).value(), 0, -1), 0.5);
    text.push_back(static_cast<std::int64_t>(nn::draw_tokens(logits, generators).item()));
    fmt::print("{}", text.back() == border ? ' ' : static_cast<char>('a' + text.back()));
    if (text.back() == border || std::ssize(text) > longest) text = {border};
  }
  fmt::print("\n{} losses, none off by more than {:.1e}\n{:.2f} ms a step\n", steps, furthest, took.count() / steps);
  return adam.steps() == steps && furthest < 1e-13 ? 0 : 1;
}
