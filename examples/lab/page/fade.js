// How a gradient fades on its way back through a recurrent model, down to where numbers become subnormal.
"use strict";

figures.push({
  name: "fade",
  title: "A gradient that fades",
  question: "A model has read 300 words. How much does its last output depend on a word long ago? Drag the line. An " +
    "RNN and a GRU pass a word on from step to step, and each step shrinks what is left of it, or makes it grow; " +
    "attention looks straight back at each.",
  chapters: ["10_recurrent_models"],
  make(box, library, values) {
    const draw = once(box, paint), count = 300;
    const names = ["RNN", "GRU", "attention"], kinds = ["second", "third", "first"];
    const state = {
      back: clamp(Math.round(Number(values.back ?? 60) || 0), 0, count - 1),
      scale: clamp(Number(values.scale ?? 1) || 1, 0.2, 4)
    };
    const smallest = 1.2e-38, low = -46, u = (t) => 60 + 480 * t / (count - 1);
    const picture = svg("g"), numbers = html("div", {class: "sums"}), said = sentence();
    const beads = kinds.map((kind) => svg("circle", {class: `knob ${kind}`, r: 6}));
    const hand = movable(svg("g", {}, svg("rect", {class: "reach", x: -16, y: 30, width: 32, height: 300}),
      svg("line", {class: "cursor", y1: 30, y2: 330}), ...beads), "the word", [0, count - 1], (dx) => {
      state.back = clamp(state.back + dx * (count - 1) / 480, 0, count - 1);
      ago.set(Math.round(state.back));
      draw();
    });
    const ago = slider("words ago", [0, count - 1, 1], state.back, sets(state, "back", draw), String);
    let all = null;
    box.append(html("div", {class: "controls"}, ago,
        slider("size of the weights ×", [0.2, 4, 0.1], state.scale,
               sets(state, "scale", () => { all = null; draw(); }), (x) => digits(x, 1))),
      html("div", {class: "desk"},
        html("div", {}, html("h3", {}, "The gradient, by how long ago the word was read"),
          svg("svg", {viewBox: "0 0 640 375", class: "chart wide", role: "group", "aria-label": "the gradients"},
              picture, hand)),
        html("div", {}, html("h3", {}, "At the chosen word"), numbers,
          html("p", {class: "legend wide"}, "The gradient: how steeply the sum of the last output rises with a " +
            "number of the word, the steepest of 4. The cells have 16 states, and have learned nothing. Attention's " +
            "query is the last word. Below 1.2·10⁻³⁸ an f32 has no full set of digits left, it is subnormal; below " +
            "1.4·10⁻⁴⁵ it is 0."))),
      said);

    function paint() {
      all ??= library.call("fade", count, state.scale, 3);
      const rows = names.map((_, i) => [...all.subarray(count * i, count * (i + 1))]), back = Math.round(state.back);
      const top = Math.max(0, Math.ceil(Math.log10(Math.max(...all))));
      const y = (e) => 30 + 300 * clamp((top - Math.log10(e)) / (top - low), 0, 1);
      const tell = (e) => scientific(e) + (e > 0 && e < smallest ? ", subnormal" : "");
      picture.replaceChildren(
        svg("rect", {class: "subnormal", x: 60, width: 480, y: y(smallest), height: 330 - y(smallest)}),
        ...levels(times(5 + Math.floor(top / 10), (n) => 10 * (n - 4)), (n) => y(10 ** n), [60, 540], power),
        svg("text", {x: 68, y: y(1e-42)}, "subnormal"),
        ...[0, 100, 200, count - 1].map(
          (t) => svg("text", {class: "tick middle", x: u(t), y: 350}, t ? `${t} words ago` : "now")),
        ...rows.flatMap((row, i) => {
          const gone = row.indexOf(0), shown = gone < 0 ? row : row.slice(0, gone + 1), last = shown.length - 1;
          return [
            svg("path", {class: `learned ${kinds[i]}`, d: trace(shown.map((e, t) => [u(t), y(e)]))}),
            svg("text", {class: kinds[i], x: u(last) + 5, y: Math.min(y(shown[last]) + 5, 326)}, names[i])];
        }));
      beads.forEach((bead, i) => place(bead, {cy: y(rows[i][back])}));
      place(hand, {transform: `translate(${u(back)} 0)`, ...tells(back, `${back} words ago`)});
      numbers.replaceChildren(...names.map((name, i) => line(name, kinds[i], tell(rows[i][back]))));
      said.say(`The gradient by the word read ${back} words ago: ${
        names.map((name, i) => `${name} ${tell(rows[i][back])}`).join("; ")}.`);
      address.write(box, "fade", {back, scale: state.scale});
    }
    paint();
  },
});
