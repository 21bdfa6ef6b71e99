// Shows one figure at a time, which the address names.
"use strict";

const stage = {library: null, shown: null};

function sentence() { return html("p", {class: "sentence", role: "status", "aria-live": "polite"}); }

function show() {
  const {name, values} = address.read(), figure = figures.find((one) => one.name === name) ?? figures[0];
  if (stage.shown?.name === figure.name && stage.shown.hash === location.hash) return;
  stage.made?.hide?.();
  const box = html("section", {id: `figure-${figure.name}`, "aria-labelledby": "title"},
    html("h2", {id: "title"}, figure.title), html("p", {class: "question"}, figure.question));
  document.getElementById("stage").replaceChildren(box);
  document.title = `${figure.title} · the laboratory`;
  for (const link of document.querySelectorAll("#figures a"))
    if (link.hash === `#${figure.name}`) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({block: "nearest", inline: "nearest"});
    } else link.removeAttribute("aria-current");
  stage.shown = {name: figure.name, hash: location.hash};
  stage.made = figure.build(box, stage.library, values);
  box.append(html("p", {class: "chapters"}, figure.chapters));
}

// Numbers of four bytes come with all their first bytes first: see make_page.
function fromPlanes(bytes) {
  const numbers = new Uint8Array(bytes.length), count = bytes.length / 4;
  for (let i = 0; i < bytes.length; ++i) numbers[4 * (i % count) + Math.floor(i / count)] = bytes[i];
  return numbers;
}

async function start() {
  const wait = document.getElementById("wait");
  document.getElementById("figures").append(...figures.map(({name, title}) => html("a", {href: `#${name}`}, title)));
  try {
    for (const [name, text] of Object.entries(data)) data[name] = await Library.unpacked(text);
    data.model = fromPlanes(data.model);
    stage.library = await Library.open(data.library);
  } catch (error) {
    wait.textContent =
      `This browser cannot run the library (${error.message}). The same pictures, standing still, are in the book.`;
    return;
  }
  addEventListener("hashchange", show);
  show();
}
