// What a reader does: pointing, clicking, keys, and the controls above the view.

// --- The pointer -----------------------------------------------------------------------------------------------------
function under(event) {
  const box = element("stage").getBoundingClientRect();
  return views[state.view].hit(current(), element("stage").clientWidth, event.clientX - box.left - 1,
      event.clientY - box.top - 1 + element("stage").scrollTop);
}
function point(found) {
  const same = ["query", "key", "layer", "head"].every((name) => pointed[name] === found[name]);
  for (const name of ["query", "key", "layer", "head"]) pointed[name] = found[name];
  if (!same) draw();
}
element("stage").addEventListener("pointermove", (event) => point(under(event)));
element("stage").addEventListener("pointerleave", () => point({}));
element("stage").addEventListener("click", (event) => {
  const found = under(event);
  if (found.layer !== undefined) {
    change({view: "heads", layer: found.layer, head: found.head, active: new Set([found.head])});
  } else if (found.query !== undefined) {
    change({query: state.query === found.query ? null : found.query});
  } else if (found.key !== undefined) {
    change({key: state.key === found.key ? null : found.key});
  } else if (state.view === "heads") {
    change({query: null, key: null});
  }
});
element("stage").addEventListener("scroll", draw);
element("rowStage").addEventListener("scroll", draw);
element("rowStage").addEventListener("click", (event) => {
  const key = rowView.hit(
      current(), event.clientY - element("rowStage").getBoundingClientRect().top - 1 + element("rowStage").scrollTop);
  if (key !== undefined) change({query: pair().query, key});
});

// --- Keys ------------------------------------------------------------------------------------------------------------
function moved(from, by, end) { return Math.max(0, Math.min(end - 1, from + by)); }
const actions = {
  ArrowDown: () => change({query: state.query === null ? pair().query : moved(state.query, 1, current().queries)}),
  ArrowUp: () => change({query: state.query === null ? pair().query : moved(state.query, -1, current().queries)}),
  ArrowRight: () => change({query: pair().query, key: moved(pair().key, 1, current().keys)}),
  ArrowLeft: () => change({query: pair().query, key: moved(pair().key, -1, current().keys)}),
  "]": () => change({layer: moved(state.layer, 1, recording.layers.length)}),
  "[": () => change({layer: moved(state.layer, -1, recording.layers.length)}),
  ".": () => change({step: moved(state.step, 1, recording.steps.length)}),
  ",": () => change({step: moved(state.step, -1, recording.steps.length)}),
  v: () => change({view: {heads: "model", model: "neuron", neuron: "heads"}[state.view]}),
  "?": () => element("help").click(),
  Escape: () => change({query: null, key: null}),
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || element("keys").open ||
      event.target.matches("select, input[type=range]"))
    return;
  const digit = /^Digit([1-9])$/.exec(event.code);
  if (digit && Number(digit[1]) <= current().heads.length) {
    const h = Number(digit[1]) - 1;
    if (event.shiftKey)
      change({active: new Set([h]), head: h});
    else
      toggle(h);
  } else if (actions[event.key]) {
    actions[event.key]();
  } else {
    return;
  }
  event.preventDefault();
});

// --- Controls --------------------------------------------------------------------------------------------------------
for (const tab of document.querySelectorAll(".tab")) tab.onclick = () => change({view: tab.dataset.view});
element("layer").onchange = () => change({layer: Number(element("layer").value)});
element("step").oninput = () => change({step: Number(element("step").value)});
element("help").onclick = () => element("keys").showModal();
