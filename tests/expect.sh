# Sourced by tests that are scripts: runs commands, and counts what is not as it should be in `failures`.
# shellcheck shell=bash

failures=0
failed() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}

# expect STATUS PATTERN COMMAND…: the command must exit with that status and print text that matches the pattern
expect() {
  local status=0 output
  output=$("${@:3}" 2>&1 </dev/null) || status=$?
  # shellcheck disable=SC2053 # it is a pattern
  if [[ $status -ne $1 || $output != $2 ]]; then
    failed "${*:3}: status $status, expected $1; output, expected \"$2\":"$'\n'"$output"$'\n'
  fi
}

# same FILE FILE: they must hold the same bytes
same() {
  if ! cmp -- "$1" "$2"; then failures=$((failures + 1)); fi
}

# interrupt FILE PROCESS [GROUP]: Ctrl-C for the process, or for all of its group as on a terminal, a second after the
# file is there; `status` becomes the exit code of the process. (In the background of a script SIGINT is ignored, unless
# a program asks for it, which ours do once they train.)
interrupt() {
  status=0
  for _ in {1..300}; do
    if [[ -e $1 ]]; then break; fi
    sleep 0.1
  done
  sleep 1
  kill -INT "${3:-$2}"
  for _ in {1..300}; do
    if ! kill -0 "$2" 2>/dev/null; then break; fi
    sleep 0.1
  done
  kill -KILL "$2" 2>/dev/null || true  # it does not listen
  wait "$2" || status=$?
}
