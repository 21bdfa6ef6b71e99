#pragma once

#include "tensor/random/generator.h"

namespace regard {

// Random bits to random numbers. Only + − × ÷ √ are used, which IEEE 754 defines to the last bit, so that every
// platform and math library gives the same numbers. (This file is compiled without contraction into fused operations.)

double to_unit(std::uint64_t bits);                   // [0, 1), in steps of 2⁻⁵³
double to_normal(const Generator::Draw& d);           // mean 0, variance 1, by the method of Box and Muller
double affine(double shift, double scale, double x);  // shift + scale·x, rounded twice

// The two functions Box and Muller need, each good to about 1e−15.
double portable_log(double x);            // for normal positive x
double portable_cos_turns(double turns);  // cos(2π·turns), 0 ≤ turns < 1

}  // namespace regard
