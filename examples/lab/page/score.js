// Type a score: its graph, its gradient check, the laws of attention, and how it learns beside the dot product.
"use strict";

figures.push({
  name: "score",
  title: "Type a score",
  question:
    "A score says how well a query and a key match. Type your own: is its gradient right, what does it break, " +
      "and does it learn?",
  chapters: "Chapters 3 and 18 of the book.",
  build(box, library, values) {
    const examples = ["q*k/sqrt(D)", "-(q-k)^2*w/2", "w*tanh(q+k)", "q*k - abs(i-j)/D", "-log(1+(q-k)^2)", "abs(q-k)"];
    const state = {text: values.text ?? examples[2], given: address.numbers(values.x, 3) ?? [0.8, -0.5, 1.2]};
    let racing = 0, errors = [], later = 0;

    const input = html("input", {
      type: "text",
      class: "formula",
      spellcheck: "false",
      autocapitalize: "off",
      maxlength: 200,
      "aria-label": "the score of one feature",
      input: () => set(input.value)
    });
    const wrong = html("p", {class: "bad wrong", role: "alert"}), graph = svg("svg", {class: "graph", role: "img"});
    const report = html("pre", {class: "report"}), check = vcurve(), laws = html("ul", {class: "laws"}),
          said = sentence();
    const chart = svg("svg", {viewBox: "0 0 420 190", role: "img", class: "chart"});
    const train = button("Train it beside the dot product", () => (racing ? pause() : race()), {class: "main"});
    const sliders = ["q", "k", "w"].map((name, n) => slider({
      label: name,
      low: -2,
      high: 2,
      step: 0.05,
      value: state.given[n],
      changed: (x) => {
        state.given[n] = x;
        draw();
      }
    }));

    box.append(
      html("div", {class: "typed"},
        html("label", {class: "formula"}, html("span", {}, "score(q, k) = the sum, over the D features, of"), input),
        html("div", {class: "buttons"},
          ...examples.map((one) => button(one,
                            () => {
                              input.value = one;
                              set(one);
                            },
                            {class: "code"}))),
        wrong),
      html("div", {class: "desk"},
        html("div", {},
          html("h3", {}, "One feature: ",
            html("small", {}, "values above, ", html("span", {class: "slope"}, "gradients of the score"),
              " below; D = 4, i = 2, j = 0")),
          graph, html("div", {class: "controls"}, ...sliders)),
        html("div", {}, html("h3", {}, "The gradient check"), report, check.element)),
      html("div", {class: "desk"}, html("div", {}, html("h3", {}, "The laws of attention"), laws),
        html("div", {},
          html("h3", {}, "To fetch 8 values by noisy codes: the error ", html("small", {}, "1 is that of answering 0")),
          chart, html("span", {class: "buttons"}, train))),
      said);

    function pause() {
      cancelAnimationFrame(racing);
      racing = 0;
      train.textContent = "Train it beside the dot product";
    }
    function race() {
      if (errors.length === 0 || errors.length >= 300) {
        library.call("score_race", state.text);
        errors = [];
      }
      train.textContent = "Pause";
      const some = () => {
        const begin = performance.now();
        do errors.push(library.call("score_race_steps", 1));
        while (performance.now() - begin < 11 && errors.length < 300);
        paintRace();
        if (errors.length < 300) racing = requestAnimationFrame(some); else { pause(); tell(); }
      };
      racing = requestAnimationFrame(some);
    }
    function paintRace() {
      const x = (n) => 40 + 260 * n / 300, y = (e) => 170 - 160 * clamp(e / 1.4, 0, 1);
      const mean = (n, which) => {
        const some = errors.slice(Math.max(0, n - 9), n + 1);
        return some.reduce((sum, one) => sum + one[which], 0) / some.length;
      };
      const lines = [0, 0.5, 1].flatMap((e) => [svg("line", {class: "grid", x1: 40, x2: 300, y1: y(e), y2: y(e)}),
                                          svg("text", {class: "tick", x: 34, y: y(e) + 4}, digits(e, 1))]);
      const ends = errors.length ? [mean(errors.length - 1, 0), mean(errors.length - 1, 1)] : [];
      const apart =
        Math.abs(y(ends[0]) - y(ends[1])) < 15 ? [ends[0] < ends[1] ? 7 : -7, ends[0] < ends[1] ? -7 : 7] : [0, 0];
      const paths = errors.length ?
        [1, 0].flatMap(
          (which) => [svg("path", {
            class: `learned${which ? " free" : ""}`,
            d: errors.map((_, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(mean(n, which)).toFixed(1)}`).join("")
          }),
            svg("text", {class: which ? "key" : "query", x: x(errors.length) + 6, y: y(ends[which]) + 5 + apart[which]},
              `${which ? "q·k/√D" : "yours"} ${digits(ends[which])}`)]) :
        [];
      chart.replaceChildren(...lines, ...paths);
      place(chart, {
        "aria-label": errors.length ?
          `after ${errors.length} steps: yours ${digits(ends[0])}, the dot product ${digits(ends[1])}` :
          "not trained yet"
      });
    }

    function set(text) {
      pause();
      errors = [];
      state.text = text;
      draw();
      clearTimeout(later);
      later = setTimeout(examine, 250);
    }
    let graphed = true;
    function paint() {
      address.write("score", {text: state.text, x: state.given.join(",")});
      try {
        const all = library.call("score_graph", state.text, [...state.given, 4, 2, 0]);
        const names = library.text.split("\n").slice(0, -1);
        const nodes = names.map((name, n) => ({
          name,
          value: all[4 * n],
          slope: all[4 * n + 1],
          parts: [...all.slice(4 * n + 2, 4 * n + 4)].filter((one) => one >= 0)
        }));
        paintGraph(nodes);
        wrong.textContent = "";
        graphed = true;
      } catch (error) {
        wrong.textContent = error.message;
        graphed = false;
      }
      for (const one of box.querySelectorAll(".desk")) one.classList.toggle("stale", !graphed);
      train.disabled = !graphed;
      paintRace();
    }
    const draw = once(paint);

    // Leaves stand left, one below the other; an operation stands right of its operands, in their middle.
    function paintGraph(nodes) {
      let rows = 0;
      const put = (n) => {
        const node = nodes[n];
        node.parts.forEach(put);
        node.column = node.parts.length ? 1 + Math.max(...node.parts.map((part) => nodes[part].column)) : 0;
        node.row =
          node.parts.length ? node.parts.reduce((sum, part) => sum + nodes[part].row, 0) / node.parts.length : rows++;
      };
      put(nodes.length - 1);
      const columns = nodes.at(-1).column + 1, wide = Math.max(columns * 112, 420), high = Math.max(rows * 64, 150),
            step = wide / columns;
      const x = (node) => step * (node.column + 0.5), y = (node) => high * (node.row + 0.5) / rows;
      const names = {"*": "×", "/": "÷", "-": "−", neg: "−"};
      const lines = nodes.flatMap((node) => node.parts.map((part) => svg("path", {
        class: "wire",
        "stroke-width": 1.5 + 3 * Math.min(1, Math.abs(nodes[part].slope)),
        d: `M${x(nodes[part]) + 26} ${y(nodes[part])}C${x(nodes[part]) + 60} ${y(nodes[part])} ${x(node) - 60} ${
          y(node)} ${x(node) - 26} ${y(node)}`
      })));
      const drawn = nodes.map(
        (node) =>
          svg("g", {class: node.parts.length ? "operation" : "leaf", transform: `translate(${x(node)} ${y(node)})`},
            svg("rect", {x: -28, y: -14, width: 56, height: 28, rx: 14}),
            svg("text",
              {y: 5,
                class: node.name === "q" ? "query" :
                  node.name === "k"      ? "key" :
                  node.name === "w"      ? "value" :
                                           ""},
              names[node.name] ?? node.name),
            svg("text", {y: -19, class: "number"}, digits(node.value)),
            svg("text", {y: 28, class: "number slope"}, digits(node.slope))));
      graph.replaceChildren(...lines, ...drawn);
      place(graph, {
        viewBox: `0 -14 ${wide} ${high + 28}`,
        "aria-label": `the score is ${digits(nodes.at(-1).value)}; ${
          nodes.filter((node) => "qkw".includes(node.name))
            .map((node) => `its gradient by ${node.name} ${digits(node.slope)}`)
            .join(", ")}`
      });
      graph.style.maxWidth = `${1.35 * wide}px`;
    }

    let verdict = "", broken = [];
    function examine() {
      if (!graphed) return;
      try {
        const vees = library.call("score_check", state.text);
        report.textContent = verdict = library.text.trim();
        check.set([...vees].map((error, n) => [-1 - n, error]));
        const outcomes = library.call("score_laws", state.text);
        const found = library.text.split("\n").slice(0, -1).map((line) => line.split("\t"));
        broken = found.filter((_, n) => outcomes[n] === 2);
        laws.replaceChildren(
          ...found.map(([name, statement, reason], n) => html("li", {class: ["good", "waived", "bad"][outcomes[n]]},
                         html("b", {}, `${["✓", "–", "✗"][outcomes[n]]} ${name.replace(/_/g, " ")}`), ` ${statement}`,
                         reason ? html("small", {}, reason.slice(0, 220)) : "")));
      } catch (error) {
        report.textContent = verdict = error.message;
        laws.replaceChildren();
      }
      tell();
    }
    function tell() {
      const raced = errors.length >= 300 ? ` After 300 steps it fetches with an error of ${
                                             digits(errors.slice(-10).reduce((sum, one) => sum + one[0], 0) / 10)}.` :
                                           "";
      said.textContent = `The gradient check says ${
        / PASS /.test(verdict) ? "PASS" : verdict.match(/[A-Z]{4,}\d*/)?.[0] ?? "that it cannot be checked"}; ${
        broken.length ? `it breaks ${broken.map(([name]) => name.replace(/_/g, " ")).join(", ")}` :
                        "every law holds that it is asked to obey"}.${raced}`;
    }

    input.value = state.text;
    paint();
    later = setTimeout(examine, 30);
    return {hide: () => { pause(); clearTimeout(later); }};
  },
});

// The error of a measured slope for steps of 10^n, on logarithmic axes, and a bead on it that may be moved.
function vcurve(movable = false) {
  const [left, right, top, low] = [46, 410, 10, 170], x = (n) => left + (right - left) * (n + 14) / 13,
                           y = (e) => top + (low - top) * clamp(Math.log10(Math.max(e, 1e-14)) / -14, 0, 1);
  const path = svg("path", {class: "learned slope"}), bead = svg("circle", {class: "bead", r: 8});
  const element = svg("svg",
    {viewBox: "0 0 420 200", class: "chart", role: "img", "aria-label": "error of the measured slope, by the step"},
    ...[0, -6, -12].flatMap(
      (e) => [svg("line", {class: "grid", x1: left, x2: right, y1: y(10 ** e), y2: y(10 ** e)}),
        svg("text", {class: "tick", x: left - 6, y: y(10 ** e) + 4}, e ? `10${superscript(e)}` : "1")]),
    ...[-14, -10, -6, -2].map((n) => svg("text", {class: "tick middle", x: x(n), y: 190}, `h = 10${superscript(n)}`)),
    path, ...(movable ? [bead] : []));
  return {
    element,
    bead,
    x,
    y,
    set: (points) =>
      place(path, {d: points.map(([n, e], i) => `${i ? "L" : "M"}${x(n).toFixed(1)} ${y(e).toFixed(1)}`).join("")})
  };
}
