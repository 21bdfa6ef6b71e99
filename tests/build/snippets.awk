# Makes a Catch2 source of the code in the READMEs, so that what they show compiles and runs:
#   ```cpp               statements: the body of a test
#   ```cpp declarations  functions and constants, seen by the rest of the same README
# A line of the form
#   fmt::print("…\n", …);   // prints 42
# also becomes a check that this is what it prints.

BEGIN { print "#include \"nn/all.h\"\n#include \"tests/catch.h\"\n\nusing namespace regard;" }

FNR == 1 {
  if (chapter++) print "}  // namespace"
  printf "\nnamespace chapter_%d {\n", chapter
}

/^```/ && inside { if (is_body) print "}"; inside = 0; next }

/^```cpp/ {
  inside = 1
  is_body = $0 !~ /declarations/
  if (is_body) printf "TEST_CASE(\"the code at line %d of %s runs\") {\n", FNR, FILENAME
  printf "#line %d \"%s\"\n", FNR + 1, FILENAME
  next
}

inside && match($0, /^ *fmt::print\(.*\); *\/\/ prints /) {
  printed = substr($0, RLENGTH + 1)
  gsub(/["\\]/, "\\\\&", printed)
  call = $0
  sub(/; *\/\/ prints .*/, "", call)
  sub(/^ *fmt::print/, "", call)
  printf "fmt::print%s; CHECK(fmt::format%s == \"%s\\n\");\n", call, call, printed
  next
}

inside

END { print "}  // namespace" }
