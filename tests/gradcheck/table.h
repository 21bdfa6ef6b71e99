#pragma once

#include "tests/cases/case.h"

// The ways to show what was checked. Each returns the exit code: 0, or 1 if a verdict was not PASS.
namespace regard::gradcheck_table {

int print_operations(bool as_json);  // the table of operations
int print_inputs();                  // all cases with their inputs, as JSON
int print_table(const std::vector<cases::Case>& rows, const std::vector<GradcheckReport>& reports, bool verbose);
int print_json(const std::vector<cases::Case>& rows, const std::vector<GradcheckReport>& reports);
// Right operations on `draws` other inputs each, of several sizes: how often is one called wrong, or kinked if smooth?
int print_alarms(const std::vector<cases::Case>& rows, int draws, const GradcheckOptions& options);
// How far measured slopes are off, against the step: a PNG file of each case in the folder `out`.
int plot_errors(const std::vector<cases::Case>& rows, const GradcheckOptions& options, const std::string& out);
int print_bisect(const std::vector<cases::Case>& rows);  // which operation of a case has a wrong rule?
int print_shrunk(const std::vector<cases::Case>& rows, const GradcheckOptions& options);  // of the cases that fail
int print_power(const std::vector<cases::Case>& rows, const GradcheckOptions& options);

}  // namespace regard::gradcheck_table
