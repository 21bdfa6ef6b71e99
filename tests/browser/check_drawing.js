// Opens pages of draw() in frames, folds and unfolds boxes as a reader does, and writes one line for each thing that
// should hold.
"use strict";

class Page {
  static async open(name) {
    const page = Object.assign(new Page(), await opened(name, 1280), {name});
    page.holds("it comes up", await until(() => page.shown().length === 1));
    return page;
  }
  close() {
    this.holds("nothing went wrong", this.window.wentWrong?.length === 0, this.window.wentWrong?.join("; "));
    this.frame.remove();
  }
  holds(what, isSo, found) { check(this.name, what, isSo, found); }
  shown() {
    return [...this.document.querySelectorAll("section")].filter((one) => one.getBoundingClientRect().height > 0);
  }
  all(selector) { return [...this.shown()[0].querySelectorAll(selector)]; }
  find(selector) { return this.all(selector)[0] ?? null; }
  count(name) { return this.all(".name").filter((one) => one.textContent === name).length; }
  box(name) { return this.all("svg a").find((one) => one.querySelector(".name").textContent === name); }
  outward(name) { return this.all("nav a").find((one) => one.textContent === name); }
  async click(element) {
    const before = this.shown()[0];
    element.dispatchEvent(new this.window.MouseEvent("click", {bubbles: true, cancelable: true}));
    await until(() => this.shown()[0] !== before);
    this.holds("one picture is in sight", this.shown().length === 1, this.shown().length);
    this.holds("nothing overlaps", this.overlaps() === "", this.overlaps());
  }

  // The first two nodes that overlap, if there are any, of those that have nothing inside.
  overlaps() {
    const places = this.all("g:not(.open) > rect").map((rect) => ({
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

  // Nodes stand where C++ put them; first come the open boxes.
  standsAsExpected() {
    const rects = this.all("g:not(.source) > rect"), frames = expected[this.name];
    const places = [true, false].flatMap((isOpen) => frames.filter(([,,,,, open]) => open === isOpen));
    if (rects.length !== places.length) return `${rects.length} nodes, not ${places.length}`;
    let farthest = 0;
    places.forEach(([, x, y, width, height], i) => {
      for (const [name, value] of Object.entries({x, y, width, height}))
        farthest = Math.max(farthest, Math.abs(Number(rects[i].getAttribute(name)) - value));
    });
    return farthest < 0.5 ? "" : `one is ${farthest} points away`;
  }
  textsOutside() {
    return this.all("g:not(.open) > rect").filter((rect) => [...rect.parentElement.querySelectorAll("text")]
      .some((text) => text.getBBox().width > rect.getBBox().width + 2)).map((rect) => rect.parentElement.textContent);
  }
}

async function checkGpt() {
  const page = await Page.open("gpt.html");
  page.holds("nodes stand where to_svg() puts them", page.standsAsExpected() === "", page.standsAsExpected());
  page.holds("nothing overlaps", page.overlaps() === "", page.overlaps());
  page.holds("words fit into their nodes", page.textsOutside().length === 0, page.textsOutside());
  page.holds("an operation is in sight", page.count("fused_attention") > 0, page.count("fused_attention"));
  page.holds("what has no room is closed", page.count("attention") === 12 && page.count("fused_attention") < 12);

  await page.click(page.box("layers.11"));
  page.holds("a click shows what is inside", page.count("norm_attention") === 1 && page.count("layers.10") === 0);
  const sources = page.all(".source").map((one) => one.textContent);
  page.holds("and where values come from", sources.join() === "add", sources);
  page.holds("at the top of the page", page.find("svg").getBoundingClientRect().top < 200);
  await page.click(page.box("attention"));
  page.holds("and what is inside of that", page.count("w_q") === 1 && page.count("norm_attention") === 0);
  await page.click(page.outward("layers.11"));
  page.holds("a way leads out again", page.count("norm_attention") === 1);
  await page.click(page.outward("all"));
  page.holds("to all", page.standsAsExpected() === "", page.standsAsExpected());
  const box = page.box("decoder");
  box.focus();
  page.holds("the keyboard reaches it", page.document.activeElement === box && box.tabIndex === 0);

  const title = (element) => element.querySelector("title").textContent;
  const isLoss = (one) => one.querySelector(".name").textContent === "cross_entropy";
  const about = title(page.all("g.operation").find(isLoss));
  const value = /value f32 \(4\)\nmean .*, from .* to .*\ngradient norm /;
  page.holds("pointing tells of the value", value.test(about), about);
  const line = title(page.find("path.plain"));
  page.holds("and of the gradient on a line", /gradient norm \d/.test(line), line);
  page.holds("the page holds all it needs", page.document.querySelectorAll("[src], link[href]").length === 1);
  page.close();
}

async function checkDeep() {
  const begin = performance.now();
  const page = await Page.open("deep.html");
  page.holds("it opens soon", performance.now() - begin < 5000, performance.now() - begin);
  page.holds("few nodes are in sight", page.all("g").length < 130, page.all("g").length);
  await page.click(page.box("layers.99"));
  page.holds("the last layer opens", page.count("norm_attention") === 1);
  page.close();
}

async function checkChain() {
  const page = await Page.open("chain.html");
  page.holds("nodes stand where to_svg() puts them", page.standsAsExpected() === "", page.standsAsExpected());
  const names = page.all(".name").map((one) => one.textContent);
  page.holds("names are shown, not obeyed", names.some((name) => name.startsWith("<script>")), names);
  page.holds("NaN is red", page.find("path.broken") !== null);
  page.holds("a chain is boxes", page.box("parts 1 – 120") !== undefined);
  page.close();
}

async function checkAll() {
  await checkGpt();
  await checkDeep();
  await checkChain();
  const page = await Page.open("gpt.html"), night = new URLSearchParams(location.search).has("night");
  const background = () => page.window.getComputedStyle(page.document.body).backgroundColor;
  const colors = night ? "rgb(22, 23, 26)" : "rgb(251, 250, 248)";
  // The browser says what its reader prefers a little later.
  page.holds(`it has the colors of the ${night ? "night" : "day"}`, await until(() => background() === colors, 60),
             background());
  report.textContent += "done\n";
}
checkAll().catch((error) => check("check_drawing.js", "runs", false, `${error} ${error.stack}`));
