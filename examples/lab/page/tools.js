// What all figures share: elements, controls, things that are dragged, and the state in the address.
"use strict";

const space = "http://www.w3.org/2000/svg";

// Text is only ever set as text: nothing that was typed is read as HTML.
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  element.append(...children);
  return element;
}
const html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => filled(document.createElementNS(space, tag), attributes, children);
const place = (element, attributes) => filled(element, attributes, []);

const still = matchMedia("(prefers-reduced-motion: reduce)");
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const times = (count, make) => Array.from({length: count}, (_, i) => make(i));

// −0.25, never -0.00
function digits(x, after = 2) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x > 0 ? "∞" : "−∞";
  const text = Math.abs(x).toFixed(after);
  return (x < 0 && Number(text) !== 0 ? "−" : "") + text;
}
const superscript = (n) => String(n).replace(/./g, (c) => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]);
function scientific(x, after = 1) {
  if (x === 0) return "0";
  const power = Math.floor(Math.log10(Math.abs(x)));
  return `${digits(x / 10 ** power, after)}·10${superscript(power)}`;
}

// Draws once before the next picture of the screen, however often it is asked to.
function once(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
}

// Calls show(t) with t from 0 to 1, quick at first; at once with 1 where motion is not wanted.
function glide(show, milliseconds = 280) {
  if (still.matches) return show(1);
  const begin = performance.now();
  const next = (now) => {
    const t = clamp((now - begin) / milliseconds, 0, 1);
    show(1 - (1 - t) ** 3);
    if (t < 1) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

let controls = 0;
function slider({label, low, high, step, value, told = digits, changed}) {
  const id = `control${++controls}`, output = html("output", {for: id});
  const input = html("input", {id, type: "range", min: low, max: high, step, value});
  const show = () => {
    output.textContent = told(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => { show(); changed(Number(input.value)); });
  const box = html("div", {class: "slider"}, html("label", {for: id}, label), input, output);
  box.set = (x) => { input.value = x; show(); };
  show();
  return box;
}
function toggle(label, value, changed) {
  const input = html("input", {type: "checkbox", change: () => changed(input.checked)});
  input.checked = value;
  const box = html("label", {class: "toggle"}, input, label);
  box.set = (x) => { input.checked = x; };
  return box;
}
const button = (label, pressed, extra = {}) => html("button", {type: "button", click: pressed, ...extra}, label);
function choice(label, names, value, changed) {
  const name = `control${++controls}`;
  const inputs = names.map((_, i) => html("input", {type: "radio", name, value: i, change: () => changed(i)}));
  const box = html("fieldset", {class: "choice"}, html("legend", {}, label),
    ...inputs.map((input, i) => html("label", {}, input, html("span", {}, names[i]))));
  box.set = (i) => { inputs[i].checked = true; };
  box.set(value);
  return box;
}

// A part of a picture that is moved by hand or by the arrow keys. moved(dx, dy) is told steps in units of the picture.
function movable(element, label, moved) {
  place(element, {tabindex: 0, role: "slider", "aria-label": label});
  element.classList.add("movable");
  const scale = () => {
    const box = element.ownerSVGElement.getBoundingClientRect();
    return element.ownerSVGElement.viewBox.baseVal.width / box.width;
  };
  let last = null;
  element.addEventListener("pointerdown", (event) => {
    last = event;
    element.setPointerCapture(event.pointerId);
    element.focus({preventScroll: true});
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (!last) return;
    moved((event.clientX - last.clientX) * scale(), (event.clientY - last.clientY) * scale());
    last = event;
  });
  for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => { last = null; });
  element.addEventListener("keydown", (event) => {
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!way) return;
    const far = event.shiftKey ? 20 : 4;
    moved(way[0] * far, way[1] * far);
    event.preventDefault();
  });
  return element;
}

// A square of the plane: x and y from `low` to `high`, drawn with a grid, and two functions to its units and back.
function plane({size = 360, low, high, every, label}) {
  const unit = size / (high - low), x = (a) => (a - low) * unit, y = (b) => size - (b - low) * unit;
  const lines = [];
  for (let at = Math.ceil(low / every) * every; at <= high; at += every) {
    const kind = at === 0 ? "axis" : "grid";
    lines.push(svg("line", {class: kind, x1: x(at), x2: x(at), y1: 0, y2: size}),
               svg("line", {class: kind, x1: 0, x2: size, y1: y(at), y2: y(at)}));
  }
  const element =
    svg("svg", {viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": label, class: "plane"}, ...lines);
  return {element, unit, x, y};
}

// An arrow between two points of a picture: a line and its head. One that is too short is not drawn.
function arrow(kind) {
  const line = svg("path", {class: `arrow ${kind}`}), head = svg("path", {class: `head ${kind}`});
  const element = svg("g", {}, line, head);
  element.set = (x1, y1, x2, y2, width = 2.5) => {
    const length = Math.hypot(x2 - x1, y2 - y1), size = Math.min(4 * width, 0.7 * length);
    element.style.display = length < 1.5 ? "none" : "";
    if (length < 1.5) return;
    const [u, v] = [(x2 - x1) / length, (y2 - y1) / length], [bx, by] = [x2 - size * u, y2 - size * v];
    place(line, {d: `M${x1} ${y1}L${bx + 0.2 * size * u} ${by + 0.2 * size * v}`, "stroke-width": width});
    place(head,
      {d: `M${x2} ${y2}L${bx - 0.5 * size * v} ${by + 0.5 * size * u}L${bx + 0.5 * size * v} ${by - 0.5 * size * u}Z`});
  };
  return element;
}

// The last numbers of a row as a small curve, on a logarithmic scale if asked.
function curve({width = 260, height = 70, logarithmic = false, low, high, label}) {
  const path = svg("path", {class: "curve"}), dot = svg("circle", {class: "dot", r: 3.5});
  const element =
    svg("svg", {viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img", "aria-label": label}, path, dot);
  element.set = (numbers) => {
    const shown = numbers.map((one) => logarithmic ? Math.log10(Math.max(one, 1e-12)) : one);
    const least = low ?? Math.min(...shown), most = high ?? Math.max(...shown), range = most - least || 1;
    const points = shown.map((one, i) => [6 + (width - 12) * i / Math.max(1, shown.length - 1),
                                          height - 6 - (height - 12) * (one - least) / range]);
    place(path, {d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("")});
    const [x, y] = points.at(-1) ?? [-9, -9];
    place(dot, {cx: x, cy: y});
  };
  return element;
}

// A cell of a table of weights: the redder, the more.
function shade(cell, weight) {
  cell.style.setProperty("--share", clamp(weight, 0, 1).toFixed(3));
  cell.classList.toggle("deep", weight > 0.55);
}

// The three parts of a colour of the palette, each from 0 to 255.
function colour(name) {
  const pen = html("canvas").getContext("2d");
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  pen.fillRect(0, 0, 1, 1);
  return pen.getImageData(0, 0, 1, 1).data;
}

// The state of a figure in the address: #birds&masked=0&t=2. Numbers are kept to as many digits as a hand can set.
const address = {
  read() {
    const plain = (text) => {
      try {
        return decodeURIComponent(text);
      } catch {
        return text;  // a % that somebody typed into the address
      }
    };
    const [name, ...pairs] = location.hash.slice(1).split("&");
    return {
      name: plain(name),
      values: Object.fromEntries(pairs.map((pair) => [pair.split("=")[0], plain(pair.slice(pair.indexOf("=") + 1))]))
    };
  },
  write(name, values) {
    const pairs = Object.entries(values).map(([key, value]) => `&${key}=${encodeURIComponent(value)}`);
    clearTimeout(this.later);
    this.later = setTimeout(() => history.replaceState(null, "", `#${name}${pairs.join("")}`), 150);
  },
  numbers(text, count) {
    const list = (text ?? "").split(",").map(Number);
    return list.length === count && list.every(Number.isFinite) ? list : null;
  },
};

// A figure: its name, and what builds it. build(box, library, values) fills the box, and returns nothing or {hide}.
const figures = [];
