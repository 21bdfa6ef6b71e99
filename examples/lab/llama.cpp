// A Llama in one megabyte: the published stories260K writes, shows all of its heads, and says how its next token would
// change with a weight of attention, with a token before it, or without a head.
#include "examples/lab/functions.h"
#include "examples/published/from_checkpoint.h"
#include "examples/published/llama2c.h"
#include "examples/published/sentence_pieces.h"
#include "nn/all.h"

#include <optional>
#include <string_view>

namespace regard::lab {
namespace {

// One weight of attention that a hand holds: the others of its row share what is left, in their proportions.
struct Held {
  int layer = -1, head = 0;  // −1: none
  std::int64_t query = 0, key = 0;
  double weight = 0;
};

// While one lives, the softmax of that layer gives the weight that is held.
class Hand : public Observer {
 public:
  explicit Hand(const Held& held) : held_(held) {}

  Tensor value(const OpInfo& op, const graph::Inputs&, const Tensor& made) override {
    if (std::string_view(op.name) != "masked_softmax" || layer_++ != held_.layer) return made;
    const std::int64_t length = made.size(-1);
    if (held_.query >= length) return made;  // a text that ends before it
    Tensor changed = 1 * made;               // (1, H, L, L), its own memory
    float* row = changed.writable<float>() + (held_.head * length + held_.query) * length;
    const auto rest = static_cast<float>((1 - held_.weight) / (1 - row[held_.key]));
    for (std::int64_t j = 0; j < length; ++j) row[j] *= rest;
    row[held_.key] = static_cast<float>(held_.weight);
    return changed;
  }

 private:
  const Held& held_;
  int layer_ = 0;
};

struct Storyteller {
  nn::SentencePieces pieces;
  nn::LlamaCheckpoint checkpoint;
  // With the layout of rotary pairs that the file has, and with the other one; composed of operations, and fused.
  std::optional<nn::Llama> models[2][2] = {};
  Held held = {};
  nn::StackCache cache = {};
  Tensor logits = {};  // (1, V), of the token that comes next
  Generator random{1};

  nn::Llama& model(bool wrong_layout, nn::Method method) {
    std::optional<nn::Llama>& one = models[wrong_layout][method == nn::Method::fused];
    if (!one) {
      nn::LlamaCheckpoint given = checkpoint;
      if (wrong_layout) given.options.layout = nn::RotaryLayout::halves;  // and the rows stay as they are
      one = nn::llama_from(given, {.method = method});
    }
    return *one;
  }
};
std::optional<Storyteller> teller;

Storyteller& the_teller() {
  if (!teller) fail<ValueError>("llama: there is no model yet");
  return *teller;
}

Tensor tokens_of(const double* numbers, int count) {
  return to(tensor(std::vector<double>(numbers, numbers + count), {1, count}, DType::f64), DType::i64);
}

Tensor all_heads(const double* heads, int head_count) {
  const auto& o = the_teller().checkpoint.options;
  return head_mask(heads, head_count, o.layers, o.heads);
}

// A pass through a text whose parts can be asked for gradients.
struct Look {
  Variable rows;                  // (1, L, E), of the tokens
  Variable gates;                 // (layers, H): what each head adds is multiplied by its gate, 1 or 0
  std::vector<Variable> weights;  // of each layer (1, H, L, L)
  Variable logits;                // (L, V)

  Look(const Tensor& tokens, bool wrong_layout, const double* heads, int head_count) {
    nn::Llama& model = the_teller().model(wrong_layout, nn::Method::composed);
    const Hand hand(the_teller().held);
    gates = parameter(all_heads(heads, head_count));
    rows = parameter(model.embedding(tokens).value());
    auto made = model.decoder(rows, nn::Mask::causal(), {.weights = true, .head_mask = gates});
    for (const nn::LayerWeights& layer : made.weights) weights.push_back(layer.self);
    logits = squeeze(nn::logits_of(made.output, model.output, model.embedding.tokens), 0);
  }
  Variable last_logits() const { return select(logits, 0, -1); }
};

// Reads a whole text, or tokens behind those in the cache: the logits of the one that comes next. Fused attention has
// no weights that a hand could hold.
int read(const double* tokens, int count, bool wrong_layout, const double* heads, int head_count, bool whole) {
  return answer([&](Answer& out) {
    const NoGrad no_grad;
    auto& own = the_teller();
    if (whole) own.cache = {};
    const bool by_hand = whole && own.held.layer >= 0;
    nn::Llama& model = own.model(wrong_layout, by_hand ? nn::Method::composed : nn::Method::fused);
    const Hand hand(own.held);
    const Variable logits =
        model(tokens_of(tokens, count), {.cache = &own.cache, .last = true, .head_mask = all_heads(heads, head_count)});
    own.logits = select(logits, 1, -1).value();
    out.add(own.logits);
  });
}

}  // namespace
}  // namespace regard::lab

using namespace regard;
using lab::Answer, lab::answer, lab::the_teller;

// The files stories260K.bin and tok512.bin. The answer: layers, heads, vocabulary, and how long a text may be.
LAB int llama_open(const char* model, int model_size, const char* pieces, int pieces_size) {
  return answer([&](Answer& out) {
    auto checkpoint = nn::parse_llama2c({model, static_cast<std::size_t>(model_size)}, "stories260K.bin");
    const nn::LlamaOptions o = checkpoint.options;
    const std::string_view list(pieces, static_cast<std::size_t>(pieces_size));
    lab::teller = lab::Storyteller{nn::SentencePieces::parse(list, "tok512.bin", o.vocabulary), std::move(checkpoint)};
    for (const std::int64_t n : {o.layers, o.heads, o.vocabulary, o.longest}) out.add(static_cast<double>(n));
  });
}

// The tokens of a text, with that of the beginning.
LAB int llama_tokens(const char* text, int size) {
  return answer([&](Answer& out) {
    out.add(static_cast<double>(nn::SentencePieces::begin));
    if (size == 0) return;
    for (const std::int64_t token : the_teller().pieces.encode({text, static_cast<std::size_t>(size)}))
      out.add(static_cast<double>(token));
  });
}

// The text of one token behind another.
LAB int llama_piece(int token, int previous) {
  return answer([&](Answer& out) { out.text = the_teller().pieces.text_of(token, previous); });
}

// From here on one weight is held by hand in whatever reads a whole text; none where layer is −1.
LAB int llama_hold(int layer, int head, int query, int key, double weight) {
  return answer([&](Answer&) { the_teller().held = {layer, head, query, key, weight}; });
}

// A pass through a whole text: the logits behind each token, (L, V), then the weights of all heads, (layers, H, L, L).
LAB int llama_look(const double* tokens, int count, int wrong_layout, const double* heads, int head_count) {
  return answer([&](Answer& out) {
    const NoGrad no_grad;
    const lab::Look look(lab::tokens_of(tokens, count), wrong_layout != 0, heads, head_count);
    out.add(look.logits.value());
    for (const Variable& one : look.weights) out.add(one.value());
  });
}

// What a hand on a weight will do, as its slope foretells: ∂(log probability of `next`)/∂weight, by one backward pass,
// and then the slopes of all V logits. The rest of the row gives way in its proportions: with r = αₖ/(1 − αⱼ),
//   d/dαⱼ = ∂/∂αⱼ − Σₖ≠ⱼ rₖ·∂/∂αₖ
LAB int llama_foretell(const double* tokens, int count, int wrong_layout, const double* heads, int head_count,
                       int layer, int head, int query, int key, int next) {
  return answer([&](Answer& out) {
    const lab::Look look(lab::tokens_of(tokens, count), wrong_layout != 0, heads, head_count);
    const Variable& weights = look.weights.at(static_cast<std::size_t>(layer));
    Tensor way = zeros(weights.shape());
    const Tensor row = select(select(select(weights.value(), 0, 0), 0, head), 0, query);
    float* change = way.writable<float>() + (static_cast<std::int64_t>(head) * count + query) * count;
    const double given_up = 1 - select(row, 0, key).item();
    for (std::int64_t j = 0; j < count; ++j)
      change[j] = static_cast<float>(j == key ? 1 : -select(row, 0, j).item() / given_up);

    const Variable logits = look.last_logits(), log_probability = select(log_softmax(logits, -1), 0, next);
    const Variable slope = grad({log_probability}, {weights}, {.keep_graph = true})[0];
    out.add(sum(slope.value() * way));
    // Of all logits at once: the pass back with any u is Jᵀu, whose own gradient along `way` is J·way.
    const Variable u = parameter(zeros(logits.shape()));
    const Variable back = grad({logits}, {weights}, {.gradients = {u}, .create_graph = true})[0];
    out.add(grad({back}, {u}, {.gradients = {way}})[0].value());
  });
}

// How much the log probability that `next` comes behind the last token depends on each token, the lengths of its
// gradients with respect to their rows; and then on each head, its slopes by their gates.
LAB int llama_heat(const double* tokens, int count, int wrong_layout, const double* heads, int head_count, int next) {
  return answer([&](Answer& out) {
    const lab::Look look(lab::tokens_of(tokens, count), wrong_layout != 0, heads, head_count);
    const Variable log_probability = select(log_softmax(look.last_logits(), -1), 0, next);
    const auto slopes = grad({log_probability}, {look.rows, look.gates});
    out.add(sqrt(sum(square(slopes[0].value()), -1)));
    out.add(slopes[1].value());
  });
}

// Reads a text from its beginning, with an empty cache; the answer: the logits of the token that comes next.
LAB int llama_read(const double* tokens, int count, int wrong_layout, const double* heads, int head_count) {
  return lab::read(tokens, count, wrong_layout != 0, heads, head_count, true);
}

// The next token, drawn by the library's rules; temperature 0: the likeliest.
LAB int llama_draw(double temperature, double top_p, int seed) {
  return answer([&](Answer& out) {
    auto& own = the_teller();
    if (seed >= 0) own.random = Generator(static_cast<std::uint64_t>(seed));
    if (temperature <= 0) return out.add(nn::most_likely(own.logits));
    std::vector<Generator> generators{own.random};
    const Tensor rest = nn::keep_top_p(nn::with_temperature(own.logits, temperature), top_p);
    out.add(nn::draw_tokens(rest, generators));
    own.random = generators[0];
  });
}

// Goes on with a token behind what was read. The answer is again the logits of the next one.
LAB int llama_go_on(int token, int wrong_layout, const double* heads, int head_count) {
  const double number = token;
  return lab::read(&number, 1, wrong_layout != 0, heads, head_count, false);
}
