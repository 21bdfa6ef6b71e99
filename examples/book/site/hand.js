// Figures of the laboratory: a picture that a reader touches becomes one that computes. What it takes, lab.js, is
// large, so it comes with the first of them; it serves all. Until then, on paper, and where it cannot run, there is the
// picture.
"use strict";

let comes = null;
const laboratoryComes = () => comes ??= new Promise((resolve, reject) => {
  if (typeof WebAssembly === "undefined") throw new Error("it has no WebAssembly");
  const script = document.createElement("script");
  script.src = `${up}lab.js`;
  script.onload = () => resolve(laboratory);
  script.onerror = () => reject(new Error("lab.js is not there"));
  document.head.append(script);
});

for (const figure of document.querySelectorAll(".live")) {
  const title = figure.dataset.figure, words = figure.querySelector(".hand p");
  const [button, name, place] = ["button", "span", "div"].map((tag) => document.createElement(tag));
  let hide = null;  // stops what moves
  place.className = "alive";
  button.type = "button";
  name.textContent = title;
  const tell = () => {
    const held = figure.classList.contains("held");
    button.textContent = held ? "Back to the picture" : "Take it in your hand";
    button.setAttribute("aria-expanded", String(held));
  };
  async function turn() {
    if (button.disabled) return;
    try {
      if (!hide) {
        button.textContent = "It comes …";
        button.disabled = true;
        hide = await (await laboratoryComes()).open(place, title);
        button.disabled = false;
      } else hide();
      figure.classList.toggle("held");
      tell();
    } catch (error) {
      words.textContent = `This browser cannot run the figure (${error.message}); the picture is what there is.`;
    }
  }
  tell();
  button.addEventListener("click", turn);
  figure.querySelector(".picture").addEventListener("click", (event) => { event.preventDefault(); turn(); });
  words.replaceChildren(button, name);
  figure.querySelector(".hand").before(place);
}
