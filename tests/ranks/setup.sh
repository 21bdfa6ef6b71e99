# Sourced by the tests of ranks: $program is what to run, in a folder of its own.
# shellcheck shell=bash
set -euo pipefail
program=$(readlink -f -- "$1")
times=${2:-5}
[[ -x $program ]] || exit 1
if ! command -v mpirun >/dev/null || [[ $(ldd "$program") != *libmpi* ]]; then
  echo "skipped: there is no MPI here (Debian: libopenmpi-dev and openmpi-bin), or the build did not find it"
  exit 77
fi
scratch=$(mktemp -d)
cleanup() {
  local status=$?
  pkill -KILL -f "^$program .*--save $scratch" || true
  rm -rf -- "$scratch"
  exit $status
}
trap cleanup EXIT
cd -- "$scratch"

failures=0
fault() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}
finish() {
  if [[ $failures -gt 0 ]]; then exit 1; fi
}

# train NAME ARGUMENT…: runs in the background; $pid is the process, NAME.txt and NAME.err what it says.
common=(--micro-batches 8 --threads 1 --no-plots)
train() {
  "$program" "${common[@]}" --save "$scratch/$1.safetensors" "${@:2}" >"$1.txt" 2>"$1.err" &
  pid=$!
}

# wait_at_most SECONDS: for $pid; sets $status, and ends it if it does not end.
wait_at_most() {
  local end=$((SECONDS + $1))
  while kill -0 "$pid" 2>/dev/null && [[ $SECONDS -lt $end ]]; do sleep 0.05; done
  if kill -0 "$pid" 2>/dev/null; then
    fault "it did not end within $1 s"
    kill -KILL "$pid"
  fi
  status=0
  wait "$pid" || status=$?
}

# workers NAME: the processes that train, without the one that has started them
workers() { pgrep -f "^$program .*--save $scratch/$1.safetensors" | grep -vx "$pid" || true; }

# at_some_moment NAME: returns when all ranks have begun, and a little later.
at_some_moment() {
  local end=$((SECONDS + 30))
  while [[ ! -e $1.safetensors && $SECONDS -lt $end ]]; do sleep 0.05; done
  sleep "0.$((RANDOM % 1000))"
}

# The bits that an undisturbed training ends with.
undisturbed() {
  train alone --epochs "$1"
  wait_at_most 120
  [[ $status -eq 0 ]] || { cat alone.err; fault "alone it ends with $status"; }
}
