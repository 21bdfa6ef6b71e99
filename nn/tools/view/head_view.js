// Two columns of tokens, queries on the left and keys on the right, and lines between them: the stronger, the more
// weight.

const patches = new Map();
// A token that is a patch of a picture, as a small picture; null for one that is a word.
function patchOf(list, index) {
  const picture = list.picture;
  if (!picture) return null;
  const patch = index - picture.first, {rows, columns, width, height} = picture;
  if (patch < 0 || patch >= rows * columns) return null;
  const name = `${recording.lists.indexOf(list)} ${index}`;
  if (!patches.has(name)) {
    const w = width / columns, h = height / rows, pixels = bytes(picture.pixels);
    const x0 = patch % columns * w, y0 = Math.floor(patch / columns) * h;
    patches.set(name, painted(w, h, (to, at, x, y) => {
      to[at] = to[at + 1] = to[at + 2] = 255 - pixels[Math.floor(y0 + y) * width + Math.floor(x0 + x)];
      to[at + 3] = 255;
    }));
  }
  return patches.get(name);
}
function drawToken(pen, list, index, x, y, size, options) {
  const patch = patchOf(list, index);
  if (!patch) return pen.text(visible(list.tokens[index]), x, y, options);
  const left = options.align === "end" ? x - size : x;
  pen.image(patch, left, y - size / 2, size, size);
  pen.frame(left, y - size / 2, size, size, options.colour, 0.5);
}
// Few tokens may take more room.
function rowHeight(list, count) { return count <= 14 ? 36 : list.picture || count <= 24 ? 30 : 23; }

const headView = {
  geometry(attention, width) {
    const shift =
        attention.queryList === attention.keyList ? attention.offset : 0;  // a query stands beside its own key
    const rows = Math.max(attention.queries + shift, attention.keys);
    const height = Math.max(rowHeight(queryTokens(attention), rows), rowHeight(keyTokens(attention), rows));
    // Where queries and keys are different texts, few of them are spread over as much of the others as is in sight.
    const apart = attention.queryList !== attention.keyList;
    const all = Math.min(height * rows, Math.max(element("stage").clientHeight - 52, height));
    const step = (count) => apart ? Math.max(height, all / count) : height;
    const queryStep = step(attention.queries), keyStep = step(attention.keys);
    const label = Math.min(170, width * 0.27), bars = Math.min(64, width * 0.13);
    const left = label + 10, right = width - label - bars - 10;
    return {height, queryStep, keyStep, pad: 40, label, left, right, bars, shift};
  },
  height(attention, width) {
    const {height, pad, shift} = this.geometry(attention, width);
    return pad + 12 + height * Math.max(attention.queries + shift, attention.keys);
  },
  queryAt(g, query) { return g.pad + (query + g.shift + 0.5) * g.queryStep; },
  keyAt(g, key) { return g.pad + (key + 0.5) * g.keyStep; },
  hit(attention, width, x, y) {
    const {queryStep, keyStep, pad, shift} = this.geometry(attention, width);
    if (y < pad) return {};
    const query = Math.floor((y - pad) / queryStep) - shift, key = Math.floor((y - pad) / keyStep);
    if (x < width / 2) return query >= 0 && query < attention.queries ? {query} : {};
    return key < attention.keys ? {key} : {};
  },
  draw(pen, attention, width) {
    const g = this.geometry(attention, width);
    const query = state.query ?? pointed.query, key = query == null ? state.key ?? pointed.key : undefined;
    pen.text("looks", g.label, 20, {colour: colours.soft, size: 13, align: "end"});
    pen.text("at", width - g.label, 20, {colour: colours.soft, size: 13});
    const on = [...state.active].sort((a, b) => a - b), held = query != null, all = !held && key === undefined;
    const least = all && attention.keys > 60 ? 0.08 : 0.01;  // fainter lines are left out
    for (const h of on) {
      const beside =
          (on.indexOf(h) - (on.length - 1) / 2) * Math.min(2.6, 0.6 * g.height / on.length);  // lines of heads
      const weights = bytes(attention.heads[h].weights), scales = floats(attention.heads[h].scales),
            colour = headColour(h);
      for (let i = held ? query : 0; i <= (held ? query : attention.queries - 1); ++i) {
        const y0 = this.queryAt(g, i), first = i * attention.keys;
        if (all && !pen.inSight(y0 - g.height, 2 * g.height)) continue;
        const scale = scales[i];
        for (let j = key ?? 0; j < (key === undefined ? attention.keys : key + 1); ++j) {
          const weight = Math.min(1, Math.abs(unpacked(weights[first + j], scale)));
          if (weight < least) continue;
          const y1 = this.keyAt(g, j), strength = Math.sqrt(weight);  // as in all pictures: so that 0.05 is seen
          pen.line(
              g.left, y0 + beside, g.right, y1 + beside, colour, 0.7 + 2.3 * weight, (all ? 0.75 : 1) * strength);
          if (held) this.bar(pen, g, on, h, width, y1, weight);
        }
      }
    }
    this.tokens(pen, attention, width, g, query, key);
  },
  // Beside a key, for each head that is on, how much of its weight the key gets.
  bar(pen, g, on, h, width, y, weight) {
    if (!pen.inSight(y - g.height, 2 * g.height)) return;
    const each = g.bars / on.length;
    pen.rect(width - g.label - g.bars - 4 + on.indexOf(h) * each, y - g.height / 2 + 2, each - 1, g.height - 4,
        headColour(h), Math.sqrt(weight));
  },
  tokens(pen, attention, width, g, query, key) {
    for (let i = 0; i < attention.queries; ++i) {
      const y = this.queryAt(g, i), chosen = i === query;
      if (!pen.inSight(y - g.height, 2 * g.height)) continue;
      if (chosen) pen.rect(2, y - g.height / 2, g.label + 4, g.height, colours.mark);
      drawToken(pen, queryTokens(attention), attention.offset + i, g.label, y, Math.min(30, g.height - 4),
          {colour: colours.ink, align: "end", bold: chosen, most: g.label - 12});
    }
    for (let j = 0; j < attention.keys; ++j) {
      const y = this.keyAt(g, j), chosen = j === key || j === state.key;
      if (!pen.inSight(y - g.height, 2 * g.height)) continue;
      if (chosen) pen.rect(width - g.label - 4, y - g.height / 2, g.label, g.height, colours.mark);
      drawToken(pen, keyTokens(attention), j, width - g.label, y, Math.min(30, g.height - 4),
          {colour: colours.ink, bold: chosen, most: g.label - 12});
    }
  },
};
