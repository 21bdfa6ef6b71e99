// What a page does when it is used: the switch of light and dark, the menu of a phone, the search.
"use strict";

const up = document.body.dataset.up;
const element = (id) => document.getElementById(id);

// --- Light and dark: what is chosen is remembered; theme.js reads it on the next page --------------------------------
element("siteTheme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { /* then it holds for this page */ }
});

// --- The contents on a phone -----------------------------------------------------------------------------------------
function openMenu(open) {
  document.body.classList.toggle("menu-open", open);
  element("siteMenu").setAttribute("aria-expanded", String(open));
}
element("siteMenu").addEventListener("click", (event) => {
  event.stopPropagation();
  openMenu(!document.body.classList.contains("menu-open"));
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("#siteContents") || event.target.closest("#siteContents a")) openMenu(false);
});

// The line of this page is in sight, and the part that is being read has a colour.
const here = document.querySelector("#siteContents .here");
if (here) element("siteContents").scrollTop = here.offsetTop - 120;
const parts = [...document.querySelectorAll("#siteContents .here ul a")];
function showPart() {
  let seen = null;
  for (const link of parts) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading && heading.getBoundingClientRect().top < innerHeight / 3) seen = link;
  }
  for (const link of parts) link.classList.toggle("seen", link === seen);
}
addEventListener("scroll", () => requestAnimationFrame(showPart), { passive: true });
showPart();

// --- Search ----------------------------------------------------------------------------------------------------------
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
// As in the index: of Chinese each character is a word.
const wordsOf = (text) => text.toLowerCase().match(/[\u4e00-\u9fff]|[a-z0-9_\u00c0-\u024f\u0370-\u052f]+/g) ?? [];

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

// Places that have all words. Those whose heading has them come first, then those that have them often.
function search(query, index) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = words.map((word) => placesOf(word, index));
  const matches = [];
  for (const place of found[0].keys()) {
    if (!found.every((places) => places.has(place))) continue;
    const [page, , heading, text] = index.places[place];
    const title = heading.toLowerCase(), body = text.toLowerCase(), phrase = query.trim().toLowerCase();
    if (chinese.test(query) && !(title + body).includes(phrase)) continue;
    let points = body.includes(phrase) && words.length > 1 ? 10 : 0;
    words.forEach((word, i) => {
      points += (title.includes(word) ? 20 : 0) + (found[i].get(place) ? 5 : 0);
      points += (index.pages[page][1].toLowerCase().includes(word) ? 8 : 0) + Math.min(5, body.split(word).length - 1);
    });
    matches.push([points, place]);
  }
  return matches.sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, 20).map((match) => match[1]);
}

// Some words around the first that was looked for, with all of them marked.
function excerpt(text, words) {
  const lower = text.toLowerCase(), found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = found.length > 0 ? Math.min(...found) : 0;
  const begin = first < 60 ? 0 : text.lastIndexOf(" ", first - 50) + 1, small = document.createElement("small");
  const piece = (begin > 0 ? "… " : "") + text.slice(begin, begin + 170) + (begin + 170 < text.length ? " …" : "");
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, "\\$&")).join("|")})`, "giu");
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
    link.append(name, excerpt(text, wordsOf(query)));
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
