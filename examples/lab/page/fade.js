// How a gradient fades on its way back through a recurrent model, down to where numbers become subnormal.
"use strict";

figures.push({
  name: "fade",
  title: "A gradient that fades",
  question: "A model has read many words. How much does its last state depend on a word long ago? Move the word, and " +
    "see the gradient fall.",
  chapters:
    "Chapter 10 of the book. Below 1.2·10⁻³⁸ an f32 has no full set of digits left, and below 1.4·10⁻⁴⁵ it is 0.",
  make(box, library, values) {
    const draw = once(paint), count = 300, names = ["RNN", "GRU", "attention"], kinds = ["key", "value", "query"];
    const state = {
      back: clamp(Math.round(Number(values.back ?? 60) || 0), 0, count - 1),
      scale: clamp(Number(values.scale ?? 1) || 1, 0.2, 4)
    };
    const smallest = 1.2e-38, y = (e) => 30 + 300 * (e === 0 ? 1 : clamp(Math.log10(e) / -46, 0, 1));
    const u = (t) => 60 + 480 * t / (count - 1);
    const ground = (right) => [
      svg("rect", {class: "subnormal", x: 60, width: right - 60, y: y(smallest), height: 330 - y(smallest)}),
      ...levels([0, -10, -20, -30, -40], (n) => y(10 ** n), [60, right], power)];
    const chart = svg("svg", {viewBox: "0 0 640 375", class: "chart wide", role: "img"}), said = sentence();
    const columns = names.map((name, i) => {
      const x = 125 + 100 * i, kind = kinds[i];
      return {x, mercury: svg("rect", {class: `mercury ${kind}`, x: x - 9, width: 18, rx: 9}),
              bulb: svg("circle", {class: `mercury ${kind}`, cx: x, cy: 344, r: 20}),
              mark: svg("text", {class: "number", x: x + 20}),
              tube: svg("rect", {class: "tube", x: x - 13, width: 26, y: 24, height: 320, rx: 13}),
              name: svg("text", {x, y: 388, "text-anchor": "middle", class: kind}, name)};
    });
    const thermometer = svg("svg", {viewBox: "0 0 420 395", class: "chart", role: "img"}, ...ground(390),
      ...columns.flatMap(({tube, mercury, bulb, mark, name}) => [tube, mercury, bulb, mark, name]));
    let all = null;
    box.append(html("div", {class: "controls"},
        slider("words ago", [0, count - 1, 1], state.back, sets(state, "back", draw), String),
        slider("recurrent weights ×", [0.2, 4, 0.1], state.scale,
               sets(state, "scale", () => { all = null; draw(); }), (x) => digits(x, 1))),
      html("div", {class: "desk"},
        html("div", {}, html("h3", {}, "The gradient, by how long ago the word was read"), chart),
        html("div", {}, html("h3", {}, "At the chosen word"), thermometer)),
      said);

    function paint() {
      all ??= library.call("fade", count, state.scale, 3);
      const rows = names.map((_, i) => [...all.subarray(count * i, count * (i + 1))]);
      const now = rows.map((row) => row[state.back]);
      columns.forEach(({mercury, mark}, i) => {
        place(mercury, {y: y(now[i]), height: 340 - y(now[i])});
        place(mark, {y: y(now[i]) + 5});
        mark.textContent = scientific(now[i]);
      });
      chart.replaceChildren(...ground(540), svg("text", {x: 68, y: y(1e-42)}, "subnormal"),
        ...[0, 100, 200, count - 1].map(
          (t) => svg("text", {class: "tick middle", x: u(t), y: 350}, t ? `${t} words ago` : "now")),
        svg("line", {class: "cursor", x1: u(state.back), x2: u(state.back), y1: 30, y2: 330}),
        ...rows.flatMap((row, i) => {
          const gone = row.indexOf(0), shown = gone < 0 ? row : row.slice(0, gone + 1), last = shown.length - 1;
          return [
            svg("path", {class: `learned ${kinds[i]}-line`, d: trace(shown.map((e, t) => [u(t), y(e)]))}),
            svg("text", {class: kinds[i], x: u(last) + 5, y: Math.min(y(shown[last]) + 5, 326)}, names[i]),
            svg("circle", {class: `knob ${kinds[i]}`, r: 6, cx: u(state.back), cy: y(now[i])})];
        }));
      const tells = names.map((name, i) =>
        `${name} ${scientific(now[i])}${now[i] > 0 && now[i] < smallest ? ", subnormal" : ""}`);
      said.textContent = `The gradient by the word read ${state.back} words ago: ${tells.join("; ")}.`;
      for (const picture of [chart, thermometer]) place(picture, {"aria-label": said.textContent});
      address.write("fade", {back: state.back, scale: state.scale});
    }
    paint();
  },
});
