#pragma once

#include "examples/plot/figure.h"
#include "nn/tools/watch/watch.h"

#include <string>

namespace regard {

// What a watch saw, a row for each parameter, activation or head, a column for each step that it looked at; and the
// words below the picture.
bool has_watch_figure(const nn::Watch& watch);  // a model of a single number has none
plot::Figure watch_figure(const nn::Watch& watch, const std::string& title);
std::string watch_notice(const nn::Watch& watch);

}  // namespace regard
