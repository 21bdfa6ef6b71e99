// Catch the wrong gradient: a rule with a mistake, a step over fourteen decades, the digits that cancel, the verdicts.
"use strict";

figures.push({
  name: "catch",
  title: "Catch the wrong gradient",
  question:
    "Plant a mistake in a rule, and move the step h. A right rule meets the measured slope until the digits go " +
      "out; a wrong one never does.",
  chapters: "Chapter 6 of the book.",
  build(box, library, values) {
    const mistakes = ["no mistake", "forgot Σ g·y", "+ for −", "factor 1.00001", "forgot y", "W for Wᵀ"];
    const rules = [["x·W", "g·Wᵀ"], ["e^x / Σ e^x", "y·(g − Σ g·y)"], ["−log x₁", "−g/x₁"]];
    const wrongRules = ["", "g·y", "y·(g + Σ g·y)", "1.00001·y·(g − Σ g·y)", "g − Σ g·y", "g·W"];
    const state = {
      mistake: clamp(Number(values.mistake ?? 1) || 0, 0, 5),
      h: clamp(Number(values.h ?? -3) || -3, -14, -1)
    };
    const check = vcurve(true), said = sentence();
    const chain = html("ol", {class: "chain"}), report = html("pre", {class: "report"}),
          sums = html("div", {class: "sums"});
    const step = slider({
      label: "step h",
      low: -14,
      high: -1,
      step: 0.05,
      value: state.h,
      told: (n) => scientific(10 ** n),
      changed: (n) => {
        state.h = n;
        draw();
      }
    });
    movable(check.bead, "step h", (dx) => {
      state.h = clamp(state.h + dx * 13 / 364, -14, -1);
      step.set(state.h);
      draw();
    });
    box.append(html("div", {class: "controls"},
                 choice("mistake", mistakes, state.mistake,
                   (i) => {
                     state.mistake = i;
                     verdicts();
                     draw();
                   })),
      html("div", {class: "desk"},
        html("div", {}, html("h3", {}, "The slope, measured from two points"), sums,
          html("div", {class: "controls"}, step)),
        html("div", {}, html("h3", {}, "How far the rule and the measured slope are apart"), check.element)),
      html("div", {class: "desk"},
        html("div", {}, html("h3", {}, "Three operations, and each rule checked by itself"), chain),
        html("div", {}, html("h3", {}, "What gradcheck says of the whole"), report)),
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
      const parts = library.text.trim().split(/\n(?=\()/);
      report.textContent = parts[0];
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
      sums.replaceChildren(html("p", {}, html("span", {}, "f(x + h)"), html("code", {}, ...shown(above, below))),
        html("p", {}, html("span", {}, "f(x − h)"), html("code", {}, ...shown(below, above))),
        html("p", {}, html("span", {}, "measured: their difference / 2h"), html("code", {}, digits(measured, 12))),
        html("p", {}, html("span", {class: "slope"}, "by the rules"), html("code", {}, digits(slope, 12))),
        html("p", {}, html("span", {}, "apart, relatively"),
          html("code", {class: error < 1e-6 ? "good" : "bad"}, scientific(error))));
      check.set(all.map((e, n) => [-1 - n / 4, e]));
      place(check.bead,
        {cx: check.x(state.h), cy: check.y(error), "aria-valuetext": `h ${scientific(h)}, error ${scientific(error)}`});
      const least = Math.min(...all);
      said.textContent = `With h = ${scientific(h)} the two are ${scientific(error)} apart. ` +
        (state.mistake === 0 ?
            `The best step brings them to ${
              scientific(least)}: below it, the digits that are left go out one after the other.` :
            `No step brings them nearer than ${scientific(least)}: the rule is wrong, and gradcheck says ${
              passed[0] ? "PASS all the same" : "FAIL"}.`);
      address.write("catch", {mistake: state.mistake, h: state.h.toFixed(2)});
    }
    const draw = once(paint);
    verdicts();
    paint();
  },
});
