// Views draw with a pen, which fills the SVG of a stage with what is in sight.

const palette =
    ["#2f74d0", "#e0702b", "#2e9e5b", "#cc3f55", "#8a5cc9", "#9a6b4a", "#d45fa5", "#6f7d8c", "#a89a22", "#21a3b5"];
function headColour(h) { return h < palette.length ? palette[h] : `hsl(${(h * 137.5) % 360} 55% 50%)`; }

// Those of style.css, by day or by night.
const colours = Object.fromEntries(
    ["ink", "soft", "line", "mark", "accent", "below", "above"].map((name) => [name, `var(--${name})`]));

const fontFamily = "system-ui, -apple-system, \"Segoe UI\", sans-serif";
const measuring = document.createElement("canvas").getContext("2d");

// As much of the words as has room, with an ellipsis in place of the rest.
function fitted(words, most, font) {
  measuring.font = font;
  if (most === Infinity || measuring.measureText(words).width <= most) return words;
  const letters = [...words];
  while (letters.length > 1 && measuring.measureText(`${letters.join("")}…`).width > most) letters.pop();
  return `${letters.join("")}…`;
}

class Pen {
  constructor(stage, height) {
    this.svg = stage.querySelector("svg");
    this.svg.replaceChildren();
    this.svg.setAttribute("width", stage.clientWidth);
    this.svg.setAttribute("height", Math.max(height, stage.clientHeight));
    this.top = stage.scrollTop;
    this.room = stage.clientHeight;
  }
  inSight(y, height) { return y + height > this.top && y < this.top + this.room; }
  add(name, attributes, words = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes))
      element.setAttribute(key, typeof value === "number" ? +value.toFixed(3) : value);
    element.textContent = words;
    this.svg.append(element);
  }
  line(x1, y1, x2, y2, stroke, width, opacity) {
    this.add("line", {x1, y1, x2, y2, stroke, "stroke-width": width, opacity});
  }
  rect(x, y, width, height, fill, opacity = 1) { this.add("rect", {x, y, width, height, fill, opacity}); }
  frame(x, y, width, height, stroke, thickness = 1) {
    this.add("rect", {x, y, width, height, fill: "none", stroke, "stroke-width": thickness});
  }
  text(words, x, y, {colour, size = 14, align = "start", bold = false, most = Infinity}) {
    const weight = bold ? 600 : 400;
    const attributes = {x, y, fill: colour, "font-size": size, "font-weight": weight, "text-anchor": align};
    this.add("text", attributes, fitted(words, most, `${weight} ${size}px ${fontFamily}`));
  }
  image(href, x, y, width, height) { this.add("image", {href, x, y, width, height}); }
}

// A small picture, as an address: paint(pixels, at, x, y) sets red, green, blue and alpha of a pixel, from pixels[at]
// on.
function painted(width, height, paint) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  const context = canvas.getContext("2d"), data = context.createImageData(canvas.width, canvas.height);
  for (let y = 0; y < canvas.height; ++y)
    for (let x = 0; x < canvas.width; ++x) paint(data.data, 4 * (y * canvas.width + x), x, y);
  context.putImageData(data, 0, 0);
  return canvas.toDataURL();
}
