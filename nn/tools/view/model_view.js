// All heads of all layers as small matrices: a row for each query, a column for each key. One of them can be enlarged.

// A matrix as a picture of at most `most` cells a side: a cell shows the largest weight in it. All have one scale, from
// 0 to 1, by the square root, so that 0.05 is seen.
const matrices = new Map();
function matrixOf(attention, h, most) {
  const name = `${recording.attentions.indexOf(attention)} ${h} ${most}`;
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
function drawMatrix(pen, attention, h, x, y, width, height, most) {
  pen.rect(x, y, width, height, colours.mark, 0.5);
  pen.image(matrixOf(attention, h, most), x, y, width, height);
  pen.frame(x, y, width, height, colours.line);
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
  height(attention, width) {
    if (!state.big) return this.places(width).height;
    const g = this.large(attention, width);
    return g.top + g.cellHeight * attention.queries + 14;
  },
  large(attention, width) {
    const label = Math.min(120, width * 0.22),
          top = keyTokens(attention).picture ? 78 :
        attention.keys <= 60                 ? 112 :
                                               46;
    const cellWidth = Math.min(56, (width - label - 20) / attention.keys);
    const room = (element("stage").clientHeight - top - 14) / attention.queries;  // where it can be seen as a whole
    const least = attention.queries <= 100 ? 13 : 2;
    return {label, cellWidth, cellHeight: Math.max(least, Math.min(cellWidth, room)), top};
  },
  hit(attention, width, x, y) {
    if (!state.big) {
      const found = this.places(width).list.find(
          (one) => one.side && x >= one.x && x < one.x + one.side && y >= one.y && y < one.y + one.side);
      return found ? {layer: found.layer, head: found.head} : {};
    }
    const g = this.large(attention, width);
    const key = Math.floor((x - g.label) / g.cellWidth), query = Math.floor((y - g.top) / g.cellHeight);
    const inside = key >= 0 && key < attention.keys && query >= 0 && query < attention.queries;
    return inside ? {query, key} : {};
  },
  draw(pen, attention, width) {
    if (state.big) return this.drawLarge(pen, attention, width);
    for (const one of this.places(width).list) {
      if (!one.side) {
        pen.text(one.name, 14, one.y, {colour: colours.soft, size: 13, most: width - 28});
        continue;
      }
      if (!pen.inSight(one.y, one.side)) continue;
      drawMatrix(pen, one.attention, one.head, one.x, one.y, one.side, one.side, 96);
      const chosen = one.layer === state.layer && one.head === state.head;
      const under = one.layer === pointed.layer && one.head === pointed.head;
      if (chosen || under)
        pen.frame(one.x - 2, one.y - 2, one.side + 4, one.side + 4, under ? colours.accent : colours.ink, 2);
    }
  },
  drawLarge(pen, attention, width) {
    const g = this.large(attention, width), {query, key} = pair();
    pen.text(`head ${state.head + 1} of ${recording.layers[state.layer]}`, 14, 20,
        {colour: colours.ink, bold: true, most: width - 28});
    drawMatrix(pen, attention, state.head, g.label, g.top, g.cellWidth * attention.keys,
        g.cellHeight * attention.queries, 1024);
    for (let i = 0; i < attention.queries && g.cellHeight >= 12; ++i)
      if (pen.inSight(g.top + i * g.cellHeight, g.cellHeight))
        drawToken(pen, queryTokens(attention), attention.offset + i, g.label - 6, g.top + (i + 0.5) * g.cellHeight,
            Math.min(g.cellHeight - 3, 28),
            {colour: i === query ? colours.accent : colours.ink, size: 13, align: "end", most: g.label - 12});
    const upright = g.cellWidth >= 26;
    for (let j = 0; j < attention.keys && g.cellWidth >= 9; ++j)
      this.keyAbove(
          pen, attention, j, g.label + (j + 0.5) * g.cellWidth, g, upright, j === key ? colours.accent : colours.ink);
    pen.frame(g.label + key * g.cellWidth, g.top + query * g.cellHeight, g.cellWidth, g.cellHeight, colours.ink, 1.5);
  },
  keyAbove(pen, attention, j, x, g, upright, colour) {
    const list = keyTokens(attention);
    if (upright || patchOf(list, j))
      return drawToken(pen, list, j, patchOf(list, j) ? x - Math.min(g.cellWidth - 3, 28) / 2 : x, g.top - 16,
          Math.min(g.cellWidth - 3, 28),
          {colour, size: 13, align: patchOf(list, j) ? "start" : "middle", most: g.cellWidth - 2});
    const words = [...visible(list.tokens[j])].slice(0, 5);  // one letter below the other
    words.forEach((letter, at) => pen.text(
                      letter, x, g.top - 9 - 13 * (words.length - 1 - at), {colour, size: 12, align: "middle"}));
  },
};
