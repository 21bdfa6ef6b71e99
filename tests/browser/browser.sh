# Sourced by the tests in a browser, when it is installed.
# shellcheck shell=bash
for browser in chromium chromium-browser google-chrome; do
  if command -v "$browser" >/dev/null; then break; fi
done

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# reported PAGE [ARGUMENT…]: what a check writes that is a page of its own, file://PAGE. A browser that does not come to
# the end, as where the machine is very busy, is asked once more.
reported() {
  local profile report messages
  local page=$1${until:+&until=$until}  # a pattern: see check() in shared.js
  for _ in 1 2; do
    profile=$(mktemp -d -p "$scratch")
    report=$profile.report messages=$profile.messages
    timeout 300 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
      --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$profile" \
      --host-resolver-rules='MAP * ~NOTFOUND' --allow-file-access-from-files --window-size=1400,900 \
      --virtual-time-budget=600000 "${@:2}" --dump-dom "file://$page" >"$report" 2>"$messages" ||
      cat -- "$messages"
    if grep --quiet '^done' "$report"; then break; fi
  done
  sed -n 's/.*<pre id="report">//; /^ok  \|^FAIL\|^background\|^done/p' "$report"
}

# in_firefox PAGE: the same from Firefox, where there is one.
in_firefox() {
  if command -v firefox-esr >/dev/null || command -v firefox >/dev/null; then
    "$root/tests/browser/firefox" "$1" | sed 's/^FAIL/& Firefox,/'
  else
    say "there is no Firefox here: one browser is tried"
    echo 'done'
  fi
}

# planted WHAT "FILE…" COMMAND [ARGUMENT…]: after a command of sed on each of these files of the folder $pages,
# in_browser FOLDER ARGUMENT… must fail and say what. Each is tried in a copy of the folder, as many at once as there
# are processors. At the end, all_noticed.
plants=0
planted() {
  plants=$((plants + 1))
  if ((plants > jobs)); then wait -n || true; fi
  try_planted "$@" &
}

try_planted() {
  local folder file said changed until=$1
  folder=$(mktemp -d -p "$scratch")
  cp -r --link -- "$pages/." "$folder"
  for file in $2; do
    sed -i "$3" "$folder/$file" || return
    cmp --quiet "$pages/$file" "$folder/$file" || changed=yes
  done
  said=$(in_browser "$folder" "${@:4}")
  if [[ ${changed-} ]] && grep --quiet "^FAIL .*$1" <<<"$said"; then
    printf '%s\n' "$3" >>"$scratch/noticed"
  else
    printf 'not noticed: %s\n' "$3"
  fi
  rm -rf -- "$folder"
}

all_noticed() {
  wait
  printf '%s of %s planted faults are noticed\n' "$(grep --count '' "$scratch/noticed")" "$plants"
  [[ $(grep --count '' "$scratch/noticed") -eq $plants ]]
}
