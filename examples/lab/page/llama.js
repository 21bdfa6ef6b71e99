// A Llama in one megabyte: it writes; its heads, its next tokens and the slopes of their probabilities lie open.
"use strict";

const softmax = (logits, temperature = 1) => {
  const most = Math.max(...logits),
        powers = [...logits].map((one) => Math.exp((one - most) / Math.max(temperature, 1e-3)));
  const all = powers.reduce((a, b) => a + b);
  return powers.map((one) => one / all);
};
const percent = (p) => p >= 0.0995 ? `${(100 * p).toFixed(0)} %` : p >= 0.001 ? `${(100 * p).toFixed(1)} %` : "< 0.1 %";

figures.push({
  name: "llama",
  title: "A Llama in one megabyte",
  question:
    "Type a beginning. Then take hold of a weight of attention, or switch a head off: what will come next instead?",
  chapters:
    "A published model of 260 thousand parameters (stories260K), in f32. Chapters 7, 8, 14, 15 and 16 of the book.",
  build(box, library, values) {
    const [layers, heads, vocabulary] = library.call("llama_open", data.model, data.pieces);
    const state = {
      text: values.text ?? "Tom and Lily went to the park. Lily said to",
      temperature: clamp(Number(values.t ?? 0) || 0, 0, 2),
      top: clamp(Number(values.p ?? 1) || 1, 0.05, 1),
      on: new Array(layers * heads).fill(1),
      layer: clamp(Number(values.layer ?? 4) || 0, 0, layers - 1),
      head: clamp(Number(values.head ?? 2) || 0, 0, heads - 1),
      query: -1,
      wrong: values.wrong === "1",
      cache: true,
      seed: 1,
      target: -1,
    };
    for (const one of (values.off ?? "").split(",").filter(Boolean).map(Number))
      if (Number.isInteger(one) && one >= 0 && one < state.on.length) state.on[one] = 0;
    const pieces = new Map();  // the text of a token, behind the first one and elsewhere
    const piece = (token, previous) => {
      const key = `${token} ${previous === 1}`;
      if (!pieces.has(key)) { library.call("llama_piece", token, previous); pieces.set(key, library.text); }
      return pieces.get(key);
    };
    const visible = (text) => text.replace(/\n/g, "⏎").replace(/^ /, "␣") || "begin";
    let tokens = [], look = null, held = null, told = null, writing = 0;

    const input = html("textarea", {
      rows: 2,
      maxlength: 220,
      spellcheck: "false",
      "aria-label": "Your beginning",
      input: () => {
        state.text = input.value;
        state.query = state.target = -1;
        read();
      }
    });
    input.value = state.text;
    const story = html("p", {class: "story", "aria-label": "Your tokens, and how the model goes on"}),
          speed = html("span", {class: "quiet"});
    const bars = times(10, (i) => {
      const bar = {
        name: html("span", {class: "token"}),
        truth: html("i"),
        ghost: html("u"),
        share: html("span", {class: "share"})
      };
      bar.element = html("button", {type: "button", class: "bar", click: () => add(bar.token)}, bar.name,
        html("span", {class: "track"}, bar.truth, bar.ghost), bar.share);
      return bar;
    });
    const maps = times(layers * heads, (n) => html("button", {type: "button", class: "head", click: () => {
      const same = state.layer === Math.floor(n / heads) && state.head === n % heads;
      [state.layer, state.head] = [Math.floor(n / heads), n % heads];
      if (same) turn(); else letGo();
    }}, html("canvas")));
    const rowTitle = html("h3"), rowBars = html("div", {class: "row", role: "group"}),
          verdict = html("p", {class: "verdict"}), said = sentence();
    const off = button("", turn), free = button("Let go", letGo);
    const temperature = slider({
      label: "temperature",
      low: 0,
      high: 2,
      step: 0.05,
      value: state.temperature,
      changed: (x) => {
        state.temperature = x;
        letGo();
        write();
      }
    });
    const top = slider({
      label: "top-p",
      low: 0.05,
      high: 1,
      step: 0.05,
      value: state.top,
      changed: (x) => {
        state.top = x;
        paint();
        write();
      }
    });

    box.append(
      html("div", {class: "desk"},
        html("div", {}, html("label", {class: "typed"}, html("h3", {}, "Your beginning"), input),
          html("h3", {}, "How it goes on ", html("small", {}, "click a word: which earlier ones decided it?")), story),
        html("div", {class: "bars"}, html("h3", {}, "What may come next ", html("small", {}, "click one to take it")),
          ...bars.map((bar) => bar.element),
          html("p", {class: "legend"}, html("span", {class: "ghosted"}, "▯"), " what the gradient foretells"))),
      html("div", {class: "desk"},
        html("div", {}, html("div", {class: "titled"}, rowTitle, html("span", {class: "buttons"}, off, free)), rowBars,
          verdict),
        html("div", {},
          html("h3", {}, "All heads, layer by layer ", html("small", {}, "click to look, again to switch off")),
          html("div", {class: "heads"}, ...maps))),
      said,
      html("div", {class: "controls"}, temperature, top, html("span", {class: "buttons"}, button("Draw again", () => {
        state.seed += 1;
        write();
      })), toggle("cache of keys and values", true, (is) => {
        state.cache = is;
        write();
      }), speed, toggle("wrong layout of rotary pairs", state.wrong, (is) => {
        state.wrong = is;
        read();
      })));

    function turn() {
      state.on[state.layer * heads + state.head] ^= 1;
      release();
      read();
    }
    function release() { held = told = null; }
    function letGo() {
      release();
      look = pass();
      paint();
    }
    function add(token) {
      input.value = state.text += piece(token, tokens.at(-1));
      state.query = state.target = -1;
      read();
    }
    const weightsOf = (layer, head, query) => {
      const n = tokens.length, begin = n * vocabulary + ((layer * heads + head) * n + query) * n;
      return look.subarray(begin, begin + n);
    };
    const lastLogits = (pass) => pass.subarray((tokens.length - 1) * vocabulary, tokens.length * vocabulary);
    const pass = () => held ? library.call("llama_look", tokens, state.wrong, state.on, held.layer, held.head,
                                held.query, held.key, held.weight) :
                              library.call("llama_look", tokens, state.wrong, state.on, -1, 0, 0, 0, 0);

    // The text has changed, or the model has.
    function read() {
      release();
      tokens = [...library.call("llama_tokens", state.text.trimEnd())].slice(0, 56);
      look = pass();
      paint();
      write();
    }

    // Goes on with the story, a few tokens a picture, so that typing is never waited for.
    function write() {
      cancelAnimationFrame(writing);
      const all = [...tokens], begun = tokens.length, goal = begun + 48;
      let spent = 0;
      const timed = (work) => {
        const begin = performance.now(), made = work();
        spent += performance.now() - begin;
        return made;
      };
      let reading = tokens;
      library.call("llama_read", reading, state.wrong, state.on);
      let first = true;
      const some = () => {
        const until = performance.now() + 9;
        while (all.length < goal && performance.now() < until) {
          const [token] =
            timed(() => library.call("llama_draw", state.temperature, state.top, first ? state.seed : -1));
          first = false;
          all.push(token);
          timed(() => state.cache ? library.call("llama_go_on", token, state.wrong, state.on) :
                                    library.call("llama_read", all, state.wrong, state.on));
        }
        tell(all);
        const made = all.length - begun;
        speed.textContent =
          `${made} tokens in ${spent.toFixed(0)} ms: ${Math.round(made / spent * 1000).toLocaleString("en")} a second`;
        if (all.length < goal) writing = requestAnimationFrame(some);
      };
      some();
    }
    function tell(all) {
      const heat = state.target > 0 && state.target < all.length ?
        library.call("llama_heat", all.slice(0, state.target), state.wrong, state.on, all[state.target]) :
        [];
      const most = Math.max(...heat, 1e-12);
      story.replaceChildren(...all.slice(1).map((token, i) => {
        const n = i + 1, text = piece(token, all[i]);
        const span = html("button", {
          type: "button",
          class: `word${n < tokens.length ? "" : " written"}${n === state.target ? " target" : ""}`,
          "aria-label": text.trim() ? undefined : visible(text),
          click: () => { state.target = state.target === n ? -1 : n; tell(all); },
        }, text);
        if (n < heat.length) span.style.setProperty("--share", (heat[n] / most).toFixed(3));
        return span;
      }));
      if (state.target > 0) {
        const best = heat.indexOf(Math.max(...heat.slice(1)));
        said.textContent = best > 0 ?
          `That “${piece(all[state.target], all[state.target - 1]).trim()}” comes here depends most on “${
            piece(all[best], all[best - 1]).trim()}”: the gradient of its log probability is longest there, ${
            digits(heat[best])}.` :
          "";
      } else tellSentence();
    }
    function tellSentence() {
      const row = weightsOf(state.layer, state.head, query()), most = row.indexOf(Math.max(...row));
      said.textContent =
        `Likeliest comes “${bars[0].name.textContent}”, with ${percent(bars[0].p)}. Head ${state.head + 1} of layer ${
          state.layer + 1}, at “${label(query())}”, looks most at “${label(most)}”: ${digits(row[most])}.`;
    }
    const query = () => state.query < 0 || state.query >= tokens.length ? tokens.length - 1 : state.query;
    const label = (i) => i === 0 ? "begin" : piece(tokens[i], tokens[i - 1]).trim() || "␣";

    // One bar of the row was moved to a weight: the slope foretells at once, the truth follows.
    function hold(key, weight) {
      const place = {layer: state.layer, head: state.head, query: query(), key};
      if (!held || held.key !== key) {
        release();
        look = pass();
        const before = weightsOf(place.layer, place.head, place.query)[key], logits = [...lastLogits(look)];
        const all = softmax(logits), next = all.indexOf(Math.max(...all));
        const [slope, ...slopes] = library.call(
          "llama_foretell", tokens, state.wrong, state.on, place.layer, place.head, place.query, key, next);
        told = {before, logits, slopes, slope, next, was: Math.log(all[next])};
      }
      held = {...place, weight: clamp(weight, 0, 0.999)};
      look = pass();
      paint();
    }

    function paint() {
      const logits = lastLogits(look), shares = softmax(logits, state.temperature || 1);
      if (!held) {
        const order = shares.map((p, token) => [p, token]).sort((a, b) => b[0] - a[0]).slice(0, 10);
        let sum = 0;
        bars.forEach((bar, i) => { bar.token = order[i][1]; bar.cut = sum >= state.top; sum += order[i][0]; });
      }
      const foretold = held &&
        softmax(
          told.logits.map((one, i) => one + (held.weight - told.before) * told.slopes[i]), state.temperature || 1);
      const widest =
        Math.max(0.2, ...bars.map((bar) => Math.max(shares[bar.token], foretold ? foretold[bar.token] : 0)));
      bars.forEach((bar) => {
        bar.p = shares[bar.token];
        bar.name.textContent = visible(piece(bar.token, tokens.at(-1)));
        bar.truth.style.width = `${100 * bar.p / widest}%`;
        bar.ghost.style.display = foretold ? "" : "none";
        if (foretold) bar.ghost.style.width = `${100 * foretold[bar.token] / widest}%`;
        bar.share.textContent = percent(bar.p);
        bar.element.classList.toggle("cut", bar.cut);
        bar.element.setAttribute("aria-label",
          `${bar.name.textContent}, ${percent(bar.p)}${foretold ? `, foretold ${percent(foretold[bar.token])}` : ""}`);
      });
      paintHeads();
      paintRow();
      verdict.replaceChildren(...(held ?
          [
            `slope of log p(“${visible(piece(told.next, tokens.at(-1)))}”): `, html("b", {}, digits(told.slope, 3)),
            ` for each 1 of weight. From ${digits(told.before)} to ${digits(held.weight)} `, "it foretells ",
            html("b", {class: "ghosted"}, digits(told.was + told.slope * (held.weight - told.before), 3)),
            ", and the truth is ", html("b", {}, digits(Math.log(softmax(logits)[told.next]), 3)),
            `; it was ${digits(told.was, 3)}.`
          ] :
          [
            "Drag a bar, or move it with the arrow keys: the others of the row give way, and the gradient " +
              "foretells the next tokens before they are computed."
          ]));
      free.disabled = !held;
      if (state.target < 0) tellSentence();
      const off = state.on.map((is, i) => is ? "" : i).filter((one) => one !== "").join(",");
      address.write("llama", {
        text: state.text,
        t: state.temperature,
        p: state.top,
        layer: state.layer,
        head: state.head,
        ...(off && {off}),
        ...(state.wrong && {wrong: 1})
      });
    }

    const [red, green, blue] = colour("--weight");
    function paintHeads() {
      const n = tokens.length;
      maps.forEach((map, i) => {
        const canvas = map.firstChild, [layer, head] = [Math.floor(i / heads), i % heads];
        if (held && layer < held.layer) return;  // what a hand changes comes later
        canvas.width = canvas.height = n;
        const picture = new ImageData(n, n);
        for (let row = 0; row < n; ++row) {
          const weights = weightsOf(layer, head, row);
          for (let j = 0; j <= row; ++j) picture.data.set([red, green, blue, 20 + 235 * weights[j]], 4 * (row * n + j));
        }
        canvas.getContext("2d").putImageData(picture, 0, 0);
        const chosen = layer === state.layer && head === state.head;
        map.className = `head${chosen ? " chosen" : ""}${state.on[i] ? "" : " off"}`;
        place(map,
          {"aria-label": `layer ${layer + 1}, head ${head + 1}${state.on[i] ? "" : ", off"}`, "aria-pressed": chosen});
      });
    }
    function paintRow() {
      const n = tokens.length, at = query(), weights = weightsOf(state.layer, state.head, at);
      rowTitle.textContent = `Where layer ${state.layer + 1}, head ${state.head + 1} looks from “${label(at)}”`;
      off.textContent = state.on[state.layer * heads + state.head] ? "Switch this head off" : "Switch it on again";
      if (rowBars.children.length !== n) rowBars.replaceChildren(...times(n, makeBar));
      [...rowBars.children].forEach((bar, key) => {
        bar.style.setProperty("--share", weights[key].toFixed(4));
        bar.classList.toggle("held", held?.key === key);
        bar.classList.toggle("later", key > at);
        bar.lastChild.textContent = label(key);
        place(bar, {
          "aria-label": `weight on ${label(key)}`,
          "aria-valuenow": weights[key].toFixed(2),
          "aria-valuemin": 0,
          "aria-valuemax": 1
        });
        bar.firstChild.firstChild.textContent = weights[key] >= 0.095 || held?.key === key ? digits(weights[key]) : "";
      });
    }
    function makeBar(key) {
      const bar = html("div", {class: "weight", role: "slider", tabindex: 0},
        html("span", {class: "column"}, html("i"), html("b")), html("em"));
      const column = bar.firstChild;
      let next = 0, down = false;
      const ask = once(() => { if (key <= query()) hold(key, next); });
      const aim = (event) => {
        const {bottom, height} = column.getBoundingClientRect();
        next = (bottom - event.clientY) / (height - 18);
        ask();
      };
      column.addEventListener("pointerdown", (event) => {
        down = true;
        column.setPointerCapture(event.pointerId);
        event.preventDefault();
        bar.focus({preventScroll: true});
        aim(event);
      });
      column.addEventListener("pointermove", (event) => { if (down) aim(event); });
      for (const end of ["pointerup", "pointercancel"])
        column.addEventListener(end, () => {
          down = false;
        });
      bar.addEventListener("keydown", (event) => {
        const step = {ArrowUp: 0.05, ArrowDown: -0.05, PageUp: 0.2, PageDown: -0.2}[event.key];
        if (step && key <= query()) {
          hold(key, weightsOf(state.layer, state.head, query())[key] + step);
          event.preventDefault();
        }
        if (event.key === "Escape") letGo();
        const other = {ArrowLeft: bar.previousSibling, ArrowRight: bar.nextSibling}[event.key];
        if (other) { other.focus(); event.preventDefault(); }
      });
      return bar;
    }

    read();
    return {hide: () => cancelAnimationFrame(writing)};
  },
});
