#include "nn/save/save.h"

#include <algorithm>
#include <set>

namespace regard::nn {
namespace {

using State = std::map<std::string, Tensor>;

Tensor whole_numbers(const Shape& shape, std::initializer_list<std::int64_t> values) {
  Tensor x = empty(shape, DType::i64);
  std::copy(values.begin(), values.end(), x.writable<std::int64_t>());
  return x;
}

// Everything a visit lists, as tensors. And the way back: members whose path is in `loaded` become what it has there.
// What does not fit has been taken out of it.
struct StateVisitor : Visitor {
  const State* loaded = nullptr;
  State state;
  std::set<std::string> numbers;  // those of them that are generators and counters
  std::set<std::uint64_t> known;  // parameters, by their order()

  void on_parameter(const std::string& path, Variable& parameter) override {
    if (!parameter.is_leaf()) fail<ValueError>("state: {} is the result of an operation, not a parameter", path);
    if (!known.insert(parameter.order()).second) return;
    visit(path, parameter.value(), [&](const Tensor& x) { assign(parameter, x); });
  }
  void on_buffer(const std::string& path, Tensor& buffer) override {
    visit(path, buffer, [&](const Tensor& x) { buffer = x; });
  }
  void on_generator(const std::string& path, Generator& generator) override {
    numbers.insert(path);
    const auto seed = static_cast<std::int64_t>(generator.seed());
    visit(path, whole_numbers({2}, {seed, static_cast<std::int64_t>(generator.position())}), [&](const Tensor& x) {
      const auto* given = x.data<std::int64_t>();
      generator = Generator(static_cast<std::uint64_t>(given[0]), static_cast<std::uint64_t>(given[1]));
    });
  }
  void on_counter(const std::string& path, std::int64_t& counter) override {
    numbers.insert(path);
    visit(path, whole_numbers({}, {counter}), [&](const Tensor& x) { counter = *x.data<std::int64_t>(); });
  }

  template <class Set>
  void visit(const std::string& path, const Tensor& value, const Set& set) {
    if (!loaded && !state.emplace(path, value).second)
      fail<ValueError>("state: two members have the name {} (each name that visit gives must be another)", path);
    if (loaded && loaded->contains(path)) set(loaded->at(path));
  }
};

bool can_convert(const Tensor& found, const Tensor& wanted) {
  return found.shape() == wanted.shape() && is_float(found.dtype()) && is_float(wanted.dtype());
}

// What of a file is wanted here, under the names it has here.
struct Loaded {
  State state;
  Skipped skipped;
  bool would_convert = false;  // something was skipped for its dtype alone
};
Loaded what_fits(State file, const StateVisitor& here, const LoadOptions& options) {
  Loaded loaded;
  State rest = file;
  for (const auto& [name, wanted] : here.state) {
    const bool left_alone = options.weights_only && here.numbers.contains(name);
    const std::string there = options.name_in_file ? options.name_in_file(name) : name;
    const auto found = file.find(there);
    rest.erase(there);
    if (left_alone) continue;
    if (found == file.end())
      loaded.skipped.missing.push_back(there == name ? name : fmt::format("{} ({} in the file)", name, there));
    else if (found->second.dtype() == wanted.dtype() && found->second.shape() == wanted.shape())
      loaded.state.emplace(name, found->second);
    else if (options.convert && can_convert(found->second, wanted))
      loaded.state.emplace(name, to(found->second, wanted.dtype()));
    else {
      loaded.would_convert = loaded.would_convert || can_convert(found->second, wanted);
      loaded.skipped.misshapen.push_back(fmt::format("{} is {} {} in the file and {} {} here", name,
                                                     found->second.dtype(), found->second.shape(), wanted.dtype(),
                                                     wanted.shape()));
    }
  }
  for (const auto& [there, value] : rest) loaded.skipped.unexpected.push_back(there);
  return loaded;
}

}  // namespace

std::string Skipped::to_string() const {
  std::vector<std::string> groups;
  const auto add = [&](const char* title, const std::vector<std::string>& names) {
    if (!names.empty()) groups.push_back(fmt::format("{}: {}", title, join_words(names, ", ")));
  };
  add("missing", missing);
  add("unexpected", unexpected);
  add("misshapen", misshapen);
  return join_words(groups, "; ");
}

State state_of(const Members& members) {
  StateVisitor visitor;
  members(visitor);
  return visitor.state;
}

void save(const Members& members, const std::string& path, const std::map<std::string, std::string>& metadata) {
  save_safetensors(path, {state_of(members), metadata});
}

Skipped load(const Members& members, const std::string& path, const LoadOptions& options) {
  state_of(members);  // a list with mistakes is told before the file is read
  return load(members, load_safetensors(path), options, path);
}

Skipped load(const Members& members, const TensorFile& file, const LoadOptions& options, const std::string& source) {
  StateVisitor list;
  members(list);
  const Loaded loaded = what_fits(file.tensors, list, options);
  if (options.strict && !loaded.skipped.empty())
    fail<IoError>("load: {}: the file does not fit: {} (load(…, {{.strict = false}}) leaves these out{})", source,
                  loaded.skipped.to_string(),
                  loaded.would_convert ? "; {.convert = true} takes numbers of another dtype" : "");
  StateVisitor setter;
  setter.loaded = &loaded.state;
  members(setter);
  return loaded.skipped;
}

}  // namespace regard::nn
