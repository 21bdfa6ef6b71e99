#include "nn/summary.h"

#include <cxxabi.h>

#include <algorithm>

namespace regard::nn {
namespace {

struct Line {
  std::size_t depth;
  std::string name, shape = {}, note = {};
  std::int64_t parameters = 0;
  bool is_buffer = false;
  std::string branch = {};  // in front of the name
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

// Lists the lines, each in front of those below it.
class LineList : public Visitor {
 public:
  explicit LineList(std::string root) : lines{{0, std::move(root)}}, open_{{0, 0}} {}

  std::vector<Line> lines;
  std::int64_t bytes = 0, frozen = 0;

 protected:
  void on_parameter(const std::string& path, Variable& parameter) override {
    Line line{open_.size(), last_name(path), to_string(parameter.shape())};
    const auto known = std::find_if(seen_.begin(), seen_.end(),
                                    [&](const NamedParameter& one) { return one.parameter.same_as(parameter); });
    if (known != seen_.end()) {
      line.note = "= " + known->name;
    } else {
      seen_.push_back({path, parameter});
      line.parameters = parameter.numel();
      bytes += parameter.numel() * static_cast<std::int64_t>(size_of(parameter.dtype()));
      if (!parameter.requires_grad()) {
        line.note = "frozen";
        frozen += parameter.numel();
      }
    }
    for (const Open& module : open_) lines[module.line].parameters += line.parameters;
    lines.push_back(std::move(line));
  }

  void on_buffer(const std::string& path, Tensor& buffer) override {
    lines.push_back({open_.size(), last_name(path), to_string(buffer.shape()), "buffer", 0, true});
  }

  void enter(const std::string& name, const std::type_info& type) override {
    lines.push_back({open_.size(), name + ": " + plain_name(type)});
    open_.push_back({lines.size() - 1, open_.back().prefix + name.size() + 1});
  }
  void leave() override { open_.pop_back(); }

 private:
  std::string last_name(const std::string& path) const { return path.substr(open_.back().prefix); }

  // From the root to where the visit stands: the line of a module, and the length of its path in front of a name.
  struct Open {
    std::size_t line, prefix;
  };
  std::vector<Open> open_;
  std::vector<NamedParameter> seen_;
};

// From the last line up: a branch goes on if more lines of its depth follow below the same module.
void draw_branches(std::vector<Line>& lines) {
  std::vector<bool> goes_on;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    goes_on.resize(line->depth + 1);
    for (std::size_t depth = 1; depth < line->depth; ++depth) line->branch += goes_on[depth] ? "│  " : "   ";
    if (line->depth > 0) line->branch += goes_on[line->depth] ? "├─ " : "└─ ";
    goes_on[line->depth] = true;
  }
}

std::string in_columns(const std::vector<Line>& lines) {
  const auto width_of = [](const Line& line) { return 3 * line.depth + line.name.size(); };
  const auto count_of = [](const Line& line) { return line.is_buffer ? "" : std::to_string(line.parameters); };
  std::size_t name = 0, shape = 0, count = 0;
  for (const Line& line : lines) {
    name = std::max(name, width_of(line));
    shape = std::max(shape, line.shape.size());
    count = std::max(count, count_of(line).size());
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row = fmt::format("{}{}{}  {:<{}}  {:>{}}", line.branch, line.name,
                                  std::string(name - width_of(line), ' '), line.shape, shape, count_of(line), count);
    if (!line.note.empty()) row += "  " + line.note;
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string summary_of(const std::type_info& type, const Members& members) {
  LineList list(plain_name(type));
  members(list);
  draw_branches(list.lines);
  const std::string frozen = list.frozen > 0 ? fmt::format(" ({} of them frozen)", list.frozen) : "";
  return in_columns(list.lines) +
         fmt::format("{} parameters{}, {} bytes\n", list.lines[0].parameters, frozen, list.bytes);
}

}  // namespace regard::nn
