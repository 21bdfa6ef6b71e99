#include "tests/variants/variants.h"

#include "tests/variants/rows.h"

namespace regard::nn::kit {

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = [] {
    std::vector<Variant> rows;
    for (auto part : {score_rows, position_rows, shipped_rows, rows_of_today, multi_head_rows, latent_rows})
      for (Variant& row : part()) rows.push_back(std::move(row));
    return rows;
  }();
  return all;
}

}  // namespace regard::nn::kit
