// Opens the laboratory in frames as wide as a desk and as a phone, uses its figures as a reader does, by keyboard, and
// writes one line for each thing that should hold.
"use strict";

const settled = () => later(() => false, 0.5);

class Desk {
  static async at(width) {
    const desk = Object.assign(new Desk(), await opened("index.html", width), {width});
    // Its pictures come by its own clock: that of this browser's pictures may stand still.
    const {requestAnimationFrame: next, performance} = desk.window;
    desk.window.requestAnimationFrame = (draw) => next.call(desk.window, () => draw(performance.now()));
    await later(() => desk.find("h2"), 60);
    desk.holds("it comes up", desk.find("h2") !== null, desk.document.body.textContent.slice(0, 200));
    return desk;
  }
  holds(what, isSo, found) { check(`${this.figure ?? "page"} at ${this.width} px`, what, isSo, found); }
  // The same for what comes a little later, as pictures do.
  async sees(what, condition, found = () => this.said()) {
    await later(condition);
    this.holds(what, condition(), found());
  }
  find(selector) { return this.document.querySelector(selector); }
  all(selector) { return [...this.document.querySelectorAll(selector)]; }
  named(selector, text) { return this.all(selector).find((one) => one.textContent.trim() === text); }
  said() { return this.find(".sentence").textContent; }
  async go(figure, values = "") {
    this.figure = figure;
    this.window.location.hash = `${figure}${values}`;
    await later(() => this.find(`#figure-${figure}`) !== null && this.find("main p.chapters"));
    await settled();
  }
  async key(element, key, times = 1) {
    for (let i = 0; i < times; ++i)
      element.dispatchEvent(new this.window.KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
    await settled();
  }
  async type(element, text) {
    element.value = text;
    element.dispatchEvent(new this.window.Event("input", {bubbles: true}));
    await settled();
  }
  async click(element) { element.click(); await settled(); }
  // A button that lets something play: while it does, and then at rest, what whoever does not see the page is told.
  async plays(button, seconds = 3) {
    const told = [], regions = this.all("main :is([role=status], [role=alert], [aria-live], output)");
    const isTold = () => regions.some((one) => one.textContent === this.said());
    await later(isTold, 60);
    const ears = new this.window.MutationObserver((all) => told.push(...all.map(() => button.textContent)));
    for (const one of regions) ears.observe(one, {childList: true, characterData: true, subtree: true});
    button.click();
    await later(() => button.textContent !== "Pause", seconds);
    if (button.textContent === "Pause") button.click();
    await later(() => told.length > 0, 60);
    await later(() => false, 1);
    const once = told.length === 1 && told[0] !== "Pause" && isTold();
    this.holds("what plays is silent, and at rest says once what there is", once, `${told.length} ${told[0]}`);
    ears.disconnect();
  }

  // What holds of every figure.
  promises() {
    const faint = tooFaint(this.window, this.find("main"));
    this.holds("words and lines stand out", faint.length === 0, faint.join("; "));
    const page = this.document.documentElement;
    this.holds("nothing scrolls sideways", page.scrollWidth <= page.clientWidth, page.scrollWidth);
    this.holds("it has a sentence for whoever does not see it", this.said().length > 30, this.said());
    const name = (one) => one.getAttribute("aria-label") ?? one.closest("label")?.textContent ??
      one.labels?.[0]?.textContent ?? one.textContent;
    const nameless =
      this.all("main button, main input, main textarea, main [tabindex]").filter((one) => name(one).trim() === "");
    this.holds("all that can be used has a name", nameless.length === 0, nameless[0]?.outerHTML);
    const loose = this.all("main [role=slider]").filter((one) => {
      const [low, now, high] = ["min", "now", "max"].map((name) => parseFloat(one.getAttribute(`aria-value${name}`)));
      return !(low < high && low <= now && now <= high && one.getAttribute("aria-valuetext"));
    });
    this.holds("what is dragged says where it is, and how far it goes", loose.length === 0, loose[0]?.outerHTML);
    this.holds("nothing went wrong", this.window.wentWrong.length === 0, this.window.wentWrong.join("; "));
  }
}

const figures = {
  async birds(desk) {
    await desk.go("birds");
    desk.holds("it begins with the book's numbers",
      desk.said().includes("birds 0.50, love 0.25, singing 0.25; its output is (3.00, 9.00). The loss is 110.00."),
      desk.said());
    const at = (label, below) => {
      const knob = desk.find(`[aria-label="${label}"] .knob`);
      knob.scrollIntoView({block: "center"});
      const {x, y, width, height} = knob.getBoundingClientRect();
      return desk.document.elementFromPoint(x + width / 2, y + height / 2 + below).closest("g").ariaLabel;
    };
    desk.holds("two that lie on one another can both be taken", at("query of love", 12) === "query of love" &&
      at("key of birds", -12) === "key of birds", `${at("query of love", 12)} ${at("key of birds", -12)}`);
    const slopes = desk.all("td small:last-child").map((one) => one.textContent).join(" ").trim();
    desk.holds("gradients of scores stand below them", /^0.00 +−26.67 26.67 +36.00 −45.00 9.00$/.test(slopes), slopes);
    await desk.key(desk.find('[aria-label="query of singing"]'), "ArrowRight", 5);
    await desk.sees("the keyboard moves a query", () => !desk.said().includes("110.00"));
    await later(() => desk.window.location.hash.includes("x="), 1);
    const here = desk.said(), kept = desk.window.location.hash;
    await desk.go("fade");
    await desk.go("birds", kept.slice(6));
    await desk.sees("the address holds the state", () => desk.said() === here && kept.includes("x="), () => kept);
    await desk.go("birds");
    await desk.click(desk.find(".toggle input"));
    const weights = () => desk.all("td b").map((one) => one.textContent).join(" ");
    await desk.sees("without a mask the weights are those of chapter 2",
      () => weights() === "0.40 0.40 0.20 0.40 0.20 0.40 0.50 0.25 0.25", weights);
    const loss = () => Number(desk.find(".large").textContent), before = loss();
    await desk.click(desk.named("button", "One step"));
    await desk.sees("a step of learning makes the loss less", () => loss() < before, loss);
    await desk.plays(desk.named("button", "Play"));
    const motion = Object.getOwnPropertyDescriptor(desk.window.MediaQueryList.prototype, "matches");
    Object.defineProperty(desk.window.MediaQueryList.prototype, "matches", {get: () => false});
    await desk.go("birds", "&row=1");
    const value = desk.find('[aria-label="value of singing"]');
    desk.named("button", "One step").click();
    await desk.key(value, "ArrowRight", 5);
    await desk.sees("a hand ends a glide", () => value.getAttribute("aria-valuetext") === "7.00, 12.00",
      () => value.outerHTML);
    desk.named("button", "One step").click();
    desk.window.location.hash = "fade";
    await later(() => !value.isConnected);
    const left = value.getAttribute("transform");
    await later(() => false, 4);
    desk.holds("it does not glide on behind another figure", desk.window.location.hash.startsWith("#fade") &&
      value.getAttribute("transform") === left, `${desk.window.location.hash} ${left}`);
    Object.defineProperty(desk.window.MediaQueryList.prototype, "matches", motion);
    await desk.go("birds", `&x=${new Array(18).fill(99)}`);
    desk.promises();
  },

  async llama(desk) {
    await desk.go("llama");
    const written = () => desk.all(".written").length;
    await desk.sees("it writes", () => written() === 48, written);
    const story = () => desk.find(".story").textContent, whole = story(),
          below = () => desk.find(".story ~ .legend").textContent;
    desk.holds("forty heads are there", desk.all(".heads .head").length === 40);
    const number = "(−?\\d+\\.\\d+)";
    const told = new RegExp(`had ${number} %; the gradient foretold ${number} %, and the truth is ${number} %`);
    await desk.key(desk.all(".weight")[3], "ArrowUp");
    await later(() => told.test(desk.find(".verdict").textContent));
    const [, before, slope, truth] = (desk.find(".verdict").textContent.match(told) ?? []).map(
      (one) => Number(one.replace("−", "-")));
    desk.holds("the slope foretells the truth", Math.abs(slope - truth) < 0.1 * Math.abs(truth - before),
      `${slope} ${truth} ${before}`);
    desk.holds("ghosts stand beside the bars",
      desk.all(".bar u").every((one) => one.style.display !== "none" && parseFloat(one.style.width) > 0));
    const ends = [".row", ".bars"].map((one) => desk.find(one).getBoundingClientRect());
    desk.holds("hand and effect are on one screen", Math.max(...ends.map(({bottom}) => bottom)) -
      Math.min(...ends.map(({top}) => top)) < 800, JSON.stringify(ends));
    await desk.key(desk.all(".weight")[4], "PageUp", 4);
    await desk.sees("the story goes on as the hand wants it", () => written() === 48 &&
      desk.find(".written").textContent !== whole.slice(desk.find("textarea").value.length).match(/^ \w+/)[0] &&
      below().includes("Without your hand: “the park"), story);
    const share = (bar) => parseFloat(bar.querySelector("i").style.width),
          likeliest = desk.all(".bar").sort((a, b) => share(b) - share(a))[0].querySelector(".token").textContent;
    desk.holds("the sentence names the token that is then likeliest",
      likeliest === "␣her" && desk.said().startsWith("Likeliest comes “␣her”"), desk.said());
    await desk.key(desk.all(".weight")[4], "Escape");
    await desk.sees("and when it lets go, as before", () => written() === 48 && story() === whole, story);
    const framed = desk.all(".head").map((one) => Number(one.style.getPropertyValue("--gate")));
    desk.holds("heads are framed that the next token depends on", Math.max(...framed) === 1 && framed[35] > 0.5 &&
      framed[38] < 0.5, framed.join(" "));
    for (const n of [34, 35, 35, 36, 36, 37, 37, 38, 38]) await desk.click(desk.all(".heads .head")[n]);
    await desk.sees("without heads it goes on differently", () => written() === 48 && story() !== whole, story);
    desk.holds("the address says which heads are off", desk.window.location.hash.includes("off=34"));
    const word = desk.all(".written")[5];
    desk.all(".written")[4].focus();
    await desk.key(desk.document.activeElement, "ArrowRight");
    const stops = desk.all(".word").filter((one) => one.tabIndex === 0);
    desk.holds("the tab key stops at one word, and arrows move on", stops.length === 1 && stops[0] === word,
      stops.map((one) => one.textContent).join("|"));
    await desk.key(word, "Enter");
    desk.holds("a key on a word does the same, and stays there", desk.document.activeElement === word &&
      word.getAttribute("aria-pressed") === "true" && word.matches(".target"), word.outerHTML);
    const space = new desk.window.KeyboardEvent("keydown", {key: " ", bubbles: true, cancelable: true});
    desk.holds("and nothing scrolls below it",
      !word.dispatchEvent(space) && word.getAttribute("aria-pressed") === "false", word.outerHTML);
    await desk.click(desk.all(".written")[3]);
    desk.holds("a click on a word shows what decided it", / depends most on “.+”, then on “.+”/.test(desk.said()) &&
      desk.all(".word").some((one) => Number(one.style.getPropertyValue("--share")) === 1), desk.said());
    await desk.type(desk.find("textarea"), "<b onclick=x>Tim</b> & <img src=none>");
    await desk.sees("what is typed is text",
      () => desk.all(".story b, .story img").length === 0 && story().startsWith("<b onclick"), story);
    await desk.type(desk.find("textarea"), "Zoë grüßt:\n\nhello");
    await desk.sees("letters of several bytes are whole", () => story().startsWith("Zoë grüßt:\n\nhello"), story);
    const below_bars = desk.all(".weight em").map((one) => one.textContent).join(" ");
    desk.holds("below the bars, too", /o ë … g .*⏎/.test(below_bars) && !below_bars.includes("\ufffd"), below_bars);
    await desk.type(desk.find("textarea"), "extraordinary circumstances ".repeat(7));
    await desk.sees("a beginning that is too long is told to be cut",
      () => /It reads 56 tokens, and your beginning has \d\d+: the rest/.test(below()), below);
    await desk.type(desk.find("textarea"), "");
    await desk.sees("an empty beginning is one, too", () => written() === 48, story);
    desk.promises();
  },

  async grow(desk) {
    await desk.go("grow", "&positions=1");
    const right = () => Number(desk.said().match(/([\d.]+) % of the digits/)?.[1]);
    const learn = async () => {
      await desk.click(desk.find("button.main"));
      await later(() => desk.find("button.main").disabled, 200);
      await settled();
    };
    await desk.plays(desk.find("button.main"));
    await desk.click(desk.named("button", "From the start"));
    desk.holds("before it has learned it guesses", right() < 20, desk.said());
    await learn();
    desk.holds("it learns to reverse", right() > 97 && desk.all(".digits .good").length === 8, desk.said());
    for (const n of [4, 5, 6, 7]) await desk.click(desk.all(".grown")[n]);
    await desk.sees("cut off from its heads it cannot", () => right() < 60);
    await desk.type(desk.find(".digits input"), "37");
    desk.holds("a digit takes the place of the one that stands there", desk.find(".digits input").value === "7");
    await desk.go("grow", "&positions=0");
    await learn();
    desk.holds("without positions nothing gets above 0.317, but by chance", right() < 36, desk.said());
    desk.promises();
  },

  async score(desk) {
    await desk.go("score");
    desk.holds("the check says PASS, and laws hold",
      (await later(() => desk.said().includes("PASS"))) && desk.all(".laws .good").length === 11, desk.said());
    const slopes = desk.all(".graph .slope").map((one) => one.textContent).join();
    desk.holds("the graph has values, and gradients but of constants",
      desk.all(".graph .number").length === 12 && slopes === "−0.25,0.40,0.50,,,1.00", slopes);
    await desk.type(desk.find("input.formula"), "q+k");
    await desk.sees("a broken law is told in words",
      () => desk.said().endsWith("breaks gradcheck, second order: nothing depends on q: its gradient is 0."));
    await desk.type(desk.find("input.formula"), "sqrt(q-k)");
    await desk.sees("and what is no number", () => desk.said().includes("the score is not a number") &&
      !/nan/i.test(desk.find(".laws").textContent.replaceAll("NaN poison NaN", "")));
    await desk.type(desk.find("input.formula"), "q*<i>k");
    await desk.sees("a wrong expression is told where it is wrong",
      () => desk.find(".wrong").textContent.includes("character 3 should be a number"));
    desk.holds("and is only text", desk.all(".wrong i").length === 0);
    const heard = () => desk.all("[role=status], [role=alert]").some((one) => one.textContent.includes("character 3"));
    desk.holds("it is not called out at each letter", !heard());
    await desk.sees("but said once they rest", heard);
    await desk.type(desk.find("input.formula"), "q*k-abs(i-j)");
    await desk.sees("laws that make no sense are not asked", () => desk.all(".laws .waived").length === 2);
    await desk.plays(desk.find("button.main"));
    await desk.click(desk.find("button.main"));
    await later(() => desk.said().includes("After 300 steps"), 200);
    desk.holds("it learns to fetch", Number(desk.said().match(/error of ([\d.]+\d)/)?.[1]) < 0.6, desk.said());
    desk.promises();
  },

  async catch(desk) {
    await desk.go("catch", "&mistake=0");
    desk.holds("a right rule passes",
      desk.all(".chain .good").length === 3 && /nearer|best step brings them to \d.\d·10⁻¹/.test(desk.said()),
      desk.said());
    await desk.click(desk.all(".choice input")[3]);
    await desk.sees("a factor of 1.00001 is noticed, and where", () => desk.all(".chain .bad").length === 1 &&
      desk.all(".chain li")[1].className === "bad" && desk.said().includes("FAIL"));
    const text = desk.find("main").textContent;
    desk.holds("no number begins with 10.0", text.includes("1.0·10⁻⁵") && !text.includes("10.0·10"), text);
    const struck = () => desk.find(".cancelled").textContent.length, before = struck();
    await desk.key(desk.find(".bead"), "ArrowLeft", 40);
    await desk.sees("a smaller step makes more digits cancel", () => struck() > before, struck);
    desk.promises();
  },

  async near(desk) {
    await desk.go("near");
    const errors = () => desk.all(".errors code").map((one) => Number(one.textContent));
    const set = (x) => desk.type(desk.find(".slider input"), x);
    await set("-2");
    await desk.sees("a narrow fit makes no error on its own points, and one on others",
      () => errors()[0] < 0.05 && errors()[2] > 0.4 && desk.said().includes("by heart"), errors);
    await set("0");
    await desk.key(desk.find('[aria-label="point 1"]'), "ArrowUp", 9);
    await later(() => desk.window.location.hash.includes("points="), 1);
    const here = desk.said(), kept = desk.window.location.hash;
    await desk.go("fade");
    await desk.go("near", kept.slice(5));
    await desk.sees("the address holds the points", () => desk.said() === here && kept.includes("points="), () => kept);
    await desk.plays(desk.find("button.main"), 100);
    const width = Number(desk.said().match(/σ = ([\d.]+)/)[1]);
    desk.holds("left out, points teach a width that is good", width > 0.2 && width < 0.5, width);
    desk.promises();
  },

  async fade(desk) {
    await desk.go("fade", "&back=250");
    desk.holds("an RNN forgets, attention does not", /RNN 0;.*attention \d.\d·10⁻[¹²³]\./.test(desk.said()),
      desk.said());
    await desk.key(desk.find('[aria-label="the word"]'), "ArrowLeft", 40);
    await desk.sees("the keyboard moves the word", () => desk.said().includes("read 150 words ago"));
    await later(() => desk.window.location.hash.includes("back=150"), 1);
    await desk.click(desk.find("#figures a[aria-current]"));
    await desk.sees("its name in the row of figures brings back its beginning", () => desk.said().includes("read 60 "));
    const order = desk.all("#figures a").map((one) => one.hash).join(" "), next = desk.all("main a").at(-1).hash;
    desk.holds("from figure to figure there is a way", next === "#catch" &&
      order === "#llama #near #birds #grow #fade #catch #score", `${next} ${order}`);
    await desk.go("fade", "&back=299&scale=4");
    const height = (one) => Number(one.getAttribute("cy") ?? one.getAttribute("y"));
    desk.holds("a gradient that explodes is drawn above 1", /RNN \d.\d·10¹¹/.test(desk.said()) &&
      height(desk.find(".knob.second")) < height(desk.named(".tick", "1")) - 50, desk.said());
    await desk.go("fade", "&back=170");
    desk.holds("on the way numbers become subnormal", desk.said().includes("subnormal"), desk.said());
    await desk.click(desk.named("button", "As at first"));
    await desk.sees("a button brings back the beginning, too", () => desk.said().includes("read 60 "));
    desk.promises();
    for (const wrong of ["&", "=", "figures=&x", "%", "llama&text=%E0%A4%A&t=%&off=%zz"]) {
      await desk.go("fade");
      desk.window.location.hash = wrong;
      await desk.sees(`an address that says nothing, ${wrong}, is none`, () => desk.window.wentWrong.length === 0 &&
        desk.find("#figure-llama textarea")?.value.startsWith("Tom and Lily"), () => desk.window.wentWrong.join("; "));
    }
  },
};

async function checkAll() {
  const asked = new URLSearchParams(location.search), names = asked.get("figures")?.split(",") ?? Object.keys(figures);
  if (asked.has("looks")) {
    const desk = await Desk.at(1280);
    for (const name of names) {
      await desk.go(name);
      if (name === "llama") {
        await desk.key(desk.all(".weight")[3], "ArrowUp");
        await desk.click(desk.all(".written")[3]);
      }
      desk.promises();
    }
    report.textContent += `background ${desk.window.getComputedStyle(desk.document.body).backgroundColor}\ndone\n`;
    return;
  }
  for (const width of asked.has("phone") ? [390] : [1280, 390]) {
    const desk = await Desk.at(width);
    for (const name of names) await figures[name](desk);
    report.textContent += `background ${desk.window.getComputedStyle(desk.document.body).backgroundColor}\n`;
    desk.frame.remove();
  }
  report.textContent += "done\n";
}
checkAll().catch((error) => check("check_lab.js", "it runs", false, `${error} ${error.stack}`));
