// How near is near: points and a width by hand, and three answers to the question how good the fit is.
"use strict";

figures.push({
  name: "near",
  title: "How near is near?",
  question:
    "A query takes the mean of the points near it. Move the points, and make the width σ small: the error on " +
      "the points themselves falls to 0. Is that good?",
  chapters: "Chapter 1 of the book.",
  build(box, library, values) {
    const state = {
      points: address.numbers(values.points, 100) ?? [...library.call("near_points", 50, 7)],
      width: clamp(Number(values.width) || 0.3, 0.01, 3.2),
      query: clamp(Number(values.query ?? 2) || 0, 0, 6),
      leftOut: values.leaking !== "1"
    };
    let learning = 0;
    const wide = 760, high = 380, x = (a) => 20 + (wide - 40) * a / 6,
          y = (b) => high - 20 - (high - 40) * (b + 1.5) / 9.5;
    const bell = svg("path", {class: "bell"}), truth = svg("path", {class: "truth"}),
          fit = svg("path", {class: "learned"}), needles = svg("g", {class: "needles"}),
          answer = svg("circle", {class: "answer", r: 6});
    const dots = times(50,
      (n) => movable(svg("g", {}, svg("circle", {class: "reach", r: 13}), svg("circle", {class: "point", r: 4.5})),
        `point ${n + 1}`, (dx, dy) => {
          state.points[2 * n] = clamp(state.points[2 * n] + dx * 6 / (wide - 40), 0, 6);
          state.points[2 * n + 1] = clamp(state.points[2 * n + 1] - dy * 9.5 / (high - 40), -1.4, 7.9);
          curves = null;
          draw();
        }));
    const handle = movable(
      svg("g", {}, svg("rect", {class: "reach", x: -16, y: -high, width: 32, height: high}),
        svg("line", {class: "cursor", y1: -high + 10, y2: -14}), svg("circle", {class: "knob query", r: 8, cy: -10})),
      "the query", (dx) => {
        state.query = clamp(state.query + dx * 6 / (wide - 40), 0, 6);
        draw();
      });
    const picture = svg("svg",
      {viewBox: `0 0 ${wide} ${high}`, class: "plane", role: "group", "aria-label": "points, the truth and the fit"},
      bell, needles, truth, fit, handle, ...dots, answer);
    const chart = svg("svg", {viewBox: "0 0 420 250", class: "chart", role: "img"}),
          numbers = html("div", {class: "sums errors"}), said = sentence();
    const width = slider({
      label: "width σ",
      low: -2,
      high: 0.5,
      step: 0.001,
      value: Math.log10(state.width),
      told: (n) => digits(10 ** n, 3),
      changed: (n) => {
        state.width = 10 ** n;
        draw();
      }
    });
    const learn = button("Learn w = 1/σ", () => (learning ? pause() : run()), {class: "main"});
    box.append(html("div", {class: "desk near"},
                 html("div", {},
                   html("figcaption", {}, html("span", {class: "quiet"}, "┄ truth "),
                     html("span", {class: "query"}, "━ fit "), html("span", {class: "bad"}, "▮ weights of the query")),
                   picture),
                 html("div", {}, numbers, chart)),
      html("div", {class: "controls"}, width,
        toggle("in learning, leave each point out of its own mean", state.leftOut,
          (is) => {
            state.leftOut = is;
            draw();
          }),
        html("span", {class: "buttons"}, learn,
          button("Other points",
            () => {
              pause();
              seed += 1;
              state.points = [...library.call("near_points", 50, seed)];
              curves = null;
              draw();
            }))),
      said);
    let curves = null, seed = 7;
    function pause() {
      cancelAnimationFrame(learning);
      learning = 0;
      learn.textContent = "Learn w = 1/σ";
    }
    function run() {
      learn.textContent = "Pause";
      const step = () => {
        const [next, slope] = library.call("near_learn", state.points, state.width, state.leftOut);
        const done = Math.abs(Math.log(next / state.width)) < 2e-4 || next < 0.0102;
        state.width = clamp(next, 0.01, 3.16);
        width.set(Math.log10(state.width));
        paint();
        if (done) pause(); else learning = requestAnimationFrame(step);
      };
      learning = requestAnimationFrame(step);
    }
    function paint() {
      const all = library.call("near_fit", state.points, state.width, state.query), weights = all.subarray(121, 171),
            [at, leaking, leftOut, fresh] = all.subarray(171);
      curves ??= library.call("near_curves", state.points);
      place(fit, {d: times(121, (n) => `${n ? "L" : "M"}${x(n / 20).toFixed(1)} ${y(all[n]).toFixed(1)}`).join("")});
      place(truth, {
        d: times(121, (n) => `${n ? "L" : "M"}${x(n / 20).toFixed(1)} ${y(2 * Math.sin(n / 20) + n / 20).toFixed(1)}`)
             .join("")
      });
      const height = (a) => high - 16 - 110 * Math.exp(-(((a - state.query) / state.width) ** 2) / 2);
      place(bell, {
        d: `M${x(0)} ${high - 16}` +
          times(241, (n) => `L${x(n / 40).toFixed(1)} ${height(n / 40).toFixed(1)}`).join("") + `L${x(6)} ${high - 16}Z`
      });
      needles.replaceChildren(...times(50, (n) => svg("line", {
        x1: x(state.points[2 * n]),
        x2: x(state.points[2 * n]),
        y1: high - 16,
        y2: high - 16 - 260 * Math.min(1, weights[n]),
        "stroke-opacity": (0.25 + 0.75 * Math.min(1, 4 * weights[n])).toFixed(2)
      })));
      dots.forEach((dot, n) => place(dot, {
        transform: `translate(${x(state.points[2 * n])} ${y(state.points[2 * n + 1])})`,
        "aria-valuetext": `${digits(state.points[2 * n])}, ${digits(state.points[2 * n + 1])}`
      }));
      place(handle, {transform: `translate(${x(state.query)} ${high})`, "aria-valuetext": digits(state.query)});
      place(answer, {cx: x(state.query), cy: y(at)});
      const told = [
        ["on the points themselves", leaking, "key"], ["with each left out", leftOut, "value"],
        ["on 400 new points", fresh, "query"]
      ];
      numbers.replaceChildren(html("h3", {}, "Mean squared error"), ...told.map(([name, error,
        kind]) => html("p", {}, html("span", {class: kind}, name), html("code", {}, digits(error, 3)))));
      paintChart([leaking, leftOut, fresh]);
      said.textContent =
        `With σ = ${digits(state.width, 3)} the error is ${digits(leaking, 3)} on the points themselves, and ${
          digits(fresh,
            3)} on new ones; the noise alone is 0.25. The query at ${digits(state.query)} predicts ${digits(at)}.`;
      address.write(
        "near", {width: state.width.toFixed(4), query: state.query.toFixed(2), ...(!state.leftOut && {leaking: 1})});
    }
    function paintChart(now) {
      const u = (n) => 40 + 370 * (n + 2) / 2.5, v = (e) => 215 - 200 * clamp(e / 2, 0, 1);
      chart.replaceChildren(
        ...[0, 1, 2].flatMap((e) => [svg("line", {class: "grid", x1: 40, x2: 410, y1: v(e), y2: v(e)}),
                               svg("text", {class: "tick", x: 34, y: v(e) + 4}, e)]),
        ...[-2, -1, 0].map((n) => svg("text", {class: "tick middle", x: u(n), y: 234}, `σ = ${10 ** n}`)),
        svg("line", {class: "ceiling", x1: 40, x2: 410, y1: v(0.25), y2: v(0.25)}),
        svg("text", {class: "told", x: 408, y: v(0.25) + 15}, "the noise"),
        ...["key", "value", "query"].flatMap(
          (kind, which) => [svg("path", {
            class: `learned ${kind}-line`,
            d: times(41, (n) => `${n ? "L" : "M"}${u(-2 + n / 16).toFixed(1)} ${v(curves[3 * n + which]).toFixed(1)}`)
                 .join("")
          }),
            svg("circle", {class: `knob ${kind}`, r: 5, cx: u(Math.log10(state.width)), cy: v(now[which])})]));
      place(chart, {"aria-label": "the three errors, by the width"});
    }
    const draw = once(paint);
    paint();
    return {hide: pause};
  },
});
