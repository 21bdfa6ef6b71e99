// The search: words are looked up in an index, with their endings cut off and by what the book calls them.
"use strict";

const input = document.querySelector("#siteSearch input"), results = element("siteResults");

// The index is large, so it is fetched when somebody begins to search.
let indexArrives = null;
function loadIndex() {
  indexArrives ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = up + "search-index.js";
    script.onload = () => resolve(window.searchIndex);
    script.onerror = reject;
    document.head.append(script);
  });
  return indexArrives;
}

const chinese = /[\u4e00-\u9fff]/;
// As in the index: in small letters, of which ς is σ; of Chinese each character is a word.
const inSmall = (text) => text.replace(/İ/g, "i").toLowerCase().replace(/ς/g, "σ");
const wordsOf = (text) => inSmall(text).match(/[\u4e00-\u9fff]|[a-z0-9_\u00c0-\u024f\u0370-\u052f]+/g) ?? [];

// The places of all words that begin so. The words are in the order of their bytes, here that of their letters.
function placesOf(beginning, index) {
  let low = 0, high = index.words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (index.words[middle][0] < beginning) low = middle + 1; else high = middle;
  }
  const found = new Map();
  for (; low < index.words.length && index.words[low][0].startsWith(beginning); ++low) {
    const whole = index.words[low][0] === beginning;
    for (const place of index.words[low][1]) found.set(place, whole || found.get(place) === true);
  }
  return found;
}

// What the world says for what the book calls otherwise, or explains elsewhere: the words on the left are also looked
// for as those on the right.
const synonyms = {
  "kv cache": "what is kept: the cache", "prefill": "prompt cache", "rope": "turn queries and keys: rotary",
  "positional encoding": "positions",
  "multi head attention": "heads", "mha": "heads", "gqa": "grouped heads", "mqa": "grouped heads",
  "flash attention": "the ladder: tiles", "flashattention": "the ladder: tiles", "sdpa": "scaled dot product",
  "beam search": "beams", "nucleus sampling": "which token", "top p": "which token", "sampling": "which token",
  "how to train": "training", "training loop": "training", "backprop": "backward", "backpropagation": "backward",
  "autodiff": "gradients on paper", "autograd": "gradients on paper", "chain rule": "gradients on paper",
  "gradient checking": "checking gradients", "gradcheck": "checking gradients", "layernorm": "layer norm",
  "lookahead mask": "causal", "look ahead mask": "causal", "attention sink": "quiet softmax",
  "residual connection": "residual", "skip connection": "residual", "mlp": "feed forward", "ffn": "feed forward",
  "seq2seq": "bottleneck", "bpe": "byte pairs", "tokenizer": "tokens", "all reduce": "many machines",
  "data parallel": "many machines", "kernel regression": "nadaraya", "bahdanau": "additive",
};
const small = new Set(["a", "an", "and", "do", "does", "for", "how", "i", "in", "is", "it", "of", "the", "to", "what"]);

// Without the ending that one form of a word has and another has not: encodings, encoding, encode.
function stem(word) {
  if (!/^[a-z]{5,}$/.test(word)) return word;
  const cut = word.replace(/(ations?|ings?|ally|als?|ers?|ies|es|ed|s|e|y)$/, "");
  return cut.length >= 4 ? cut : word;
}

// Chapters come before what only mentions a thing, and what explains before exercises and lists of mistakes.
function weightOf(file, heading) {
  if (/^(exercises|what people get wrong|to read next|how to run it|answers|what it costs)/i.test(heading)) return -15;
  if (/^\d\d_/.test(file)) return 25;
  return /^(errata|papers|history|glossary|alphabetical_index|index_by_task|operations)/.test(file) ? -15 : 0;
}

// Points of places that have all words, as they are or by their stems.
function pointsOf(query, index) {
  let words = wordsOf(query.replaceAll("-", " "));
  if (words.some((word) => !small.has(word))) words = words.filter((word) => !small.has(word));
  const points = new Map();
  if (words.length === 0) return points;
  const exact = words.map((word) => placesOf(word, index)), found = words.map((word) => placesOf(stem(word), index));
  const phrase = words.join(" ");
  for (const place of found[0].keys()) {
    if (!found.every((places) => places.has(place))) continue;
    const [page, anchor, heading, text] = index.places[place], [file, name] = index.pages[page];
    const title = inSmall(heading), body = inSmall(text), of_page = inSmall(name);
    if (chinese.test(query) && !(title + body).includes(inSmall(query.trim()))) continue;
    let sum = weightOf(file, heading);
    if (words.length > 1) sum += (body.includes(phrase) ? 10 : 0) + (title.includes(phrase) ? 15 : 0);
    words.forEach((word, i) => {
      sum += (title.includes(stem(word)) ? 20 : 0) + (exact[i].get(place) ? 5 : exact[i].has(place) ? 2 : 0);
      sum += (of_page.includes(stem(word)) ? 12 : 0) + Math.min(8, body.split(stem(word)).length - 1);
    });
    if (anchor === "" && words.every((word) => of_page.includes(stem(word)))) sum += 20;  // the page about it
    points.set(place, sum);
  }
  return points;
}

// The best places for what was asked, or for what the book calls it.
function search(query, index) {
  const asked = ` ${wordsOf(query.replaceAll("-", " ")).join(" ")} `, points = pointsOf(query, index);
  for (const [said, meant] of Object.entries(synonyms)) {
    const form = [said, `${said}s`].find((one) => asked.includes(` ${one} `));
    if (!form) continue;
    for (const [place, more] of pointsOf(asked.replace(` ${form} `, ` ${meant} `), index))
      points.set(place, Math.max(points.get(place) ?? -Infinity, more + 10));
  }
  return [...points].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 20).map(([place]) => place);
}

// Some words around the first that was looked for, with all of them marked.
function excerpt(text, words) {
  const lower = inSmall(text), found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = found.length > 0 ? Math.min(...found) : 0;
  const begin = first < 60 ? 0 : text.lastIndexOf(" ", first - 50) + 1, small = document.createElement("small");
  const piece = (begin > 0 ? "… " : "") + text.slice(begin, begin + 170) + (begin + 170 < text.length ? " …" : "");
  const said = words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, "\\$&")).join("|");
  const pattern = new RegExp(`((?:${said})[a-z]*)`, "giu");
  piece.split(pattern).forEach((part, i) => {
    const node = document.createElement(i % 2 ? "mark" : "span");
    node.textContent = part;
    small.append(node);
  });
  return small;
}

function show(query, index) {
  const places = search(query, index);
  results.replaceChildren(...places.map((place) => {
    const [page, anchor, heading, text] = index.places[place], [file, title] = index.pages[page];
    const link = document.createElement("a"), name = document.createElement("b");
    link.href = up + file + (anchor ? "#" + encodeURIComponent(anchor) : "");
    name.textContent = heading === title || !heading ? title : `${title} · ${heading}`;
    link.append(name, excerpt(text, wordsOf(query).map(stem)));
    return link;
  }));
  if (places.length === 0) {
    const nothing = document.createElement("p");
    nothing.textContent = "Nothing has all of these words.";
    results.append(nothing);
  }
  results.hidden = query.trim() === "";
}

const searchNow = () => loadIndex().then((index) => show(input.value, index));
input.addEventListener("focus", () => { loadIndex(); if (input.value) searchNow(); });
input.addEventListener("input", searchNow);
element("siteSearch").addEventListener("submit", (event) => {
  event.preventDefault();
  (results.querySelector(".chosen") ?? results.querySelector("a"))?.click();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("#siteSearch") || event.target.closest("#siteResults a")) results.hidden = true;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    input.focus();
  } else if (event.key === "Escape") {
    results.hidden = true;
    openMenu(false);
    input.blur();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && document.activeElement === input) {
    const links = [...results.querySelectorAll("a")];
    if (links.length === 0) return;
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1, now = links.findIndex((link) => link.classList.contains("chosen"));
    const next = now < 0 ? (step > 0 ? 0 : links.length - 1) : (now + step + links.length) % links.length;
    links.forEach((link, i) => link.classList.toggle("chosen", i === next));
    links[next].scrollIntoView({ block: "nearest" });
  }
});
