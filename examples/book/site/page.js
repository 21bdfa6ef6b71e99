// What a page does when it is used: the switch of light and dark, the menu of a phone, the button that copies code.
// search.js searches.
"use strict";

const up = document.body.dataset.up;
const element = (id) => document.getElementById(id);

// --- Light and dark: what is chosen is remembered; theme.js reads it on the next page --------------------------------
element("siteTheme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { /* then it holds for this page */ }
});

// --- The contents on a phone -----------------------------------------------------------------------------------------
function openMenu(open) {
  document.body.classList.toggle("menu-open", open);
  element("siteMenu").setAttribute("aria-expanded", String(open));
}
element("siteMenu").addEventListener("click", (event) => {
  event.stopPropagation();
  openMenu(!document.body.classList.contains("menu-open"));
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("#siteContents") || event.target.closest("#siteContents a")) openMenu(false);
});

// The line of this page is in sight, and the part that is being read has a colour.
const here = document.querySelector("#siteContents .here");
if (here) element("siteContents").scrollTop = here.offsetTop - 120;
const parts = [...document.querySelectorAll("#siteContents .here ul a")];
function showPart() {
  let seen = null;
  for (const link of parts) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading && heading.getBoundingClientRect().top < innerHeight / 3) seen = link;
  }
  for (const link of parts) link.classList.toggle("seen", link === seen);
}
addEventListener("scroll", () => requestAnimationFrame(showPart), { passive: true });
showPart();

// --- Copying -------------------------------------------------------------------------------------------------------
for (const code of document.querySelectorAll(".code:not(.source, .drawing)")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", () => {
    const copied = navigator.clipboard?.writeText(code.querySelector("code").textContent) ?? Promise.reject();
    copied.then(() => "Copied", () => "Not allowed here").then((said) => {
      button.textContent = said;
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  });
  code.append(button);
}
