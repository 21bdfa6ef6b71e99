// Sliders of the pictures that move, and links to full sizes.
"use strict";

const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

for (const slider of document.querySelectorAll(".slider")) {
  const [button, range, output] = slider.children;
  const picture = slider.parentElement.querySelector(".picture"), frames = [...picture.children];
  let timer = null;
  const show = (index) => {
    range.value = index;
    frames.forEach((frame, i) => frame.classList.toggle("shown", i === index));
    output.textContent = frames[index].dataset.title;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    button.textContent = "▶";
    button.ariaLabel = "Play";
  };
  const play = () => {
    show(0);
    button.textContent = "❚❚";
    button.ariaLabel = "Pause";
    timer = setInterval(() => {
      const next = Number(range.value) + 1;
      if (next < frames.length) show(next);
      if (next >= frames.length - 1) stop();
    }, 400);
  };
  picture.classList.add("moves");
  range.oninput = () => {
    stop();
    show(Number(range.value));
  };
  button.onclick = () => timer === null ? play() : stop();
  show(frames.length - 1);
  // It begins with its end, and then plays, once; whoever wants no motion has the slider.
  if (slider.parentElement.id === "opening" && !still) setTimeout(() => range.value === range.max && play(), 1500);
}

// The page may have been sent without the folders beside it: what is opened is the picture that the page holds.
for (const link of document.querySelectorAll(".picture a"))
  link.addEventListener("click", () => {
    if (link.href.startsWith("blob:")) return;
    const bytes = Uint8Array.from(atob(link.firstChild.src.split(",")[1]), (letter) => letter.charCodeAt(0));
    link.href = URL.createObjectURL(new Blob([bytes], {type: "image/png"}));
  });
