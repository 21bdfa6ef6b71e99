// What all figures share: elements, controls, charts, things that are dragged or move, and the state in the address.
"use strict";

// A figure: its name, its title, a question, a note, the chapters it belongs to, and what makes it. make(box, library,
// values) fills the box, and returns nothing or a function that stops what moves.
const figures = [];
function build({title, question, note = "", chapters, make}, box, library, values) {
  const part = html("div");
  let hide = null;
  const begin = (values) => {
    const fresh = html("div");  // what still comes for an old one finds it gone
    part.replaceChildren(fresh);
    hide?.();
    hide = make(fresh, library, values);
  };
  const linked = (name) => {
    const words = name.replace(/_/g, " ");
    return book === null ? words : html("a", {href: `${book}${name}.html`}, words);
  };
  box.setAttribute("aria-label", title);
  box.append(html("h2", {}, title), html("p", {class: "question"}, question), part,
    html("p", {class: "chapters"}, button("As at first", () => begin({})), html("span", {}, `${note} In the book: `,
      ...chapters.flatMap((name, i) => [i ? ", " : "", linked(name)]))));
  begin(values);
  return () => hide?.();
}

// --- Elements ------------------------------------------------------------------------------------------------------
// Text is only ever set as text: nothing that was typed is read as HTML.
function place(element, attributes, ...children) {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  element.append(...children);
  return element;
}
const html = (tag, attributes = {}, ...children) => place(document.createElement(tag), attributes, ...children);
const svg = (tag, attributes = {}, ...children) =>
  place(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, ...children);
// A sentence that says what a picture shows. Whoever does not see it hears it once the picture has come to rest.
function sentence(kind = "sentence") {
  const shown = html("p", {class: kind, "aria-hidden": "true"});
  const heard = html("p", {class: "heard", role: "status"}), box = html("div", {}, shown, heard);
  let next = 0;
  box.say = (text) => {
    let pictures = 30;
    const wait = () => {
      if (--pictures > 0) next = requestAnimationFrame(wait);
      else if (heard.textContent !== text) heard.textContent = text;
    };
    shown.textContent = text;
    cancelAnimationFrame(next);
    wait();
  };
  return box;
}

// --- Numbers -------------------------------------------------------------------------------------------------------
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const times = (count, make) => Array.from({length: count}, (_, i) => make(i));

// −0.25, never -0.00
function digits(x, after = 2) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "no number" : x > 0 ? "∞" : "−∞";
  const text = Math.abs(x).toFixed(after);
  return (x < 0 && Number(text) !== 0 ? "−" : "") + text;
}
const superscript = (n) => String(n).replace(/./g, (c) => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]);
const power = (n) => n ? `10${superscript(n)}` : "1";
function scientific(x) {
  if (x === 0) return "0";
  const [first, n] = x.toExponential(1).split("e").map(Number);
  return `${digits(first, 1)}·10${superscript(n)}`;
}
const percent = (p) => p >= 0.0995 ? `${(100 * p).toFixed(0)} %` : p >= 0.001 ? `${(100 * p).toFixed(1)} %` : "< 0.1 %";

// --- Motion --------------------------------------------------------------------------------------------------------
// Draws once before the next picture of the screen, however often it is asked to, unless the box is gone by then.
function once(box, draw) {
  let next = 0;
  return () => {
    cancelAnimationFrame(next);
    next = requestAnimationFrame(() => { if (box.isConnected) draw(); });
  };
}

// Calls show(t) with t from 0 to 1, quick at first; at once with 1 where motion is not wanted. Returns what stops it.
function glide(show, milliseconds) {
  const begin = performance.now(), still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let next = 0;
  const some = (now) => {
    const t = still ? 1 : clamp((now - begin) / milliseconds, 0, 1);
    if (t < 1) next = requestAnimationFrame(some);
    show(1 - (1 - t) ** 3);
  };
  some(begin);
  return () => cancelAnimationFrame(next);
}

// --- Controls ------------------------------------------------------------------------------------------------------
// A name and its numbers.
const line = (name, kind, ...all) => html("p", {}, html("span", {class: kind}, name), html("code", {}, ...all));

// What a control does: it puts its value into the state, and something follows.
const sets = (state, name, then) => (value) => { state[name] = value; then(); };

function slider(label, [min, max, step], value, changed, told = digits) {
  const output = html("span", {"aria-hidden": "true"});
  const input = html("input", {type: "range", min, max, step, value, input: () => {
    show();
    changed(Number(input.value));
  }});
  const show = () => {
    output.textContent = told(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  const box = html("label", {class: "slider"}, label, input, output);
  box.set = (x) => { input.value = x; show(); };
  show();
  return box;
}
function toggle(label, value, changed) {
  const input = html("input", {type: "checkbox", change: () => changed(input.checked)});
  input.checked = value;
  return html("label", {class: "toggle"}, input, label);
}
const button = (label, click, extra = {}) => html("button", {type: "button", click, ...extra}, label);
function choice(label, names, value, changed) {
  const inputs = names.map((_, i) => html("input", {type: "radio", name: label, value: i, change: () => changed(i)}));
  inputs[value].checked = true;
  return html("fieldset", {class: "choice"}, html("legend", {}, label),
              ...inputs.map((input, i) => html("label", {}, input, html("span", {}, names[i]))));
}

// A button that does some work before each picture of the screen, or each so many milliseconds, until work() says that
// it is done, or it is pressed again.
function player(label, work, {every = 0, ...extra} = {}) {
  let next = 0, last = 0;
  const some = (now) => {
    next = requestAnimationFrame(some);
    if (now - last < every) return;
    last = now;
    if (work()) box.pause();
  };
  const box = button(label, () => {
    if (box.plays()) return box.pause();
    next = requestAnimationFrame(some);
    box.textContent = "Pause";
  }, extra);
  box.plays = () => next !== 0;
  box.pause = () => {
    cancelAnimationFrame(next);
    next = 0;
    box.textContent = label;
  };
  return box;
}
// Works until it is done, or a picture of the screen is due; returns the milliseconds for each time.
function busy(work) {
  const begin = performance.now();
  let count = 0, done = false;
  do { done = work(); ++count; } while (!done && performance.now() - begin < 8);
  return (performance.now() - begin) / count;
}

// What a finger or a mouse may hold: moved(event, last) is told of each of its movements.
function dragged(element, moved) {
  let last = null;
  const release = () => { last = null; };
  return place(element, {
    pointerdown: (event) => {
      last = event;
      element.setPointerCapture(event.pointerId);
      element.closest("[tabindex]").focus({preventScroll: true});
      event.preventDefault();
    },
    pointermove: (event) => {
      if (last) moved(event, last);
      last = last && event;
    },
    pointerup: release,
    pointercancel: release,
  });
}

// What a slider says to whoever does not see it.
const tells = (now, text) => ({"aria-valuenow": now, "aria-valuetext": text});

// A part of a picture that is moved by hand or by keys, from left to right from `low` to `high`. moved(dx, dy) is told
// steps in units of the picture.
function movable(element, label, [low, high], moved) {
  const ways = {ArrowLeft: [-4, 0], ArrowRight: [4, 0], ArrowUp: [0, -4], ArrowDown: [0, 4], Home: [-1e4, 0],
                End: [1e4, 0]};
  const keydown = (event) => {
    const way = ways[event.key], far = event.shiftKey ? 5 : 1;
    if (!way) return;
    moved(way[0] * far, way[1] * far);
    event.preventDefault();
  };
  const scale = () => {
    const picture = element.ownerSVGElement;
    return picture.viewBox.baseVal.width / picture.getBoundingClientRect().width;
  };
  element.classList.add("movable");
  place(element, {tabindex: 0, role: "slider", "aria-label": label, "aria-valuemin": low, "aria-valuemax": high,
                  keydown});
  return dragged(element, (event, last) =>
    moved((event.clientX - last.clientX) * scale(), (event.clientY - last.clientY) * scale()));
}

// --- Charts --------------------------------------------------------------------------------------------------------
// A line through points; what is not a number is left out.
const trace = (points) => points.filter(([, y]) => !Number.isNaN(y)).map(
  ([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

// Level lines from x1 to x2, with their words beside them.
const levels = (list, y, [x1, x2], told) => list.flatMap((e) => [
  svg("line", {class: "grid", x1, x2, y1: y(e), y2: y(e)}),
  svg("text", {class: "tick", x: x1 - 6, y: y(e) + 4}, told(e))]);

// A square of the plane: x and y from `low` to `high`, drawn with a grid, and two functions to its units and back.
function plane(low, high, every, label) {
  const size = 360, unit = size / (high - low), x = (a) => (a - low) * unit, y = (b) => size - (b - low) * unit;
  const lines = [];
  for (let at = Math.ceil(low / every) * every; at <= high; at += every) {
    const kind = at === 0 ? "axis" : "grid";
    lines.push(svg("line", {class: kind, x1: x(at), x2: x(at), y1: 0, y2: size}),
               svg("line", {class: kind, x1: 0, x2: size, y1: y(at), y2: y(at)}),
               svg("text", {class: "tick", x: x(at) + 3, y: size - 4}, digits(at, 0)),
               svg("text", {class: "tick", x: 3, y: y(at) - 3}, digits(at, 0)));
  }
  const element =
    svg("svg", {viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": label, class: "plane"}, ...lines);
  return {element, unit, x, y};
}

// An arrow between two points of a picture: a line and its head. One that is too short is not drawn.
function arrow(kind) {
  const line = svg("path", {class: `arrow ${kind}`}), head = svg("path", {class: `head ${kind}`});
  const element = svg("g", {}, line, head);
  element.set = (x1, y1, x2, y2, width) => {
    const length = Math.hypot(x2 - x1, y2 - y1), size = Math.min(4 * width, 0.7 * length);
    element.style.display = length < 1.5 ? "none" : "";
    if (length < 1.5) return;
    const [u, v] = [(x2 - x1) / length, (y2 - y1) / length], [bx, by] = [x2 - size * u, y2 - size * v];
    place(line, {d: trace([[x1, y1], [bx + 0.2 * size * u, by + 0.2 * size * v]]), "stroke-width": width});
    const corners = [[x2, y2], [bx - 0.5 * size * v, by + 0.5 * size * u], [bx + 0.5 * size * v, by - 0.5 * size * u]];
    place(head, {d: `${trace(corners)}Z`});
  };
  return element;
}

// The error of a measured slope for steps of 10^n, on logarithmic axes, and a bead on it that may be moved.
function vcurve(...bead) {
  const [left, right, top, low] = [46, 410, 10, 170], x = (n) => left + (right - left) * (n + 14) / 13,
                           y = (e) => top + (low - top) * clamp(Math.log10(Math.max(e, 1e-14)) / -14, 0, 1);
  const path = svg("path", {class: "learned slope"});
  const element =
    svg("svg", {viewBox: "0 0 420 200", class: "chart", role: "img", "aria-label": "error of the slope, by the step"},
        ...levels([0, -6, -12], (n) => y(10 ** n), [left, right], power),
        ...[-14, -10, -6, -2].map((n) => svg("text", {class: "tick middle", x: x(n), y: 190}, `h = ${power(n)}`)), path,
        ...bead);
  return {element, x, y, set: (points) => place(path, {d: trace(points.map(([n, e]) => [x(n), y(e)]))})};
}

// --- The address ---------------------------------------------------------------------------------------------------
// The state of a figure: #birds&masked=0&t=2. Numbers are kept to as many digits as a hand can set.
const address = {
  read() {
    const [name, ...pairs] = location.hash.slice(1).split("&"), values = new URLSearchParams(pairs.join("&"));
    // What cannot be decoded becomes a character of its own, and says nothing.
    return {name, values: Object.fromEntries([...values].filter(([, value]) => !value.includes("\ufffd")))};
  },
  write(box, name, values) {
    if (!box.isConnected) return;
    const before = location.hash, pairs = String(new URLSearchParams(values)).replace(/%2C/g, ",");
    clearTimeout(this.later);
    this.later = setTimeout(() => {  // unless somebody goes elsewhere meanwhile
      if (location.hash === before) history.replaceState(null, "", `#${name}&${pairs}`);
    }, 150);
  },
  numbers(text, count) {
    const list = (text ?? "").split(",").map(Number);
    return list.length === count && list.every(Number.isFinite) ? list : null;
  },
};
