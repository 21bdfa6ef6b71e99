# Sourced by examples/run: makes one page of all pictures.
# shellcheck shell=bash
#
# Each trainer leaves a page.tsv beside its pictures: its name, what it is about, its command, and lines of measures and
# pictures. The page holds the pictures themselves, so it can be sent around as one file.

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g' <<<"$1" | tr -d '\n'; }

# gallery OUT: writes OUT/index.html of all OUT/*/page.tsv, those that were made first at the top
gallery() {
  local out=$1 page name about command kind a b c d pictures links
  {
    gallery_head
    while IFS= read -r page; do
      {
        IFS= read -r name && IFS= read -r about && IFS= read -r command
        printf '<section id="%s">\n<h2>%s</h2>\n<p><code>%s</code></p>\n' \
          "$(escaped "$name")" "$(escaped "$about")" "$(escaped "$command")"
        pictures=
        links=$(sed -n $'s/^viewer\t//p' "$page")
        if [[ $links ]]; then
          printf '<p class="viewers">To look at it head by head:'
          while IFS=$'\t' read -r a b; do
            printf ' <a href="%s">%s</a>' "$(escaped "$a")" "$(escaped "$b")"
          done <<<"$links"
          printf '</p>\n'
        fi
        while IFS=$'\t' read -r kind a b c d; do
          case $kind in
            measure) printf '<p class="measure %s">%s: <b>%s</b> (to pass: %s) <b>%s</b></p>\n' \
                       "$d" "$(escaped "$a")" "$(escaped "$b")" "$(escaped "$c")" "$d" ;;
            picture)
              if [[ -z $pictures ]]; then printf '<div class="pictures">\n'; pictures=yes; fi
              printf '<figure style="flex-basis: %spx">\n<img width="%s" alt="%s" src="data:image/png;base64,' \
                "$b" "$b" "$(escaped "$c")"
              base64 <"$(dirname -- "$page")/$a" | tr -d '\n'
              printf '">\n<figcaption><b>%s.</b> %s</figcaption>\n</figure>\n' "$(escaped "$c")" "$(escaped "$d")" ;;
          esac
        done
        printf '</div>\n</section>\n'
      } <"$page"
    done < <(gallery_pages "$out")
    printf '</main>\n</body>\n</html>\n'
  } >"$out/index.html.new"
  mv -- "$out/index.html.new" "$out/index.html"
}

gallery_pages() { find "$1" -mindepth 2 -maxdepth 2 -name page.tsv -exec ls -tr {} +; }

gallery_head() {
  cat <<'END_OF_HEAD'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>regard: attention, seen</title>
<style>
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #262626; background: #f6f5f3; }
  header, main { max-width: 1180px; margin: 0 auto; padding: 0 24px; }
  header { padding-top: 40px; }
  h1 { font-size: 30px; margin: 0; }
  h2 { font-size: 22px; margin: 56px 0 4px; }
  p { margin: 4px 0; }
  code { display: inline-block; margin: 6px 0; padding: 5px 12px; border-radius: 6px; }
  code { background: #262626; color: #f6f5f3; }
  .viewers { margin: 8px 0; }
  .viewers a { display: inline-block; margin-left: 6px; padding: 2px 12px; border: 1px solid #c9c6bf;
               border-radius: 14px; color: #1f4e9e; background: #fff; text-decoration: none; }
  .viewers a:hover { background: #eef3fb; }
  .measure { font-size: 14px; color: #555; }
  .measure.pass b:last-child { color: #2ca02c; }
  .measure.FAIL b:last-child { color: #d62728; }
  .pictures { display: flex; flex-wrap: wrap; gap: 20px; margin-top: 14px; }
  figure { margin: 0; padding: 16px; background: #fff; border: 1px solid #e2e0dc; border-radius: 10px; flex: 1 1 0;
           max-width: 100%; box-sizing: border-box;
           display: flex; flex-direction: column; justify-content: space-between; }
  figure img { display: block; max-width: 100%; height: auto; margin: auto; }
  figcaption { margin: 12px auto 0; max-width: 760px; font-size: 15px; width: 100%; }
</style>
</head>
<body>
<header>
<h1>regard: attention, seen</h1>
<p>Every picture on this page was computed on this machine by the command above it, with the same numbers for any number
of threads. Change an option and run the command again.</p>
</header>
<main>
END_OF_HEAD
}
