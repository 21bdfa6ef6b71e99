// Type a score: its graph, its gradient check, the laws of attention, and how it learns beside the dot product.
"use strict";

figures.push({
  name: "score",
  title: "Type a score",
  question: "A score says how well a query and a key match. Type your own: is its gradient right, what does it " +
    "break, and does it learn?",
  chapters: ["03_scores", "18_own_variant"],
  make(box, library, values) {
    const examples = ["q*k/sqrt(D)", "-(q-k)^2*w/2", "w*tanh(q+k)", "q*k - abs(i-j)/D", "-log(1+(q-k)^2)", "q+k"];
    const given = address.numbers(values.x, 3) ?? [0.8, -0.5, 1.2];
    const state = {text: values.text ?? examples[0], given: given.map((one) => clamp(one, -2, 2))};
    const draw = once(box, paint), steps = 300;
    let errors = [], later = 0, graphed = true, verdict = "", broken = [], nowhere = false;

    const input = html("input", {type: "text", class: "formula", spellcheck: "false", autocapitalize: "off",
                                 maxlength: 200, "aria-label": "the score of one feature",
                                 input: () => set(input.value)});
    input.value = state.text;
    const wrong = sentence("bad wrong"), graph = svg("svg", {class: "graph", role: "img"});
    const report = html("pre", {class: "report"}), check = vcurve(), laws = html("ul", {class: "laws"}),
          said = sentence(), chart = svg("svg", {viewBox: "0 0 420 190", role: "img", class: "chart"});
    const train = player("Train it beside the dot product", () => {
      if (errors.length >= steps) errors = [];
      if (errors.length === 0) library.call("score_race", state.text);
      busy(() => errors.push(library.call("score_race_steps", 1)) >= steps);
      paintRace();
      tell();
      return errors.length >= steps;
    }, {class: "main"});

    box.append(
      html("div", {class: "typed"},
        html("label", {class: "formula"}, html("span", {}, "score(q, k) = the sum, over the D features, of"), input),
        html("div", {class: "buttons"}, ...examples.map(
          (one) => button(one, () => { input.value = one; set(one); }, {class: "code"}))),
        wrong),
      html("div", {class: "desk"},
        html("div", {},
          html("h3", {}, "One feature: ",
            html("small", {}, "values above, ", html("span", {class: "slope"}, "gradients of the score"),
              " below; D = 4, i = 2, j = 0")),
          graph, html("div", {class: "controls"}, ...["q", "k", "w"].map(
            (name, n) => slider(name, [-2, 2, 0.05], state.given[n], sets(state.given, n, draw))))),
        html("div", {}, html("h3", {}, "The gradient check ",
          html("small", {}, "of the score alone; below, the error of one slope by its step h")), report,
          check.element)),
      html("div", {class: "desk"},
        html("div", {}, html("h3", {}, "The laws ", html("small", {}, "of an attention that has this score")), laws),
        html("div", {},
          html("h3", {}, "A race: who finds the right one among noisy copies? ",
            html("small", {}, "lower is better; 1 is as good as always answering 0; one start, one speed of learning")),
          chart, html("span", {class: "buttons"}, train))),
      said);

    const mean = (n, which) => {  // of the last ten
      const some = errors.slice(Math.max(0, n - 9), n + 1);
      return some.reduce((sum, one) => sum + one[which], 0) / some.length;
    };
    function paintRace() {
      const x = (n) => 40 + 260 * n / steps, y = (e) => 170 - 160 * clamp(Number.isNaN(e) ? 1 : e / 1.4, 0, 1);
      const names = ["yours", "q·k/√D"], ends = errors.length ? names.map((_, i) => mean(errors.length - 1, i)) : [];
      const apart = Math.abs(y(ends[0]) - y(ends[1])) < 15 ? (ends[0] < ends[1] ? 7 : -7) : 0;
      const paths = ends.flatMap((end, i) => [
        svg("path", {class: `learned${i ? " second" : ""}`, d: trace(errors.map((_, n) => [x(n), y(mean(n, i))]))}),
        svg("text", {class: i ? "second" : "first", x: x(errors.length) + 6, y: y(end) + 5 + (i ? -apart : apart)},
            `${names[i]} ${digits(end)}`)]);
      chart.replaceChildren(...levels([0, 0.5, 1], y, [40, 300], (e) => digits(e, 1)), ...paths.reverse());
      place(chart, {"aria-label": ends.length ? `after ${errors.length} steps: yours ${digits(ends[0])}, the dot ` +
        `product ${digits(ends[1])}` : "not trained yet"});
    }

    function set(text) {
      train.pause();
      errors = [];
      state.text = text;
      paint();
      clearTimeout(later);
      later = setTimeout(examine, 250);
    }
    function paint() {
      address.write(box, "score", {text: state.text, x: state.given.join(",")});
      try {
        const all = library.call("score_graph", state.text, [...state.given, 4, 2, 0]);
        paintGraph(library.text.split("\n").slice(0, -1).map((name, n) => {
          const [value, slope, ...parts] = all.subarray(4 * n, 4 * n + 4);
          return {name, value, slope, parts: parts.filter((one) => one >= 0)};
        }));
        wrong.say("");
        graphed = true;
      } catch (error) {
        wrong.say(error.message);
        graphed = false;
      }
      for (const one of box.querySelectorAll(".desk")) one.classList.toggle("stale", !graphed);
      train.disabled = !graphed;
      paintRace();
    }

    // Leaves stand left, one below the other; an operation stands right of its operands, in their middle.
    // What q, k and w have no part in is a constant, and has no gradient.
    function paintGraph(nodes) {
      const kinds = {q: "query", k: "key", w: "value"};
      let rows = 0;
      const put = (node) => {
        const parts = node.parts.map((n) => put(nodes[n]));
        node.constant = parts.length ? parts.every((part) => part.constant) : !kinds[node.name];
        node.column = parts.length ? 1 + Math.max(...parts.map((part) => part.column)) : 0;
        node.row = parts.length ? parts.reduce((sum, part) => sum + part.row, 0) / parts.length : rows++;
        return node;
      };
      const whole = put(nodes.at(-1)), columns = whole.column + 1;
      const wide = Math.max(columns * 112, 420), high = Math.max(rows * 70, 150);
      const x = (node) => wide / columns * (node.column + 0.5), y = (node) => high * (node.row + 0.5) / rows;
      const names = {"*": "×", "/": "÷", "-": "−", neg: "−"};
      const wire = (from, to) => svg("path", {
        class: "wire",
        "stroke-width": 1.5 + 3 * Math.min(1, Math.abs(from.slope)),
        d: `M${x(from) + 26} ${y(from)}C${x(from) + 60} ${y(from)} ${x(to) - 60} ${y(to)} ${x(to) - 26} ${y(to)}`
      });
      graph.replaceChildren(...nodes.flatMap((node) => node.parts.map((part) => wire(nodes[part], node))),
        ...nodes.map((node) =>
          svg("g", {class: node.parts.length ? "operation" : "leaf", transform: `translate(${x(node)} ${y(node)})`},
            svg("rect", {x: -28, y: -14, width: 56, height: 28, rx: 14}),
            svg("text", {y: 5, class: kinds[node.name]}, names[node.name] ?? node.name),
            svg("text", {y: -19, class: "number"}, digits(node.value)),
            svg("text", {y: 28, class: "number slope"}, node.constant ? "" : digits(node.slope)))));
      const slopes = nodes.filter(({name}) => kinds[name]).map(
        ({name, slope}) => `its gradient by ${name} ${digits(slope)}`);
      place(graph, {viewBox: `0 -14 ${wide} ${high + 28}`,
                    "aria-label": [`the score is ${digits(whole.value)}`, ...slopes].join("; ")});
      graph.style.maxWidth = `${1.35 * wide}px`;
    }

    const plain = (reason) => /nan/.test(reason) ? "not a number for some q and k" : reason.slice(0, 220).replace(
      /^(\w+): analytic and numeric gradients are both 0/, "nothing depends on $1: its gradient is 0");
    function examine() {
      if (!graphed) return;
      try {
        const vees = library.call("score_check", state.text);
        report.textContent = verdict = library.text.trim().replace(/-?nan/g, "no number");
        check.set([...vees].map((error, n) => [-1 - n, error]));
        const outcomes = library.call("score_laws", state.text);
        const found = library.text.split("\n").slice(0, -1).map((line) => line.split("\t"));
        broken = found.filter((_, n) => outcomes[n] === 2);
        nowhere = broken.some(([, , reason]) => /nan/.test(reason));  // and what else is broken comes from that
        laws.replaceChildren(...found.map(([name, statement, reason], n) =>
          html("li", {class: ["good", "waived", "bad"][outcomes[n]]},
            html("b", {}, `${["✓", "–", "✗"][outcomes[n]]} ${name}`), ` ${statement}`,
            reason ? html("small", {}, plain(nowhere ? "nan" : reason)) : "")));
      } catch (error) {
        report.textContent = verdict = error.message;
        [broken, nowhere] = [[], false];
        laws.replaceChildren();
      }
      tell();
    }
    function tell() {
      const lost = "For some q and k the score is not a number, as the root of a negative one: no weights come of it.";
      said.say(`The gradient check of the score says ${
        verdict.match(/[A-Z]{4,}/)?.[0] ?? "that it cannot be checked"}. ${nowhere ? lost : broken.length ?
          `An attention that has it breaks ${broken.map(([name]) => name).join(", ")}: ${plain(broken[0][2])}.` :
          "An attention that has it obeys all laws that are asked of it."}` +
        (errors.length ? ` After ${errors.length} steps it fetches with an error of ${
          digits(mean(errors.length - 1, 0))}.` : ""));
    }

    paint();
    later = setTimeout(examine, 30);
    return () => { train.pause(); clearTimeout(later); };
  },
});
