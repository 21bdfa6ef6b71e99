#pragma once

#include <string>
#include <string_view>

namespace regard::site {

// Charts are SVG files, whose words are text. The search of a browser finds words of the page itself, and none of a
// file that it shows. So a chart stands in the page.

bool is_svg(std::string_view content);

// Names and styles hold for a whole page: a chart that has some of its own stays a file.
bool may_stand_in_a_page(std::string_view svg);

// The chart as it stands in a page, under the label that its picture has there.
std::string in_a_page(const std::string& svg, const std::string& label);

// Its words for the search of the site, each piece with a blank behind it; numbers of axes are none.
std::string words_in(std::string_view svg);

}  // namespace regard::site
