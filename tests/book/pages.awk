# Prints a page of the book as it should be: what it quotes is taken from the sources again, and what it says is printed
# from a run. If the result differs from the page, the page is out of date.
#
#   awk -v printed=FOLDER -v programs=FOLDER -f pages.awk PAGE.md
#
#   ```cpp quote FILE NAME      the lines of FILE between a comment "book: NAME" and one "book: /NAME"
#   ```text                     right below a block of code: what its statements print (FOLDER/PAGE.md.N, of block N)
#   ```text PROGRAM ARGUMENT…   a part of what programs/PROGRAM prints. A line "…" stands for lines that are left out
#
# What cannot be mended by taking it again is an error: it is reported, and the exit code is 1.

function complain(text) {
  print FILENAME ":" FNR ": " text > "/dev/stderr"
  failed = 1
}

# The lines of a region, moved to the left by as much as its mark is indented. Marks of other regions are left out.
function region(file, name,    line, mark, indent, on, found, text) {
  while ((getline line < file) > 0) {
    if (match(line, /^ *(\/\/|#) book: /)) {
      mark = substr(line, RLENGTH + 1)
      if (mark == name) {
        match(line, /^ */)
        indent = RLENGTH
        on = 1
      }
      if (mark == "/" name && on) {
        on = 0
        found = 1
      }
    } else if (on) {
      text = text substr(line, substr(line, 1, indent) ~ /^ *$/ ? indent + 1 : 1) "\n"
    }
  }
  close(file)
  if (on) complain("in " file " the region '" name "' has no end")
  else if (!found) complain("in " file " there is no region '" name "'")
  return text
}

function contents(file,    line, text) {
  while ((getline line < file) > 0) text = text line "\n"
  close(file)
  return text
}

# The output of a program, run once for each of its arguments.
function output(command,    line, text) {
  if (command in outputs) return outputs[command]
  while ((command | getline line) > 0) text = text line "\n"
  if (close(command)) complain("'" command "' failed")
  return outputs[command] = text
}

# Whether what the page shows is what was printed but for the lines it leaves out: the parts between two lines of "…"
# occur in this order. Reports the first that does not.
function is_part_of(shown, all,    parts, count, i, place) {
  count = split("\n" shown, parts, /\n *…\n/)
  all = "\n" all
  for (i = 1; i <= count; ++i) {
    if (i > 1) parts[i] = "\n" parts[i]
    if (i < count) parts[i] = parts[i] "\n"
    place = index(all, parts[i])
    if (parts[i] != "\n" && !place) {
      sub(/^\n/, "", parts[i])
      complain("this is not printed, or not here:\n" parts[i])
      return 0
    }
    if (place) all = substr(all, place + length(parts[i]) - 1)
  }
  return 1
}

# A text in which it does not matter how numbers are aligned, nor whether 12 is written 12.0000: a matrix is printed
# without a point if all of its numbers are whole, and by another compiler one of them may be off in the last bit.
function loosely(text,    plain, number) {
  gsub(/ +/, " ", text)
  while (match(text, /-?[0-9]+(\.[0-9]+)?/)) {
    number = substr(text, RSTART, RLENGTH)
    if (number ~ /\./) sub(/\.?0+$/, "", number)
    if (number == "-0") number = "0"
    plain = plain substr(text, 1, RSTART - 1) number
    text = substr(text, RSTART + RLENGTH)
  }
  plain = plain text
  gsub(/\[ /, "[", plain)
  return plain
}

# In a block whose lines are taken again: the old ones are collected, to be compared or dropped.
taking {
  if (!/^```$/) {
    shown = shown $0 "\n"
    next
  }
  taking = 0
  if (is_quote) shown = taken
  else if (is_part && shown != "") is_part_of(loosely(shown), loosely(taken))
  else if (loosely(shown) != loosely(taken)) shown = taken
  printf "%s", shown
  print
  next
}

# Inside a block of code, which stays as it is.
inside {
  if (/\/\/ prints /) says = 1
  if (/^```$/) {
    inside = 0
    below = is_body
  }
  print
  next
}

/^```cpp quote / {
  if (NF != 4) complain("it is: ```cpp quote FILE NAME")
  print
  taking = is_quote = 1
  is_part = 0
  shown = ""
  taken = region($3, $4)
  next
}

/^```text$/ {
  if (!below) complain("```text stands right below the code that prints it, or names a program: ```text 00_first_hour")
  print
  taking = 1
  is_quote = is_part = 0
  shown = ""
  taken = below ? contents(printed "/" FILENAME "." block) : ""
  if (below && taken == "") complain("the code above prints nothing, or was not run")
  below = 0
  next
}

/^```text / {
  print
  taking = is_part = 1
  is_quote = 0
  shown = ""
  command = $0
  sub(/^```text /, "", command)
  if (command !~ /^[0-9][0-9]_[a-z0-9_]+( [A-Za-z0-9.,=_-]+)*$/) {
    complain("'" command "' is not a numbered program with arguments")
    taken = ""
  } else {
    sub(/[^ ]+/, "'" programs "/&'", command)
    taken = output(command)
  }
  next
}

# Nothing is printed in silence.
function nothing_more_below() {
  if (below && !says && contents(printed "/" FILENAME "." block) != "")
    complain("the code above prints something, which must stand right below it, in a block ```text")
  below = 0
}
!/^$/ { nothing_more_below() }

/^```/ {
  if (/^```cpp/ && !/^```cpp( continued| declarations)?$/)
    complain("'" $0 "': after ```cpp comes nothing, or one of the words continued, declarations, quote")
  is_body = /^```cpp( continued)?$/
  if (is_body) ++block
  says = 0
  inside = 1
  print
  next
}

{ print }

END {
  nothing_more_below()
  if (taking || inside) complain("a block has no end")
  exit failed
}
