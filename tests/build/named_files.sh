# Sourced by the tests of pages.
# shellcheck shell=bash

# named_files: the files and folders that the page on standard input names in `code`, outside of blocks of code, one
# on a line: whatever has a folder in front, or is an .md file, and may have arguments after it. What a build or a run
# makes is not here yet.
named_files() {
  sed '/^```/,/^```/d' | grep -oE '`[^`]+`' | sed -E 's/^`//; s/`$//; s/ .*//; s|^\./||' |
    grep -E '^[A-Za-z0-9_.-]+/[A-Za-z0-9_./-]*$|\.md$|^LICENSE$' | grep -vE '^(build|out)/' | sort -u
}

# linked: the targets of the links and pictures of the page on standard input, one on a line.
linked() { sed '/^```/,/^```/d' | grep -oE '\]\([^) ]+\)' | sed -E 's/^\]\(//; s/\)$//' | sort -u; }
