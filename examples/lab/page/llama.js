// A Llama in one megabyte: it writes; its heads, its next tokens and the slopes of their probabilities lie open.
"use strict";

const softmax = (logits, temperature = 1) => {
  const most = Math.max(...logits),
        powers = [...logits].map((one) => Math.exp((one - most) / Math.max(temperature, 1e-3)));
  const all = powers.reduce((a, b) => a + b);
  return powers.map((one) => one / all);
};

figures.push({
  name: "llama",
  title: "A Llama in one megabyte",
  question: "A very small ChatGPT. To guess the next token, a word or a piece of one, each of its 40 heads looks " +
    "back: attention is the share that a head gives to each token so far. Type, move a share, or switch a head off: " +
    "what comes next instead?",
  note: "A published model of 260 thousand parameters (stories260K), each rounded to 11 bits here; it computes in f32.",
  chapters: ["07_heads", "08_positions", "14_generation", "15_checkpoints", "16_cost"],
  make(box, library, values) {
    const [layers, heads, vocabulary] = library.call("llama_open", data.model, data.pieces);
    const index = (text, otherwise, count) => clamp(Math.round(Number(text ?? otherwise) || 0), 0, count - 1);
    const state = {
      text: values.text?.slice(0, 220) ?? "Tom and Lily went to the park. Lily said to",
      temperature: clamp(Number(values.t ?? 0) || 0, 0, 2),
      top: clamp(Number(values.p ?? 1) || 1, 0.05, 1),
      on: new Array(layers * heads).fill(1),
      layer: index(values.layer, 4, layers),
      head: index(values.head, 2, heads),
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
    // Letters that the model does not know come as their bytes; a run of them stands with the first one.
    const isByte = (token) => token > 2 && token < 259;
    const textOf = (all, n, end = n) => {
      if (!isByte(all[n])) return piece(all[n], all[n - 1]);
      if (isByte(all[n - 1])) return "";
      while (isByte(all[end])) ++end;
      return new TextDecoder().decode(Uint8Array.from(all.slice(n, end), (token) => token - 3));
    };
    const word = (all, n) => visible(textOf(all, n).replace(/^ (?=.)/, "") || "…");
    const label = (i) => i === 0 ? "begin" : word(tokens, i);
    let tokens = [], written = [], look = null, held = null, told = null, writing = 0, resting = 0, whole = 0,
        free = "", gates = state.on.map(() => 0), measured = false;

    const input = html("textarea", {rows: 2, maxlength: 220, spellcheck: "false", "aria-label": "Your beginning",
                                    input: once(box, () => begin(input.value))});
    input.value = state.text;
    const story = html("p", {class: "story", role: "group",
                             "aria-label": "Your tokens, and how the model goes on; arrow keys move"}),
          speed = html("p", {class: "legend wide"}), said = sentence();
    const bars = times(10, () => {
      const bar = {name: html("span", {class: "token"}), truth: html("i"), ghost: html("u"),
                   share: html("span", {class: "share"})};
      const take = () => {
        input.value = state.text + piece(bar.token, tokens.at(-1));
        begin(input.value);
      };
      bar.element = html("button", {type: "button", class: "bar", click: take}, bar.name,
        html("span", {class: "track"}, bar.truth, bar.ghost), bar.share);
      return bar;
    });
    const maps = times(layers * heads, (n) => html("button", {type: "button", class: "head", click: () => {
      const chosen = [Math.floor(n / heads), n % heads], same = state.layer === chosen[0] && state.head === chosen[1];
      [state.layer, state.head] = chosen;
      if (same) turn(); else letGo();
    }}, html("canvas")));
    const rowTitle = html("h3"), rowBars = html("div", {class: "row", role: "group"}),
          verdict = html("p", {class: "verdict"}), off = button("", turn), letting = button("Let go", letGo);

    box.append(
      html("div", {class: "desk"},
        html("div", {}, html("label", {class: "typed"}, html("h3", {}, "Your beginning"), input),
          html("h3", {}, "How it goes on ", html("small", {}, "click a token: which earlier ones decided it?")), story,
          speed,
          html("div", {class: "controls"},
            slider("temperature", [0, 2, 0.05], state.temperature,
                   sets(state, "temperature", () => { letGo(); write(); })),
            button("Draw again", () => { state.seed += 1; write(); }))),
        html("div", {class: "bars"}, html("h3", {}, "What may come next ", html("small", {}, "click one to take it")),
          ...bars.map((bar) => bar.element),
          html("p", {class: "legend"}, html("span", {class: "ghost"}),
            " while you hold a share: what its gradient foretells"))),
      html("div", {class: "desk"},
        html("div", {}, html("div", {class: "titled"}, rowTitle, html("span", {class: "buttons"}, off, letting)),
          rowBars, verdict),
        html("div", {}, html("h3", {}, "All heads ",
          html("small", {}, "in each a row is a token, and where it is red it looks; a click chooses, a second one " +
            "switches off; a thick frame: the next token depends on it much")),
          html("div", {class: "heads"}, ...times(layers, (i) => [
            html("span", {class: "quiet"}, `layer ${i + 1}`), ...maps.slice(heads * i, heads * (i + 1))]).flat()))),
      said,
      html("div", {class: "controls"},
        slider("the likeliest (top-p)", [0.05, 1, 0.05], state.top, sets(state, "top", () => { paint(); write(); })),
        toggle("keep keys and values (a cache: it writes faster)", true, sets(state, "cache", write)),
        toggle("mix up its sense of order (wrong rotary layout)", state.wrong, sets(state, "wrong", read))));

    function begin(text) {
      state.text = text;
      state.target = -1;
      read();
    }
    function turn() {
      state.on[state.layer * heads + state.head] ^= 1;
      read();
    }
    function release() {
      held = told = null;
      library.call("llama_hold", -1, 0, 0, 0, 0);
      look = pass();
    }
    function letGo() {
      const followed = held;
      release();
      paint();
      if (followed) write();
    }
    // The text has changed, or the model has.
    function read() {
      const all = [...library.call("llama_tokens", state.text.trimEnd())];
      [tokens, whole] = [all.slice(0, 56), all.length];
      release();
      measured = false;
      paint();
      write();
    }
    const pass = () => library.call("llama_look", tokens, state.wrong, state.on);
    // What a text looks at from its last token.
    const query = () => tokens.length - 1;
    const weightsOf = (layer, head, query) => {
      const n = tokens.length, begin = n * vocabulary + ((layer * heads + head) * n + query) * n;
      return look.subarray(begin, begin + n);
    };
    const row = () => weightsOf(state.layer, state.head, query());
    const lastLogits = () => look.subarray(query() * vocabulary, tokens.length * vocabulary);
    const likeliest = () => lastLogits().indexOf(Math.max(...lastLogits()));
    const shown = (token) =>
      isByte(token) && token >= 131 ? `byte ${token - 3}` : visible(piece(token, tokens.at(-1)));

    // Goes on with the story, a few tokens a picture, so that typing is never waited for; before it come the gates.
    function write() {
      cancelAnimationFrame(writing);
      clearTimeout(resting);
      const all = [...tokens], begun = tokens.length, goal = begun + 48;
      let spent = 0, seed = state.seed;
      const next = (work) => { writing = requestAnimationFrame(work); };
      const some = () => {
        const begin = performance.now();
        if (all.length < goal) busy(() => {
          const [token] = library.call("llama_draw", state.temperature, state.top, seed);
          seed = -1;  // and on with the same numbers
          if (all.push(token) >= goal) return true;
          if (state.cache) library.call("llama_go_on", token, state.wrong, state.on);
          else library.call("llama_read", all, state.wrong, state.on);
          return false;
        });
        spent += performance.now() - begin;
        tell(all);
        const made = all.length - begun, rate = Math.round(made / spent * 1000).toLocaleString("en");
        if (!held) free = times(made, (i) => textOf(all, begun + i)).join("");
        speed.textContent = `${made} tokens in ${spent.toFixed(0)} ms: ${rate} a second` +
          (held && made > 47 ? `. Without your hand: “${free.trim()}”` : "") +
          (whole > tokens.length ? `. It reads 56 tokens, and your beginning has ${whole}: the rest is left out.` : "");
        if (all.length < goal) next(some);
      };
      next(() => {
        if (!measured) {
          gates = library.call("llama_heat", tokens, state.wrong, state.on, likeliest()).subarray(tokens.length);
          measured = true;
          paintHeads();
        }
        next(() => {
          library.call("llama_read", tokens, state.wrong, state.on);
          some();
        });
      });
    }
    function tell(all) {
      written = all;
      const aimed = state.target > 0 && state.target < all.length;
      const heat = aimed ? library.call("llama_heat", all.slice(0, state.target), state.wrong, state.on,
                                        all[state.target]).subarray(0, state.target) : [];
      const most = Math.max(...heat, 1e-12);
      while (story.children.length >= all.length) story.lastChild.remove();
      while (story.children.length < all.length - 1) story.append(makeWord(story.children.length + 1));
      if (![...story.children].some((one) => one.tabIndex === 0)) stopAt(story.firstChild);
      [...story.children].forEach((one, i) => {
        const n = i + 1, text = textOf(all, n), chosen = n === state.target;
        one.textContent = text;
        one.className = `word${n < tokens.length ? "" : " written"}${chosen ? " target" : ""}`;
        place(one, {"aria-label": text.trim() || visible(text), "aria-pressed": String(chosen)});
        one.style.setProperty("--share", n < heat.length ? (heat[n] / most).toFixed(3) : 0);
      });
      if (!aimed) return tellSentence();
      const [best, next] = times(heat.length - 1, (i) => i + 1).sort((a, b) => heat[b] - heat[a]);
      said.say(best ? `That “${word(all, state.target)}” comes here depends most on “${word(all, best)}”${
        next ? `, then on “${word(all, next)}”` : ""}: there the gradient of its log probability is longest, ${
        [best, next].filter(Boolean).map((n) => scientific(heat[n])).join(" and ")}.` : "");
    }
    // A word stays the same element while it is there, so it keeps the focus. The tab key stops at one of them.
    function makeWord(n) {
      const choose = () => { state.target = state.target === n ? -1 : n; tell(written); };
      const keydown = (event) => {
        if (event.key === "ArrowRight") one.nextSibling?.focus();
        if (event.key === "ArrowLeft") one.previousSibling?.focus();
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (!event.repeat) choose();
      };
      const one = html("span", {role: "button", tabindex: -1, click: choose, keydown, focus: () => stopAt(one)});
      return one;
    }
    function stopAt(word) {
      for (const one of story.children) one.tabIndex = one === word ? 0 : -1;
    }
    function tellSentence() {
      const weights = row(), most = weights.indexOf(Math.max(...weights));
      said.say(`Likeliest comes “${shown(likeliest())}”, with ${percent(shares()[likeliest()])}. Head ${
        state.head + 1} of layer ${state.layer + 1}, at “${label(query())}”, looks most at “${label(most)}”: ${
        digits(weights[most])}.`);
    }

    // One bar of the row was moved to a weight: the slope foretells at once, the truth follows, and when the hand has
    // come to rest, the story.
    function hold(key, weight) {
      const {layer, head} = state, at = query();
      if (!held || held.key !== key) {
        release();
        const before = row()[key], logits = [...lastLogits()], next = likeliest(), was = shares()[next];
        const [slope, ...slopes] =
          library.call("llama_foretell", tokens, state.wrong, state.on, layer, head, at, key, next);
        told = {before, logits, slopes, slope, next, was};
      }
      held = {layer, key, weight: clamp(weight, 0, 0.999)};
      library.call("llama_hold", layer, head, at, key, held.weight);
      look = pass();
      paint();
      clearTimeout(resting);
      resting = setTimeout(write, 200);
    }

    const shares = (logits = lastLogits()) => softmax(logits, state.temperature || 1);
    function paint() {
      const now = shares();
      if (!held) {
        const order = now.map((p, token) => [p, token]).sort((a, b) => b[0] - a[0]).slice(0, 10);
        let sum = 0;
        bars.forEach((bar, i) => { bar.token = order[i][1]; bar.cut = sum >= state.top; sum += order[i][0]; });
      }
      const foretold = held && shares(told.logits.map((one, i) => one + (held.weight - told.before) * told.slopes[i]));
      const widest = Math.max(0.2, ...bars.map(({token}) => Math.max(now[token], foretold?.[token] ?? 0)));
      bars.forEach((bar) => {
        bar.p = now[bar.token];
        bar.name.textContent = shown(bar.token);
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
      const bold = (p, kind) => html("b", {class: kind}, `${digits(100 * p, 1)} %`);
      verdict.replaceChildren(...(held ? [
        `“${label(query())}” gave “${label(held.key)}” a share of ${digits(told.before)}, and now gives ${
          digits(held.weight)}. “${shown(told.next)}” had ${digits(100 * told.was, 1)} %; the gradient foretold `,
        bold(foretold[told.next], "foretold"), ", and the truth is ", bold(now[told.next]),
        `. (The slope of its log probability at temperature 1: ${digits(told.slope, 3)} for each 1 of share.)`
      ] : ["Drag a bar, or move it with the arrow keys: the others of the row give way, and the gradient, the slope " +
        "of each chance by this share, foretells the next tokens before they are computed. Then the story is " +
        "written again."]));
      letting.disabled = !held;
      if (state.target < 0) tellSentence();
      const off = state.on.map((is, i) => is ? "" : i).filter((one) => one !== "").join(",");
      const {text, temperature: t, top: p, layer, head} = state;
      address.write(box, "llama", {text, t, p, layer, head, ...(off && {off}), ...(state.wrong && {wrong: 1})});
    }

    function paintHeads() {
      const n = tokens.length, [red, green, blue] = getComputedStyle(rowBars).color.match(/[\d.]+/g),
            strongest = Math.max(...gates.map(Math.abs), 1e-12);
      maps.forEach((map, i) => {
        const canvas = map.firstChild, [layer, head] = [Math.floor(i / heads), i % heads];
        if (held && layer < held.layer) return;  // what a hand changes comes later
        canvas.width = canvas.height = n;
        const picture = new ImageData(n, n), pixels = new Uint32Array(picture.data.buffer);
        for (let row = 0; row < n; ++row) {
          const weights = weightsOf(layer, head, row);
          for (let j = 0; j <= row; ++j)
            pixels[row * n + j] = red | green << 8 | blue << 16 | (20 + 235 * weights[j]) << 24;
        }
        canvas.getContext("2d").putImageData(picture, 0, 0);
        const chosen = layer === state.layer && head === state.head, name = `layer ${layer + 1}, head ${head + 1}`;
        map.style.setProperty("--gate", (Math.abs(gates[i]) / strongest).toFixed(2));
        map.className = `head${chosen ? " chosen" : ""}${state.on[i] ? "" : " off"}`;
        place(map, {title: `${name}: its slope is ${digits(gates[i])}`,
                    "aria-label": `${name}${state.on[i] ? "" : ", off"}`, "aria-pressed": String(chosen)});
      });
    }
    function paintRow() {
      const weights = row();
      rowTitle.textContent = `Where layer ${state.layer + 1}, head ${state.head + 1} looks from “${label(query())}”`;
      off.textContent = state.on[state.layer * heads + state.head] ? "Switch this head off" : "Switch it on again";
      rowBars.classList.toggle("off", !state.on[state.layer * heads + state.head]);
      if (rowBars.children.length !== tokens.length) {
        rowBars.replaceChildren(...tokens.map((_, key) => makeBar(key)));
        rowBars.scrollLeft = rowBars.scrollWidth;
      }
      [...rowBars.children].forEach((bar, key) => {
        const here = held?.key === key;
        bar.style.setProperty("--share", weights[key].toFixed(4));
        bar.classList.toggle("held", here);
        bar.lastChild.textContent = label(key);
        place(bar, {"aria-label": `weight on ${label(key)}`, ...tells(weights[key].toFixed(2), percent(weights[key]))});
        bar.firstChild.firstChild.textContent = weights[key] >= 0.095 || here ? digits(weights[key]) : "";
      });
    }
    function makeBar(key) {
      let next = 0;
      const ask = once(box, () => hold(key, next));
      const aim = ({clientY}) => {
        const {bottom, height} = column.getBoundingClientRect();
        next = (bottom - clientY) / (height - 18);
        ask();
      };
      const column = dragged(html("span", {class: "column", pointerdown: aim}, html("i"), html("b")), aim);
      const bar = html("div", {
        class: "weight",
        role: "slider",
        tabindex: 0,
        "aria-valuemin": 0,
        "aria-valuemax": 1,
        keydown: (event) => {
          const step = {ArrowUp: 0.05, ArrowDown: -0.05, PageUp: 0.2, PageDown: -0.2, Home: -1, End: 1}[event.key];
          const other = {ArrowLeft: bar.previousSibling, ArrowRight: bar.nextSibling}[event.key];
          if (step) hold(key, row()[key] + step);
          if (other) other.focus();
          if (step || other) event.preventDefault();
          if (event.key === "Escape") letGo();
        },
      }, column, html("em"));
      return bar;
    }

    read();
    return () => { cancelAnimationFrame(writing); clearTimeout(resting); };
  },
});
