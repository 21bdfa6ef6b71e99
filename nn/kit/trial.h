#pragma once

#include "nn/kit/kit.h"

namespace regard::nn::kit {

// What the laws work with. A law returns what it found to be wrong, or nothing.

struct Trial {
  Variable q, k, v;
};

// Inputs of the sizes of a variant, the same ones for each call with the same seed.
Trial trial(const Sizes& sizes, std::uint64_t seed = 1, DType dtype = DType::f64);

// An instance. The same seed gives the same parameters, which are moved at random from where they start: a
// variant may start at a special point, such as the identity.
Subject build(const Variant& variant, double dropout = 0, std::uint64_t seed = 7, DType dtype = DType::f64);

void set_parameters(const Subject& subject, const std::vector<Variable>& parameters);  // in the order of the visit
Variable random_like(const Variable& x, std::uint64_t seed);

// What is taken together in most laws: gradients of leaves, for a random cotangent of the output.
std::vector<Variable> slopes(const Variable& output, const std::vector<Variable>& leaves, std::uint64_t seed = 5);

// The law by each method that the subject has; what the first finds to be wrong.
std::string by_each_method(const Subject& subject, const std::function<std::string()>& law);

// "": as close as rounding allows.
std::string differ(const char* what, const Tensor& a, const Tensor& b, double tolerance = 1e-11);
std::string differ(const char* what, const std::vector<Variable>& a, const std::vector<Variable>& b);  // the first pair

using Check = std::string (*)(const Variant& variant);
std::string check_gradcheck(const Variant&);
std::string check_second_order(const Variant&);
std::string check_not_negative(const Variant&);
std::string check_row_sums(const Variant&);
std::string check_keys_as_set(const Variant&);
std::string check_queries_apart(const Variant&);
std::string check_padding(const Variant&);
std::string check_batch(const Variant&);
std::string check_nan_poison(const Variant&);
std::string check_nan_queries(const Variant&);
std::string check_masked_row(const Variant&);
std::string check_cached(const Variant&);
std::string check_causal(const Variant&);
std::string check_eval_is_train(const Variant&);
std::string check_dropout(const Variant&);
std::string check_saved(const Variant&);
std::string check_listed(const Variant&);
std::string check_formula(const Variant&);
std::string check_fused(const Variant&);
std::string check_rows_alike(const Variant&);
std::string check_front(const Variant&);
std::string check_shared_keys(const Variant&);
std::string check_head_mask(const Variant&);
std::string check_memory(const Variant&);
std::string check_offset(const Variant&);
std::string check_remembers(const Variant&);
std::string check_left_padding(const Variant&);

}  // namespace regard::nn::kit
