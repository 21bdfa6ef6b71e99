#include "examples/book/site/operations/operation_pages.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "autograd/op_list.h"
#include "examples/book/site/contents.h"
#include "examples/book/site/operations/drawings.h"
#include "examples/book/site/operations/measured.h"
#include "examples/book/site/operations/operation_page.h"
#include "examples/book/site/operations/overview.h"
#include "examples/book/site/operations/sources.h"

namespace regard::site {

void add_operation_pages(Contents& contents, const std::string& root, const std::string& measured) {
  const OperationFacts facts{sources_in(root, {"autograd"}), sources_in(root, {"tensor"}),
                             sources_in(root, {"nn", "examples"}), read_measured(measured)};
  const auto list = std::find_if(facts.autograd.begin(), facts.autograd.end(),
                                 [](const SourceFile& file) { return file.path == "autograd/op_list.h"; });
  if (list == facts.autograd.end()) throw std::runtime_error("autograd/op_list.h is not there");

  const std::string folder = std::string(book_folder) + "operations/";
  Group group{"Operations", {}};
  group.pages.push_back(
      {std::string(book_folder) + "operations.md", "", "All operations", overview_page(*list, facts.measured)});
  for (const OpInfo& op : op_list)
    group.pages.push_back({folder + op.name + ".md", "", op.name, operation_page(op, facts)});
  contents.groups.push_back(group);

  for (const auto& [name, curve] : facts.measured.curves) contents.made[folder + name + ".svg"] = draw_curve(curve);
  for (const auto& [name, influence] : facts.measured.influences)
    contents.made[folder + name + ".svg"] = draw_influence(influence);
}

}  // namespace regard::site
