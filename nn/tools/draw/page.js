// The picture, drawn anew whenever a box was folded or unfolded.

const data = JSON.parse(document.getElementById("data").textContent);
const stage = document.getElementById("stage"), told = document.getElementById("told");
const atFirst = data.nodes.map((node) => node.folded);

function made(kind, attributes, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

function wayOf(bends) {
  let way = `M${bends[0].x} ${bends[0].top}V${bends[0].bottom}`;
  for (let i = 1; i < bends.length; ++i) {
    const {x, top, bottom} = bends[i], before = bends[i - 1], middle = (before.bottom + top) / 2;
    way += `C${before.x} ${middle} ${x} ${middle} ${x} ${top}V${bottom}`;
  }
  return way;
}

function drawnFrame({node, x, y, width, height, open}) {
  const {look, name, shape, formula, times} = data.nodes[node], folds = node in data.bodies;
  const words = made("tspan", {class: "name"}, name), group = made("g", {class: look, "data-node": node});
  group.append(made("rect", {x, y, width, height, rx: open ? 8 : 5}));
  if (open) {
    group.append(made("rect", {class: "strip", x, y, width, height: titleHeight}));
    group.append(made("text", {class: "title", x: x + 8, y: y + 16}, words));
  } else {
    const line = made("text", {x: x + width / 2, y: formula ? y + 17 : y + height / 2 + 4}, words);
    line.append((name && shape ? "\u00a0\u00a0" : "") + shape);
    group.append(line);
    if (formula) group.append(made("text", {x: x + width / 2, y: y + 32}, formula));
  }
  if (open) group.classList.add("open");
  if (folds) {
    const unfolds = data.nodes[node].folded;
    group.classList.add("folds");
    group.setAttribute("tabindex", 0);
    group.setAttribute("role", "button");
    group.setAttribute("aria-expanded", !unfolds);
    group.setAttribute("aria-label", times > 1 ? `${name}, ${unfolds ? "show all" : "show one for all"}` : name);
    group.append(made("text", {class: "mark", x: x + width - 10, y: y + 15}, unfolds ? "+" : "−"));
  }
  return group;
}

function show() {
  const picture = layOut(data), {width, height} = picture;
  const svg = made("svg", {width, height, viewBox: `0 0 ${width} ${height}`, class: "drawing"});
  for (const {line, bends} of picture.paths) {
    const [stroke, look] = data.strokes[line];
    svg.append(made("path", {class: look, "stroke-width": stroke, d: wayOf(bends), "data-line": line}));
  }
  for (const inside of [true, false])  // boxes, then what is in them
    svg.append(...picture.frames.filter(({open}) => open === inside).map(drawnFrame));
  for (const {node, x, y, width: wide, height: high} of picture.mentions)
    svg.append(made("g", {class: "mention", "data-node": node},
                    made("rect", {x: x - wide / 2, y, width: wide, height: high, rx: 9}),
                    made("text", {x, y: y + 13}, data.nodes[node].name)));
  svg.classList.toggle("dark", document.body.classList.contains("dark"));
  stage.replaceChildren(svg);
}

const find = (node) => stage.querySelector(`.folds[data-node="${node}"]`);

// The box that was clicked stays where it is on the screen.
function fold(node) {
  const before = find(node).getBoundingClientRect();
  data.nodes[node].folded = !data.nodes[node].folded;
  show();
  const after = find(node).getBoundingClientRect();
  stage.scrollBy(after.left - before.left + (after.width - before.width) / 2, after.top - before.top);
  find(node).focus({preventScroll: true});
}

function foldAll(folded) {
  told.hidden = true;
  data.nodes.forEach((node, i) => { if (i > 0) node.folded = folded(node, i); });
  show();
}

// All that is folded and in sight; of equal parts one goes on to stand for all.
function unfoldMore() {
  for (const {node, open} of layOut(data).frames)
    if (!open && node in data.bodies) data.nodes[node].folded = false;
  foldAll((node) => node.folded);
}

function tell(event) {
  const line = event.target.closest?.("[data-line]"), node = event.target.closest?.("[data-node]");
  told.hidden = !line && !node;
  if (told.hidden) return;
  told.textContent = line ? data.strokes[line.dataset.line][2] : data.nodes[node.dataset.node].told;
  const left = Math.min(event.clientX + 14, innerWidth - told.offsetWidth - 8);
  const below = event.clientY + 18, fits = below + told.offsetHeight < innerHeight;
  told.style.left = `${Math.max(8, left)}px`;
  told.style.top = `${fits ? below : Math.max(8, event.clientY - told.offsetHeight - 12)}px`;
}

stage.addEventListener("pointermove", tell);
stage.addEventListener("pointerleave", () => { told.hidden = true; });
stage.addEventListener("click", (event) => {
  const box = event.target.closest(".folds");
  if (box) fold(Number(box.dataset.node));
});
stage.addEventListener("keydown", (event) => {
  const box = event.target.closest(".folds");
  if (!box || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  fold(Number(box.dataset.node));
});
document.getElementById("more").onclick = unfoldMore;
document.getElementById("less").onclick = () => foldAll(() => true);
document.getElementById("first").onclick = () => foldAll((node, i) => atFirst[i]);
document.getElementById("fit").onclick = ({target}) => {
  target.setAttribute("aria-pressed", stage.classList.toggle("fit"));
};
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => {
  document.body.classList.toggle("dark", dark.matches);
  show();
};
dark.addEventListener("change", theme);
theme();
