// What was recorded: bytes of base64 become numbers when they are first asked for.

const recording = JSON.parse(document.getElementById("recording").textContent);

const decoded = new Map();
function bytes(blob) {
  if (!decoded.has(blob)) {
    const text = atob(document.getElementById(`b${blob}`).textContent);
    decoded.set(blob, Uint8Array.from(text, (character) => character.charCodeAt(0)));
  }
  return decoded.get(blob);
}
const floatViews = new Map();
function floats(blob) {
  if (!floatViews.has(blob)) floatViews.set(blob, new Float32Array(bytes(blob).buffer));
  return floatViews.get(blob);
}

// Of a layer at a step: what was recorded then, or last before. In decoding an encoder runs only once.
function attentionAt(step, layer) {
  let best = null;
  for (const one of recording.attentions)
    if (one.layer === layer && one.step <= step && (!best || one.step >= best.step)) best = one;
  return best ?? recording.attentions.find((one) => one.layer === layer);
}
function queryTokens(attention) { return recording.lists[attention.queryList]; }
function keyTokens(attention) { return recording.lists[attention.keyList]; }
function queryName(attention, i) { return queryTokens(attention).tokens[attention.offset + i]; }
function keyName(attention, j) { return keyTokens(attention).tokens[j]; }

// A scale above 0: byte/255 of it. Below 0 numbers have signs: (byte − 128)/127 of it.
function unpacked(byte, scale) { return scale < 0 ? (byte - 128) / 127 * -scale : byte / 255 * scale; }
function halfStep(scale) { return scale < 0 ? -scale / 254 : scale / 510; }

function weightAt(attention, h, i, j) {
  const head = attention.heads[h];
  return unpacked(bytes(head.weights)[i * attention.keys + j], floats(head.scales)[i]);
}
function isSeen(attention, h, i, j) {
  const seen = attention.heads[h].seen;
  if (seen === undefined) return true;
  const at = i * attention.keys + j;
  return (bytes(seen)[at >> 3] >> (at & 7) & 1) === 1;
}
function hasFormula(attention) { return attention.features !== undefined; }

// The terms of one pair's score, and their sum.
function termsOf(attention, h, i, j) {
  const {features, formula, factor} = attention, head = attention.heads[h];
  const q = floats(head.q).subarray(i * features, (i + 1) * features);
  const k = floats(head.k).subarray(j * features, (j + 1) * features);
  const w = attention.w === undefined ? null : floats(attention.w);
  const terms = new Float64Array(features);
  let sum = 0;
  for (let c = 0; c < features; ++c) {
    if (formula === "dot")
      terms[c] = q[c] * k[c];
    else if (formula === "additive")
      terms[c] = w[c] * Math.tanh(q[c] + k[c]);
    else
      terms[c] = (q[c] - k[c]) * (q[c] - k[c]);
    sum += terms[c];
  }
  const width = formula !== "gaussian" || !w ? 1 : w.length === 1 ? w[0] : w[j];
  const times = formula === "dot" ? factor : formula === "additive" ? 1 : -factor * width * width;
  return {q, k, w: formula === "additive" ? w : null, terms, sum, times, score: times * sum};
}

// One row: all keys of a query. With q and k its weights are computed anew, else they are what the bytes say.
let lastRow = null;
function rowOf(attention, h, i) {
  if (lastRow && lastRow.attention === attention && lastRow.h === h && lastRow.i === i) return lastRow;
  const head = attention.heads[h], n = attention.keys, scale = floats(head.scales)[i];
  const row = {
    attention,
    h,
    i,
    exact: hasFormula(attention),
    half: halfStep(scale),
    weights: new Float64Array(n),
    scores: null,
    largest: -Infinity,
    total: 0,
    gradients: null,
    gradientHalf: 0
  };
  if (row.exact) {
    row.scores = new Float64Array(n).fill(-Infinity);
    for (let j = 0; j < n; ++j) {
      if (!isSeen(attention, h, i, j)) continue;
      row.scores[j] = termsOf(attention, h, i, j).score;
      row.largest = Math.max(row.largest, row.scores[j]);
    }
    for (let j = 0; j < n; ++j)
      row.total += row.weights[j] = row.scores[j] === -Infinity ? 0 : Math.exp(row.scores[j] - row.largest);
    if (row.total > 0)
      for (let j = 0; j < n; ++j) row.weights[j] /= row.total;
  } else {
    for (let j = 0; j < n; ++j) row.weights[j] = weightAt(attention, h, i, j);
  }
  if (head.gradients !== undefined) {
    const steps = bytes(head.gradients), gradientScale = floats(head.gradientScales)[i];
    row.gradients = new Float64Array(n);
    for (let j = 0; j < n; ++j) row.gradients[j] = unpacked(steps[i * n + j], gradientScale);
    row.gradientHalf = halfStep(gradientScale);
  }
  return lastRow = row;
}

// The key that gets the most weight of all queries and heads, and its share.
const sinks = new Map();
function sinkOf(attention) {
  if (!sinks.has(attention)) {
    const sums = new Float64Array(attention.keys);
    attention.heads.forEach((head) => {
      const weights = bytes(head.weights), scales = floats(head.scales);
      for (let i = 0; i < attention.queries; ++i)
        for (let j = 0; j < attention.keys; ++j)
          sums[j] += Math.abs(unpacked(weights[i * attention.keys + j], scales[i]));
    });
    let key = 0, total = 0;
    sums.forEach((sum, j) => {
      total += sum;
      if (sum > sums[key]) key = j;
    });
    sinks.set(attention, {key, share: total > 0 ? sums[key] / total : 0});
  }
  return sinks.get(attention);
}

function shown(x, digits = 4) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return String(x).replace("-", "−");
  const size = Math.abs(x);
  const text = size < 1e-4 || size >= 1e6 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return text.replaceAll("-", "−");
}

// With as many digits, up to three, as leave the text so short.
function shownIn(letters, x) {
  const texts = [3, 2, 1].map((digits) => shown(x, digits));
  return texts.find((text) => text.length <= letters) ?? texts[2];
}
function shownWeight(row, j) {
  if (row.exact) return shown(row.weights[j], 6);
  return row.weights[j] === 0 && row.half === 0 ? "0" : `${shown(row.weights[j])} ± ${shown(row.half, 2)}`;
}
function shortened(token) {
  const letters = [...visible(token)];
  return letters.length > 14 ? `${letters.slice(0, 13).join("")}…` : letters.join("");
}
// White space would not be seen.
function visible(token) {
  return token === "" ? "∅" : token.replaceAll("\n", "⏎").replaceAll("\t", "⇥").replace(/^ | $/g, "␣");
}
