// Views draw with a pen: one draws on a canvas, the other writes the same as SVG.

const palette =
    ["#2f74d0", "#e0702b", "#2e9e5b", "#cc3f55", "#8a5cc9", "#9a6b4a", "#d45fa5", "#6f7d8c", "#a89a22", "#21a3b5"];
function headColour(h) { return h < palette.length ? palette[h] : `hsl(${(h * 137.5) % 360} 55% 50%)`; }

function theme() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    paper: of("panel"),
    ink: of("ink"),
    soft: of("soft"),
    line: of("line"),
    mark: of("mark"),
    accent: of("accent"),
    below: of("below"),
    above: of("above")
  };
}

const fontFamily = "system-ui, -apple-system, \"Segoe UI\", sans-serif";

class CanvasPen {
  constructor(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    this.context = canvas.getContext("2d");
    this.context.scale(ratio, ratio);
    this.top = 0;
    this.height = height;
  }
  inSight(y, height) { return y + height > this.top && y < this.top + this.height; }
  scrolled(top) {
    this.top = top;
    this.context.translate(0, -top);
  }
  line(x0, y0, x1, y1, colour, width = 1, alpha = 1) {
    const c = this.context;
    c.globalAlpha = alpha;
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
    c.stroke();
    c.globalAlpha = 1;
  }
  rect(x, y, width, height, colour, alpha = 1) {
    this.context.globalAlpha = alpha;
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
    this.context.globalAlpha = 1;
  }
  frame(x, y, width, height, colour, thickness = 1) {
    this.context.strokeStyle = colour;
    this.context.lineWidth = thickness;
    this.context.strokeRect(x, y, width, height);
  }
  text(words, x, y, {colour, size = 14, align = "left", bold = false, most = Infinity}) {
    const c = this.context;
    c.font = `${bold ? "600 " : ""}${size}px ${fontFamily}`;
    c.fillStyle = colour;
    c.textAlign = align;
    c.textBaseline = "middle";
    c.fillText(fitted(c, words, most), x, y);
  }
  image(source, x, y, width, height) {
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(source, x, y, width, height);
  }
}

// As much of the words as has room, with an ellipsis in place of the rest.
function fitted(context, words, most) {
  if (most === Infinity || context.measureText(words).width <= most) return words;
  const letters = [...words];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > most) letters.pop();
  return `${letters.join("")}…`;
}

const measuring = document.createElement("canvas").getContext("2d");

class SvgPen {
  constructor(width, height, background) {
    const space = "http://www.w3.org/2000/svg";
    this.space = space;
    this.root = document.createElementNS(space, "svg");
    for (const [name, value] of Object.entries(
             {width, height, viewBox: `0 0 ${width} ${height}`, "font-family": fontFamily}))
      this.root.setAttribute(name, value);
    this.into = this.root;
    this.rect(0, 0, width, height, background);
  }
  inSight() { return true; }
  scrolled() {}
  add(name, attributes, words) {
    const element = document.createElementNS(this.space, name);
    for (const [key, value] of Object.entries(attributes))
      if (value !== undefined) element.setAttribute(key, typeof value === "number" ? +value.toFixed(3) : value);
    if (words !== undefined) element.textContent = words;
    this.into.append(element);
  }
  moved(x, y, draw) {
    const before = this.into;
    this.into = document.createElementNS(this.space, "g");
    this.into.setAttribute("transform", `translate(${x} ${y})`);
    before.append(this.into);
    draw();
    this.into = before;
  }
  line(x1, y1, x2, y2, stroke, width = 1, alpha = 1) {
    this.add(
        "line", {x1, y1, x2, y2, stroke, "stroke-width": width, "stroke-opacity": alpha === 1 ? undefined : alpha});
  }
  rect(x, y, width, height, fill, alpha = 1) {
    this.add("rect", {x, y, width, height, fill, "fill-opacity": alpha === 1 ? undefined : alpha});
  }
  frame(x, y, width, height, stroke, thickness = 1) {
    this.add("rect", {x, y, width, height, fill: "none", stroke, "stroke-width": thickness});
  }
  text(words, x, y, {colour, size = 14, align = "left", bold = false, most = Infinity}) {
    measuring.font = `${bold ? "600 " : ""}${size}px ${fontFamily}`;
    this.add("text", {
      x,
      y,
      fill: colour,
      "font-size": size,
      "font-weight": bold ? 600 : undefined,
      "text-anchor": {left: "start", right: "end", center: "middle"}[align],
      "dominant-baseline": "central"
    },
        fitted(measuring, words, most));
  }
  image(source, x, y, width, height) {
    this.add("image", {href: source.toDataURL(), x, y, width, height, style: "image-rendering: pixelated"});
  }
  toString() { return new XMLSerializer().serializeToString(this.root); }
}
