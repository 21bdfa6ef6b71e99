// Contrast, as the Web Content Accessibility Guidelines define it: 4.5 for words, 3 for lines that say something.
"use strict";

const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const seenColours = new Map();
// Red, green, blue and opacity of a colour, in whatever way a style writes it.
function parts(colour) {
  if (!seenColours.has(colour)) {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = "#0000";
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, opacity] = pen.getImageData(0, 0, 1, 1).data;
    seenColours.set(colour, [red, green, blue, opacity / 255]);
  }
  return seenColours.get(colour);
}
const over = (front, back, opacity = front[3]) =>
  back.map((x, i) => i < 3 ? opacity * front[i] + (1 - opacity) * x : 1);
function light(colour) {
  const [red, green, blue] = colour.map((x) => x <= 10.3 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one, other) {
  const [more, less] = [light(one), light(other)].sort((a, b) => b - a);
  return (more + 0.05) / (less + 0.05);
}

// What says something by its shape: of which property its colour is.
const drawn = {
  "path.arrow, .learned, .truth, .ceiling, .mixing, .wire, .cursor, .error, .axis, .needles line": "stroke",
  ".knob, .bead, .point, path.head": "fill",
  ".bar i, .column b": "backgroundColor",
  ".bar u, textarea, input.formula, .digits input, .chain .bad": "borderTopColor",
};
// What of a page, or a part of it, is too faint, by its class.
function tooFaint(window, main) {
  const faint = [], style = (element) => window.getComputedStyle(element);
  // The ground below an element, and how much of it shines through.
  const ground = (element) => {
    const above = [];
    for (let one = element; one; one = one.parentElement ?? one.getRootNode().host) above.unshift(one);
    let colour = [255, 255, 255, 1], opacity = 1;
    for (const one of above) {
      opacity *= Number(style(one).opacity);
      if (!one.matches("svg *")) colour = over(parts(style(one).backgroundColor), colour);
    }
    return {colour, opacity};
  };
  const look = (element, property, least, own) => {
    if (element.closest(":disabled, .off, .stale") || element.getClientRects().length === 0) return;
    const {colour, opacity} = ground(own ? element.parentElement : element);
    const front = parts(style(element)[property]), through = own ? Number(style(element).opacity) : 1;
    const found = contrast(over(front, colour, front[3] * opacity * through), colour);
    const name = element.getAttribute("class") ?? element.tagName;
    if (found < least) faint.push(`${name} ${property} ${found.toFixed(2)}`);
  };
  for (const element of main.querySelectorAll("*")) {
    const says = [...element.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
    if (says) look(element, element.matches("svg *") ? "fill" : "color", 4.5, false);
  }
  for (const [selector, property] of Object.entries(drawn))
    for (const element of main.querySelectorAll(selector)) look(element, property, 3, true);
  return [...new Set(faint)];
}
