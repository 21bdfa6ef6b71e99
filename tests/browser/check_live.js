// Takes the figure of each chapter in the hand, as a reader does, and writes one line for each thing that should hold.
"use strict";

const chapters = {
  "00_first_hour": "Birds love singing", "01_attention_as_regression": "How near is near?",
  "02_softmax_and_scores": "Birds love singing", "03_scores": "Type a score",
  "05_gradients_on_paper": "Birds love singing", "06_checking_gradients": "Catch the wrong gradient",
  "07_heads": "Grow a head", "08_positions": "Grow a head", "10_recurrent_models": "A gradient that fades",
  "12_the_transformer": "Grow a head", "14_generation": "A Llama in one megabyte",
  "15_checkpoints": "A Llama in one megabyte", "18_own_variant": "Type a score",
};

class Chapter {
  static async at(page, width) {
    const chapter = Object.assign(new Chapter(), await opened(`${page}.html`, width), {page, width});
    await until(() => chapter.find(".hand button") !== null);
    return chapter;
  }
  holds(what, isSo, found) { check(`${this.page} at ${this.width} px`, what, isSo, found); }
  find(selector) { return this.document.querySelector(selector); }
  inside(selector) { return this.find(".alive").shadowRoot?.querySelector(selector); }
  said() { return this.inside(".sentence")?.textContent ?? ""; }
  shows(selector) { return this.find(selector).getClientRects().length > 0; }
  isStill() { return this.shows(".live .picture") && !this.shows(".alive"); }
  isAlive() { return !this.shows(".live .picture") && this.shows(".alive") && this.said().length > 30; }

  // The rules for paper, as if this were paper.
  async onPaper(look) {
    const rules = [...this.document.styleSheets[0].cssRules].filter(({media}) => media?.mediaText === "print");
    const paper = this.document.createElement("style");
    paper.textContent = rules.flatMap(({cssRules}) => [...cssRules].map((rule) => rule.cssText)).join("\n");
    this.document.head.append(paper);
    look();
    paper.remove();
  }

  async use(title) {
    const button = this.find(".hand button");
    this.holds("there is one figure, that of the chapter", this.find(".live").dataset.figure === title);
    this.holds("the picture stands there", this.isStill());
    const loaded = () => this.document.querySelector("script[src$='lab.js']") !== null;
    this.holds("the library does not come before it is touched", !loaded());
    button.click();
    this.holds("it comes alive", await later(() => this.isAlive()), this.find(".hand").textContent);
    const root = this.document.documentElement, inks = [];
    const links = [...this.find(".alive").shadowRoot?.querySelectorAll(".chapters a") ?? []].map(({href}) => href);
    this.holds("it names its chapters", links.includes(this.document.URL), links.join(" "));
    this.holds("nothing scrolls sideways", root.scrollWidth <= root.clientWidth, root.scrollWidth);
    for (const theme of ["light", "dark"]) {
      root.dataset.theme = theme;
      const part = this.inside("section"), faint = part ? tooFaint(this.window, part) : ["there is nothing"];
      this.holds(`words and lines stand out, ${theme}`, faint.length === 0, faint.join("; "));
      inks.push(part && this.window.getComputedStyle(part).color);
    }
    this.holds("it follows the switch of light and dark", inks[0] !== inks[1], inks[0]);
    if (this.page.startsWith("02")) {
      const before = this.said(), knob = this.inside('[aria-label="query of singing"]');
      for (let i = 0; i < 5; ++i) knob?.dispatchEvent(new this.window.KeyboardEvent("keydown", {key: "ArrowRight"}));
      this.holds("it is moved by hand", await later(() => this.said() !== before, 5), this.said());
    }
    await this.onPaper(() => this.holds("on paper there is the picture", this.isStill() && !this.shows(".hand")));
    button.click();
    this.holds("it goes back to the picture", await later(() => this.isStill(), 5));
    this.holds("nothing went wrong", this.window.wentWrong?.length === 0, this.window.wentWrong?.join("; "));
    this.frame.remove();
  }
}

async function checkAll() {
  const pages = new URLSearchParams(location.search).get("pages").split(",");
  const all = Object.keys(chapters), wrong = pages.filter((page) => !all.includes(page));
  check("book", "each figure stands in its chapters", wrong.length === 0, wrong.join(" "));
  for (const page of pages)
    for (const width of pages.length > 1 ? [1280, 390] : [390]) {
      const chapter = await Chapter.at(page, width);
      await chapter.use(chapters[page]);
    }
  const without = await Chapter.at(pages[0], 390);
  delete without.window.WebAssembly;
  without.find(".hand button").click();
  const told = () => without.find(".hand").textContent;
  check(pages[0], "without WebAssembly there is the picture, and a word",
    await later(() => told().includes("it has no WebAssembly"), 5) && without.isStill(), told());
  report.textContent += "done\n";
}
checkAll().catch((error) => check("check_live.js", "it runs", false, `${error} ${error.stack}`));
