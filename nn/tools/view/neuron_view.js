// How one weight is computed: the score's formula with the numbers of this pair, feature by feature, then softmax.

const formulas = {
  dot: {words: "score = c · Σ q·k", term: "q·k", sum: "Σ q·k", times: "c"},
  additive: {words: "score = Σ w · tanh(q + k)", term: "w·tanh", sum: "Σ w·tanh(q + k)", times: null},
  gaussian: {words: "score = −c · Σ (q − k)²", term: "(q − k)²", sum: "Σ (q − k)²", times: "−c"},
};

const neuronView = {
  cells(attention, width) {
    const label = 66, most = attention.features ?? 1, across = Math.max(1, Math.floor((width - label - 20) / 50));
    const numbers = most <= 64;
    const perLine = numbers ? Math.min(most, across) : most;
    return {
      label,
      numbers,
      perLine,
      lines: Math.ceil(most / perLine),
      cell: numbers ? Math.min(62, (width - label - 20) / perLine) : (width - label - 20) / most
    };
  },
  stripes(attention) { return attention.formula === "additive" ? 4 : 3; },
  height(attention, width) {
    if (!hasFormula(attention)) return 330;
    const {lines} = this.cells(attention, width);
    return 84 + lines * (this.stripes(attention) * 25 + 16) + (this.narrow(width) ? 298 : 232);
  },
  narrow(width) { return width < 430; },  // where half a line is a line
  hit() { return {}; },
  draw(pen, attention, width) {
    const {query, key} = pair(), row = rowOf(attention, state.head, query);
    const write = (words, y, options = {}) =>
        pen.text(words, 18, y, {colour: colours.ink, most: width - 30, ...options});
    this.pairLine(pen, attention, query, key, width);
    if (!isSeen(attention, state.head, query, key)) {
      write("This key is hidden from the query, or its weight is too small for a number of 32 bits: it is 0.", 68);
      return;
    }
    if (!row.exact) {
      write("The page knows no formula for this score, so what was recorded is all there is:", 68,
          {colour: colours.soft});
      write(`weight  ${shownWeight(row, key)}`, 98, {size: 17, bold: true});
      this.slope(write, row, key, 128);
      return;
    }
    const formula = formulas[attention.formula], found = termsOf(attention, state.head, query, key);
    write(formula.words, 60, {size: 16, bold: true});
    let y = this.drawTerms(pen, attention, found, width, formula, 84) + 14;
    const sum = `${formula.sum} = ${shown(found.sum, 6)}`;
    const halves = (first, second, options) => {
      if (this.narrow(width)) {
        write(first.trimEnd(), y, options);
        write(second, y += 22, options);
      } else {
        write(first + second, y, options);
      }
    };
    halves(`${sum}     `, formula.times ? `${formula.times} = ${shown(found.times, 6)}` : "");
    write(`score = ${shown(found.score, 6)}`, y += 27, {bold: true});
    y += 34;
    halves("softmax over what it sees; ", `the largest score is ${shown(row.largest, 6)}:`,
        {colour: colours.soft, size: 13});
    const top = Math.exp(found.score - row.largest);
    y += 25;
    halves(`e^(${shown(found.score, 5)} − ${shown(row.largest, 5)}) = ${shown(top, 6)}     `,
        `Σ of all = ${shown(row.total, 6)}`);
    write(`weight = ${shown(top, 6)} / ${shown(row.total, 6)} = ${shownWeight(row, key)}`, y += 29,
        {size: this.narrow(width) ? 14 : 17, bold: true});
    this.slope(write, row, key, y + 30);
  },
  slope(write, row, key, y) {
    if (row.gradients) write(`∂loss/∂weight = ${shown(row.gradients[key])} ± ${shown(row.gradientHalf, 2)}`, y);
  },
  pairLine(pen, attention, query, key, width) {
    const words = (list, at) =>
        patchOf(list, at) ? `patch ${at - list.picture.first + 1}` : `“${visible(list.tokens[at])}”`;
    pen.text(`query ${words(queryTokens(attention), attention.offset + query)}  →  key ${
                 words(keyTokens(attention), key)}   ` +
            `head ${state.head + 1}${this.narrow(width) ? "" : ` of ${recording.layers[state.layer]}`}`,
        18, 26, {colour: colours.soft, size: 14, most: width - 30});
  },
  // A stripe of cells for each of q, k, and what becomes of them. Blue is below 0, red above.
  drawTerms(pen, attention, found, width, formula, top) {
    const g = this.cells(attention, width);
    const stripes = [["q", found.q], ["k", found.k], ...(found.w ? [["w", found.w]] : []), [formula.term, found.terms]];
    const largest = stripes.map(([, numbers]) => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-30));
    let y = top;
    for (let line = 0; line < g.lines; ++line) {
      stripes.forEach(([name, numbers], s) => {
        pen.text(name, g.label - 6, y + 11, {colour: colours.soft, size: 13, align: "end"});
        const end = Math.min(numbers.length, (line + 1) * g.perLine);
        for (let c = line * g.perLine; c < end; ++c) {
          const x = g.label + (c - line * g.perLine) * g.cell;
          pen.rect(x, y, Math.max(g.cell - 1, 0.5), 22, numbers[c] < 0 ? colours.below : colours.above,
              0.75 * Math.abs(numbers[c]) / largest[s]);
          if (g.numbers)
            pen.text(shownIn(7, numbers[c]), x + g.cell / 2, y + 11,
                {colour: colours.ink, size: 11, align: "middle", most: g.cell - 2});
        }
        y += 25;
      });
      y += 16;
    }
    return y;
  },
};
