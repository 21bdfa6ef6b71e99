// Where everything stands: the layout of picture.cpp and spread.cpp, with the same numbers, for the boxes that are open
// now. Rows, and the order within them, come with the data: they do not depend on what is folded.

const margin = 14, rowGap = 26, titleHeight = 26, portsToFirst = 34, bendWidth = 4, portDistance = 14, gap = 16;
const sweeps = 12;
const child = 0, enters = 1, leaves = 2;  // kinds of items

const textWidth = (words, size) => 0.56 * size * [...words].length;

// Each as near as can be to where it wants to be: spread() of spread.cpp.
function spread(wants, weights, least) {
  const blocks = [], x = [];
  let moved = 0;
  wants.forEach((want, i) => {
    blocks.push({sum: weights[i] * (want - moved), weight: weights[i], end: i + 1});
    const mean = (block) => block.sum / block.weight;
    while (blocks.length > 1 && mean(blocks.at(-2)) > mean(blocks.at(-1))) {
      const last = blocks.pop(), before = blocks.at(-1);
      before.sum += last.sum;
      before.weight += last.weight;
      before.end = last.end;
    }
    if (i + 1 < wants.length) moved += least[i];
  });
  moved = 0;
  for (const block of blocks)
    while (x.length < block.end) {
      if (x.length > 0) moved += least[x.length - 1];
      x.push(block.sum / block.weight + moved);
    }
  return x;
}

function placeItems(open) {
  const {body} = open, given = body.items.length;
  const above = Array.from({length: body.count}, () => []), below = Array.from({length: body.count}, () => []);
  body.ways.forEach((way, i) => {
    for (let k = 0; k + 1 < way.length; ++k) {
      const upper = way[k], lower = way[k + 1], bends = (upper >= given) + (lower >= given);
      const shift = (k === 0 ? open.begins[i] : 0) - (k + 2 === way.length ? open.ends[i] : 0);
      const piece = {upper, lower, shift, weight: [1, 2, 8][bends]};
      above[lower].push(piece);
      below[upper].push(piece);
    }
  });
  const x = new Array(body.count).fill(0);
  const placeRow = (row, up, down) => {
    const wants = [], weights = [], least = [];
    row.forEach((item, i) => {
      let sum = 0, weight = 0;
      const add = (piece, place) => { sum += piece.weight * place; weight += piece.weight; };
      if (up) for (const piece of above[item]) add(piece, x[piece.upper] + piece.shift);
      if (down) for (const piece of below[item]) add(piece, x[piece.lower] - piece.shift);
      wants.push(weight > 0 ? sum / weight : x[item]);
      weights.push(weight > 0 ? weight : 0.1);
      if (i + 1 < row.length) least.push((open.widths[item] + open.widths[row[i + 1]]) / 2 + gap);
    });
    spread(wants, weights, least).forEach((place, i) => { x[row[i]] = place; });
  };
  for (let sweep = 0; sweep < sweeps; ++sweep) {
    const last = sweep + 2 >= sweeps;
    if (sweep % 2 === 0)
      for (const row of body.rows) placeRow(row, true, last);
    else
      for (const row of [...body.rows].reverse()) placeRow(row, last, true);
  }
  return x;
}

// data: {nodes, bodies}. Returns what Picture holds: {width, height, frames, paths, mentions}.
function layOut(data) {
  const {nodes, bodies} = data, opened = new Map();
  const isOpen = (node) => node in bodies && (!nodes[node].folded || nodes[node].times > 1);

  function port(box, kind, from) {
    const open = opened.get(box);
    const item = open.body.items.findIndex(([its, node]) => its === kind && node === from);
    return item < 0 ? 0 : open.x[item] - open.width / 2;
  }
  function endsOf(open) {
    const {body} = open, place = new Array(body.count);
    for (const row of body.rows) row.forEach((item, i) => { place[item] = i; });
    const to = new Map();  // the lines that end in each item, from left to right
    body.ways.forEach((way, i) => {
      if (!to.has(way.at(-1))) to.set(way.at(-1), []);
      to.get(way.at(-1)).push(i);
    });
    open.begins = body.ways.map((way, i) => {
      const [kind, node] = body.items[way[0]] ?? [enters];
      return kind === child && isOpen(node) ? port(node, leaves, body.lines[i][1]) : 0;
    });
    open.ends = [];
    for (const [item, lines] of to) {
      const [kind, node] = body.items[item];
      lines.sort((a, b) => place[body.ways[a].at(-2)] - place[body.ways[b].at(-2)] || a - b);
      const distance = Math.min(portDistance, (open.widths[item] - 16) / lines.length);
      lines.forEach((line, at) => {
        open.ends[line] = kind !== child ? 0 : isOpen(node) ? port(node, enters, body.lines[line][1])
          : (at - (lines.length - 1) / 2) * distance;
      });
    }
  }

  function measure(box) {
    const node = nodes[box], body = node.folded && node.times > 1 ? bodies[box].one : bodies[box].all;
    const open = {body, widths: new Array(body.count).fill(bendWidth), heights: new Array(body.count).fill(0)};
    body.items.forEach(([kind, inside], i) => {
      if (kind !== child) return;
      const {width, height} = isOpen(inside) ? measure(inside) : nodes[inside];
      open.widths[i] = width;
      open.heights[i] = height;
    });
    const mentions = new Set(body.mentions);
    body.ways.forEach((way, i) => {
      if (!mentions.has(way[0])) return;
      open.widths[way[0]] = textWidth(nodes[body.lines[i][1]].name, 11) + 12;
      open.heights[way[0]] = 18;
    });

    open.tops = [];
    open.bottoms = [];
    open.rows = [];
    let y = box === 0 ? margin : titleHeight;
    body.rows.forEach((row, r) => {
      let height = 0;
      for (const item of row) {
        height = Math.max(height, open.heights[item]);
        open.rows[item] = r;
      }
      if (r === 0 && height === 0) y = 0;
      open.tops.push(y);
      open.bottoms.push(y + height);
      y += height + (r === 0 && height === 0 ? portsToFirst : rowGap);
    });
    const lowest = body.items.at(-1);
    open.height = y - rowGap + (lowest && lowest[0] === leaves ? 0 : margin);

    endsOf(open);
    open.x = placeItems(open);
    let left = 0, right = 0;
    open.x.forEach((x, i) => {
      left = Math.min(left, x - open.widths[i] / 2);
      right = Math.max(right, x + open.widths[i] / 2);
    });
    open.width = Math.max(right - left + 2 * margin, node.width);
    const shift = (open.width - (right - left)) / 2 - left;
    open.x = open.x.map((x) => x + shift);
    opened.set(box, open);
    return open;
  }

  const frames = [], paths = [], mentioned = [];
  function put(box, x, y) {
    const open = opened.get(box), {body} = open;
    const topOf = (item) => (open.tops[open.rows[item]] + open.bottoms[open.rows[item]] - open.heights[item]) / 2;
    if (box > 0) frames.push({node: box, x, y, width: open.width, height: open.height, open: true});
    body.items.forEach(([kind, node], i) => {
      if (kind !== child) return;
      const left = x + open.x[i] - open.widths[i] / 2, top = y + topOf(i);
      if (isOpen(node)) put(node, left, top);
      else frames.push({node, x: left, y: top, width: open.widths[i], height: open.heights[i], open: false});
    });
    const mentions = new Set(body.mentions);
    body.ways.forEach((way, i) => {
      const bends = way.map((item, k) => {
        const row = open.rows[item], crosses = item < body.items.length && body.items[item][0] !== child;
        const bend = {x: x + open.x[item], top: y + open.tops[row], bottom: y + open.bottoms[row]};
        if (k === 0) {
          bend.x += open.begins[i];
          bend.top = crosses ? y : y + topOf(item) + open.heights[item];
          if (mentions.has(item))
            mentioned.push({node: body.lines[i][1], x: bend.x, y: y + topOf(item), width: open.widths[item],
                            height: open.heights[item]});
        }
        if (k + 1 === way.length) {
          bend.x += open.ends[i];
          bend.bottom = crosses ? y + open.height : y + topOf(item);
        }
        return bend;
      });
      paths.push({line: body.lines[i][0], bends});
    });
  }

  const {width, height} = measure(0);
  put(0, 0, 0);
  return {width, height, frames, paths, mentions: mentioned};
}
