# Sourced by examples/run and tests/run: finds the project, installs what is missing, configures and builds.
# shellcheck shell=bash
#
#   REGARD_BUILD_DIR    where to build (default: build/ in the project)
#   REGARD_CMAKE_ARGS   further arguments for cmake, separated by spaces, as in "-DREGARD_SANITIZE=address"

set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
build=${REGARD_BUILD_DIR:-$root/build}
jobs=$(getconf _NPROCESSORS_ONLN)

say() { printf 'regard: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

# --- What is needed ---------------------------------------------------------------------------------------------------

# Each line: a command, a choice of commands, or a header; then its package for apt-get, dnf, pacman and brew.
# Ninja rather than make, because finding out that nothing is to be done takes it milliseconds.
needs='
g++|clang++|c++                               g++                gcc-c++        gcc            gcc
cmake                                         cmake              cmake          cmake          cmake
ninja                                         ninja-build        ninja-build    ninja          ninja
catch2/catch_all.hpp|catch2/catch.hpp         catch2             catch-devel    catch2         catch2
fmt/format.h                                  libfmt-dev         fmt-devel      fmt            fmt
CLI/CLI.hpp                                   libcli11-dev       cli11-devel    cli11          cli11
nlohmann/json.hpp                             nlohmann-json3-dev json-devel     nlohmann-json  nlohmann-json
stb/stb_image_write.h|stb_image_write.h       libstb-dev         stb-devel      stb            libstb
'

# What only some commands need, and add to the table: to render the book, to make the laboratory, and to try either in a
# browser.
# shellcheck disable=SC2034
needs_of_book='
cmark-gfm.h                                   libcmark-gfm-dev            cmark-gfm-devel cmark-gfm cmark-gfm
cmark-gfm-core-extensions.h                   libcmark-gfm-extensions-dev cmark-gfm-devel cmark-gfm cmark-gfm
'
# shellcheck disable=SC2034
needs_of_lab='
em++                                          emscripten                  emscripten      emscripten emscripten
python3                                       python3                     python3         python     python3
'
# shellcheck disable=SC2034
needs_of_browser='
chromium|chromium-browser|google-chrome       chromium                    chromium        chromium  chromium
'

# The things themselves are looked for, not their packages: it is quick, and what was installed by hand counts too.
present() {
  local thing place
  local IFS='|:'
  for thing in $1; do
    if [[ $thing != */* && $thing != *.h ]]; then
      command -v "$thing" >/dev/null && return
    else
      for place in /usr /usr/local /opt/homebrew ${CMAKE_PREFIX_PATH:-}; do
        [[ -e $place/include/$thing ]] && return
      done
    fi
  done
  return 1
}

# missing COLUMN: the packages to install, named as in that column of the table
missing() {
  local row
  while read -r -a row; do
    if [[ ${#row[@]} -gt 0 ]] && ! present "${row[0]}"; then printf '%s ' "${row[$1]}"; fi
  done <<<"$needs"
}

install_missing() {
  local column update=() install=() as_root=(env DEBIAN_FRONTEND=noninteractive) packages log
  [[ -n $(missing 1) ]] || return 0

  if command -v apt-get >/dev/null; then
    column=1 update=(apt-get update) install=(apt-get install --yes --no-install-recommends)
  elif command -v dnf >/dev/null; then
    column=2 install=(dnf install --assumeyes)
  elif command -v pacman >/dev/null; then
    column=3 install=(pacman --sync --refresh --needed --noconfirm)
  elif command -v brew >/dev/null; then
    column=4 install=(brew install)
  else
    die "missing: $(missing 1)(Debian's names). No apt-get, dnf, pacman or brew here: please install them yourself."
  fi
  read -r -a packages <<<"$(missing $column)"
  install+=("${packages[@]}")

  if [[ $EUID -ne 0 && $column -ne 4 ]]; then
    command -v sudo >/dev/null || die "missing: ${packages[*]}. As root, please run: ${install[*]}"
    as_root=(sudo "${as_root[@]}")
  fi

  say "installing ${packages[*]} …"
  log=$(mktemp)
  # A repository that cannot be reached is no reason to stop: the installation shows whether it was needed.
  "${as_root[@]}" ${update[@]+"${update[@]}"} >"$log" 2>&1 </dev/null || true
  if ! "${as_root[@]}" "${install[@]}" >>"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    die "the installation failed; the command was: ${install[*]}"
  fi
  rm -f -- "$log"
  hash -r
  read -r -a packages <<<"$(missing $column)"
  [[ ${#packages[@]} -eq 0 ]] || die "installed, but still not found: ${packages[*]}"
}

# --- Configure and build ----------------------------------------------------------------------------------------------

# The folder belongs to the checkout that it was configured for: another one would build that one's sources.
require_own_build() {
  local owner
  owner=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt" 2>/dev/null) || return 0
  [[ -z $owner || $(readlink -f -- "$owner" || true) == "$root" ]] ||
    die "$build is the build folder of $owner, and this is $root: set REGARD_BUILD_DIR to another folder, or remove it"
}

configure() {
  local arguments output
  require_own_build
  read -r -a arguments <<<"${REGARD_CMAKE_ARGS:-}"
  if [[ ! -e $build/build.ninja && ! -e $build/Makefile ]]; then
    say "configuring …"
    # What a failed attempt left behind (another generator, a compiler that is too old) must not decide this one.
    rm -rf -- "$build/CMakeCache.txt" "$build/CMakeFiles"
    arguments+=(-G Ninja)
  elif [[ ${#arguments[@]} -eq 0 ]]; then
    return 0  # from here on the build itself re-runs cmake when it has to
  fi
  if ! output=$(cmake -S "$root" -B "$build" "${arguments[@]}" 2>&1); then
    printf '%s\n' "$output" >&2
    rm -f -- "$build/build.ninja"
    die "configuring failed"
  fi
}

# refresh: where there are new files, or other rules, the list of tests is another one.
refresh() {
  local output step=(cmake -S "$root" -B "$build")
  if [[ -e $build/build.ninja ]]; then step=(cmake --build "$build" --target build.ninja); fi
  if ! output=$("${step[@]}" 2>&1); then
    printf '%s\n' "$output" >&2
    die "configuring failed"
  fi
}

# How many columns the terminal has now; 80 if it does not know.
columns() {
  local size
  size=$(stty size <&2 2>/dev/null) || size=
  size=${size#* }
  printf '%d' $((${size:-0} > 0 ? size : 80))
}

# built STEP: what a step of ninja has made, in few words: "Building CXX object tensor/CMakeFiles/regard_tensor.dir/
# Unity/unity_tensor_ops_0_cxx.cxx.o" is "tensor/ops".
built() {
  local what=${1##* }
  case $what in
    */unity_*) what=${what##*/unity_} what=${what%_[0-9]*_cxx.cxx.o} what=${what//_//} ;;
    *.dir/*) what=${what%%/CMakeFiles/*}/${what#*.dir/} what=${what%.o} what=${what%.gch} ;;
    "$root"/*) what=${what#"$root"/} ;;
  esac
  printf '%s' "$what"
}

# Passes on what compilers have to say. How far the build is, "regard: building 12 of 40: tensor/ops", is one line that
# rewrites itself on a terminal; elsewhere there is one every ten seconds.
show_progress() {
  local line text shown='' last=-10
  wipe() { if [[ $shown ]]; then printf '\r\e[K' >&2; fi; shown=; }
  while IFS= read -r line; do
    case $line in
      'ninja: no work to do.' | '-- '* | *' Re-checking globbed '* | *' Re-running CMake'*) ;;
      '['*%']'*) if [[ -t 2 ]]; then printf '\r\e[K%s' "${line:0:$(($(columns) - 1))}" >&2; shown=yes; fi ;;  # make
      '['*/*'] '*)
        text=${line%%]*} text=${text#[}
        text="regard: building ${text%/*} of ${text#*/}: $(built "$line")"
        if [[ -t 2 ]]; then
          printf '\r\e[K%s' "${text:0:$(($(columns) - 1))}" >&2
          shown=yes
        elif ((SECONDS >= last + 10)); then
          printf '%s\n' "${text:0:80}" >&2
          last=$SECONDS
        fi ;;
      *) wipe; printf '%s\n' "$line" >&2 ;;
    esac
  done
  wipe
}

# build_regard TARGET…
build_regard() {
  install_missing
  configure
  cmake --build "$build" --parallel "$jobs" --target "$@" 2>&1 | show_progress || die "the build failed"
}

# build_lab TARGET: what computes in the laboratory, as WebAssembly: in the folder $lab, from here on.
build_lab() {
  lab=$build/lab
  needs+=$needs_of_lab
  install_missing
  if [[ ! -e $lab/build.ninja ]]; then
    say "configuring the laboratory …"
    emcmake cmake -S "$root/examples/lab" -B "$lab" -G Ninja >/dev/null 2>&1 || die "configuring failed"
  fi
  cmake --build "$lab" --parallel "$jobs" --target "$1" 2>&1 | show_progress || die "the build failed"
}

# make_lab PAGE OUTPUT: the laboratory as a page, index.html, or for the pages of the book, book.js.
make_lab() {
  build_lab lab
  mkdir -p -- "$(dirname -- "$2")"
  "$root/examples/lab/make_page" "$1" "$lab/lab.wasm" "$2"
}

# build_site: the program that renders the book, once what it needs is installed. A build that was configured before
# that does not know of it yet.
build_site() {
  configure
  if [[ -e $build/build.ninja ]] && ! grep --quiet render_book "$build/build.ninja"; then
    cmake -S "$root" -B "$build" >/dev/null
  fi
  build_regard render_book
}
