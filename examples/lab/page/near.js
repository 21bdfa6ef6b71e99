// How near is near: points and a width by hand, and three answers to the question how good the fit is.
"use strict";

figures.push({
  name: "near",
  title: "How near is near?",
  question: "A query takes the mean of the points near it. Move the points, and make the width σ small: the error on " +
    "the points themselves falls to 0. Is that good?",
  note: "This is attention: the place of the blue line is the query q, the places of the points are the keys k, " +
    "their heights the values, and a softmax of the scores −(q − k)²/(2σ²) gives the weights.",
  chapters: ["01_attention_as_regression"],
  make(box, library, values) {
    const draw = once(box, paint), count = 50;
    const state = {
      seed: clamp(Math.round(Number(values.seed) || 7), 1, 1e6),
      points: address.numbers(values.points, 2 * count)?.map((one, n) => inside(n, one)),
      width: clamp(Number(values.width) || 0.3, 0.01, 3.16),
      query: clamp(Number(values.query ?? 2) || 0, 0, 6),
      leftOut: values.leaking !== "1"
    };
    let moved = Boolean(state.points), curves = null;
    function fresh() {
      state.points = [...library.call("near_points", count, state.seed)];
      [moved, curves] = [false, null];
    }
    if (!moved) fresh();
    function inside(n, x) { return n % 2 ? clamp(x, -1.4, 7.9) : clamp(x, 0, 6); }

    const wide = 760, high = 380, x = (a) => 20 + (wide - 40) * a / 6,
          y = (b) => high - 20 - (high - 40) * (b + 1.5) / 9.5;
    const bell = svg("path", {class: "bell"}), truth = svg("path", {class: "truth"}),
          fit = svg("path", {class: "learned"}), needles = svg("g", {class: "needles"}),
          answer = svg("circle", {class: "answer", r: 6});
    const dots = times(count, (n) => movable(
      svg("g", {}, svg("circle", {class: "reach", r: 13}), svg("circle", {class: "point", r: 4.5})), `point ${n + 1}`,
      [0, 6], (dx, dy) => {
        state.points[2 * n] = inside(0, state.points[2 * n] + dx * 6 / (wide - 40));
        state.points[2 * n + 1] = inside(1, state.points[2 * n + 1] - dy * 9.5 / (high - 40));
        state.points = state.points.map((one) => Number(one.toFixed(3)));  // as the address keeps them
        [moved, curves] = [true, null];
        draw();
      }));
    const handle = movable(
      svg("g", {}, svg("rect", {class: "reach", x: -16, y: -high, width: 32, height: high}),
        svg("line", {class: "cursor", y1: -high + 10, y2: -14}), svg("circle", {class: "knob query", r: 8, cy: -10})),
      "the query", [0, 6], (dx) => { state.query = inside(0, state.query + dx * 6 / (wide - 40)); draw(); });
    const picture = svg("svg",
      {viewBox: `0 0 ${wide} ${high}`, class: "plane", role: "group", "aria-label": "points, the truth and the fit"},
      ...[0, 2, 4, 6].map((n) => svg("text", {class: "tick", x: x(n) - 4, y: high - 2}, n)),
      ...[0, 2, 4, 6].flatMap((n) => [svg("line", {class: "grid", x1: 0, x2: wide, y1: y(n), y2: y(n)}),
        svg("text", {class: "tick", x: 4, y: y(n) - 3}, n)]), bell, needles, truth, fit, handle, ...dots, answer);
    const chart = svg("svg", {viewBox: "0 0 420 250", class: "chart", role: "img",
                              "aria-label": "the three errors, by the width"}),
          numbers = html("div", {class: "sums errors"}), said = sentence();
    const width = slider("width σ", [-2, 0.5, 0.001], Math.log10(state.width),
                         (n) => { state.width = 10 ** n; draw(); }, (n) => digits(10 ** n, 3));
    const learn = player("Find the best width", () => {
      const [next] = library.call("near_learn", state.points, state.width, state.leftOut);
      const done = Math.abs(Math.log(next / state.width)) < 2e-4 || next < 0.0102;
      state.width = clamp(next, 0.01, 3.16);
      width.set(Math.log10(state.width));
      paint();
      return done;
    }, {class: "main"});
    box.append(
      html("div", {class: "desk near"},
        html("div", {}, html("figcaption", {}, html("span", {class: "quiet"}, "┄┄ truth "), "━━ fit ",
          html("span", {class: "query"}, "● query "), html("span", {class: "bad"}, "▮ its weights")), picture),
        html("div", {}, numbers, chart)),
      html("div", {class: "controls"}, width,
        toggle("to find it, no point may look at itself", state.leftOut, sets(state, "leftOut", draw)),
        html("span", {class: "buttons"}, learn, button("Other points", () => {
          learn.pause();
          state.seed += 1;
          fresh();
          draw();
        }))),
      said);

    function paint() {
      const all = library.call("near_fit", state.points, state.width, state.query), weights = all.subarray(1201, 1251),
            [at, ...errors] = all.subarray(1251), [leaking, , unseen] = errors;
      place(fit, {d: trace(times(1201, (n) => [x(n / 200), y(all[n])]))});
      place(truth, {d: trace(times(121, (n) => [x(n / 20), y(2 * Math.sin(n / 20) + n / 20)]))});
      const bottom = high - 16, height = (a) => 110 * Math.exp(-(((a - state.query) / state.width) ** 2) / 2);
      place(bell, {d: `${trace([[x(0), bottom], ...times(241, (n) => [x(n / 40), bottom - height(n / 40)]),
                                [x(6), bottom]])}Z`});
      needles.replaceChildren(...times(count, (n) => {
        const at = x(state.points[2 * n]);
        return svg("line", {x1: at, x2: at, y1: bottom, y2: bottom - 260 * Math.min(1, weights[n])});
      }));
      dots.forEach((dot, n) => {
        const [a, b] = state.points.slice(2 * n, 2 * n + 2);
        place(dot, {transform: `translate(${x(a)} ${y(b)})`, ...tells(a, `${digits(a)}, ${digits(b)}`)});
      });
      place(handle, {transform: `translate(${x(state.query)} ${high})`, ...tells(state.query, digits(state.query))});
      place(answer, {cx: x(state.query), cy: y(at)});
      const kinds = ["first", "foretold", "second"],
            names = ["on the points themselves", "with each left out", "on 400 new points"];
      numbers.replaceChildren(html("h3", {}, "Mean squared error"),
        ...names.map((name, i) => line(name, kinds[i], digits(errors[i], 3))));
      paintChart(kinds, errors);
      const verdict = unseen > 2 * leaking ? ": it knows the points by heart, and their noise" :
        "; the noise alone makes 0.25";
      said.say(`With σ = ${digits(state.width, 3)} the error is ${digits(leaking, 3)} on the points ` +
        `themselves, and ${digits(unseen, 3)} on new ones${verdict}. The query at ${
        digits(state.query)} predicts ${digits(at)}.`);
      const data = moved ? {points: state.points.join(",")} : state.seed !== 7 && {seed: state.seed};
      address.write(box, "near", {width: state.width.toFixed(4), query: state.query.toFixed(2), ...data,
                             ...(!state.leftOut && {leaking: 1})});
    }
    function paintChart(kinds, now) {
      curves ??= library.call("near_curves", state.points);
      const most = Math.max(2, Math.ceil(Math.max(...curves, ...now)));
      const u = (n) => 40 + 370 * (n + 2) / 2.5, v = (e) => 215 - 200 * e / most;
      chart.replaceChildren(...levels([0, most / 2, most], v, [40, 410], String),
        ...[-2, -1, 0].map((n) => svg("text", {class: "tick middle", x: u(n), y: 234}, `σ = ${10 ** n}`)),
        svg("line", {class: "ceiling", x1: 40, x2: 410, y1: v(0.25), y2: v(0.25)}),
        svg("text", {class: "told", x: 408, y: v(0.25) + 15}, "the noise: 0.25"), ...kinds.flatMap((kind, which) => [
          svg("path", {class: `learned ${kind}`, d: trace(times(34, (n) =>
            [u(0.5 - n * Math.log10(2) / 4), v(curves[51 * (n % 2) + 17 * which + (n >> 1)])]))}),
          svg("circle", {class: `knob ${kind}`, r: 5, cx: u(Math.log10(state.width)), cy: v(now[which])})]));
    }
    paint();
    return learn.pause;
  },
});
