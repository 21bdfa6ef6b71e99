#include "nn/summary.h"

#include <cxxabi.h>

#include <algorithm>
#include <memory>

namespace regard::nn {
namespace {

struct Line {
  std::string name, shape, note;
  std::int64_t parameters;
  bool is_buffer;
  std::vector<Line> children;
};

// "regard::nn::Sequential<regard::nn::Linear, …>" → "Sequential"
std::string plain_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> full(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    std::free);
  std::string name;
  int depth = 0;
  for (const char c : std::string(status == 0 ? full.get() : type.name())) {
    depth += c == '<';
    if (depth == 0) name += c;
    depth -= c == '>';
  }
  const auto colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

// Builds the tree. `open_` are the lines from the root to where the visit stands.
class TreeBuilder : public Visitor {
 public:
  TreeBuilder(Line& root) : open_{&root} {}  // NOLINT

  std::int64_t bytes = 0, frozen = 0;

 protected:
  void on_parameter(const std::string& path, Variable& parameter) override {
    Line line{last_name(path), to_string(parameter.shape()), "", parameter.numel(), false, {}};
    const auto known = std::find_if(seen_.begin(), seen_.end(),
                                    [&](const NamedParameter& one) { return one.parameter.same_as(parameter); });
    if (known != seen_.end()) {
      line.note = "= " + known->name;
      line.parameters = 0;
    } else {
      seen_.push_back({path, parameter});
      bytes += parameter.numel() * static_cast<std::int64_t>(size_of(parameter.dtype()));
      if (!parameter.requires_grad()) {
        line.note = "frozen";
        frozen += parameter.numel();
      }
    }
    for (Line* ancestor : open_) ancestor->parameters += line.parameters;
    open_.back()->children.push_back(std::move(line));
  }

  void on_buffer(const std::string& path, Tensor& buffer) override {
    open_.back()->children.push_back({last_name(path), to_string(buffer.shape()), "buffer", 0, true, {}});
  }

  void enter(const std::string& name, const std::type_info& type) override {
    prefixes_.push_back((prefixes_.empty() ? "" : prefixes_.back()) + name + ".");
    auto& siblings = open_.back()->children;
    siblings.push_back({name + ": " + plain_name(type), "", "", 0, false, {}});
    open_.push_back(&siblings.back());  // stays where it is until leave(): its siblings come later
  }
  void leave() override {
    prefixes_.pop_back();
    open_.pop_back();
  }

 private:
  std::string last_name(const std::string& path) const {
    return path.substr(prefixes_.empty() ? 0 : prefixes_.back().size());
  }

  std::vector<Line*> open_;
  std::vector<std::string> prefixes_;
  std::vector<NamedParameter> seen_;
};

// Columns: a name with the branches in front of it, a shape, a count, a note.
struct Row {
  std::string name, shape, count, note;
  std::size_t width;  // of the name on the screen
};

void add_rows(const Line& line, const std::string& branch, const std::string& below, std::size_t depth,
              std::vector<Row>& rows) {
  const std::string count = line.is_buffer ? "" : fmt::format("{}", line.parameters);
  rows.push_back({branch + line.name, line.shape, count, line.note, 3 * depth + line.name.size()});
  for (const Line& child : line.children) {
    const bool last = &child == &line.children.back();
    add_rows(child, below + (last ? "└─ " : "├─ "), below + (last ? "   " : "│  "), depth + 1, rows);
  }
}

std::string in_columns(const std::vector<Row>& rows) {
  std::size_t name = 0, shape = 0, count = 0;
  for (const Row& row : rows) {
    name = std::max(name, row.width);
    shape = std::max(shape, row.shape.size());
    count = std::max(count, row.count.size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = fmt::format("{}{}  {:<{}}  {:>{}}", row.name, std::string(name - row.width, ' '), row.shape,
                                   shape, row.count, count);
    if (!row.note.empty()) line += "  " + row.note;
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string summary_of(const std::type_info& type, const Members& members) {
  Line root{plain_name(type), "", "", 0, false, {}};
  TreeBuilder builder(root);
  members(builder);
  std::vector<Row> rows;
  add_rows(root, "", "", 0, rows);
  const std::string frozen = builder.frozen > 0 ? fmt::format(" ({} of them frozen)", builder.frozen) : "";
  return in_columns(rows) + fmt::format("{} parameters{}, {} bytes\n", root.parameters, frozen, builder.bytes);
}

}  // namespace regard::nn
