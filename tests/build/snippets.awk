# Makes a Catch2 source of the code in Markdown pages, so that what they show compiles and runs:
#   ```cpp               statements: the body of a test
#   ```cpp continued     the same, after all statements since the last block without that word
#   ```cpp declarations  functions and constants, seen by the rest of the same page
#   ```cpp quote FILE …  a part of a source: it is compiled there
# A line of the form
#   fmt::print("…\n", …);   // prints 42
# also becomes a check that this is what it prints. All that the statements of a block print goes into a file, too: the
# second block of tests/README.md prints into tests/README.md.2 (printed.h).

FNR == 1 {
  if (page) code = code "}  // namespace\n"
  page = FILENAME
  gsub(/[^A-Za-z0-9]/, "_", page)
  code = code "\nnamespace page_" page " {\n"
  inside = block = 0
  before = ""
}

/^```/ && inside {
  inside = 0
  code = code lines
  if (is_body) {
    code = code "}\n"
    before = before lines
  }
  next
}

/^```cpp quote / { inside = is_body = 0; quoted = 1; next }
/^```/ && quoted { quoted = 0; next }

/^```cpp/ {
  inside = 1
  is_body = !/declarations/
  lines = sprintf("#line %d \"%s\"\n", FNR + 1, FILENAME)
  if (!is_body) next
  if (!/continued/) before = ""
  code = code sprintf("TEST_CASE(\"the code at line %d of %s runs\") {\n", FNR, FILENAME)
  code = code sprintf("Printed printed(\"%s.%d\");\n", FILENAME, ++block)
  if (before != "") code = code before "printed.forget();\n"
  next
}

inside && /^#include / {
  includes = includes $0 "\n"
  lines = lines "\n"
  next
}

inside && match($0, /^ *fmt::print\(.*\); *\/\/ prints /) {
  printed = substr($0, RLENGTH + 1)
  gsub(/["\\]/, "\\\\&", printed)
  call = $0
  sub(/; *\/\/ prints .*/, "", call)
  sub(/^ *fmt::print/, "", call)
  lines = lines sprintf("fmt::print%s; CHECK(fmt::format%s == \"%s\\n\");\n", call, call, printed)
  next
}

inside { lines = lines $0 "\n" }

END {
  print "#include \"nn/all.h\"\n#include \"nn/tools/all.h\""
  print "#include \"tests/build/printed.h\"\n#include \"tests/catch.h\"\n" includes
  print "using namespace regard;"
  print code "}  // namespace"
}
