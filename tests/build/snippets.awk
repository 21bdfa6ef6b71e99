# Makes a Catch2 source of the code in the READMEs, so that what they show compiles and runs:
#   ```cpp               statements: the body of a test
#   ```cpp declarations  functions and constants, seen by the rest of the same README

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

inside

END { print "}  // namespace" }
