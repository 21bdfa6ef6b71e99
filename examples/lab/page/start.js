// The page of its own: shows one figure at a time, which the address names.
"use strict";

const shown = {};

function show() {
  const {name, values} = address.read(), figure = figures.find((one) => one.name === name) ?? figures[0];
  const box = html("section", {id: `figure-${figure.name}`});
  document.getElementById("stage").replaceChildren(box);
  shown.hide?.();
  document.title = `${figure.title} · the laboratory`;
  for (const link of document.querySelectorAll("#figures a"))
    if (link.hash === `#${figure.name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  shown.hide = build(figure, box, shown.library, values);
  const next = figures[(figures.indexOf(figure) + 1) % figures.length];
  box.append(html("p", {}, html("a", {href: `#${next.name}`}, `Next: ${next.title}`)));
  if (shown.figure !== figure) scrollTo(0, 0);
  shown.figure = figure;
}

async function start() {
  document.getElementById("figures").append(...figures.map(({name, title}) => html("a", {href: `#${name}`}, title)));
  try {
    shown.library = await Library.unpacked();
  } catch (error) {
    document.getElementById("wait").textContent =
      `This browser cannot run the library (${error.message}). The same pictures, standing still, are in the book.`;
    return;
  }
  addEventListener("hashchange", show);
  show();
}
start();
