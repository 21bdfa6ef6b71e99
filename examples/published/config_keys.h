#pragma once

#include "nn/save/json.h"
#include "tensor/error.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace regard::nn {

// An object of a config, of which each key must have been asked for in the end.
class ConfigKeys {
 public:
  ConfigKeys(const Json& object, std::string file, std::string where)
      : object_(object), file_(std::move(file)), where_(std::move(where)) {}

  const Json* find(const std::string& key) {
    known_.insert(key);
    const Json* value = object_.find(key);
    return value && !value->get_if<std::nullptr_t>() ? value : nullptr;  // null says no more than no key
  }
  const Json& at(const std::string& key) {
    const Json* value = object_.find(key);
    known_.insert(key);
    if (!value) malformed(file_, "{}it has no {}", where_, key);
    return *value;
  }
  std::int64_t size(const std::string& key) {
    const Json& value = at(key);
    if (!value.is_size()) malformed(file_, "{}{} is {}, which is not a size", where_, key, excerpt(value));
    return value.size();
  }
  bool truth(const std::string& key) {
    const auto* value = at(key).get_if<bool>();
    if (!value) malformed(file_, "{}{} is {}, and neither true nor false", where_, key, excerpt(at(key)));
    return *value;
  }
  double number(const std::string& key) {
    const Json& value = at(key);
    if (const auto* real = value.get_if<double>()) return *real;
    if (!value.is_size()) malformed(file_, "{}{} is {}, which is not a number above 0", where_, key, excerpt(value));
    return static_cast<double>(value.size());
  }
  // A text out of these, or one of them if there is none.
  std::string choice(const std::string& key, const std::vector<std::string>& known) {
    const Json* value = find(key);
    if (!value) return known[0];
    const auto* text = value->get_if<std::string>();
    if (!text || std::find(known.begin(), known.end(), *text) == known.end())
      refuse(key, *value, join_words(known, ", "));
    return *text;
  }
  // What must be so if it is there at all.
  void require(const std::string& key, const Json& wanted) {
    const Json* value = find(key);
    if (value && *value != wanted) refuse(key, *value, excerpt(wanted));
  }
  void ignore(std::initializer_list<const char*> keys) { known_.insert(keys.begin(), keys.end()); }
  void require_all_known() const {
    for (const auto& [key, value] : *object_.get_if<JsonObject>())
      if (!known_.contains(key) && !value.get_if<std::nullptr_t>())
        malformed(file_, "{}{} is {}, and this key is not known", where_, key, excerpt(value));
  }
  const std::string& file() const { return file_; }

 private:
  [[noreturn]] void refuse(const std::string& key, const Json& value, const std::string& wanted) const {
    malformed(file_, "{}{} is {}, and {} is all that can be read", where_, key, excerpt(value), wanted);
  }
  const Json& object_;
  std::string file_, where_;
  std::set<std::string> known_;
};

}  // namespace regard::nn
