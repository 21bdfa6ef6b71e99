// What is shown, how it is changed, and its address.

const element = (id) => document.getElementById(id);
const state = {
  view: "heads",
  step: recording.steps.length - 1,
  layer: 0,
  head: 0,
  active: new Set(),
  query: null,
  key: null
};
const pointed = {};  // what the pointer is on: query, key, layer, head
const views = {
  heads: headView,
  model: modelView,
  neuron: neuronView
};

function current() { return attentionAt(state.step, state.layer); }
// The pair whose numbers are shown: the one that is held, or pointed at, or else the first query and its favourite.
function pair() {
  const attention = current();
  const query = Math.min(state.query ?? pointed.query ?? 0, attention.queries - 1);
  let key = state.key ?? pointed.key ?? null;
  if (key === null || key >= attention.keys) {
    const {weights} = rowOf(attention, state.head, query);
    key = weights.reduce((best, weight, j) => weight > weights[best] ? j : best, 0);
  }
  return {query, key};
}

function change(changes) {
  const before = {query: state.query, key: state.key, view: state.view};
  Object.assign(state, changes);
  const heads = current().heads.length;
  state.active = new Set([...state.active].filter((h) => h < heads));
  if (state.active.size === 0 && !("active" in changes))
    for (let h = 0; h < heads; ++h) state.active.add(h);
  if (state.head >= heads) state.head = 0;
  if (state.query !== null && state.query >= current().queries) state.query = null;
  if (state.key !== null && state.key >= current().keys) state.key = null;
  const address = `#${addressOf()}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  update();
  if (before.query !== state.query || before.key !== state.key || before.view !== state.view) reveal();
}
// Scrolls to what is held.
function reveal() {
  const attention = current(), stage = element("stage"), rows = element("rowStage");
  const into = (box, y, height) => {
    if (y < box.scrollTop + height || y > box.scrollTop + box.clientHeight - height)
      box.scrollTop = y - box.clientHeight / 2;
  };
  drawNow();  // now there is room to scroll through
  if (state.view === "heads" && state.query !== null) {
    const g = headView.geometry(attention, stage.clientWidth);
    into(stage, headView.queryAt(g, state.query), g.height);
  }
  if (state.query !== null || state.key !== null) into(rows, 30 + (pair().key + 0.5) * rowView.line, rowView.line);
}
function addressOf() {
  const parts = {
    view: state.view,
    step: state.step,
    layer: state.layer,
    head: state.head,
    heads: [...state.active].sort((a, b) => a - b).join("."),
    query: state.query,
    key: state.key
  };
  return Object.entries(parts)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}=${value}`)
      .join("&");
}
function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1) || recording.opening);
  const number = (name, end, otherwise) => {
    const value = asked.get(name);
    return value !== null && /^\d+$/.test(value) && Number(value) < end ? Number(value) : otherwise;
  };
  const made = {
    view: Object.hasOwn(views, asked.get("view")) ? asked.get("view") : "heads",
    step: number("step", recording.steps.length, recording.steps.length - 1),
    layer: number("layer", recording.layers.length, 0)
  };
  const attention = attentionAt(made.step, made.layer), count = attention.heads.length;
  made.head = number("head", count, 0);
  made.query = number("query", attention.queries, null);
  made.key = number("key", attention.keys, null);
  const heads =
      (asked.get("heads") ?? "").split(".").filter((h) => /^\d+$/.test(h)).map(Number).filter((h) => h < count);
  made.active = new Set(heads.length > 0 ? heads : attention.heads.keys());
  change(made);
}

// Once for all that happens at a time. Browsers tell of pointers and scrolling once a frame.
let asked = false;
function draw() {
  if (asked) return;
  asked = true;
  setTimeout(() => {
    asked = false;
    drawNow();
  });
}
function drawNow() {
  paint();
  describe();
}
function paint() {
  const attention = current(), view = views[state.view], stage = element("stage"), rows = element("rowStage");
  const aside = document.querySelector("aside");
  aside.hidden = state.view === "model";
  view.draw(new Pen(stage, view.height(attention, stage.clientWidth)), attention, stage.clientWidth);
  if (aside.hidden) return;
  const picture = rowView.picture(attention);
  element("picture").hidden = !picture;
  if (picture) element("picture").src = picture;
  element("rowTitle").textContent = rowTitle(attention);
  rowView.draw(new Pen(rows, rowView.height(attention)), attention, rows.clientWidth);
}
function rowTitle(attention) {
  return `head ${state.head + 1}: “${visible(queryName(attention, pair().query))}” looks at`;
}

// In words, for those who hear the page, and for whoever reads numbers.
function describe() {
  const attention = current();
  if (state.view === "model") {
    const under = pointed.layer !== undefined ?
        `head ${pointed.head + 1} of ${recording.layers[pointed.layer]}: click to see its lines` :
        "";
    element("status").textContent = under ||
        "Each square is a head: a row for each query, a column for each key; the colour is its weight.";
    return;
  }
  const {query, key} = pair(), row = rowOf(attention, state.head, query);
  let words = `“${visible(queryName(attention, query))}” → “${visible(keyName(attention, key))}”, head ${
      state.head + 1}: weight ${shownWeight(row, key)}`;
  if (row.scores) words += `, score ${shown(row.scores[key], 5)}`;
  if (row.gradients) words += `, ∂loss/∂weight ${shown(row.gradients[key])}`;
  element("status").textContent = words;
}

function update() {
  const attention = current();
  for (const tab of document.querySelectorAll(".tab"))
    tab.setAttribute("aria-pressed", tab.dataset.view === state.view);
  element("layer").value = state.layer;
  element("stepLabel").hidden = recording.steps.length < 2;
  element("step").value = state.step;
  element("stepName").textContent = recording.steps[state.step];
  const tiles = element("heads");
  if (tiles.children.length !== attention.heads.length)
    tiles.replaceChildren(...attention.heads.map((_, h) => tile(h)));
  [...tiles.children].forEach((button, h) => {
    button.setAttribute("aria-pressed", state.active.has(h));
    button.classList.toggle("current", h === state.head);
  });
  draw();
}
function tile(h) {
  const button = document.createElement("button");
  button.textContent = h + 1;
  button.title = `Head ${h + 1}: click to turn it on or off, double-click to see it alone`;
  button.style.setProperty("--head", headColour(h));
  button.onclick = (event) => event.detail < 2 && toggle(h);
  button.ondblclick = () => change({active: new Set([h]), head: h});
  return button;
}
function toggle(h) {
  const active = new Set(state.active);
  if (!active.delete(h)) active.add(h);
  change({active, head: active.has(h) ? h : [...active][0] ?? h});
}
