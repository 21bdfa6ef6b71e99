# Makes one source of many exercises: what they include, then each in a namespace of its own, named by its file and by
# whether it is solved, and put on a list.   awk -f gather.awk FILE…
FNR == 1 {
  close_namespace()
  name = FILENAME
  sub(/.*\//, "", name)
  sub(/\.cpp$/, "", name)
  kind = FILENAME ~ /\/solved\/[^\/]*$/ ? "solved" : "untouched"
  inside = kind "_" name
  code = code "\nnamespace " inside " {\n#line 1 \"" FILENAME "\"\n"
}
/^#include / {
  if (!seen[$0]++) includes = includes $0 "\n"
  $0 = ""
}
{ code = code $0 "\n" }
END {
  close_namespace()
  print includes "#include \"tests/exercises/listed.h\"" code
}
function close_namespace() {
  if (inside != "") code = code "\nconst listed::Exercise listed_here(\"" kind "\", \"" name "\", main);\n}\n"
}
