# Puts a solution in place of what the reader of an exercise is to write: from the line "// TODO" to the line before
# the checks.   awk -f solve.awk SOLUTION EXERCISE
FNR == NR { solution = solution $0 "\n"; next }
/^\/\/ TODO/ && !at_work { printf "%s\n", solution; at_work = 1 }
/^\/\/ ---- / { at_work = 0; checks = 1 }
!at_work || checks
