// One query's row beside the view: a bar and a number for each key, and the gradient of its weight.

const rowView = {
  line: 23,
  height(attention) { return 30 + this.line * attention.keys + 8; },
  hit(attention, y) {
    const key = Math.floor((y - 30) / this.line);
    return key >= 0 && key < attention.keys ? key : undefined;
  },
  draw(pen, attention, width) {
    const colours = theme(), {query, key} = pair(), row = rowOf(attention, state.head, query);
    const sink = state.sink ? sinkOf(attention).key : -1;
    const label = Math.min(110, width * 0.25), slopes = row.gradients ? Math.min(124, width * 0.3) : 0;
    const numbers = row.exact ? 92 : 128, bars = Math.max(20, width - label - numbers - slopes - 30);
    let largest = 1e-30, steepest = 1e-30;
    row.weights.forEach((weight, j) => {
      if (j !== sink) largest = Math.max(largest, Math.abs(weight));
    });
    row.gradients?.forEach((slope) => {
      steepest = Math.max(steepest, Math.abs(slope));
    });
    const heading = {colour: colours.soft, size: 12};
    pen.text("key", label, 16, {...heading, align: "right"});
    pen.text("weight", label + 12 + bars, 16, heading);
    if (slopes) pen.text("∂loss/∂weight", width - 8, 16, {...heading, align: "right", most: slopes + 20});
    for (let j = 0; j < attention.keys; ++j) {
      const y = 30 + (j + 0.5) * this.line;
      if (!pen.inSight(y - this.line, 2 * this.line)) continue;
      if (j === key) pen.rect(0, y - this.line / 2, width, this.line, colours.mark);
      const colour = j === sink || !isSeen(attention, state.head, query, j) ? colours.soft : colours.ink;
      drawToken(pen, keyTokens(attention), j, label, y, this.line - 4,
          {colour, size: 13, align: "right", most: label - 8, bold: j === key});
      if (j !== sink)
        pen.rect(label + 8, y - 7, bars * Math.abs(row.weights[j]) / largest, 14, headColour(state.head), 0.85);
      pen.text(shownWeight(row, j), label + 12 + bars, y, {colour, size: 12, most: numbers});
      if (slopes) this.slope(pen, row.gradients[j], width - slopes, slopes, y, steepest, colours);
    }
  },
  slope(pen, slope, x, room, y, steepest, colours) {
    const share = Math.abs(slope) / steepest;
    pen.rect(x, y - 7, (room - 78) * share, 14, slope < 0 ? "#3b7dd8" : "#e0812b", 0.75);
    pen.text(shown(slope, 3), x + room - 8, y, {colour: colours.ink, size: 12, align: "right"});
  },
  // The picture whose patches the keys are; a patch is the redder the more weight it gets.
  picture(attention) {
    const list = keyTokens(attention), picture = list.picture;
    if (!picture) return null;
    const {width, height, rows, columns, first} = picture, pixels = bytes(picture.pixels);
    const row = rowOf(attention, state.head, pair().query);
    const weights = Array.from({length: rows * columns}, (_, patch) => Math.abs(row.weights[first + patch] ?? 0));
    const largest = Math.max(...weights, 1e-30);
    return painted(width, height, (to, at, x, y) => {
      const grey = 0.85 * pixels[y * width + x];
      const share = weights[Math.floor(y * rows / height) * columns + Math.floor(x * columns / width)] / largest;
      to[at] = grey + (235 - grey) * 0.75 * share;
      to[at + 1] = to[at + 2] = grey * (1 - 0.6 * share);
      to[at + 3] = 255;
    });
  },
};
