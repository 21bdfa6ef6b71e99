#pragma once

#include "nn/attention/any_attention.h"

#include <map>

namespace regard::nn::kit {

// The conformance kit: what every kind of attention has to obey, checked for one variant at a time. An instance is
// built in f32 and converted to f64; `listed` is tried in f32, `rows_alike` and `front` in both. A variant is a row of
// a table; a law that it does not obey by design, or refuses with an error, is waived, and the row says why.
//
//   fmt::print("{}", kit::examine(kit::variant("laplace", [](Generator&) { return LaplaceScore{}; })));

enum class Law {
  gradcheck,      // gradients of output with respect to q, k, v and all parameters agree with measured slopes
  second_order,   // so do gradients of gradients
  not_negative,   // no weight is below 0
  row_sums,       // the weights of a query sum to 1
  keys_as_set,    // permuting keys and values together changes no output
  queries_apart,  // permuting queries permutes the outputs, and nothing else
  padding,        // keys behind the valid length have weight 0 and change nothing
  batch,          // a sequence gives the same alone and in a batch
  nan_poison,     // NaN in keys and values that are masked reaches no output and no gradient
  nan_queries,    // nor does NaN in a query that sees no key
  masked_row,     // a query that sees no key: weights, output and gradient are 0
  cached,         // decoding step by step gives the rows of the full causal pass, and its gradients; the rows also
                  // where the mask hides what was long ago, unless that is refused
  causal,         // ∂outputᵢ/∂(key, value)ⱼ is exactly 0 for every j > i
  eval_is_train,  // training with p = 0 is eval, and eval draws nothing
  dropout,        // in training outputs are dropped from, but the weights returned are those before dropout
  saved,          // another instance that loads what this one saved gives the same
  listed,         // each parameter that takes part is listed, under one name, and each one listed takes part
  formula,        // the output is that of a second way to write the formula down; no mask but the subject's own
  fused,          // computed fused, it gives the same outputs and gradients
  rows_alike,     // computed fused, no bit of a row depends on other rows or what follows: decoding is the full pass
  front,          // computed fused, no bit of a row depends on hidden keys in front
  shared_keys,    // heads that share keys and values give what copies for each of them give
  // Of modules that are called as MultiHeadAttention is:
  head_mask,     // each head's part of the output is multiplied by its number in the head mask
  memory,        // a memory is filled once, and later calls use its keys; one sequence of it can go on alone
  offset,        // later queries with their offset give the last rows of the full pass
  remembers,     // a cache counts its tokens, copies of it go on alone, and so does one of its sequences
  left_padding,  // behind padding on the left, decoded or not, a sequence gives what it gives alone
};

struct LawInfo {
  Law law;
  const char* name;
  const char* statement;
};
std::vector<LawInfo> laws();
const LawInfo& info(Law law);

// One instance of a variant, with its type forgotten.
struct Subject {
  std::function<AttentionOutput(const Variable& q, const Variable& k, const Variable& v, const Mask& mask)> call;
  // The output, a step at a time. The mask is causal, and may hide more.
  std::function<Variable(const Variable& q, const Variable& k, const Variable& v, const Mask& mask)> decode;
  // The same as `call` with all that a call can ask for; empty if it takes none.
  std::function<AttentionOutput(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                                const AttentionCall& asks)>
      module = {};
  std::function<void(Visitor&)> visit;
  bool can_be_fused = false;
};

// What depends on earlier queries or keys needs room before it differs from attention that does not: with fewer than
// four queries, a sum over what came before may be empty, and a law about it tries nothing.
struct Sizes {
  std::int64_t batch = 2, heads = 0;  // 0: no axis of heads
  std::int64_t queries = 5, keys = 6;
  std::int64_t query_size = 4, key_size = 4, value_size = 3;
};

struct Variant {
  std::string name;
  std::function<Subject(double dropout, Generator& generator)> build;
  Sizes sizes = {};
  std::map<Law, std::string> waived = {};  // the reason

  // The output, written down another way: from plain tensors and the parameters by their names. May be left out.
  using Parameters = std::map<std::string, Tensor>;
  std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const Parameters& parameters)> formula = {};
};

enum class Outcome { holds, waived, broken };

struct Finding {
  Law law;
  Outcome outcome;
  std::string reason;  // of a waiver, or what was found
};

struct Report {
  std::string variant;
  std::vector<Finding> findings;  // one for each law
  bool passed() const;
  std::vector<Law> broken() const;
  std::string to_string() const;
};

// What the law finds wrong with the variant, or needs and does not find there; "" if it holds.
std::string try_law(Law law, const Variant& variant);

// A law that is waived is tried too: a waiver that is not needed counts as broken.
Report examine(const Variant& variant);
std::string table(const std::vector<Report>& reports);  // variants × laws

}  // namespace regard::nn::kit

template <>
struct fmt::formatter<regard::nn::kit::Report> : regard::TextFormatter<regard::nn::kit::Report> {};
