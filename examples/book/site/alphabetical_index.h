#pragma once

#include "examples/book/site/contents.h"

namespace regard::site {

// A page that is made, not written: the words of the glossary from A to Z, under both of their names, each with the
// sections of the chapters that explain it. It stands behind the glossary; where there is none, nothing is added.
void add_alphabetical_index(Contents& contents);

}  // namespace regard::site
