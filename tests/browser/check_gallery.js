// Opens the page of pictures in frames as wide as a desk and as a phone, uses it as a reader does, and writes one line
// for each thing that should hold.
"use strict";

const holds = (what, isSo, found) => check("pictures", what, isSo, found);

function checkParts(view) {
  const all = (selector) => [...view.document.querySelectorAll(selector)];
  const twice = (words) => words.filter((word, i) => words.indexOf(word) !== i);
  const sections = all("main > section"), entries = all("#contents a");
  const lessons = Number(new URLSearchParams(location.search).get("lessons"));
  holds(`there are ${lessons} lessons`, sections.length === lessons, sections.length);
  holds("each has an entry in the contents", entries.length === sections.length &&
    entries.every((entry, i) => entry.getAttribute("href") === `#${sections[i].id}`));
  holds("nothing has the name or the head of another", twice(all("[id]").map((one) => one.id)).length === 0 &&
    twice(all("h2").map((one) => one.textContent)).length === 0, twice(all("h2").map((one) => one.textContent)));
  for (const section of sections) {
    const parts = [".question", "figure", ".run code", ".measures"].map((part) => section.querySelector(part));
    const inOrder = parts.every((part, i) => part !== null && (i === 0 ||
      parts[i - 1].compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING));
    holds(`${section.id} is a question, pictures, a command and measures`, inOrder, parts.map(String));
  }
  const first = all("#opening, #contents, main").map((one) => one.id || one.localName);
  holds("a picture that moves is first, then the contents, then the lessons",
    first.join() === "opening,contents,main", first);
  holds("it is that of reversing", all("#multi_head_self_attention a").some((one) => one.hash === "#opening"));
  const pictures = all("img").map((one) => one.src);
  holds("no picture stands twice", twice(pictures).length === 0, twice(pictures).length);
  const fetched = all("[src], link").map((one) => one.src || one.href).filter((one) => !one.startsWith("data:"));
  holds("the page holds all it needs", fetched.join().endsWith("watch.js") && fetched.length === 1, fetched);
}

async function checkLayout(page, width) {
  const view = await opened(page, width);
  const pictures = [...view.document.images], root = view.document.documentElement;
  await until(() => pictures.every((picture) => picture.complete));
  holds(`at ${width} px nothing scrolls sideways`, root.scrollWidth <= width, root.scrollWidth);
  holds(`${pictures.length} pictures are drawn`, pictures.every((picture) => picture.naturalWidth > 0));
  const small = pictures.filter((picture) => picture.clientWidth < 0.6 * Math.min(picture.naturalWidth / 2, 1100));
  holds(`at ${width} px they can be read`, small.length === 0, small[0]?.alt);
  const out = [...view.document.querySelectorAll("figcaption, .slider *, .measures *, .run code, #contents a")]
    .filter((one) => one.getBoundingClientRect().right > width);
  holds(`at ${width} px no words are cut off`, out.length === 0, out[0]?.textContent);
  holds("nothing went wrong", view.window.wentWrong?.length === 0, view.window.wentWrong?.join("; "));
  view.frame.remove();
}

async function checkSliders(page) {
  const view = await opened(page, 1280), still = view.window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const opening = view.document.querySelector("#opening [type=range]");
  holds("it begins with its end", opening.value === opening.max, opening.value);
  const moves = await until(() => opening.value !== opening.max, 3);
  holds(still ? "the opening keeps still for those who want it" : "the opening moves by itself", moves !== still);
  holds("and ends with what was learned", await until(() => opening.value === opening.max, 10), opening.value);
  for (const slider of view.document.querySelectorAll(".slider")) {
    const figure = slider.parentElement, frames = [...figure.querySelectorAll(".picture a")];
    const [button, range, output] = slider.children, name = frames.at(-1).getAttribute("href");
    const seen = () => frames.filter((one) => view.window.getComputedStyle(one).visibility === "visible");
    holds(`${name}: ${frames.length} frames, each another`, frames.length >= 4 &&
      new Set(frames.map((one) => one.firstChild.src)).size === frames.length);
    const wrong = frames.filter((frame, i) => {
      range.value = i;
      range.dispatchEvent(new view.window.Event("input", {bubbles: true}));
      return seen().length !== 1 || seen()[0] !== frame || output.textContent !== frame.dataset.title;
    });
    holds(`${name}: the slider shows each alone, and says its epochs`, wrong.length === 0, wrong.length);
    button.click();
    holds(`${name}: the button plays it from the beginning`, seen()[0] === frames[0] && button.ariaLabel === "Pause");
    holds(`${name}: and it ends`, await until(() => seen()[0] === frames.at(-1) && button.ariaLabel === "Play", 10));
  }
  holds("sliding raises no errors", view.window.wentWrong?.length === 0, view.window.wentWrong?.join("; "));
  view.frame.remove();
}

async function checkLinks(page) {
  const view = await opened(page, 1280);
  const link = view.document.querySelector("main .picture a"), shown = link.firstChild;
  const file = link.href;
  view.document.addEventListener("click", (event) => event.preventDefault());
  link.click();
  for (const source of [file, link.href]) {
    const picture = new Image();
    picture.src = source;
    await until(() => picture.complete);
    holds("a picture leads to its full size, in its file and in the page",
      picture.naturalWidth === shown.naturalWidth && file !== link.href, source);
  }
  for (const viewer of view.document.querySelectorAll('.viewers a[href$=".html"]')) {
    const other = await opened(viewer.href, 1280).catch(() => null);
    holds(`the viewer of ${viewer.textContent} is there`,
      await until(() => Boolean(other?.document?.getElementById("status")?.textContent)));
    other?.frame.remove();
  }
  const named = [...view.document.querySelectorAll(".viewers a")].map((one) => one.textContent);
  holds("viewers are linked", named.includes("reversing") && named.includes("sorting"), named);
  view.frame.remove();
}

async function checkAll() {
  const view = await opened("index.html", 1280);
  checkParts(view);
  const background = view.window.getComputedStyle(view.document.body).backgroundColor;
  view.frame.remove();
  for (const width of [1280, 390]) await checkLayout("index.html", width);
  await checkSliders("index.html");
  await checkLinks("index.html");
  report.textContent += `background ${background}\ndone\n`;
}
checkAll().catch((error) => holds("check_gallery.js runs", false, `${error} ${error.stack}`));
