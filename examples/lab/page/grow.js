// Grow a head: a transformer of two layers learns in the page, and all of its heads are seen while they change.
"use strict";

figures.push({
  name: "grow",
  title: "Grow a head",
  question: "A transformer is to write eight digits backwards. Let it learn, and watch what its heads become. " +
    "What if it is not told where a digit stands?",
  note: "Without positions a place knows its own digit, and which are the seven others, in no order; to guess the " +
    "most frequent of these is right in 31.7 %, the dashed line.",
  chapters: ["07_heads", "08_positions", "12_the_transformer"],
  make(box, library, values) {
    const kinds = ["none", "sinusoidal", "rotary", "ALiBi"], ceiling = 0.317;
    const state = {
      sorts: Number(values.sorts === "1"),
      positions: clamp(Math.round(Number(values.positions ?? 1) || 0), 0, 3),
      on: new Array(8).fill(1),
      digits: address.numbers(values.digits, 8)?.map((one) => clamp(Math.round(one), 0, 9)) ?? [3, 1, 4, 1, 5, 9, 2, 6],
    };
    let goal = 0, step = 0, seen = 0, curves = [], milliseconds = 0, loss = NaN;

    const chart = svg("svg", {viewBox: "0 0 420 210", role: "img", class: "chart"});
    const x = (s) => 40 + 370 * s / goal, y = (a) => 190 - 178 * a;
    const heads = times(8, (n) => {
      const cells = times(64, (i) => svg("rect", {width: 9.4, height: 9.4, x: 10 * (i % 8) + 0.3,
                                                  y: 10 * Math.floor(i / 8) + 0.3}));
      const names = times(16, (i) => svg("text", i < 8 ? {x: 10 * i + 5, y: -2} : {x: -5, y: 10 * i - 72}));
      const element = html("button", {type: "button", class: "head grown", click: () => {
        state.on[n] ^= 1;
        measure();
        paint();
      }}, svg("svg", {viewBox: "-9 -9 89 89"}, ...cells, ...names));
      return {element, cells, names};
    });
    const inputs = times(8, (i) => html("input", {
      type: "text",
      inputmode: "numeric",
      "aria-label": `digit ${i + 1}`,
      input: ({target}) => {
        const found = target.value.match(/\d(?=\D*$)/);
        if (found) {
          state.digits[i] = Number(found[0]);
          inputs[(i + 1) % 8].focus();
        }
        paint();
      },
      focus: ({target}) => target.select()
    }));
    const answers = times(8, () => html("b")), told = html("span", {class: "quiet"}), said = sentence();
    const play = player("Let it learn", () => {  // or, in a picture between, it is measured how well it does
      if (step - seen >= 5 || (step >= goal && seen < goal)) measure();
      else milliseconds = busy(() => {
        [loss, step] = library.call("grow_learn", 1);
        return step >= goal;
      });
      paint();
      return seen >= goal;
    }, {class: "main"});

    box.append(
      html("div", {class: "controls"}, choice("task", ["reverse", "sort"], state.sorts, sets(state, "sorts", begin)),
        choice("positions", kinds, state.positions, sets(state, "positions", begin)),
        html("span", {class: "buttons"}, play, button("From the start", begin)), told),
      html("div", {class: "desk"},
        html("div", {},
          html("h3", {}, "Eight heads ",
            html("small", {}, "each row writes a digit; red shows which ones it reads; a click cuts a head off")),
          html("div", {class: "grown-heads"}, html("span", {class: "quiet"}, "layer 1"),
            ...heads.slice(0, 4).map((head) => head.element), html("span", {class: "quiet"}, "layer 2"),
            ...heads.slice(4).map((head) => head.element))),
        html("div", {}, html("h3", {}, "Right digits, in sequences never seen"), chart,
          html("h3", {class: "spaced"}, "Your own digits, and its answer"),
          html("div", {class: "digits"}, ...inputs, ...answers))),
      said);

    function begin() {
      play.pause();
      [goal] = library.call("grow_begin", state.sorts, state.positions, 1);
      [step, loss, state.on] = [0, NaN, new Array(8).fill(1)];
      curves = curves.filter((one) => one.points.length > 1).slice(-3);
      curves.push({label: `${state.sorts ? "sort" : "reverse"}, ${kinds[state.positions]}`,
                   free: state.positions === 0, points: []});
      measure();
      paint();
    }
    function measure() {
      const curve = curves.at(-1);
      seen = step;
      [curve.accuracy] = library.call("grow_accuracy", state.on);
      if (state.on.every(Boolean)) curve.points.push([step, curve.accuracy]);
    }

    function paint() {
      const all = library.call("grow_look", state.digits, state.on), weights = all.subarray(16);
      heads.forEach(({element, cells, names}, n) => {
        names.forEach((name, i) => { name.textContent = i < 8 ? state.digits[i] : all[i - 8]; });
        cells.forEach((cell, i) => cell.setAttribute("fill-opacity", (0.04 + 0.96 * weights[64 * n + i]).toFixed(3)));
        element.classList.toggle("off", !state.on[n]);
        place(element, {
          "aria-label": `layer ${Math.floor(n / 4) + 1}, head ${n % 4 + 1}${state.on[n] ? "" : ", cut off"}`,
          "aria-pressed": String(!state.on[n])
        });
      });
      inputs.forEach((input, i) => {
        if (!input.matches(":focus") || input.value !== "") input.value = state.digits[i];
      });
      answers.forEach((answer, i) => {
        answer.textContent = all[i];
        answer.className = all[i] === all[8 + i] ? "good" : "bad";
        answer.title = `right is ${all[8 + i]}`;
      });
      paintChart();
      play.disabled = seen >= goal;
      told.textContent = step ? `step ${step} of ${goal}, loss ${digits(loss)}` +
        (play.plays() ? `, ${milliseconds.toFixed(1)} ms a step` : "") : "";
      tell(times(8, (i) => all[i] === all[8 + i]).filter(Boolean).length);
      address.write(box, "grow", {sorts: state.sorts, positions: state.positions, digits: state.digits.join(",")});
    }
    function tell(right) {
      const cut = state.on.filter((one) => !one).length;
      said.say(`After ${step} steps ${percent(curves.at(-1).accuracy)} of the digits are right${
          cut ? ` without ${cut} of the heads` : ""}; of yours ${right} of 8.` + (step < goal ? "" :
        state.positions === 0 ? " Without positions it can only guess the most frequent digit." : !cut ?
          " Cut heads off: which does it need? Then let it learn without positions." :
          curves.at(-1).accuracy > 0.9 ? " The heads that are left do it as well." : ""));
    }
    function paintChart() {
      const best = [svg("line", {class: "ceiling", x1: 40, x2: 410, y1: y(ceiling), y2: y(ceiling)}),
                    svg("text", {x: 408, y: y(ceiling) - 6, class: "told"},
                        "guessing without positions: 32 %")];
      const paths = curves.flatMap(({points, label, free}, i) => {
        const last = i === curves.length - 1, [s, a] = points.at(-1) ?? [0, 0];
        const path = svg("path", {class: `learned${last ? "" : " old"}${free ? " second" : ""}`,
                                  d: trace(points.map(([s, a]) => [x(s), y(a)]))});
        return [path, last ? svg("circle", {class: "knob", r: 5, cx: x(s), cy: y(a)}) :
          svg("text", {class: "told", x: 408, y: clamp(y(a) + (a > 0.9 ? 15 : 15 + 14 * i), 12, 204)}, label)];
      });
      chart.replaceChildren(...levels([0, 0.5, 1], y, [40, 410], (a) => `${100 * a} %`),
        ...[0, goal / 2, goal].map((s) => svg("text", {class: "tick middle", x: x(s), y: 206}, s ? s : "step 0")),
                            ...(state.sorts ? [] : best), ...paths);
      place(chart, {"aria-label": `${percent(curves.at(-1).accuracy)} right after ${step} steps`});
    }

    begin();
    return play.pause;
  },
});
