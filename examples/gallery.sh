# Sourced by examples/run: makes one page of all pictures, a short lesson for each trainer.
# shellcheck shell=bash disable=SC2154
#
# Each trainer leaves a page.tsv beside its pictures: its name, what it is about, its command, and rows of measures,
# pictures and viewers. Rows of frames stand before the picture that moves. The page holds the pictures themselves, so
# it can be sent around as one file; its style, its script and the questions of the lessons are in gallery/.

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g' <<<"$1" | tr -d '\n'; }

# gallery OUT: writes OUT/index.html of all OUT/*/page.tsv, in a shell of its own, which Ctrl-C ends
gallery() (
  local out=$1 page pages opening
  mapfile -t pages < <(gallery_pages "$out")
  opening=$(opening_of "${pages[@]}")
  {
    printf '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    printf '<title>regard: attention, seen</title>\n'
    printf '<meta name="description" content="Models learn to translate, read, reverse and sort: where they look, in '
    printf 'pictures, each computed on one machine by a command that stands with it.">\n'
    printf '<style>\n%s\n</style>\n</head>\n<body>\n' "$(<"$root/examples/gallery/style.css")"
    printf '<header>\n<h1>regard: attention, seen</h1>\n<p>Every picture on this page was computed on one machine by '
    printf 'the command that stands with it. Change an option, and run it again.'
    if [[ -e $out/book/index.html ]]; then printf ' Why it works, from the first derivative on, tells '
      printf '<a href="book/index.html">the book</a>.'; fi
    printf '</p>\n'
    if [[ $opening ]]; then lesson_rows "${opening%/*}/page.tsv" "${opening##*/}"; fi
    printf '<nav id="contents">\n<h2>Contents</h2>\n<ol>\n'
    for page in "${pages[@]}"; do contents_entry "$page"; done
    printf '</ol>\n</nav>\n</header>\n<main>\n'
    for page in "${pages[@]}"; do lesson "$page" "$opening"; done
    printf '</main>\n<script>\n%s\n</script>\n</body>\n</html>\n' "$(<"$root/examples/gallery/page.js")"
  } >"$out/index.html.new"
  mv -- "$out/index.html.new" "$out/index.html"
)

# gallery_pages OUT: in the order of gallery/questions.tsv, which begins with language; what has no question comes last
gallery_pages() {
  local page place
  for page in "$1"/*/page.tsv; do
    if [[ ! -e $page ]]; then continue; fi
    place=$(row_of "$page" | cut -d : -f 1)
    printf '%s\t%s\n' "${place:-9999}" "$page"
  done | sort -k 1,1n -k 2,2 | cut -f 2
}

# The program that left a page, by its command: some have other names for what they do with other data.
program_of() { sed -n '3s/^[^ ]* \([^ ]*\).*/\1/p' "$1"; }

# The picture that opens the page: of those that move, where a model learns to reverse, or else the first.
opening_of() {
  local page picture moving
  moving=$(for page; do
    awk -F '\t' -v folder="${page%/page.tsv}" \
      '$1 == "frame" { moves = 1 } $1 == "picture" { if (moves) print folder "/" $2; moves = 0 }' "$page"
  done | while read -r picture; do if [[ -e $picture ]]; then printf '%s\n' "$picture"; fi; done)
  grep --max-count=1 '/diagonal\.png$' <<<"$moving" || sed 1q <<<"$moving"
}

# The row of questions.tsv for its own name, or else for its program, behind its number: 3:name, question, chapter
row_of() {
  local name
  for name in "$(sed 1q "$1")" "$(program_of "$1")"; do
    if grep --line-number --max-count=1 "^$name"$'\t' "$root/examples/gallery/questions.tsv"; then return; fi
  done
  true
}
question_of() { row_of "$1" | cut -f 2; }

# further OUT PAGE: the chapter about this lesson, and its program: in the site of the book if that stands beside, or
# else as they are in the repository
further() {
  local chapter source title prefix=book suffix=.html
  chapter=$(row_of "$2" | cut -f 3)
  chapter=$(cd -- "$root/examples/book" && compgen -G "[0-9][0-9]_$chapter.md" | sed '1s/\.md$//; q')
  source=$(cd -- "$root" && echo examples/trainers/[0-9][0-9]_"$(program_of "$2")".cpp)
  if [[ ! -e $1/book/index.html ]]; then prefix=$(realpath --relative-to="$1" "$root")/examples/book suffix=.md; fi
  if [[ $chapter && -e $root/examples/book/$chapter.md ]]; then
    title=$(sed -n '1s/^# //p' "$root/examples/book/$chapter.md")
    printf '<a href="%s">%s</a>\n' "$(escaped "$prefix/$chapter$suffix")" "$(escaped "Read: $title")"
  fi
  if [[ -e $root/$source ]]; then
    if [[ $suffix == .md ]]; then prefix=$(realpath --relative-to="$1" "$root") suffix=''; else prefix=book/source; fi
    printf '<a href="%s">The program</a>\n' "$(escaped "$prefix/$source$suffix")"
  fi
}

contents_entry() {
  printf '<li><a href="#%s">%s</a></li>\n' "$(escaped "$(sed 1q "$1")")" "$(escaped "$(sed -n 2p "$1")")"
}

# lesson PAGE OPENING: the question, the pictures and what to notice, the command, what had to be reached
lesson() {
  local page=$1 question
  question=$(question_of "$page")
  printf '<section id="%s">\n<h2>%s</h2>\n' "$(escaped "$(sed 1q "$page")")" "$(escaped "$(sed -n 2p "$page")")"
  if [[ $question ]]; then printf '<p class="question">%s' "$(escaped "$question")"; fi
  if [[ ${page%/*} == "${2%/*}" ]]; then printf ' See it learn <a href="#opening">at the top of this page</a>.'; fi
  if [[ $question ]]; then printf '</p>\n'; fi
  lesson_rows "$page" '' "${2#"${page%/*}/"}"
  printf '<a href="#contents">Contents</a>\n</div>\n</section>\n'
}

# lesson_rows PAGE [ONLY [LEFT_OUT]]: pictures, and in a line below them command, links and measures. Or ONLY one
# picture, as the opening; one that is LEFT_OUT stands elsewhere. What a trainer has just removed is skipped.
lesson_rows() {
  local page=$1 only=${2-} left_out=${3-} folder=${1%/*} kind a b c d frames=() titles=() links='' measures=''
  if [[ -z $only ]]; then printf '<div class="pictures">\n'; fi
  while IFS=$'\t' read -r kind a b c d; do
    case $kind in
      frame) if [[ -e $folder/$a ]]; then frames+=("$a") titles+=("$b"); fi ;;
      picture)
        if [[ -e $folder/$a && $a != "$left_out" && ( -z $only || $a == "$only" ) ]]; then
          figure "$folder" "$a" "$b" "$c" "$d" "${only:+opening}"
        fi
        frames=() titles=() ;;
      viewer) links+=" <a href=\"$(escaped "$a")\">$(escaped "$b")</a>" ;;
      measure) measures+="<tr class=\"$d\"><td>$(escaped "$a")</td><td><b>$(escaped "$b")</b></td><td>to pass: "
               measures+="$(escaped "$c")</td><td>$d</td></tr>"$'\n' ;;
    esac
  done < <(tail -n +4 "$page")
  if [[ $only ]]; then return; fi
  printf '</div>\n<div class="below">\n<p class="run">Run it: <code>%s</code></p>\n' "$(escaped "$(sed -n 3p "$page")")"
  if [[ $links ]]; then links="<p class=\"viewers\">Look at it head by head:$links</p>"; fi
  printf '%s\n%s\n' "$links" "$(further "${folder%/*}" "$page")"
  if [[ $measures ]]; then
    printf '<details class="measures"%s><summary>%s of %s measures are reached</summary>\n<table>\n' \
      "$(if [[ $measures == *'"FAIL"'* ]]; then printf ' open'; fi)" "$(grep --count '"pass"' <<<"$measures")" \
      "$(grep --count '<tr' <<<"$measures")"
    printf '%s</table></details>\n' "$measures"
  fi
}

# figure FOLDER FILE WIDTH CAPTION NOTICE [ID]: one picture, or the frames above it under a slider
figure() {
  local i last=$((${#frames[@]} - 1))
  printf '<figure%s style="--width: %spx">\n<div class="picture">\n' "${6:+ id=\"$6\"}" "$3"
  if [[ $last -lt 0 ]]; then
    picture "$1" "$2" "$4" ''
  else
    for ((i = 0; i <= last; ++i)); do picture "$1" "${frames[i]}" "$4, ${titles[i]}" "${titles[i]}"; done
  fi
  printf '</div>\n'
  if [[ $last -ge 0 ]]; then
    printf '<div class="slider"><button type="button" aria-label="Play">▶</button>'
    printf '<input type="range" min="0" max="%s" value="%s" aria-label="Epochs"><output>%s</output></div>\n' \
      "$last" "$last" "$(escaped "${titles[last]}")"
  fi
  printf '<figcaption><b>%s.</b> %s</figcaption>\n</figure>\n' "$(escaped "$4")" "$(escaped "$5")"
}

# picture FOLDER FILE ALT TITLE: a link to its full size. The script makes the link work where this page is alone.
# A file that goes at this very moment leaves a gap.
picture() {
  printf '<a href="%s" target="_blank" data-title="%s"><img alt="%s" src="data:image/png;base64,' \
    "$(escaped "${1##*/}/$2")" "$(escaped "$4")" "$(escaped "$3")"
  { base64 <"$1/$2" | tr -d '\n'; } 2>/dev/null || true
  printf '"></a>\n'
}
