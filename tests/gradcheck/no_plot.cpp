#include "tests/gradcheck/table.h"

namespace regard::gradcheck_table {

// In a build without the library of pictures.
int plot_errors(const std::vector<cases::Case>&, const GradcheckOptions&, const std::string&) {
  fail<ValueError>("--plot: this build has no pictures; configure it with -D REGARD_BUILD_EXAMPLES=ON");
}

}  // namespace regard::gradcheck_table
