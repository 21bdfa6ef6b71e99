#include "nn/tools/draw/draw.h"

#include "autograd/elements.h"
#include "nn/tools/explain/modules.h"
#include "nn/tools/explain/trace.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace regard {
namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

std::string about_value(const Tensor& x) {
  std::string text = fmt::format("value {} {}", name_of(x.dtype()), x.shape());
  if (x.numel() == 1) return text + fmt::format("\n{:.5g}", to(x, DType::f64).item());
  if (x.numel() == 0) return text + "\nno elements";
  const Tensor y = to(x, DType::f64);
  return text + fmt::format("\nmean {:.4g}, from {:.4g} to {:.4g}", mean(y).item(), min(y).item(), max(y).item());
}

bool has_module(const std::string& name) { return name.find('.') != std::string::npos; }

// Operations come first, then the boxes around them, the leaves, and the lines.
class Drawer {
 public:
  Drawer(const Variable& x, const std::vector<NamedParameter>& list)
      : list_(list), names_(list), steps_(graph::trace("draw", x)), nodes_of_(steps_.size()) {
    if (x.requires_grad()) graph::pass_back(steps_);
  }

  Drawing draw() && {
    drawing_.nodes.push_back({.kind = DrawnNode::Kind::box});
    const std::vector<ModulePath> modules = modules_of(steps_, list_);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!steps_[i].op()) continue;
      nodes_of_[i] = drawing_.nodes.size();
      drawing_.nodes.push_back(operation(steps_[i], name_of(modules[i])));
      of_operations_.push_back(modules[i]);
    }
    const Nodes outermost = by_module(1, of_operations_.size() + 1, 0);
    drawing_.nodes[0].operations = of_operations_.size();
    drawing_.nodes[0].children = outermost;
    add_leaves();
    add_lines();
    return std::move(drawing_);
  }

 private:
  using Nodes = std::vector<std::size_t>;

  static DrawnNode operation(const graph::Step& step, const std::string& module) {
    DrawnNode node{.name = step.op()->name, .formula = cut_short(step.op()->formula, 31), .operations = 1};
    if (!module.empty()) node.told = "in " + module + "\n";
    node.told += fmt::format("{} = {}\nbackward: {}\n", node.name, step.op()->formula, step.op()->rule);
    return with_value(std::move(node), step);
  }

  DrawnNode leaf(const graph::Step& step, const std::string& name, std::size_t box) const {
    DrawnNode node{.box = box};
    if (!step.result.requires_grad() && name.empty()) {
      node.kind = DrawnNode::Kind::constant;
      node.told = "constant\n";
    } else {
      node.kind = has_module(name) ? DrawnNode::Kind::parameter : DrawnNode::Kind::input;
      const std::string in_module = module_around(box) + ".";
      node.name = name.empty() ? "input" : name.starts_with(in_module) ? name.substr(in_module.size()) : name;
      node.name = cut_short(node.name, 35);
      node.told = (name.empty() ? "requires a gradient" : name) + "\n";
    }
    node = with_value(std::move(node), step);
    if (node.kind == DrawnNode::Kind::constant && step.result.numel() == 1)  // the number stands for its shape
      node.shape = fmt::format("{:.4g}", to(step.result.value(), DType::f64).item());
    return node;
  }

  static DrawnNode with_value(DrawnNode node, const graph::Step& step) {
    node.shape = fmt::format("{}", step.result.shape());
    node.told += about_value(step.result.value());
    node.told += step.gradient.defined() ? fmt::format("\ngradient norm {:.4g}", length_of(step.gradient.value()))
                                         : "\nno gradient";
    return node;
  }

  // Boxes of modules tell their names in full.
  const std::string& module_around(std::size_t box) const {
    while (box != 0 && drawing_.nodes[box].told.empty()) box = drawing_.nodes[box].box;
    return drawing_.nodes[box].told;
  }

  std::size_t in_common(std::size_t a, std::size_t b) const {
    while (!drawing_.is_inside(b, a)) a = drawing_.nodes[a].box;
    return a;
  }

  // Nodes are put into boxes, each a run of operations that were recorded one after the other: so values go only from
  // earlier boxes to later ones, and a picture has no circles.
  //
  // The operations [first, last), put into boxes; `depth` modules are around them already. A module that is called
  // twice is two boxes.
  Nodes by_module(std::size_t first, std::size_t last, std::size_t depth) {
    Nodes nodes;
    for (std::size_t end = first; first < last; first = end) {
      const ModulePath& path = of_operations_[first - 1];
      end = first + 1;
      if (path.size() <= depth) {
        nodes.push_back(first);
        continue;
      }
      const auto is_same = [&](const ModulePath& other) { return other.size() > depth && other[depth] == path[depth]; };
      while (end < last && is_same(of_operations_[end - 1])) ++end;
      const ModulePath module(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
      nodes.push_back(box_of_module(module, by_module(first, end, depth + 1)));
    }
    return in_few(std::move(nodes), "parts");
  }

  // What lies side by side, put into boxes of 120 where it is more: "leaves 1 – 120".
  Nodes in_few(Nodes nodes, const std::string& what) {
    constexpr std::size_t most = 120;
    while (nodes.size() > most) {
      Nodes boxes;
      for (std::size_t i = 0; i < nodes.size(); i += most) {
        const std::size_t end = std::min(i + most, nodes.size());
        const auto at = [&](std::size_t n) { return nodes.begin() + static_cast<std::ptrdiff_t>(n); };
        boxes.push_back(add_box(fmt::format("{} {} – {}", what, i + 1, end), Nodes(at(i), at(end))));
      }
      nodes = std::move(boxes);
    }
    return nodes;
  }

  // Only boxes of modules tell anything: their names in full.
  std::size_t box_of_module(const ModulePath& path, const Nodes& inside) {
    DrawnNode& first = drawing_.nodes[inside[0]];
    if (inside.size() == 1 && first.kind == DrawnNode::Kind::box && !first.told.empty()) {  // instead of a box in a box
      first.name = path.back() + "." + first.name;
      return inside[0];
    }
    const std::size_t box = add_box(path.back(), inside);
    drawing_.nodes[box].told = name_of(path);
    return box;
  }

  std::size_t add_box(const std::string& name, const Nodes& children) {
    const std::size_t number = drawing_.nodes.size();
    DrawnNode box{.kind = DrawnNode::Kind::box, .name = name, .children = children};
    for (const std::size_t child : children) {
      DrawnNode& one = drawing_.nodes[child];
      one.box = number;
      box.operations += one.operations;
      if (one.operations > 0) box.shape = one.shape, box.formula = one.formula;
    }
    if (box.operations > 1) box.formula = fmt::format("{} operations", box.operations);
    drawing_.nodes.push_back(std::move(box));
    return number;
  }

  // A leaf lies in the smallest box that holds all its uses. What has a name without a dot belongs to no module, and
  // lies outside.
  void add_leaves() {
    std::vector<std::size_t> around(steps_.size(), nowhere);  // each leaf
    for (std::size_t i = 0; i < steps_.size(); ++i)
      for (const std::size_t input : steps_[i].inputs) {
        const std::size_t box = drawing_.nodes[nodes_of_[i]].box;
        around[input] = around[input] == nowhere ? box : in_common(around[input], box);
      }
    std::map<std::size_t, Nodes> leaves;  // in each box
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].op()) continue;
      const std::string& name = names_.name_of(steps_[i].result);
      const bool is_outside = around[i] == nowhere || (!name.empty() && !has_module(name));
      const std::size_t box = is_outside ? 0 : around[i];
      nodes_of_[i] = drawing_.nodes.size();
      drawing_.nodes.push_back(leaf(steps_[i], name, box));
      leaves[box].push_back(nodes_of_[i]);
    }
    for (const auto& [box, inside] : leaves)
      for (const std::size_t one : in_few(inside, "leaves")) {
        drawing_.nodes[one].box = box;
        drawing_.nodes[box].children.push_back(one);
      }
  }

  void add_lines() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const graph::Step& step = steps_[i];
      for (std::size_t n = 0; n < step.inputs.size(); ++n) {
        const std::size_t from = nodes_of_[step.inputs[n]], to = nodes_of_[i];
        const bool wanted = n < step.passed.size() && step.result.node()->inputs[n].requires_grad();
        const Variable passed = wanted ? step.passed[n] : Variable();
        const std::size_t common = in_common(drawing_.nodes[from].box, drawing_.nodes[to].box);
        for (std::size_t box = drawing_.nodes[from].box; box != common; box = drawing_.nodes[box].box)
          add_line(from, box, box, passed);
        for (std::size_t node = to; node != common; node = drawing_.nodes[node].box)
          add_line(from, node, drawing_.nodes[node].box, passed);
      }
    }
    for (std::size_t i = 0; i < passed_.size(); ++i)
      if (passed_[i].defined()) drawing_.lines[i].gradient = length_of(passed_[i]);
  }

  // The gradient that passes a line is the sum over all uses of the value that the line leads to.
  void add_line(std::size_t from, std::size_t to, std::size_t inside, const Variable& passed) {
    const auto [found, is_new] = numbers_.try_emplace({from, to}, drawing_.lines.size());
    if (is_new) {
      drawing_.nodes[inside].lines.push_back(drawing_.lines.size());
      drawing_.lines.push_back({from, to, {}});
      passed_.push_back(Tensor());
    }
    if (!passed.defined()) return;
    Tensor& sum = passed_[found->second];
    sum = sum.defined() ? sum + passed.value() : passed.value();
  }

  const std::vector<NamedParameter>& list_;
  ParameterNames names_;
  graph::Trace steps_;
  std::vector<std::size_t> nodes_of_;      // of each step
  std::vector<ModulePath> of_operations_;  // which are the nodes from 1 on
  Drawing drawing_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers_;  // of lines
  std::vector<Tensor> passed_;                                          // along each line
};

}  // namespace

Drawing draw(const Variable& x, const std::vector<NamedParameter>& names) {
  require_defined("draw", x);
  return Drawer(x, names).draw();
}

}  // namespace regard
