#pragma once

#include <functional>
#include <map>
#include <string>

// The exercises of this program, each of which puts itself here before main begins.
namespace listed {

std::map<std::string, std::function<int()>>& exercises();  // by "untouched 09_softmax_backwards"

struct Exercise {
  Exercise(const std::string& kind, const std::string& name, int (*run)()) { exercises()[kind + " " + name] = run; }
};

}  // namespace listed
