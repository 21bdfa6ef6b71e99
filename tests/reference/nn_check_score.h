#pragma once

#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {

inline nn::Mask mask_of(const NnCase& test) {
  return test.record().inputs.count("keep") > 0 ? nn::Mask::keep(test.input("keep")) : nn::Mask();
}

// Attention with this score, on the q, k, v and keep of a record.
inline void check_score(const NnCase& test, nn::AnyScore score) {
  nn::Attention attention(std::move(score));
  test.check_module(attention, [&](const Variables& in) {
    const auto [output, weights] = attention(in.at("q"), in.at("k"), in.at("v"), mask_of(test));
    return Variables{{"output", output}, {"weights", weights}};
  });
}

}  // namespace regard::reference
