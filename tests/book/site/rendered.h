#pragma once

#include <string>
#include <vector>

namespace regard::site {

// What is wrong with a site that was rendered into a folder, as somebody sees who reads its files: links and pictures
// that lead nowhere, anchors that are not there or twice, pages that need the network, TeX that was left as it is.
std::vector<std::string> faults_of_site(const std::string& folder);

}  // namespace regard::site
