// All heads of all layers as small matrices: a row for each query, a column for each key.

// A matrix as a picture of at most 96 cells a side: a cell shows the largest weight in it. All have one scale, from 0
// to 1, by the square root, so that 0.05 is seen.
const matrices = new Map();
function matrixOf(attention, h) {
  const most = 96, name = `${recording.attentions.indexOf(attention)} ${h}`;
  if (matrices.has(name)) return matrices.get(name);
  const head = attention.heads[h], weights = bytes(head.weights), scales = floats(head.scales);
  const width = Math.min(attention.keys, most), height = Math.min(attention.queries, most);
  const cells = new Float64Array(width * height);
  const columns = Int32Array.from({length: attention.keys}, (_, j) => Math.floor(j * width / attention.keys));
  for (let i = 0; i < attention.queries; ++i) {
    const first = Math.floor(i * height / attention.queries) * width, scale = scales[i];
    for (let j = 0; j < attention.keys; ++j) {
      const at = first + columns[j], weight = Math.abs(unpacked(weights[i * attention.keys + j], scale));
      if (weight > cells[at]) cells[at] = weight;
    }
  }
  const [red, green, blue] = rgb(headColour(h));
  const made = painted(width, height, (pixels, at, x, y) => {
    pixels[at] = red;
    pixels[at + 1] = green;
    pixels[at + 2] = blue;
    pixels[at + 3] = 255 * Math.sqrt(Math.min(1, cells[y * width + x]));
  });
  if (matrices.size > 600) matrices.clear();
  matrices.set(name, made);
  return made;
}
function rgb(colour) {
  measuring.fillStyle = colour;
  const hex = measuring.fillStyle;
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

const modelView = {
  places(width) {
    const margin = 14, gap = 9, caption = 26, list = [];
    let y = margin;
    recording.layers.forEach((name, layer) => {
      const attention = attentionAt(state.step, layer), heads = attention.heads.length;
      const side = Math.max(26, Math.min(160, (width - 2 * margin - gap * (heads - 1)) / Math.min(heads, 12)));
      const across = Math.max(1, Math.floor((width - 2 * margin + gap) / (side + gap)));
      list.push({layer, name, y: y + 10});
      y += caption;
      for (let h = 0; h < heads; ++h) {
        const column = h % across, row = Math.floor(h / across);
        list.push({layer, head: h, attention, side, x: margin + column * (side + gap), y: y + row * (side + gap)});
      }
      y += Math.ceil(heads / across) * (side + gap) + 12;
    });
    return {list, height: y};
  },
  height(attention, width) { return this.places(width).height; },
  hit(attention, width, x, y) {
    const found = this.places(width).list.find(
        (one) => one.side && x >= one.x && x < one.x + one.side && y >= one.y && y < one.y + one.side);
    return found ? {layer: found.layer, head: found.head} : {};
  },
  draw(pen, attention, width) {
    for (const one of this.places(width).list) {
      if (!one.side) {
        pen.text(one.name, 14, one.y, {colour: colours.soft, size: 13, most: width - 28});
        continue;
      }
      if (!pen.inSight(one.y, one.side)) continue;
      pen.rect(one.x, one.y, one.side, one.side, colours.mark, 0.5);
      pen.image(matrixOf(one.attention, one.head), one.x, one.y, one.side, one.side);
      pen.frame(one.x, one.y, one.side, one.side, colours.line);
      const chosen = one.layer === state.layer && one.head === state.head;
      const under = one.layer === pointed.layer && one.head === pointed.head;
      if (chosen || under)
        pen.frame(one.x - 2, one.y - 2, one.side + 4, one.side + 4, under ? colours.accent : colours.ink, 2);
    }
  },
};
