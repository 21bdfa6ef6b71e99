// Opens pages of draw() in frames, folds and unfolds boxes as a reader does, and writes one line for each thing that
// should hold.
"use strict";

class Page {
  static async open(name) {
    const page = Object.assign(new Page(), await opened(name, 1280), {name});
    page.holds("it comes up", await until(() => page.find("#stage svg") !== null));
    return page;
  }
  close() {
    this.holds("nothing went wrong", this.window.wentWrong?.length === 0, this.window.wentWrong?.join("; "));
    this.frame.remove();
  }
  holds(what, isSo, found) { check(this.name, what, isSo, found); }
  find(selector) { return this.document.querySelector(selector); }
  all(selector) { return [...this.document.querySelectorAll(selector)]; }
  count(name) { return this.all("#stage .name").filter((one) => one.textContent === name).length; }
  box(name) { return this.all("#stage .folds").find((one) => one.querySelector(".name").textContent === name); }
  click(element) {
    element.dispatchEvent(new this.window.MouseEvent("click", {bubbles: true}));
    this.holds("nothing overlaps", this.overlaps() === "", this.overlaps());
  }
  point(element) {
    element.dispatchEvent(new this.window.PointerEvent("pointermove", {bubbles: true, clientX: 200, clientY: 200}));
    return this.find("#told").hidden ? "" : this.find("#told").textContent;
  }

  // The first two nodes that overlap, if there are any, of those that have nothing inside.
  overlaps() {
    const places = this.all("#stage g:not(.open) > rect").map((rect) => ({
      rect, x: Number(rect.getAttribute("x")), y: Number(rect.getAttribute("y")),
      width: Number(rect.getAttribute("width")), height: Number(rect.getAttribute("height")),
    })).sort((a, b) => a.y - b.y);
    for (let i = 0; i < places.length; ++i)
      for (let j = i + 1; j < places.length && places[j].y < places[i].y + places[i].height - 0.01; ++j) {
        const [a, b] = [places[i], places[j]];
        if (a.x + 0.01 < b.x + b.width && b.x + 0.01 < a.x + a.width)
          return `${a.rect.parentElement.textContent} and ${b.rect.parentElement.textContent}`;
      }
    return "";
  }

  // The page's layout and that of to_svg() are one: nodes stand where C++ put them.
  standsAsExpected() {
    let farthest = 0;
    for (const [node, x, y, width, height, open] of expected[this.name]) {
      const rect = this.find(`#stage g[data-node="${node}"]${open ? ".open" : ":not(.open)"} > rect`);
      if (!rect) return `node ${node} is missing`;
      for (const [name, value] of Object.entries({x, y, width, height}))
        farthest = Math.max(farthest, Math.abs(Number(rect.getAttribute(name)) - value));
    }
    return farthest < 0.5 ? "" : `one is ${farthest} points away`;
  }
  textsOutside() {
    return this.all("#stage g:not(.open) > rect").filter((rect) => [...rect.parentElement.querySelectorAll("text")]
      .some((text) => text.getBBox().width > rect.getBBox().width + 2)).map((rect) => rect.parentElement.textContent);
  }
}

async function checkGpt() {
  const page = await Page.open("gpt.html");
  page.holds("nodes stand where to_svg() puts them", page.standsAsExpected() === "", page.standsAsExpected());
  page.holds("nothing overlaps", page.overlaps() === "", page.overlaps());
  page.holds("words fit into their nodes", page.textsOutside().length === 0, page.textsOutside());
  page.holds("one layer stands for all", page.count("layers.0") === 1 && page.count("layers.1") === 0);
  page.holds("a softmax is in sight", page.count("fused_attention") === 1, page.count("fused_attention"));

  const repeated = "layers.0 … layers.11 × 12";
  page.click(page.box(repeated));
  page.holds("a click unfolds all layers", page.count("layers.1") === 1 && page.count("layers.11") === 1);
  page.holds("and says so", page.box(repeated).getAttribute("aria-expanded") === "true");
  page.click(page.box("layers.7"));
  page.holds("a click unfolds one of them", page.count("norm_attention") === 2, page.count("norm_attention"));
  page.click(page.box(repeated));
  page.holds("and another folds them again", page.count("layers.1") === 0);
  const key = new page.window.KeyboardEvent("keydown", {key: "Enter", bubbles: true});
  page.box("attention").dispatchEvent(key);
  page.holds("so does the keyboard", page.count("fused_attention") === 0);

  page.click(page.find("#less"));
  page.holds("all can be folded", page.count("attention") === 0 && page.count("decoder") === 1);
  for (let i = 0; i < 8; ++i) page.click(page.find("#more"));
  page.holds("and unfolded, level by level, one layer standing for all", page.count("fused_attention") === 1 &&
    page.count("weight") > 5, page.count("weight"));
  page.click(page.find("#first"));
  page.holds("and be as at first", page.standsAsExpected() === "", page.standsAsExpected());

  const about = page.point(page.all("#stage g.operation").find((one) => one.textContent.startsWith("cross_entropy")));
  const value = /value f32 \(4\)\nmean .*, from .* to .*\ngradient norm /;
  page.holds("pointing tells of the value", value.test(about), about);
  const line = page.point(page.find("#stage path.plain"));
  page.holds("and of the gradient on a line", /gradient norm \d/.test(line), line);
  page.find("#stage").dispatchEvent(new page.window.PointerEvent("pointermove", {bubbles: true}));
  page.holds("and pointing at nothing of nothing", page.find("#told").hidden);
  page.holds("the page holds all it needs", page.all("[src], link[href]").length === 1, page.all("[src]").length);
  page.close();
}

async function checkDeep() {
  const begin = performance.now();
  const page = await Page.open("deep.html");
  page.holds("it opens soon", performance.now() - begin < 5000, performance.now() - begin);
  page.holds("few nodes are in sight", page.all("#stage g").length < 130, page.all("#stage g").length);
  page.click(page.box("layers.0 … layers.99 × 100"));
  page.holds("all layers unfold", page.count("layers.99") === 1);
  page.close();
}

async function checkChain() {
  const page = await Page.open("chain.html");
  page.holds("nodes stand where to_svg() puts them", page.standsAsExpected() === "", page.standsAsExpected());
  const names = page.all("#stage .name").map((one) => one.textContent);
  page.holds("names are shown, not obeyed", names.some((name) => name.startsWith("<script>")), names);
  page.holds("NaN is red", page.find("#stage path.broken") !== null);
  page.click(page.box("2 operations × 60"));
  page.holds("a chain unfolds", page.box("60") !== undefined);
  page.close();
}

async function checkAll() {
  await checkGpt();
  await checkDeep();
  await checkChain();
  const view = await opened("gpt.html", 1280);
  await until(() => view.document.querySelector("#stage svg") !== null);
  const background = view.window.getComputedStyle(view.document.body).backgroundColor;
  report.textContent += `background ${background}\ndone\n`;
}
checkAll().catch((error) => check("check_drawing.js", "runs", false, `${error} ${error.stack}`));
