// Catch the wrong gradient: a rule with a mistake, a step over fourteen decades, the digits that cancel, the verdicts.
"use strict";

figures.push({
  name: "catch",
  title: "Catch the wrong gradient",
  question: "This is how mistakes in a backward pass are found. Plant one, and move the step h. Digits that both " +
    "numbers have cancel (struck out); a smaller h leaves fewer to measure by. A wrong rule is wrong at every h.",
  chapters: ["06_checking_gradients"],
  make(box, library, values) {
    const draw = once(box, paint);
    const mistakes = ["no mistake", "forgot Σ g·y", "+ for −", "factor 1.00001", "forgot y", "W for Wᵀ"];
    const rules = [["x·W", "g·Wᵀ"], ["e^x / Σ e^x", "y·(g − Σ g·y)"], ["−log x₁", "−g/x₁"]];
    const wrongRules = ["", "g·y", "y·(g + Σ g·y)", "1.00001·y·(g − Σ g·y)", "g − Σ g·y", "g·W"];
    const state = {
      mistake: clamp(Math.round(Number(values.mistake ?? 0) || 0), 0, 5),
      h: clamp(Number(values.h ?? -3) || -3, -14, -1)
    };
    const step = slider("step h", [-14, -1, 0.05], state.h, sets(state, "h", draw), (n) => scientific(10 ** n));
    step.classList.add("long");
    const bead = svg("circle", {class: "bead", r: 8}), check = vcurve(bead), said = sentence();
    movable(bead, "step h, as a power of ten", [-14, -1], (dx) => {
      state.h = clamp(state.h + dx * 13 / 364, -14, -1);
      step.set(state.h);
      draw();
    });
    const chain = html("ol", {class: "chain"}), report = html("pre", {class: "report"}),
          sums = html("div", {class: "sums"});
    box.append(
      html("div", {class: "controls"},
        choice("mistake", mistakes, state.mistake, sets(state, "mistake", () => { verdicts(); draw(); }))),
      html("div", {class: "desk"},
        html("div", {}, html("h3", {}, "The slope, measured from two points ",
            html("small", {}, "f(x) = −log softmax(x·W)₁, by the first of x")), sums,
          html("div", {class: "controls"}, step)),
        html("div", {}, html("h3", {}, "How far the rule and the measured slope are apart"), check.element)),
      html("div", {class: "desk"},
        html("div", {}, html("h3", {}, "Its three operations, each rule checked by itself ",
          html("small", {}, "y: its output; g: what comes back")), chain),
        html("div", {}, html("h3", {}, "What gradcheck says of all of x"), report)),
      said);

    // Digits that both numbers have are of no use: they cancel.
    function shown(x, other) {
      const [one, two] = [x.toFixed(16), other.toFixed(16)];
      let same = 0;
      while (same < one.length && one[same] === two[same]) ++same;
      return [html("span", {class: "cancelled"}, one.slice(0, same)), one.slice(same)];
    }
    let passed = [];
    function verdicts() {
      passed = [...library.call("wrong_rule_verdicts", state.mistake)].map(Boolean);
      report.textContent = library.text.trim().split(/\n(?=\()/)[0];
      chain.replaceChildren(...rules.map(([formula, rule], i) => {
        const changed = state.mistake > 0 && i === (state.mistake === 5 ? 0 : 1);
        return html("li", {class: passed[i + 1] ? "good" : "bad"}, html("b", {}, formula),
          html("span", {class: "slope"}, ` ∂x = ${changed ? wrongRules[state.mistake] : rule}`),
          html("em", {}, passed[i + 1] ? "✓ PASS" : "✗ FAIL: here it is"));
      }));
    }
    function paint() {
      const h = 10 ** state.h,
            [above, below, measured, slope, error, ...all] = library.call("wrong_rule", state.mistake, h);
      sums.replaceChildren(line("f(x + h)", "", ...shown(above, below)), line("f(x − h)", "", ...shown(below, above)),
        line("their difference / 2h", "", digits(measured, 12)),
        line("by the rules", "slope", digits(slope, 12)),
        line("apart, relatively", "", html("span", {class: error < 1e-6 ? "good" : "bad"}, scientific(error))));
      check.set(all.map((e, n) => [-1 - n / 4, e]));
      place(bead, {cx: check.x(state.h), cy: check.y(error),
                   ...tells(state.h, `h ${scientific(h)}, error ${scientific(error)}`)});
      const sorted = [...all].sort((a, b) => a - b);
      said.say(`With h = ${scientific(h)} the two are ${scientific(error)} apart. ` + (state.mistake === 0 ?
        `The best step brings them to ${scientific(sorted[0])}; the smaller it is then, the fewer digits are left.` :
        `Most steps say about ${scientific(sorted[sorted.length >> 1])}: the rule is wrong, and gradcheck says ${
          passed[0] ? "PASS all the same" : "FAIL"}.`));
      address.write(box, "catch", {mistake: state.mistake, h: state.h.toFixed(2)});
    }
    verdicts();
    paint();
  },
});
