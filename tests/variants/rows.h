#pragma once

#include "tests/variants/variants.h"

namespace regard::nn::kit {

// The waivers of those to whom it matters where a key or a query stands.
inline const std::map<Law, std::string> ordered = {
    {Law::keys_as_set, "positions count"}, {Law::queries_apart, "positions count"}, {Law::front, "positions count"}};

// The parts of the table.
std::vector<Variant> score_rows();
std::vector<Variant> position_rows();
std::vector<Variant> shipped_rows();  // of nn/attention/variants
std::vector<Variant> rows_of_today();
std::vector<Variant> multi_head_rows();
std::vector<Variant> latent_rows();

// The parts of the table of mistakes that stand apart.
std::vector<Planted> in_fused_forms();
std::vector<Planted> in_calls();
std::vector<Planted> in_heads();

}  // namespace regard::nn::kit
