# Sourced by the tests in a browser, when it is installed.
# shellcheck shell=bash
for browser in chromium chromium-browser google-chrome; do
  if command -v "$browser" >/dev/null; then break; fi
done

# reported PAGE [ARGUMENT…]: what a check writes that is a page of its own, file://PAGE; $scratch is a folder. A browser
# that does not come to the end, as where the machine is very busy, is asked once more.
reported() {
  local report=$scratch/report profile
  for _ in 1 2; do
    profile=$(mktemp -d -p "$scratch")
    timeout 300 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
      --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$profile" \
      --host-resolver-rules='MAP * ~NOTFOUND' --allow-file-access-from-files --window-size=1400,900 \
      --virtual-time-budget=600000 "${@:2}" --dump-dom "file://$1" >"$report" 2>"$scratch/messages" ||
      cat -- "$scratch/messages"
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
