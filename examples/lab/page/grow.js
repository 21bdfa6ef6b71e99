// Grow a head: a transformer of two layers learns in the page; all of its heads are seen while they become what they
// do.
"use strict";

figures.push({
  name: "grow",
  title: "Grow a head",
  question:
    "A transformer is to write eight digits backwards. Let it learn, and watch what its heads become. What if " +
      "it is not told where a digit stands?",
  chapters:
    "Chapters 7, 8 and 12 of the book. Without positions a place knows its own digit and the bag of the seven " +
    "others; to guess the most frequent of these is right in 0.317 of the cases, the dashed line.",
  build(box, library, values) {
    const kinds = ["none", "sinusoidal", "rotary", "ALiBi"], ceiling = 0.317;
    const state = {
      sorts: values.sorts === "1",
      positions: clamp(Number(values.positions ?? 1) || 0, 0, 3),
      on: new Array(8).fill(1),
      digits: address.numbers(values.digits, 8)?.map((one) => clamp(Math.round(one), 0, 9)) ?? [3, 1, 4, 1, 5, 9, 2, 6],
    };
    let goal = 0, step = 0, learning = 0, curves = [], milliseconds = 0, loss = NaN;

    const chart = svg("svg", {viewBox: "0 0 420 210", role: "img", class: "chart"});
    const x = (s) => 40 + 370 * s / goal, y = (a) => 190 - 178 * a;
    const heads = times(8, (n) => {
      const cells = times(64, () => svg("rect", {width: 9.4, height: 9.4})),
            picture = svg("svg", {viewBox: "0 0 80 80"}, ...cells);
      cells.forEach((cell, i) => place(cell, {x: 10 * (i % 8) + 0.3, y: 10 * Math.floor(i / 8) + 0.3}));
      const element = html("button", {
        type: "button",
        class: "head grown",
        click: () => {
          state.on[n] ^= 1;
          measure();
          paint();
        }
      },
        picture);
      return {element, cells};
    });
    const inputs = times(8, (i) => html("input", {
      type: "text",
      inputmode: "numeric",
      maxlength: 1,
      "aria-label": `digit ${i + 1}`,
      input: ({target}) => {
        const found = target.value.match(/\d/);
        if (found) {
          state.digits[i] = Number(found[0]);
          inputs[(i + 1) % 8].focus();
        }
        paint();
      },
      focus: ({target}) => target.select()
    }));
    const answers = times(8, () => html("b"));
    const play = button("Let it learn", () => (learning ? pause() : run()), {class: "main"}),
          told = html("span", {class: "quiet"}), said = sentence();
    const task = choice("task", ["reverse", "sort"], Number(state.sorts), (i) => { state.sorts = i === 1; begin(); });
    const positions = choice("positions", kinds, state.positions, (i) => { state.positions = i; begin(); });

    box.append(html("div", {class: "controls"}, task, positions,
                 html("span", {class: "buttons"}, play, button("From the start", begin)), told),
      html("div", {class: "desk"},
        html("div", {},
          html(
            "h3", {}, "Eight heads ", html("small", {}, "a row looks, a column is looked at; click one to cut it off")),
          html("div", {class: "grown-heads"}, html("span", {class: "quiet"}, "layer 1"),
            ...heads.slice(0, 4).map((head) => head.element), html("span", {class: "quiet"}, "layer 2"),
            ...heads.slice(4).map((head) => head.element))),
        html("div", {}, html("h3", {}, "Share of digits that are right, in sequences never seen"), chart,
          html("h3", {class: "spaced"}, "Your own digits, and its answer"),
          html("div", {class: "digits"}, ...inputs, ...answers))),
      said);

    function begin() {
      step = 0;
      pause();
      [goal] = library.call("grow_begin", state.sorts, state.positions, 1);
      [loss, state.on] = [NaN, new Array(8).fill(1)];
      curves = curves.filter((one) => one.points.length > 1).slice(-3);
      curves.push({
        label: `${state.sorts ? "sort" : "reverse"}, ${kinds[state.positions]}`,
        free: state.positions === 0,
        points: []
      });
      measure();
      paint();
    }
    function measure() {
      [curves.at(-1).accuracy] = library.call("grow_accuracy", state.on);
      if (state.on.every(Boolean)) curves.at(-1).points.push([step, curves.at(-1).accuracy]);
    }
    function pause() {
      cancelAnimationFrame(learning);
      learning = 0;
      play.textContent = step >= goal ? "It has learned" : "Let it learn";
      play.disabled = step >= goal && goal > 0;
    }
    function run() {
      play.textContent = "Pause";
      const some = () => {
        const start = performance.now(), before = step;
        do [loss, step] = library.call("grow_learn", 1); while (performance.now() - start < 11 && step < goal);
        milliseconds = (performance.now() - start) / (step - before);
        if (step % 5 === 0 || step - curves.at(-1).points.at(-1)[0] >= 5) measure();
        paint();
        if (step < goal) learning = requestAnimationFrame(some); else { measure(); pause(); paint(); }
      };
      learning = requestAnimationFrame(some);
    }

    function paint() {
      const all = library.call("grow_look", state.digits, state.on), weights = all.subarray(16);
      heads.forEach(({element, cells}, n) => {
        cells.forEach((cell, i) => cell.setAttribute("fill-opacity", (0.04 + 0.96 * weights[64 * n + i]).toFixed(3)));
        element.className = `head grown${state.on[n] ? "" : " off"}`;
        place(element, {
          "aria-label": `layer ${Math.floor(n / 4) + 1}, head ${n % 4 + 1}${state.on[n] ? "" : ", cut off"}`,
          "aria-pressed": !state.on[n]
        });
      });
      inputs.forEach((input, i) => {
        if (document.activeElement !== input || input.value !== "") input.value = state.digits[i];
      });
      answers.forEach((answer, i) => {
        answer.textContent = all[i];
        answer.className = all[i] === all[8 + i] ? "good" : "bad";
        answer.title = `right is ${all[8 + i]}`;
      });
      paintChart();
      const now = curves.at(-1).accuracy, right = times(8, (i) => all[i] === all[8 + i]).filter(Boolean).length,
            cut = state.on.filter((one) => !one).length;
      told.textContent = step ?
        `step ${step} of ${goal}, loss ${digits(loss)}${learning ? `, ${milliseconds.toFixed(1)} ms a step` : ""}` :
                                                                   "";
      if (!learning)
        said.textContent = `After ${step} steps ${percent(now)} of the digits are right${
                             cut ? ` without ${cut} of the heads` : ""}; of yours ${right} of 8.` +
          (state.positions === 0 && step === goal ?
              " Without positions a place knows its own digit and the bag of the others: it can only guess the " +
                "most frequent one." :
              "");
      address.write("grow", {sorts: Number(state.sorts), positions: state.positions, digits: state.digits.join(",")});
    }
    function paintChart() {
      const lines = [0, 0.5, 1].flatMap((a) => [svg("line", {class: "grid", x1: 40, x2: 410, y1: y(a), y2: y(a)}),
                                          svg("text", {x: 34, y: y(a) + 5, class: "tick"}, `${100 * a} %`)]);
      const best = [
        svg("line", {class: "ceiling", x1: 40, x2: 410, y1: y(ceiling), y2: y(ceiling)}),
        svg("text", {x: 408, y: y(ceiling) - 6, class: "told"}, "nothing without positions gets above this")
      ];
      const paths = curves.flatMap(({points, label, free}, i) => {
        const last = i === curves.length - 1, [s, a] = points.at(-1) ?? [0, 0];
        const path = svg("path", {
          class: `learned${last ? "" : " old"}${free ? " free" : ""}`,
          d: points.map(([s, a], n) => `${n ? "L" : "M"}${x(s).toFixed(1)} ${y(a).toFixed(1)}`).join("")
        });
        return last ? [path, svg("circle", {class: "dot", r: 4, cx: x(s), cy: y(a)})] : [
          path, svg("text", {class: "told old", x: 408, y: clamp(y(a) + (a > 0.9 ? 15 : 15 + 14 * i), 12, 204)}, label)
        ];
      });
      chart.replaceChildren(...lines, ...(state.sorts ? [] : best), ...paths);
      place(chart, {"aria-label": `${percent(curves.at(-1).accuracy)} right after ${step} steps`});
    }

    begin();
    return {hide: pause};
  },
});
