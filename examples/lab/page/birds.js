// Birds love singing: queries, keys and values as arrows; scores, weights, outputs, a loss and all its gradients.
"use strict";

figures.push({
  name: "birds",
  title: "Birds love singing",
  question: "A query (blue) is what a word asks, a key (orange) what it offers, a value (green) what it gives. The " +
    "more a query points the way of a key, the more of its value is in the output. Drag any dot; click a word.",
  chapters: ["00_first_hour", "02_softmax_and_scores", "05_gradients_on_paper"],
  make(box, library, values) {
    const words = ["birds", "love", "singing"], c = Math.SQRT2 * Math.LN2;
    const limits = [[-2.3, 2.3], [-2.3, 2.3], [-2.8, 14.8]];  // of queries, keys and values
    const within = (numbers) => [...numbers].map((one, i) => clamp(one, ...limits[Math.floor(i / 6)]));
    const start = [-c, -c, c, 0, 0, -c, 1, 0, 0, 1, 1, 1, 0, 12, 6, 0, 6, 12];
    const state = {
      numbers: within(address.numbers(values.x, 18) ?? start),
      temperature: clamp(Number(values.t) || 1, 0.05, 5),
      masked: values.masked !== "0",
      row: clamp(Math.round(Number(values.row ?? 2) || 0), 0, 2),
    };
    const draw = once(box, paint), anew = () => { stop(); losses = []; draw(); };
    let losses = [], lossNow = 0, stop = () => {};

    // The two planes, and everything that moves in them.
    const left = plane(-2.4, 2.4, 1, "queries and keys"), right = plane(-3, 15, 3, "values and outputs");
    const tips = times(9, (n) => {
      const kind = ["query", "key", "value"][Math.floor(n / 3)], word = words[n % 3];
      const where = kind === "value" ? right : left, shaft = arrow(kind), slope = arrow("slope");
      const label = svg("text", {class: kind, "text-anchor": "middle"}, word);
      // Where two lie on one another, each can be taken from the side of its word.
      const knob = svg("g", {}, svg("circle", {class: "reach", r: 22, cy: kind === "query" ? 15 : -15}),
        svg("circle", {class: `knob ${kind}`, r: 6}));
      movable(knob, `${kind} of ${word}`, limits[Math.floor(n / 3)], (dx, dy) => {
        state.numbers[2 * n] += dx / where.unit;
        state.numbers[2 * n + 1] -= dy / where.unit;
        state.numbers = within(state.numbers);
        anew();
      });
      where.element.append(shaft, slope, label, knob);
      return {kind, where, shaft, slope, label, knob};
    });

    const mixing = times(3, () => svg("line", {class: "mixing"}));
    const errors = times(2, () => svg("line", {class: "error"})), wishes = [[0, 12], [6, 0]];
    const outputs = words.map((word) => svg("g", {}, svg("circle", {r: 7}), svg("text", {}, `output of ${word}`)));
    const wanted = wishes.map(([x, y], i) => svg("g",
      {class: "wanted", transform: `translate(${right.x(x)} ${right.y(y)})`}, svg("circle", {r: 12}),
      svg("text", {x: -12, y: 36}, `wanted of ${words[i + 1]}`)));
    right.element.prepend(...right.element.querySelectorAll("line"), ...errors, ...mixing, ...wanted);
    right.element.append(...outputs);

    // The table: a row for each query, a column for each key.
    const cells = times(9, () => html("td", {}, html("b"), html("small"), html("small")));
    const rows = words.map((word, i) => html("tr", {click: () => { state.row = i; draw(); }},
      html("th", {scope: "row"}, html("button", {type: "button", class: "word query"}, word)),
      ...cells.slice(3 * i, 3 * i + 3)));
    const table = html("table", {class: "weights"}, html("caption", {}, "weight, score, ",
      html("i", {}, "∂L/∂score")),
      html("thead", {},
        html("tr", {}, html("td"), ...words.map((word) => html("th", {scope: "col", class: "word key"}, word)))),
      html("tbody", {}, ...rows));

    const loss = html("b", {class: "large"}), said = sentence(), falling = svg("path", {class: "curve"});
    const temperature = slider("temperature τ", [-1.3, 0.7, 0.01], Math.log10(state.temperature),
                               (x) => { state.temperature = 10 ** x; anew(); }, (x) => digits(10 ** x));
    const mask = toggle("causal mask: no word sees a later one", state.masked, sets(state, "masked", anew));
    const play = player("Play", step, {every: 120});

    box.append(
      html("div", {class: "three"},
        html("figure", {}, html("figcaption", {}, html("span", {class: "query"}, "queries"), " and ",
          html("span", {class: "key"}, "keys")), left.element),
        html("div", {class: "middle"}, table,
          html("div", {class: "loss"}, html("span", {}, "loss L = "), loss,
            svg("svg", {viewBox: "0 0 130 44", role: "img", "aria-label": "the loss of the last steps"}, falling)),
          html("p", {class: "legend"}, "L adds the squares of the dashed lines: how far two outputs are from what is " +
            "wanted of them. Of the first word nothing is wanted."),
          html("p", {class: "legend"}, html("span", {class: "slope"}, "⟶ "), "where a step would drag: −0.02 times " +
            "the gradient, for values 30 times that. A step is shorter while the whole gradient is longer than 20.")),
        html("figure", {}, html("figcaption", {}, html("span", {class: "value"}, "values"), " and outputs (○)"),
          right.element)),
      html("div", {class: "controls"}, temperature, mask,
        html("span", {class: "buttons"}, button("One step", () => { play.pause(); step(); }), play)),
      said);

    function step() {
      const from = state.numbers;
      const next = within(library.call("birds_step", from, state.temperature, state.masked, 0.02));
      if (losses.length === 0) losses.push(lossNow);
      losses.push(library.call("birds", next, state.temperature, state.masked)[24]);
      losses = losses.slice(-120);
      stop();
      stop = glide((t) => {
        state.numbers = from.map((one, i) => one + t * (next[i] - one));
        paint(t === 1);
      }, play.plays() ? 100 : 280);
    }

    function paint(settled = true) {
      const all = library.call("birds", state.numbers, state.temperature, state.masked);
      const [scores, weights, output, slopes] =
        [[0, 9], [9, 18], [18, 24], [25, 52]].map(([begin, end]) => all.subarray(begin, end));
      lossNow = all[24];
      tips.forEach(({kind, where, shaft, slope, label, knob}, n) => {
        const [x, y] = state.numbers.slice(2 * n, 2 * n + 2), at = [where.x(x), where.y(y)];
        shaft.set(where.x(0), where.y(0), ...at, kind === "query" ? 3 : 2);
        const scale = 0.02 * where.unit * (kind === "value" ? 30 : 1);
        const [u, v] = [-slopes[2 * n] * scale, slopes[2 * n + 1] * scale];
        const short = Math.min(1, 90 / (Math.hypot(u, v) || 1));
        slope.set(...at, at[0] + u * short, at[1] + v * short, 1.6);
        place(label, {x: clamp(at[0], 22, 330), y: clamp(at[1] + (kind === "query" ? 24 : -13), 14, 352)});
        place(knob, {transform: `translate(${at})`, ...tells(x.toFixed(2), `${digits(x)}, ${digits(y)}`)});
      });
      paintOutputs(weights, output);
      cells.forEach((cell, n) => {
        const hidden = state.masked && n % 3 > Math.floor(n / 3);
        cell.classList.toggle("hidden", hidden);
        cell.style.setProperty("--share", clamp(weights[n], 0, 1).toFixed(3));
        cell.firstChild.textContent = hidden ? "hidden" : digits(weights[n]);
        cell.children[1].textContent = hidden ? "" : digits(scores[n]);
        cell.lastChild.textContent = hidden ? "" : digits(slopes[18 + n]);
      });
      loss.textContent = digits(lossNow);
      const most = Math.max(...losses);
      place(falling, {d: trace(losses.map((one, i) => [4 + i, 40 - 36 * one / most]))});
      if (settled) tell(weights, output);
    }
    function paintOutputs(weights, output) {
      const at = times(3, (i) => [right.x(output[2 * i]), right.y(output[2 * i + 1])]);
      times(3, (i) => {
        const [x, y] = state.numbers.slice(12 + 2 * i, 14 + 2 * i), [x1, y1] = at[state.row], far = at[i][0] > 230;
        place(outputs[i], {transform: `translate(${at[i]})`, class: `output${i === state.row ? " chosen" : ""}`});
        place(outputs[i].lastChild, {x: far ? -12 : 12, y: 20, "text-anchor": far ? "end" : "start"});
        place(mixing[i], {x1, y1, x2: right.x(x), y2: right.y(y),
                          "stroke-width": (12 * weights[3 * state.row + i]).toFixed(2)});
        rows[i].classList.toggle("chosen", i === state.row);
      });
      wishes.forEach(([x, y], i) =>
        place(errors[i], {x1: at[i + 1][0], y1: at[i + 1][1], x2: right.x(x), y2: right.y(y)}));
    }
    function tell(weights, output) {
      const {row} = state, seen = state.masked ? row + 1 : 3;
      const looks = times(seen, (j) => `${words[j]} ${digits(weights[3 * row + j])}`);
      said.say(`${words[row]} looks at ${looks.join(", ")}; its output is (${digits(output[2 * row])}, ${
        digits(output[2 * row + 1])}). The loss is ${digits(lossNow)}.` + (seen === 1 ?
        " It sees itself alone: its weight is 1, whatever it asks, so its query learns nothing." : ""));
      const moved = state.numbers.some((one, i) => Math.abs(one - start[i]) > 1e-9);
      address.write(box, "birds", {t: state.temperature.toFixed(2), masked: Number(state.masked), row,
                              ...(moved && {x: state.numbers.map((one) => Number(one.toFixed(4))).join(",")})});
    }
    paint();
    return () => { play.pause(); stop(); };
  },
});
