// How a gradient fades on its way back through a recurrent model, down to where numbers become subnormal.
"use strict";

figures.push({
  name: "fade",
  title: "A gradient that fades",
  question:
    "A model has read many words. How much does its last state depend on a word long ago? Move the word, and " +
      "see the gradient fall.",
  chapters:
    "Chapter 10 of the book. Below 1.2·10⁻³⁸ an f32 has no full set of digits left, and below 1.4·10⁻⁴⁵ it is 0.",
  build(box, library, values) {
    const state = {
      back: clamp(Math.round(Number(values.back ?? 60) || 0), 0, 299),
      scale: clamp(Number(values.scale ?? 1) || 1, 0.2, 4)
    };
    const names = ["RNN", "GRU", "attention"], kinds = ["key", "value", "query"], least = -46;
    const tubes = times(3, () => svg("rect")), marks = times(3, () => svg("text"));
    const y = (e) => 30 + 300 * (e === 0 ? 1 : clamp(Math.log10(e) / least, 0, 1));
    const scale = [0, -10, -20, -30, -40].flatMap(
      (n) => [svg("line", {class: "grid", x1: 60, x2: 390, y1: y(10 ** n), y2: y(10 ** n)}),
        svg("text", {class: "tick", x: 54, y: y(10 ** n) + 4}, n ? `10${superscript(n)}` : "1")]);
    const thermometer = svg("svg", {viewBox: "0 0 400 375", class: "chart", role: "img"},
      svg("rect", {class: "subnormal", x: 60, width: 330, y: y(1.2e-38), height: 330 - y(1.2e-38)}), ...scale,
      ...names.flatMap(
        (name, i) => [svg("rect", {class: "tube", x: 100 + 100 * i, width: 50, y: 30, height: 300, rx: 25}),
          place(tubes[i], {class: `mercury ${kinds[i]}`, x: 100 + 100 * i, width: 50, rx: 25}),
          place(marks[i], {x: 125 + 100 * i, class: "number", "text-anchor": "middle"}),
          svg("text", {x: 125 + 100 * i, y: 368, "text-anchor": "middle", class: kinds[i]}, name)]));
    const chart = svg("svg", {viewBox: "0 0 620 375", class: "chart", role: "img"}), said = sentence();
    box.append(html("div", {class: "controls"}, slider({
      label: "words ago",
      low: 0,
      high: 299,
      step: 1,
      value: state.back,
      told: (n) => String(n),
      changed: (n) => {
        state.back = n;
        draw();
      }
    }),
                 slider({
                   label: "recurrent weights, times",
                   low: 0.2,
                   high: 4,
                   step: 0.1,
                   value: state.scale,
                   told: (n) => digits(n, 1),
                   changed: (n) => {
                     state.scale = n;
                     all = null;
                     draw();
                   }
                 })),
      html("div", {class: "desk"},
        html("div", {}, html("h3", {}, "The gradient, by how long ago the word was read"), chart),
        html("div", {}, html("h3", {}, "At the chosen word"), thermometer)),
      said);
    let all = null;
    function paint() {
      all ??= library.call("fade", 300, state.scale, 3);
      const now = names.map((_, i) => all[300 * i + state.back]);
      now.forEach((e, i) => {
        const top = y(e);
        place(tubes[i], {y: top, height: Math.max(0, 330 - top)});
        place(marks[i], {y: Math.max(20, top - 8)});
        marks[i].textContent = e === 0 ? "0" : scientific(e);
      });
      const u = (t) => 60 + 500 * t / 299;
      chart.replaceChildren(
        svg("rect", {class: "subnormal", x: 60, width: 500, y: y(1.2e-38), height: 330 - y(1.2e-38)}),
        svg("text", {class: "number", x: 68, y: y(1e-42)}, "subnormal"),
        ...[0, -10, -20, -30, -40].flatMap(
          (n) => [svg("line", {class: "grid", x1: 60, x2: 560, y1: y(10 ** n), y2: y(10 ** n)}),
            svg("text", {class: "tick", x: 54, y: y(10 ** n) + 4}, n ? `10${superscript(n)}` : "1")]),
        ...[0, 100, 200, 299].map(
          (t) => svg("text", {class: "tick middle", x: u(t), y: 350}, t ? `${t} words ago` : "now")),
        svg("line", {class: "cursor", x1: u(state.back), x2: u(state.back), y1: 30, y2: 330}),
        ...names.flatMap((name, i) => {
          const row = [...all.slice(300 * i, 300 * i + 300)], gone = row.indexOf(0),
                shown = gone < 0 ? row : row.slice(0, gone + 1), last = shown.length - 1;
          return [
            svg("path", {
              class: `learned ${kinds[i]}-line`,
              d: shown.map((e, t) => `${t ? "L" : "M"}${u(t).toFixed(1)} ${y(e).toFixed(1)}`).join("")
            }),
            svg("text", {class: kinds[i], x: u(last) + 5, y: Math.min(y(shown[last]) + 5, 326)}, name),
            svg("circle", {class: `knob ${kinds[i]}`, r: 6, cx: u(state.back), cy: y(row[state.back])})
          ];
        }));
      const tells = names
                      .map((name, i) => `${name} ${now[i] === 0 ? "0" : scientific(now[i])}${
                             now[i] > 0 && now[i] < 1.2e-38 ? ", subnormal" : ""}`)
                      .join("; ");
      said.textContent = `The gradient by the word read ${state.back} words ago: ${tells}.`;
      place(chart, {"aria-label": said.textContent});
      place(thermometer, {"aria-label": said.textContent});
      address.write("fade", {back: state.back, scale: state.scale});
    }
    const draw = once(paint);
    paint();
  },
});
