#include "nn/tools/draw/draw.h"

#include "nn/tools/draw/parts.h"
#include "nn/tools/explain/modules.h"
#include "nn/tools/explain/trace.h"
#include "tensor/dtype.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace regard {
namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

double norm_of(const Tensor& x) { return std::sqrt(sum(square(to(x, DType::f64))).item()); }

std::string about_value(const Tensor& x) {
  std::string text = fmt::format("value {} {}", name_of(x.dtype()), x.shape());
  if (x.numel() == 1) return text + fmt::format("\n{:.5g}", to(x, DType::f64).item());
  if (x.numel() == 0) return text + "\nno elements";
  const Tensor y = to(x, DType::f64);
  return text + fmt::format("\nmean {:.4g}, from {:.4g} to {:.4g}", mean(y).item(), min(y).item(), max(y).item());
}

// Builds the drawing from the outside in: boxes and operations, then the leaves, then the lines.
class Drawer {
 public:
  Drawer(const Variable& x, const DrawOptions& options) : options_(options), steps_(graph::trace("draw", x)) {
    if (options.gradients && x.requires_grad()) graph::pass_back(steps_);
    for (const auto& [name, parameter] : options.names) names_.try_emplace(parameter.order(), name);
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (steps_[i].op()) operations_.push_back(i);
  }

  Drawing draw() && {
    drawing_.has_gradients = options_.gradients;
    nodes_of_.assign(steps_.size(), nowhere);
    add_node({.kind = DrawnNode::Kind::box, .operations = operations_.size()}, "", 0);
    const std::vector<ModulePath> modules = modules_of(steps_, options_.names);
    for (const Part& part : parts_of(steps_, operations_, modules)) add_part(part, 0, "");
    add_leaves();
    sort_children();  // leaves came last, and belong beside what uses them first
    for (std::size_t box = drawing_.nodes.size(); box-- > 0;) put_leaves_into_boxes(box);
    sort_children();
    add_lines();
    unfold();
    return std::move(drawing_);
  }

 private:
  std::size_t add_node(DrawnNode node, const std::string& path, std::size_t begins) {
    const std::size_t place = drawing_.nodes.size();
    if (place > 0) drawing_.nodes[node.box].children.push_back(place);
    drawing_.nodes.push_back(std::move(node));
    paths_.push_back(path);
    begins_.push_back(begins);
    return place;
  }

  // Boxes are nested as deeply as names are, so this does not go deep.
  std::size_t add_part(const Part& part, std::size_t box, const std::string& path) {
    const std::size_t last = operations_[part.last - 1];
    if (part.parts.empty()) return add_step(last, box, path, last);
    const std::string inside = !part.is_module ? path : path.empty() ? part.name : path + "." + part.name;
    const std::size_t count = part.last - part.first;
    const std::size_t place =
        add_node({.kind = DrawnNode::Kind::box,
                  .name = part.name.empty() ? steps_[last].op()->name : part.name,
                  .shape = fmt::format("{}", steps_[last].result.shape()),
                  .formula = count == 1 ? steps_[last].op()->formula : fmt::format("{} operations", count),
                  .told = part.is_module ? inside : "",
                  .box = box,
                  .operations = count,
                  .times = part.times,
                  .folded = true},
                 inside, operations_[part.first]);
    for (const Part& child : part.parts) add_part(child, place, inside);
    return place;
  }

  std::size_t add_step(std::size_t i, std::size_t box, const std::string& path, std::size_t begins) {
    using Kind = DrawnNode::Kind;
    const graph::Step& step = steps_[i];
    const auto found = names_.find(step.result.order());
    const std::string name = found == names_.end() ? "" : found->second;
    DrawnNode node;
    node.box = box;
    node.kind = step.op()                                      ? Kind::operation
                : !step.result.requires_grad() && name.empty() ? Kind::constant
                : name.find('.') == std::string::npos          ? Kind::input
                                                               : Kind::parameter;
    node.shape = fmt::format("{}", step.result.shape());
    if (step.op()) {
      node.name = step.op()->name;
      node.formula = step.op()->formula;
      node.told = fmt::format("{} = {}\nbackward: {}\n", node.name, node.formula, step.op()->rule);
      if (!path.empty()) node.told = "in " + path + "\n" + node.told;
      node.operations = 1;
    } else if (node.kind == Kind::constant) {
      if (step.result.numel() == 1) node.name = fmt::format("{:.4g}", to(step.result.value(), DType::f64).item());
      node.told = "constant\n";
    } else {
      const bool is_inside = !path.empty() && name.starts_with(path + ".");
      node.name = is_inside ? name.substr(path.size() + 1) : name.empty() ? "input" : name;
      node.told = (name.empty() ? "requires a gradient" : name) + "\n";
    }
    node.told += about_value(step.result.value());
    if (step.gradient.defined())
      node.told += fmt::format("\ngradient norm {:.4g}", norm_of(step.gradient.value()));
    else if (options_.gradients)
      node.told += "\nno gradient";
    return nodes_of_[i] = add_node(std::move(node), path, begins);
  }

  std::size_t in_common(std::size_t a, std::size_t b) const {
    std::set<std::size_t> around_a{a};
    while (a != 0) around_a.insert(a = drawing_.nodes[a].box);
    while (!around_a.contains(b)) b = drawing_.nodes[b].box;
    return b;
  }

  // A leaf lies in the smallest box that holds all its uses, but not among parts that are equal. What has a name
  // without a dot belongs to no module, and lies outside.
  void add_leaves() {
    std::vector<std::size_t> boxes(steps_.size(), nowhere), first(steps_.size(), nowhere);
    for (const std::size_t i : operations_)
      for (const std::size_t input : steps_[i].inputs) {
        const std::size_t box = drawing_.nodes[nodes_of_[i]].box;
        boxes[input] = boxes[input] == nowhere ? box : in_common(boxes[input], box);
        first[input] = std::min(first[input], i);
      }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].op()) continue;
      std::size_t box = boxes[i] == nowhere ? 0 : boxes[i];
      while (drawing_.nodes[box].times > 1) box = drawing_.nodes[box].box;
      const auto name = names_.find(steps_[i].result.order());
      if (name != names_.end() && name->second.find('.') == std::string::npos) box = 0;
      add_step(i, box, paths_[box], first[i]);
    }
  }

  void sort_children() {
    for (DrawnNode& node : drawing_.nodes)
      std::stable_sort(node.children.begin(), node.children.end(),
                       [&](std::size_t a, std::size_t b) { return begins_[a] < begins_[b]; });
  }

  // The leaves that lie in a box, if they are too many for a row; and the new boxes into others, if they are.
  void put_leaves_into_boxes(std::size_t around) {
    std::vector<std::size_t> leaves, others;
    for (const std::size_t child : drawing_.nodes[around].children) {
      const DrawnNode& node = drawing_.nodes[child];
      (node.kind == DrawnNode::Kind::box || node.operations > 0 ? others : leaves).push_back(child);
    }
    const std::size_t count = leaves.size();
    for (std::size_t in_each = most_in_a_row; leaves.size() > most_in_a_row; in_each *= most_in_a_row) {
      const std::vector<std::size_t> inside = std::exchange(leaves, {});
      for (std::size_t i = 0; i < inside.size(); ++i) {
        if (i % most_in_a_row == 0) {
          const std::size_t first = leaves.size() * in_each, last = std::min(first + in_each, count);
          const std::string name = fmt::format("leaves {} – {}", first + 1, last);
          leaves.push_back(add_node({.kind = DrawnNode::Kind::box, .name = name, .box = around, .folded = true},
                                    paths_[around], begins_[inside[i]]));
        }
        drawing_.nodes[inside[i]].box = leaves.back();
        drawing_.nodes[leaves.back()].children.push_back(inside[i]);
      }
    }
    others.insert(others.end(), leaves.begin(), leaves.end());
    drawing_.nodes[around].children = std::move(others);
  }

  // The gradient that passes a line is the sum over all uses of the value that the line leads to.
  void add_line(std::size_t from, std::size_t to, const Variable& passed) {
    const auto [found, is_new] = places_.try_emplace({from, to}, drawing_.lines.size());
    if (is_new) {
      drawing_.lines.push_back({from, to, {}});
      passed_.push_back(Tensor());
    }
    if (!passed.defined()) return;
    Tensor& sum = passed_[found->second];
    sum = sum.defined() ? sum + passed.value() : passed.value();
  }

  void add_lines() {
    for (const std::size_t i : operations_) {
      const graph::Step& step = steps_[i];
      for (std::size_t n = 0; n < step.inputs.size(); ++n) {
        const std::size_t from = nodes_of_[step.inputs[n]], to = nodes_of_[i];
        const bool wanted = n < step.passed.size() && step.result.node()->inputs[n].requires_grad();
        const Variable passed = wanted ? step.passed[n] : Variable();
        const std::size_t common = in_common(drawing_.nodes[from].box, drawing_.nodes[to].box);
        for (std::size_t box = drawing_.nodes[from].box; box != common; box = drawing_.nodes[box].box)
          add_line(from, box, passed);
        for (std::size_t box = to; box != common; box = drawing_.nodes[box].box) add_line(from, box, passed);
      }
    }
    for (std::size_t i = 0; i < passed_.size(); ++i)
      if (passed_[i].defined()) drawing_.lines[i].gradient = norm_of(passed_[i]);
  }

  // From the outside in. A box around a single operation says all that is inside, and stays folded.
  void unfold() {
    std::size_t in_sight = drawing_.nodes[0].children.size();
    std::vector<std::size_t> now{0}, next;
    for (; !now.empty(); now = std::exchange(next, {}))
      for (const std::size_t around : now)
        for (const std::size_t child : drawing_.nodes[around].children) {
          DrawnNode& node = drawing_.nodes[child];
          if (node.kind != DrawnNode::Kind::box || node.operations == 1) continue;
          const bool stands_for_all = node.times > 1;
          const std::size_t more = stands_for_all ? 1 : node.children.size();
          if (in_sight + more > options_.shown) continue;
          in_sight += more;
          if (!stands_for_all) node.folded = false;
          next.push_back(child);
          if (drawing_.nodes[around].times > 1) break;
        }
  }

  const DrawOptions& options_;
  graph::Trace steps_;
  std::vector<std::size_t> operations_;
  std::map<std::uint64_t, std::string> names_;
  Drawing drawing_;
  std::vector<std::string> paths_;                                     // of each node: the module that it is in
  std::vector<std::size_t> begins_;                                    // of each node: its first step, or first use
  std::vector<std::size_t> nodes_of_;                                  // of each step
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> places_;  // of lines
  std::vector<Tensor> passed_;                                         // along each line
};

}  // namespace

Drawing draw(const Variable& x, const DrawOptions& options) {
  require_defined("draw", x);
  return Drawer(x, options).draw();
}

}  // namespace regard
