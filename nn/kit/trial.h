#pragma once

#include "nn/kit/kit.h"

namespace regard::nn::kit {

// What the laws work with. A law returns what it found to be wrong, or nothing.

struct Trial {
  Variable q, k, v;
};

// Inputs of the sizes of a variant, the same ones for each call with the same seed.
Trial trial(const Sizes& sizes, std::uint64_t seed = 1, DType dtype = DType::f64);
Trial as_long_as_keys(const Variant& variant);  // with as many queries as keys

// An instance. The same seed gives the same parameters, which are moved at random from where they start: a
// variant may start at a special point, such as the identity.
Subject build(const Variant& variant, double dropout = 0, std::uint64_t seed = 7, DType dtype = DType::f64);

void set_parameters(const Subject& subject, const std::vector<Variable>& parameters);  // in the order of the visit
Variable random_like(const Variable& x, std::uint64_t seed);

// What is taken together in most laws: gradients of leaves, for a random cotangent of the output.
std::vector<Variable> slopes(const Variable& output, const std::vector<Variable>& leaves, std::uint64_t seed = 5);

// "": as close as rounding allows.
std::string differ(const char* what, const Variable& a, const Variable& b);
std::string differ(const char* what, const std::vector<Variable>& a, const std::vector<Variable>& b);  // the first pair
std::string first_of(std::initializer_list<std::string> findings);  // the first one that is not ""

// A law is tried with an instance that build() gives, and inputs of the sizes of the variant.
using Check = std::string(const Variant& variant, const Subject& subject, const Trial& inputs);
Check check_gradcheck, check_second_order, check_causal;                           // gradients.cpp
Check check_not_negative, check_row_sums, check_keys_as_set, check_queries_apart;  // sets.cpp
Check check_padding, check_batch, check_shared_keys, check_cached;
Check check_nan_poison, check_nan_queries, check_masked_row;                             // masking.cpp
Check check_eval_is_train, check_dropout, check_saved, check_listed, check_formula;      // modules.cpp
Check check_fused, check_rows_alike, check_front;                                        // fused.cpp
Check check_head_mask, check_memory, check_offset, check_remembers, check_left_padding;  // calls.cpp

}  // namespace regard::nn::kit
