#pragma once

#include <string>
#include <vector>

#include "autograd/op_list.h"
#include "examples/book/site/operations/measured.h"
#include "examples/book/site/operations/sources.h"

namespace regard::site {

// All that the pages of operations are made from.
struct OperationFacts {
  std::vector<SourceFile> autograd, tensor, users;  // users: nn/ and examples/
  Measured measured;
};

// The page of one operation, as Markdown. It stands in the folder examples/book/operations/.
std::string operation_page(const OpInfo& op, const OperationFacts& facts);

std::string words_for(OpKind kind);  // "smooth", for a table

}  // namespace regard::site
