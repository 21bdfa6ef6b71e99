// Opens pages of the viewer in frames, uses them as a reader does, compares what they say with the numbers of the
// tensors, and writes one line for each thing that should hold.
"use strict";

class Viewer {
  static async open(page, width = 1280, address = "") {
    const viewer = new Viewer();
    viewer.page = page;
    viewer.frame = document.createElement("iframe");
    viewer.frame.style.width = `${width}px`;
    const loaded = new Promise((resolve) => {
      viewer.frame.onload = resolve;
    });
    viewer.frame.src = page + address;
    document.body.append(viewer.frame);
    await loaded;
    viewer.window = viewer.frame.contentWindow;
    viewer.document = viewer.frame.contentDocument;
    viewer.wrong = [];
    viewer.window.addEventListener("error", (event) => viewer.wrong.push(event.message));
    check(page, `at ${width} px it comes up`, await until(() => viewer.said() !== ""), "");
    return viewer;
  }
  close() {
    check(this.page, "nothing went wrong", this.wrong.length === 0, this.wrong.join("; "));
    this.frame.remove();
  }
  find(selector) { return this.document.querySelector(selector); }
  said() { return this.find("#status").textContent; }
  address() { return new URLSearchParams(this.window.location.hash.slice(1)); }
  async shows(address) {
    this.window.location.hash = address;
    await this.drawn();
  }
  event(type, x, y) {
    const stage = this.find("#stage"), box = stage.getBoundingClientRect();
    stage.dispatchEvent(
        new this.window.PointerEvent(type, {clientX: box.left + 1 + x, clientY: box.top + 1 + y, bubbles: true}));
    return this.drawn();
  }
  key(key, code = "", shiftKey = false) {
    this.document.body.dispatchEvent(new this.window.KeyboardEvent("keydown", {key, code, shiftKey, bubbles: true}));
    return this.drawn();
  }
  all(selector) { return [...this.document.querySelectorAll(`#stage svg ${selector}`)]; }
  drawn() { return pause(20); }  // the page draws when what has happened is over
}

// In the head view: 40 px of margin, then 36 px for each token of a few, 23 px for each of many.
const yOf = (row) => 40 + 36 * (row + 0.5);
const number = (text) => Number(text.replaceAll("−", "-"));

// All pairs that are expected, of which every `stride`-th is looked at.
async function checkNumbers(page, stride) {
  const viewer = await Viewer.open(page);
  let compared = 0, worst = "";
  for (let n = 0; n < expected[page].length; n += stride) {
    const [step, layer, head, query, key, weight, gradient, score] = expected[page][n];
    await viewer.shows(`view=heads&step=${step}&layer=${layer}&head=${head}&query=${query}&key=${key}`);
    const digits = "([\\d.e−∞Infity+]+)";
    const told = new RegExp(
        `head (\\d+): weight ${digits}(?: ± ${digits})?(?:, score ${digits})?(?:, ∂loss/∂weight ${digits})?$`);
    const found = told.exec(viewer.said());
    if (!found) {
      worst ||= `${n}: ${viewer.said()}`;
      continue;
    }
    const half = found[3] ? number(found[3]) * 1.06 + 6e-5 * Math.abs(weight) : 2e-6 + 2e-5 * Math.abs(weight);
    if (number(found[1]) !== head + 1 || !(Math.abs(number(found[2]) - weight) <= half))
      worst ||= `${n}: ${viewer.said()}, not ${weight}`;
    if (found[4] && weight !== 0 && !(Math.abs(number(found[4]) - score) <= 2e-4 * (1 + Math.abs(score))))
      worst ||= `${n}: ${viewer.said()}, score ${score}`;
    if (found[5]) {
      const largest =
          Math.max(...expected[page]
                       .filter((one) => one[0] === step && one[1] === layer && one[2] === head && one[3] === query)
                       .map((one) => Math.abs(one[6])));
      if (!(Math.abs(number(found[5]) - gradient) <= largest / 250 + 1e-3 * Math.abs(gradient)))
        worst ||= `${n}: ${viewer.said()}, slope ${gradient}`;
    }
    ++compared;
  }
  check(
      page, `${compared} weights, scores and gradients are those of the tensors`, compared > 10 && worst === "", worst);
  viewer.close();
}

async function checkPointer() {
  const viewer = await Viewer.open("dot.html");
  const nothing = viewer.said();
  await viewer.event("pointermove", 60, yOf(3));
  check("dot.html", "the token under the pointer is shown",
      viewer.said().startsWith("“sat” → ") && viewer.said() !== nothing, viewer.said());
  const lines = () => viewer.all("line").length;
  const bold = () => viewer.all("text[font-weight='600']").map((text) => text.textContent).join(" ");
  const pointing = lines();
  await viewer.event("click", 60, yOf(3));
  check("dot.html", "a click holds it", viewer.address().get("query") === "3", viewer.address());
  await viewer.event("pointermove", 60, yOf(1));
  check("dot.html", "also when the pointer goes on", viewer.said().startsWith("“sat” → "), viewer.said());
  const pairs = expected["dot.html"].filter(
      ([step, layer, , query, , weight]) => step === 2 && layer === 0 && query === 3 && weight >= 0.0105);
  check("dot.html", "a line for each weight of it", pointing === pairs.length && lines() === pairs.length,
      `${pointing}, ${pairs.length}`);
  await viewer.event("click", 60, yOf(3));
  check("dot.html", "a second click lets go", viewer.address().get("query") === null, viewer.address());
  const right = viewer.find("#stage").clientWidth - 60;
  await viewer.event("click", right, yOf(1));
  check("dot.html", "a click holds a key", viewer.address().get("key") === "1", viewer.address());
  await viewer.event("pointermove", right, yOf(4));
  const toKey = expected["dot.html"].filter(
      ([step, layer, , , key, weight]) => step === 2 && layer === 0 && key === 1 && weight >= 0.0105);
  const held = lines(), marked = bold();
  check("dot.html", "a line to it from each query, also when the pointer goes on", held === toKey.length,
      `${held}, ${toKey.length}`);
  check("dot.html", "and it alone is marked", marked === "the", marked);
  await viewer.event("click", right, yOf(1));
  check("dot.html", "a second click lets go of it", viewer.address().get("key") === null, viewer.address());
  viewer.close();
  const other = await Viewer.open("dot.html", 1280, "#view=constructor");
  check("dot.html", "an address of no view shows the heads", other.address().get("view") === "heads", other.address());
  other.close();
}

async function checkHeads() {
  const viewer = await Viewer.open("dot.html");
  const tiles = () => [...viewer.document.querySelectorAll("#heads button")];
  const on = () => tiles().map((tile) => tile.getAttribute("aria-pressed") === "true" ? 1 : 0).join("");
  check("dot.html", "all heads are on at first", on() === "111", on());
  tiles()[1].click();
  check("dot.html", "a click turns a head off", on() === "101", on());
  await viewer.drawn();
  const colours = new Set(viewer.all("line").map((line) => line.getAttribute("stroke")));
  check("dot.html", "and its lines are gone", colours.size === 2, [...colours]);
  tiles()[2].dispatchEvent(new viewer.window.MouseEvent("dblclick", {bubbles: true}));
  check("dot.html", "a double click leaves it alone", on() === "001", on());
  await viewer.key("1", "Digit1");
  check("dot.html", "so do keys", on() === "101", on());
  await viewer.key("ArrowDown");
  await viewer.key("ArrowDown");
  check("dot.html", "arrows move the query", viewer.address().get("query") === "1", viewer.address());
  await viewer.key("]");
  check("dot.html", "and brackets the layer",
      viewer.address().get("layer") === "1" && viewer.find("#layer").value === "1");
  const address = viewer.window.location.hash, said = viewer.said();
  viewer.close();
  const again = await Viewer.open("dot.html", 1280, address);
  check("dot.html", "a link shows the same", again.said() === said && again.window.location.hash === address,
      again.said());
  again.close();
}

async function checkSlider() {
  const viewer = await Viewer.open("dot.html", 1280, "#query=5&key=1");
  const slider = viewer.find("#step"), words = [];
  for (const step of [0, 1, 2]) {
    slider.value = step;
    slider.dispatchEvent(new viewer.window.Event("input", {bubbles: true}));
    await viewer.drawn();
    words.push(viewer.said());
    check("dot.html", `the slider comes to epoch ${step + 1}`,
        viewer.find("#stepName").textContent === `epoch ${step + 1}`);
  }
  check("dot.html", "each step has its numbers", new Set(words).size === 3, words);
  viewer.close();
  const decoding = await Viewer.open("decoding.html", 1280, "#step=1&query=0");
  check("decoding.html", "a query stands where it is in the text", decoding.said().startsWith("“two” → "),
      decoding.said());
  decoding.close();
}

async function checkModel() {
  const viewer = await Viewer.open("dot.html", 1280, "#view=model");
  const images = viewer.all("image").length;
  check("dot.html", "a picture for each head of each layer", images === 6, images);
  await viewer.event("click", 14 + 160 + 9 + 20, 14 + 26 + 20);
  const address = viewer.address();
  check("dot.html", "a click shows the lines of a head", address.get("view") === "heads" &&
      address.get("layer") === "0" && address.get("head") === "1" && address.get("heads") === "1", address);
  viewer.close();
}

async function checkNeuron(page, words) {
  const [step, layer, head, query, key, weight] = expected[page].findLast((one) => one[5] > 0.05);
  const viewer =
      await Viewer.open(page, 1280, `#view=neuron&step=${step}&layer=${layer}&head=${head}&query=${query}&key=${key}`);
  const texts = viewer.all("text").map((text) => text.textContent);
  check(page, `it shows ${words}`, texts.includes(words), texts.slice(0, 4));
  const result = texts.find((text) => text.startsWith("weight = "))?.split(" = ").at(-1) ?? "";
  check(
      page, "and computes the weight of the tensor", Math.abs(number(result) - weight) < 2e-5, `${result}, ${weight}`);
  viewer.frame.style.width = "390px";
  await viewer.drawn();
  const cut = viewer.all("text").map((text) => text.textContent)
                  .filter((text) => text.endsWith("…") && /[=\d]/.test(text));
  check(page, "no number of it is cut off on a phone", cut.length === 0, cut);
  viewer.close();
}

async function checkOpening() {
  const viewer = await Viewer.open("opening.html");
  check("opening.html", "it opens with what is worth seeing", viewer.address().get("layer") === "1" &&
      viewer.address().get("heads") === "2", viewer.address());
  check("opening.html", "says what", viewer.find("#about").textContent === "Look at the third head.");
  check("opening.html", "and leads back", viewer.find("#back").getAttribute("href") === "../index.html");
  const box = (one) => [Number(one.getAttribute("width")), Number(one.getAttribute("height"))];
  await viewer.shows("view=neuron&layer=0&head=0&query=3");
  const bars = [...viewer.document.querySelectorAll("#rowStage rect")].filter((one) => box(one)[1] === 14);
  const of_key_0 = ([step, layer, head, query, key]) => step === 2 && layer + head + key === 0 && query === 3;
  const shown = box(bars[1])[0] / box(bars[0])[0], wanted = expected["dot.html"].find(of_key_0)[5];
  check("opening.html", "a full bar is a weight of 1", Math.abs(shown - wanted) < 0.01, `${shown}, ${wanted}`);
  viewer.close();
  const spread = await Viewer.open("spread.html");
  const y = spread.all("text").filter((one) => one.textContent.startsWith("key "))
                .map((one) => Number(one.getAttribute("y")));
  check("spread.html", "two keys are spread over the height of twelve queries", y[1] - y[0] > 200, y);
  await spread.event("click", spread.find("#stage").clientWidth - 60, y[1]);
  check("spread.html", "and are found where they stand", spread.address().get("key") === "1", spread.address());
  spread.close();
}

async function checkText() {
  const viewer = await Viewer.open("dot.html");
  check("dot.html", "a token that looks like a script is not run", viewer.find("header") !== null);
  check("dot.html", "tokens are words in it", viewer.all("text").some((text) => text.textContent === "cat & co"));
  viewer.close();
  const plain = await Viewer.open("plain.html");
  check("plain.html", "without q and k it says how exact it is", plain.said().includes(" ± "), plain.said());
  plain.close();
}

async function checkLayout(page) {
  for (const width of [1280, 390])
    for (const view of ["heads", "model", "neuron"]) {
      const viewer = await Viewer.open(page, width, `#view=${view}`);
      const root = viewer.document.documentElement;
      check(page, `${view} at ${width} px fit`, root.scrollWidth <= width && root.scrollHeight <= 800,
          `${root.scrollWidth} × ${root.scrollHeight}`);
      viewer.close();
    }
}

async function checkLong() {
  const viewer = await Viewer.open("long.html");
  const stage = viewer.find("#stage");
  check("long.html", "1000 tokens can be scrolled through", stage.scrollHeight > 23000, stage.scrollHeight);
  check("long.html", "and only what is in sight is drawn", viewer.all("text").length < 120, viewer.all("text").length);
  stage.scrollTop = 23 * 900;
  await viewer.drawn();
  await viewer.event("pointermove", 60, 20);
  check("long.html", "the pointer finds tokens far below", /^“token 89\d” → /.test(viewer.said()), viewer.said());
  viewer.close();
}

async function checkAll() {
  await checkPointer();
  await checkHeads();
  await checkSlider();
  await checkModel();
  await checkNeuron("dot.html", "score = c · Σ q·k");
  await checkNeuron("additive.html", "score = Σ w · tanh(q + k)");
  await checkNeuron("gaussian.html", "score = −c · Σ (q − k)²");
  await checkOpening();
  await checkText();
  await checkLong();
  for (const page of ["dot.html", "picture.html", "decoding.html"]) await checkLayout(page);
  for (const page of ["dot.html", "plain.html"]) await checkNumbers(page, 7);
  for (const page of ["additive.html", "gaussian.html", "decoding.html"]) await checkNumbers(page, 1);
  await checkNumbers("picture.html", 11);
  report.textContent += "done\n";
}
checkAll().catch((error) => check("check_viewer.js", "it runs", false, `${error} ${error.stack}`));
