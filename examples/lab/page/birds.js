// Birds love singing: queries, keys and values as arrows; scores, weights, outputs, a loss and all its gradients.
"use strict";

figures.push({
  name: "birds",
  title: "Birds love singing",
  question: "Drag a query, a key or a value. Who looks at whom, and where would learning drag them next?",
  chapters: "The example of the book, chapters 0, 2 and 5.",
  build(box, library, values) {
    const words = ["birds", "love", "singing"], c = Math.SQRT2 * Math.LN2;
    const start = [-c, -c, c, 0, 0, -c, 1, 0, 0, 1, 1, 1, 0, 12, 6, 0, 6, 12];
    const state = {
      numbers: address.numbers(values.x, 18) ?? [...start],
      temperature: clamp(Number(values.t) || 1, 0.05, 5),
      masked: values.masked !== "0",
      row: clamp(Number(values.row ?? 2) || 0, 0, 2),
    };
    let playing = 0, losses = [];

    // The two planes, and everything that moves in them.
    const left = plane({low: -2.4, high: 2.4, every: 1, label: "queries and keys"});
    const right = plane({low: -3, high: 15, every: 3, label: "values and outputs"});
    const kinds = ["query", "key", "value"];
    const tips = times(9, (n) => {
      const kind = kinds[Math.floor(n / 3)], word = words[n % 3], where = kind === "value" ? right : left;
      const shaft = arrow(kind), slope = arrow("slope"), label = svg("text", {class: kind}, word);
      const knob = svg("g", {}, svg("circle", {class: "reach", r: 22}), svg("circle", {class: `knob ${kind}`, r: 6}));
      movable(knob, `${kind} of ${word}`, (dx, dy) => {
        state.numbers[2 * n] = clamp(state.numbers[2 * n] + dx / where.unit, ...limits(kind));
        state.numbers[2 * n + 1] = clamp(state.numbers[2 * n + 1] - dy / where.unit, ...limits(kind));
        losses = [];
        draw();
      });
      where.element.append(slope, shaft, label, knob);
      return {kind, word, where, shaft, slope, label, knob};
    });
    function limits(kind) { return kind === "value" ? [-2.8, 14.8] : [-2.3, 2.3]; }

    const mixing = times(3, () => svg("line", {class: "mixing"}));
    const errors = times(2, () => svg("line", {class: "error"}));
    const outputs = times(3, (i) => svg("g", {class: "output"}, svg("circle", {r: 7}),
                                        svg("text", {}, `output of ${words[i]}`)));
    const wanted = [[0, 12], [6, 0]].map(
      ([x, y], i) => svg("g", {class: "wanted", transform: `translate(${right.x(x)} ${right.y(y)})`},
        svg("circle", {r: 12}), svg("text", {y: 28}, `wanted of ${words[i + 1]}`)));
    right.element.prepend(...right.element.querySelectorAll("line"), ...wanted, ...errors, ...mixing);
    right.element.append(...outputs);

    // The table: a row for each query, a column for each key.
    const cells = times(9, () => html("td", {}, html("b"), html("small")));
    const rows = words.map((word, i) => html("tr", {
      click: () => {
        state.row = i;
        draw();
      }
    },
                             html("th", {scope: "row"}, html("button", {type: "button", class: "word query"}, word)),
                             ...cells.slice(3 * i, 3 * i + 3)));
    const table = html("table", {class: "weights"}, html("caption", {}, "weights, and scores below them"),
      html("thead", {},
        html("tr", {}, html("td"), ...words.map((word) => html("th", {scope: "col", class: "word key"}, word)))),
      html("tbody", {}, ...rows));

    const loss = html("b", {class: "large"}), history = curve({low: 0, label: "the loss of the last steps"});
    const said = sentence();
    const temperature = slider({
      label: "temperature τ",
      low: -1.3,
      high: 0.7,
      step: 0.01,
      value: Math.log10(state.temperature),
      told: (x) => digits(10 ** x),
      changed: (x) => {
        state.temperature = 10 ** x;
        losses = [];
        draw();
      }
    });
    const mask = toggle("causal mask: no word sees a later one", state.masked, (is) => {
      state.masked = is;
      losses = [];
      draw();
    });
    const play = button("Play", () => (playing ? pause() : run()));
    const again = button("As in the book", () => {
      pause();
      Object.assign(state, {temperature: 1, masked: true, row: 2});
      temperature.set(0);
      mask.querySelector("input").checked = true;
      losses = [];
      to([...start]);
    });

    box.append(html("div", {class: "three"},
                 html("figure", {},
                   html("figcaption", {}, html("span", {class: "query"}, "queries"), " and ",
                     html("span", {class: "key"}, "keys")),
                   left.element),
                 html("div", {class: "middle"}, table,
                   html("div", {class: "loss"}, html("span", {}, "loss L = "), loss, history),
                   html("p", {class: "legend"}, html("span", {class: "slope"}, "⟶ "),
                     "where a step of learning would drag: −∂L/∂q, −∂L/∂k, −∂L/∂v")),
                 html("figure", {}, html("figcaption", {}, html("span", {class: "value"}, "values"), " and outputs"),
                   right.element)),
      html("div", {class: "controls"}, temperature, mask, html("span", {class: "buttons"}, button("One step", () => {
        pause();
        step();
      }), play, again)), said);

    function pause() { clearInterval(playing); playing = 0; play.textContent = "Play"; }
    function run() { play.textContent = "Pause"; playing = setInterval(step, 120); step(); }
    function to(next) {
      const from = [...state.numbers];
      glide((t) => {
        state.numbers = from.map((one, i) => one + t * (next[i] - one));
        paint(t === 1);
      }, playing ? 100 : 280);
    }
    function step() {
      const next = [...library.call("birds_step", state.numbers, state.temperature, state.masked, 0.02)];
      if (losses.length === 0) losses.push(lossNow);
      losses.push(library.call("birds", next, state.temperature, state.masked)[24]);
      losses = losses.slice(-120);
      to(next);
    }

    let lossNow = 0;
    function paint(settled = true) {
      const all = library.call("birds", state.numbers, state.temperature, state.masked);
      const part = (begin, count) => all.subarray(begin, begin + count);
      const [scores, weights, output, slopes] = [part(0, 9), part(9, 9), part(18, 6), part(25, 18)];
      lossNow = all[24];
      tips.forEach(({kind, word, where, shaft, slope, label, knob}, n) => {
        const [x, y] = state.numbers.slice(2 * n, 2 * n + 2), at = [where.x(x), where.y(y)];
        shaft.set(where.x(0), where.y(0), ...at, kind === "query" ? 3 : 2);
        const scale = kind === "value" ? 12 : 1.6, [u, v] = [-slopes[2 * n] * scale, slopes[2 * n + 1] * scale];
        const short = Math.min(1, 90 / (Math.hypot(u, v) || 1));
        slope.set(...at, at[0] + u * short, at[1] + v * short, 1.6);
        const below = kind === "query";
        place(label, {x: clamp(at[0], 22, 330), y: clamp(at[1] + (below ? 24 : -13), 14, 352)});
        place(knob, {
          transform: `translate(${at})`,
          "aria-valuetext": `${digits(x)}, ${digits(y)}`,
          "aria-valuenow": x.toFixed(2)
        });
      });
      times(3, (i) => {
        const at = [right.x(output[2 * i]), right.y(output[2 * i + 1])];
        place(outputs[i], {transform: `translate(${at})`, class: `output${i === state.row ? " chosen" : ""}`});
        place(outputs[i].lastChild, {x: at[0] > 230 ? -12 : 12, y: 20, "text-anchor": at[0] > 230 ? "end" : "start"});
        if (i > 0)
          place(errors[i - 1], {x1: at[0], y1: at[1], x2: right.x([0, 6][i - 1]), y2: right.y([12, 0][i - 1])});
        const [x, y] = state.numbers.slice(12 + 2 * i, 14 + 2 * i);
        const from = [right.x(output[2 * state.row]), right.y(output[2 * state.row + 1])];
        place(mixing[i], {
          x1: from[0],
          y1: from[1],
          x2: right.x(x),
          y2: right.y(y),
          "stroke-width": (12 * weights[3 * state.row + i]).toFixed(2)
        });
        rows[i].classList.toggle("chosen", i === state.row);
      });
      cells.forEach((cell, n) => {
        const hidden = state.masked && n % 3 > Math.floor(n / 3);
        cell.classList.toggle("hidden", hidden);
        shade(cell, weights[n]);
        cell.firstChild.textContent = hidden ? "hidden" : digits(weights[n]);
        cell.lastChild.textContent = hidden ? "" : digits(scores[n]);
      });
      loss.textContent = digits(lossNow);
      history.style.visibility = losses.length > 1 ? "" : "hidden";
      if (losses.length > 1) history.set(losses);
      if (!settled) return;
      const row =
        times(3, (j) => state.masked && j > state.row ? "" : `${words[j]} ${digits(weights[3 * state.row + j])}`)
          .filter(Boolean);
      said.textContent =
        `${words[state.row]} looks at ${row.join(", ")}; its output is (${digits(output[2 * state.row])}, ` +
        `${digits(output[2 * state.row + 1])}). The loss is ${digits(lossNow)}.`;
      const told = {t: state.temperature.toFixed(2), masked: Number(state.masked), row: state.row};
      if (state.numbers.some((one, i) => Math.abs(one - start[i]) > 1e-9))
        told.x = state.numbers.map((one) => Number(one.toFixed(4))).join(",");
      address.write("birds", told);
    }
    const draw = once(paint);
    paint();
    return {hide: pause};
  },
});
