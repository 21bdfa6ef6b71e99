// Opens pages of the site in frames as wide as a desk and as a phone, uses them as a reader does, and writes one line
// for each thing that should hold.
"use strict";

function background(view) { return view.window.getComputedStyle(view.document.body).backgroundColor; }
function isInSight(view, element) {
  const box = element.getBoundingClientRect();
  return view.window.getComputedStyle(element).visibility === "visible" && box.width > 0 && box.right > 1 &&
    box.left < view.frame.clientWidth;
}

// What is wider than the page and does not scroll in a box of its own.
function tooWide(view) {
  const page = view.document.documentElement;
  if (page.scrollWidth <= page.clientWidth) return "";
  const wide = [...view.document.querySelectorAll("main *")].find((one) =>
    one.getBoundingClientRect().right > page.clientWidth + 1 && !one.closest("pre, .table, .display"));
  return `${page.scrollWidth} px, ${wide ? wide.outerHTML.slice(0, 80) : ""}`;
}

// The words of a chart, of two letters at least, that the search of the browser does not find on the page.
function notFound(view) {
  const words = [...view.document.querySelectorAll(".picture svg text")].map((one) => one.textContent);
  return words.filter((text) => /[a-z]{2}/i.test(text) && !view.window.find(text, true, false, true));
}

async function checkPage(page) {
  for (const width of [1280, 390]) {
    const view = await opened(page, width);
    const pictures = [...view.document.images];
    for (const picture of pictures) picture.loading = "eager";
    await until(() => pictures.every((picture) => picture.complete));
    check(page, `at ${width} px nothing scrolls sideways`, tooWide(view) === "", tooWide(view));
    check(page, `${pictures.length} pictures`, pictures.every((picture) => picture.naturalWidth > 0));
    const charts = [...view.document.querySelectorAll(".picture svg[role=img]")];
    check(page, `${charts.length} charts have a size and a label`, charts.every((chart) =>
      chart.clientHeight > 40 && chart.clientWidth > 80 && chart.ariaLabel));
    check(page, "their words are found on the page", notFound(view).length === 0, notFound(view).join("; "));
    const formulas = [...view.document.querySelectorAll("math")].map((formula) => formula.getBoundingClientRect());
    check(page, `${formulas.length} formulas have a size`, formulas.every((box) => box.height > 6 && box.width > 3));
    const style = view.window.getComputedStyle(view.document.querySelector("header"));
    check(page, "it has its style", style.position === "sticky");
    check(page, "nothing went wrong", view.window.wentWrong?.length === 0, view.window.wentWrong?.join("; "));
    view.frame.remove();
  }
}

async function searched(view, words) {
  const input = view.document.querySelector("#siteSearch input");
  input.focus();
  input.value = words;
  input.dispatchEvent(new view.window.Event("input", { bubbles: true }));
  const results = view.document.getElementById("siteResults");
  await until(() => !results.hidden && results.children.length > 0);
  await pause(100);
  return results;
}

// What somebody types who knows the world's words, and where the book explains it.
const searches = {
  "temperature": "02_softmax", "kv cache": "14_generation", "positional encodings": "08_positions",
  "RoPE": "08_positions", "multi-head attention": "07_heads", "beam search": "14_generation",
  "flash attention": "16_cost", "how to train": /^\d\d_/, "causal mask": "04_masks", "backprop": "05_gradients",
  "gradient checking": "06_checking", "layernorm": /^(05|09)_/, "GRU": "10_recurrent", "cross attention": /^1[02]_/,
  "teacher forcing": "12_the", "top-p": "14_generation", "Nadaraya": "01_attention", "additive scores": "03_scores",
  "safetensors": "15_check", "all-reduce": "21_many", "skip connections": "09_blocks",
};

async function checkSearch(page) {
  const view = await opened(page, 1280);
  const first = (results) => results.querySelector("a")?.getAttribute("href") ?? "nothing";
  for (const [query, place] of Object.entries(searches)) {
    const found = first(await searched(view, query));
    check(page, `${query}: the chapter is found first`,
      place instanceof RegExp ? place.test(found) : found.startsWith(place), found);
  }
  let results = await searched(view, "temperature");
  check(page, "what was found is marked", results.querySelector("mark")?.textContent.toLowerCase() === "temperature");
  results = await searched(view, "余切向量");
  check(page, "the search finds a Chinese word in the glossary", first(results).startsWith("glossary"), first(results));
  results = await searched(view, "online softm");
  check(page, "two words, the second not finished", first(results).startsWith("16_cost"), first(results));
  const capital = await searched(view, "Ł. kaiser");
  check(page, "a capital beyond A to Z is found", first(capital) !== "nothing", first(capital));
  results = await searched(view, "zyxwv");
  check(page, "what is nowhere is not found", results.querySelectorAll("a").length === 0 && results.textContent !== "");
  check(page, "searching raises no errors", view.window.wentWrong?.length === 0, view.window.wentWrong?.join("; "));
  view.frame.remove();
  const narrow = await opened(page, 390);
  const box = (await searched(narrow, "temperature")).getBoundingClientRect();
  const is_in = box.left >= 0 && box.right <= 390;
  check(page, "on a phone what was found is in sight", is_in, `${box.left} to ${box.right}`);
  narrow.frame.remove();
}

async function checkMenu(page) {
  const wide = await opened(page, 1280);
  check(page, "on a desk the contents are in sight", isInSight(wide, wide.document.getElementById("siteContents")));
  check(page, "and there is no button", !isInSight(wide, wide.document.getElementById("siteMenu")));
  wide.frame.remove();
  const narrow = await opened(page, 390);
  const contents = narrow.document.getElementById("siteContents"), button = narrow.document.getElementById("siteMenu");
  check(page, "on a phone the contents are hidden", !isInSight(narrow, contents));
  button.click();
  const shown = () => isInSight(narrow, contents) && contents.getBoundingClientRect().left >= 0;
  check(page, "the button shows them", await until(shown));
  check(page, "and says so", button.getAttribute("aria-expanded") === "true");
  narrow.document.querySelector("main").click();
  check(page, "a touch beside them hides them", await until(() => !isInSight(narrow, contents)));
  narrow.frame.remove();
}

async function checkTheme(page) {
  localStorage.removeItem("theme");
  let view = await opened(page, 1280);
  const before = background(view);
  view.document.getElementById("siteTheme").click();
  const after = background(view);
  check(page, "the switch changes the background", before !== after, before);
  view.frame.remove();
  view = await opened(page, 1280);
  check(page, "and is remembered", background(view) === after, background(view));
  view.frame.remove();
  localStorage.removeItem("theme");
}

async function checkAll() {
  const asked = new URLSearchParams(location.search);
  const pages = asked.get("pages").split(",");
  for (const page of pages) await checkPage(page);
  await checkSearch(pages[0]);
  await checkMenu(pages[0]);
  await checkTheme(pages[0]);
  const view = await opened(pages[0], 1280);
  report.textContent += `background ${background(view)}\ndone\n`;
  view.frame.remove();
}
checkAll().catch((error) => check("check.js", "it runs", false, String(error)));
