#include "nn/tools/draw/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace regard {
namespace {

constexpr std::size_t longest_group = 256;  // of operations that are repeated
constexpr std::size_t least_times = 3, least_times_of_operations = 4;

class Parting {
 public:
  Parting(const graph::Trace& steps, const std::vector<std::size_t>& operations, const std::vector<ModulePath>& modules)
      : steps_(steps), operations_(operations), modules_(modules), number_(steps.size(), steps.size()) {
    for (std::size_t i = 0; i < operations.size(); ++i) number_[operations[i]] = i;
  }

  std::vector<Part> by_module(std::size_t first, std::size_t last, std::size_t depth) {
    std::vector<Part> parts;
    while (first < last) {
      const ModulePath& path = modules_[operations_[first]];
      std::size_t end = first + 1;
      if (path.size() <= depth) {
        parts.push_back({"", first, end});
      } else {
        const auto same = [&](const ModulePath& other) { return other.size() > depth && other[depth] == path[depth]; };
        while (end < last && same(modules_[operations_[end]])) ++end;
        Part part{path[depth], first, end, by_module(first, end, depth + 1), true};
        if (part.parts.size() == 1 && part.parts[0].is_module) {  // a box in a box
          part.name += "." + part.parts[0].name;
          part.parts = std::vector<Part>(std::move(part.parts[0].parts));
        }
        parts.push_back(std::move(part));
      }
      first = end;
    }
    return in_few(with_repeats(std::move(parts), depth));
  }

 private:
  // Equal numbers for equal runs of operations: the same ones on the same shapes, under the same names but for the
  // numbers of the outermost list, connected in the same way.
  std::size_t likeness(std::size_t first, std::size_t last, std::size_t depth) {
    std::string text;
    for (std::size_t i = first; i < last; ++i) {
      const graph::Step& step = steps_[operations_[i]];
      const ModulePath& path = modules_[operations_[i]];
      for (std::size_t d = depth; d < path.size(); ++d)
        text += (d == depth && is_numbered(path[d]) ? path[d].substr(0, path[d].rfind('.')) : path[d]) + '.';
      text += fmt::format("{}{}", step.op()->name, step.result.shape());
      for (const std::size_t input : step.inputs) {
        const std::size_t maker = number_[input];
        if (maker < steps_.size() && maker >= first)
          text += fmt::format(" {}", i - maker);
        else
          text += fmt::format(" {}", steps_[input].result.shape());
      }
      text += '\n';
    }
    return likenesses_.try_emplace(std::move(text), likenesses_.size()).first->second;
  }

  struct Repeat {
    std::size_t period = 0, times = 0;
    std::size_t length() const { return period * times; }
  };

  // The repetition that begins with this part and covers most; of a period that is as short as can be.
  Repeat repeat_at(const std::vector<Part>& parts, const std::vector<std::size_t>& alike, std::size_t begin,
                   std::size_t depth) {
    Repeat best;
    const std::size_t left = parts.size() - begin;
    for (std::size_t period = 1; period <= longest_group && period * least_times <= left; ++period) {
      std::size_t same = 0;
      while (begin + same + period < parts.size() && alike[begin + same] == alike[begin + same + period]) ++same;
      Repeat found{period, same / period + 1};
      const bool one_module = period == 1 && parts[begin].is_module;
      const std::size_t least = one_module ? least_times : least_times_of_operations;
      if (found.times < least || found.length() <= best.length()) continue;
      found.times = equal_groups(parts, begin, found, depth);  // connected alike, too
      if (found.times >= least && found.length() > best.length()) best = found;
    }
    return best;
  }
  std::size_t equal_groups(const std::vector<Part>& parts, std::size_t begin, Repeat repeat, std::size_t depth) {
    if (repeat.period == 1) return repeat.times;
    const auto group = [&](std::size_t t) {
      const std::size_t at = begin + t * repeat.period;
      return likeness(parts[at].first, parts[at + repeat.period - 1].last, depth);
    };
    std::size_t times = 1;
    while (times < repeat.times && group(times) == group(0)) ++times;
    return times;
  }

  std::vector<Part> with_repeats(std::vector<Part> parts, std::size_t depth) {
    std::vector<std::size_t> alike;
    for (const Part& part : parts) alike.push_back(likeness(part.first, part.last, depth));
    std::vector<Part> result;
    for (std::size_t i = 0; i < parts.size();) {
      const Repeat repeat = repeat_at(parts, alike, i, depth);
      if (repeat.times < 2) {
        result.push_back(std::move(parts[i++]));
        continue;
      }
      Part all{"", parts[i].first, parts[i + repeat.length() - 1].last, {}, false, repeat.times};
      for (std::size_t t = 0; t < repeat.times; ++t, i += repeat.period)
        all.parts.push_back(one_of(parts, i, repeat.period, t));
      const Part& one = all.parts.front();
      if (one.is_module)
        all.name = one.name + " … " + all.parts.back().name;
      else if (one.last - one.first > 1)
        all.name = fmt::format("{} operations", one.last - one.first);
      result.push_back(std::move(all));
    }
    return result;
  }

  // An operation gets a box of its own, too, in which lie the constants that only it uses.
  static Part one_of(std::vector<Part>& parts, std::size_t begin, std::size_t period, std::size_t t) {
    if (period == 1 && !parts[begin].parts.empty()) return std::move(parts[begin]);
    return group_of(parts, begin, period, period == 1 ? "" : std::to_string(t + 1));
  }
  static Part group_of(std::vector<Part>& parts, std::size_t begin, std::size_t count, const std::string& name) {
    Part group{name, parts[begin].first, parts[begin + count - 1].last};
    for (std::size_t i = begin; i < begin + count; ++i) group.parts.push_back(std::move(parts[i]));
    return group;
  }

  // A box with thousands of parts cannot be read: they are put into boxes, in the order of recording.
  static std::vector<Part> in_few(std::vector<Part> parts) {
    while (parts.size() > most_in_a_row) {
      std::vector<Part> fewer;
      for (std::size_t i = 0; i < parts.size(); i += most_in_a_row) {
        const std::size_t count = std::min(most_in_a_row, parts.size() - i);
        const std::string name = fmt::format("operations {} – {}", parts[i].first + 1, parts[i + count - 1].last);
        fewer.push_back(group_of(parts, i, count, name));
      }
      parts = std::move(fewer);
    }
    return parts;
  }

  const graph::Trace& steps_;
  const std::vector<std::size_t>& operations_;
  const std::vector<ModulePath>& modules_;
  std::vector<std::size_t> number_;  // of each step that is an operation; for others the size of the trace
  std::map<std::string, std::size_t> likenesses_;
};

}  // namespace

std::vector<Part> parts_of(const graph::Trace& steps, const std::vector<std::size_t>& operations,
                           const std::vector<ModulePath>& modules) {
  return Parting(steps, operations, modules).by_module(0, operations.size(), 0);
}

}  // namespace regard
