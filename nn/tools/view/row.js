// One query's row beside the view: a bar and a number for each key, and the gradient of its weight.

const rowView = {
  line: 23,
  height(attention) { return 30 + this.line * attention.keys + 8; },
  hit(attention, y) {
    const key = Math.floor((y - 30) / this.line);
    return key >= 0 && key < attention.keys ? key : undefined;
  },
  draw(pen, attention, width) {
    const {query, key} = pair(), row = rowOf(attention, state.head, query);
    const label = Math.min(110, width * 0.25), slopes = row.gradients ? Math.min(124, width * 0.3) : 0;
    const numbers = row.exact ? 92 : 128, bars = Math.max(20, width - label - numbers - slopes - 30);
    const steepest = (row.gradients ?? []).reduce((most, slope) => Math.max(most, Math.abs(slope)), 1e-30);
    const heading = {colour: colours.soft, size: 12};
    pen.text("key", label, 16, {...heading, align: "end"});
    pen.text("weight", label + 12 + bars, 16, heading);
    if (slopes) pen.text("∂loss/∂weight", width - 8, 16, {...heading, align: "end", most: slopes + 20});
    for (let j = 0; j < attention.keys; ++j) {
      const y = 30 + (j + 0.5) * this.line;
      if (!pen.inSight(y - this.line, 2 * this.line)) continue;
      if (j === key) pen.rect(0, y - this.line / 2, width, this.line, colours.mark);
      const colour = !isSeen(attention, state.head, query, j) ? colours.soft : colours.ink;
      drawToken(pen, keyTokens(attention), j, label, y, this.line - 4,
          {colour, size: 13, align: "end", most: label - 8, bold: j === key});
      pen.rect(label + 8, y - 7, bars, 14, colours.line, 0.35);  // a full bar is a weight of 1, in every row
      pen.rect(label + 8, y - 7, bars * Math.min(1, Math.abs(row.weights[j])), 14, headColour(state.head), 0.85);
      pen.text(shownWeight(row, j), label + 12 + bars, y, {colour, size: 12, most: numbers});
      if (slopes) this.slope(pen, row.gradients[j], width - slopes, slopes, y, steepest);
    }
  },
  // To the left of the middle where a larger weight would make the loss smaller.
  slope(pen, slope, x, room, y, steepest) {
    const half = (room - 78) / 2, length = half * Math.abs(slope) / steepest;
    pen.rect(x + half - 0.5, y - 9, 1, 18, colours.line);
    pen.rect(slope < 0 ? x + half - length : x + half, y - 7, length, 14, slope < 0 ? colours.below : colours.above);
    pen.text(shown(slope, 3), x + room - 8, y, {colour: colours.ink, size: 12, align: "end"});
  },
  // The picture whose patches the keys are, dark on light; a patch is the redder the more weight it gets, from 0 to 1.
  picture(attention) {
    const list = keyTokens(attention), picture = list.picture;
    if (!picture) return null;
    const {width, height, rows, columns, first} = picture, pixels = bytes(picture.pixels);
    const row = rowOf(attention, state.head, pair().query);
    const weights = Array.from({length: rows * columns}, (_, patch) => Math.abs(row.weights[first + patch] ?? 0));
    return painted(width, height, (to, at, x, y) => {
      const grey = 255 - 0.75 * pixels[y * width + x];
      const weight = weights[Math.floor(y * rows / height) * columns + Math.floor(x * columns / width)];
      const share = 0.9 * Math.sqrt(Math.min(1, weight));
      to[at] = grey + (203 - grey) * share;
      to[at + 1] = to[at + 2] = grey + (24 - grey) * share;
      to[at + 3] = 255;
    });
  },
};
