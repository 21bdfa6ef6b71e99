#pragma once

#include <functional>
#include <string>
#include <vector>

namespace regard::museum {

// What a tool said when it was shown something.
struct Finding {
  bool caught = false;
  std::string tool;    // "gradcheck", "influence", "a law of the kit", …
  std::string output;  // its own words
};

// A mistake that people make, beside the right version of the same few lines. Each is one file of exhibits/, which
// hangs it on the wall:
//
//   // museum: wrong
//   Variable spread(…) {…}            // quoted on its page
//   // museum: /wrong
//   …
//   const Hung on_the_wall({.name = "missing_sum", .title = …, .look = [](bool wrong) { return by_gradcheck(…); }});
struct Exhibit {
  std::string name;                                           // of its file and its page
  std::string title;                                          // "The sum over broadcast axes is missing"
  std::string looks;                                          // how it looks from outside, in a few sentences
  std::string common;                                         // how common it is, and where it was reported, if it was
  std::string lesson;                                         // why the tool shows it, and what is right
  std::function<Finding(bool wrong)> look;                    // the tool, shown the wrong or the right version
  std::function<std::vector<double>(bool wrong)> learn = {};  // losses of a small training, if the mistake shows there
  std::string curve = "loss";                                 // what they are
  bool logarithmic = false;                                   // how they are drawn
  std::string finding = {};                                   // what they say: the title of their picture
};

struct Hung {
  explicit Hung(Exhibit exhibit);
};

const std::vector<Exhibit>& wall();  // by name

}  // namespace regard::museum
