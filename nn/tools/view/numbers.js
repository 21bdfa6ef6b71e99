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

function unpacked(byte, scale) { return byte === 0 ? 0 : (byte - 128) / 127 * scale; }

function weightAt(attention, h, i, j) {
  const head = attention.heads[h];
  return unpacked(bytes(head.weights)[i * attention.keys + j], floats(head.scales)[i]);
}
function isSeen(attention, h, i, j) { return bytes(attention.heads[h].weights)[i * attention.keys + j] !== 0; }
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
  const head = attention.heads[h], n = attention.keys, keys = [...Array(n).keys()];
  const row = {attention, h, i, exact: hasFormula(attention), half: floats(head.scales)[i] / 254};
  if (row.exact) {
    row.scores = keys.map((j) => isSeen(attention, h, i, j) ? termsOf(attention, h, i, j).score : -Infinity);
    row.largest = row.scores.reduce((largest, score) => Math.max(largest, score), -Infinity);
    const powers = row.scores.map((score) => score === -Infinity ? 0 : Math.exp(score - row.largest));
    row.total = powers.reduce((sum, power) => sum + power, 0);
    row.weights = powers.map((power) => power === 0 ? 0 : power / row.total);
  } else {
    row.weights = keys.map((j) => weightAt(attention, h, i, j));
  }
  if (head.gradients !== undefined) {
    const steps = bytes(head.gradients), scale = floats(head.gradientScales)[i];
    row.gradients = keys.map((j) => unpacked(steps[i * n + j], scale));
    row.gradientHalf = scale / 254;
  }
  return lastRow = row;
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
// White space would not be seen.
function visible(token) {
  return token === "" ? "∅" : token.replaceAll("\n", "⏎").replaceAll("\t", "⇥").replace(/^ | $/g, "␣");
}
