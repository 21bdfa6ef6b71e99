# The public names of the library, read from its headers: what they declare in a namespace, outside of all classes.
#
#   awk -f names.awk HEADER…                   "regard LayerNorm nn/layers/norm.h:10", a line for each
#   awk -f names.awk -v mode=check HEADER…     only what is wrong: a name in two of the namespaces that a program opens
#   awk -f names.awk -v mode=program HEADER…   a program that opens them all and mentions every name
#
# It relies on the layout of the sources: what is declared in a namespace begins in the first column, all else is
# indented. What it cannot read it reports, so that no name is passed over.

function complain(text) { print text > "/dev/stderr"; failed = 1 }

# The namespaces that programs open with `using namespace`. A name may be in one of them only, or code that opens two
# must not use it.
function is_open(space) {
  return space == "regard" || space == "regard::nn" || space == "regard::optim" || space == "regard::plot"
}

function note(space, name,    place) {
  place = FILENAME ":" FNR
  if (mode == "" && !((space, name) in where)) print space, name, place
  if (is_open(space) && (name in home) && home[name] != space && mode == "check")
    complain(place ": " space "::" name " is also " home[name] "::" name ", " where[home[name], name])
  if (is_open(space) && !(name in home)) {
    home[name] = space
    names[++name_count] = name
  }
  if (!((space, name) in where)) where[space, name] = place
}

# The name that a declaration gives, "" if it gives none here: an operator, or a member defined outside of its class.
function declared(text,    words, count) {
  while (gsub(/<[^<>]*>/, "", text)) {}  # template arguments
  gsub(/alignas\([^)]*\)|decltype\([^)]*\)|\[\[[^]]*\]\]/, "auto", text)
  if (text ~ /(^| )operator/ || text ~ /^(static_assert|using namespace|using enum)/) return ""
  if (text ~ /^(struct|class|enum class|enum|concept) /) {
    sub(/^(enum class|enum|struct|class|concept) +(auto +)?/, "", text)
    sub(/[^A-Za-z0-9_:].*/, "", text)
    return text ~ /::/ ? "" : text
  }
  if (text ~ /^using /) {  # using Name = …;  or  using other::Name;
    sub(/^using +/, "", text)
    sub(/[ ;=].*/, "", text)
    sub(/.*::/, "", text)
    return text
  }
  sub(/[({=;].*/, "", text)  # the parameters of a function, or the value of a constant
  sub(/ +$/, "", text)
  count = split(text, words, /[ *&]+/)
  if (count < 2) return "?"
  return words[count] ~ /::/ ? "" : words[count]
}

FNR == 1 {
  depth = 0
  state = pending = ""
  if (mode == "program") headers[++header_count] = FILENAME
}

{ sub(/ *\/\/.*/, "") }  # comments

/^namespace [A-Za-z0-9_:]+ \{/ {
  space = depth ? spaces[depth] : ""
  count = split($2, parts, "::")
  for (i = 1; i <= count; ++i) {
    if (space != "") {
      note(space, parts[i])
      is_namespace[parts[i]] = 1
    }
    space = space == "" ? parts[i] : space "::" parts[i]
  }
  spaces[++depth] = space
  next
}
/^$/ || /^#/ { next }

# Inside a declaration that began in the first column: until its semicolon, or until the brace that ends it.
state == "body" || /^[ \t)]/ {
  if (state == "body" && /^}/) state = ""
  if (state == "head" && /\{$/) state = "body"
  else if (state == "head" && /[;}]$/) state = ""
  next
}
/^}/ { --depth; next }
depth == 0 || /^requires/ || /^extern template/ { next }

{
  state = "head"
  if (/[;}]$/) state = ""
  if (/\{$/) state = "body"
  line = pending $0
  sub(/^template <.*> ?/, "", line)
  if (line !~ /[({;=]/) {  # template <class T>, or a type whose function is named in the next line
    pending = line (line == "" ? "" : " ")
    next
  }
  pending = ""
  if (line ~ /^using [^=]*,/) {  # using a::b, c::d;
    gsub(/^using +|;|[A-Za-z_0-9]+::/, "", line)
    count = split(line, parts, /, */)
    for (i = 1; i <= count; ++i) note(spaces[depth], parts[i])
    next
  }
  if (line ~ /^[A-Za-z0-9_]+(<[^(]*>)?::[A-Za-z0-9_]+\(/) next  # a constructor, defined behind its class
  name = declared(line)
  if (name == "?") complain(FILENAME ":" FNR ": what does this line declare? " $0)
  else if (name != "") note(spaces[depth], name)
  if (line ~ /^[^(]*=/)  # two constants in one line
    while (match(line, /, [a-z_0-9]+ = /)) {
      note(spaces[depth], substr(line, RSTART + 2, RLENGTH - 5))
      line = substr(line, RSTART + RLENGTH)
    }
}

END {
  if (mode == "program") {
    for (i = 1; i <= header_count; ++i) print "#include \"" headers[i] "\""
    print "\nnamespace {\nnamespace program {\nusing namespace regard;\nusing namespace regard::nn;"
    print "using namespace regard::optim;\n}\n"
    print "// A name that two of the namespaces declare is ambiguous here."
    print "namespace mentions {"
    for (i = 1; i <= name_count; ++i)
      print is_namespace[names[i]] ? "namespace " names[i] " = program::" names[i] ";" : "using program::" names[i] ";"
    print "}\n}\n\nint main() {}"
  }
  exit failed
}
