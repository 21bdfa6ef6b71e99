// What the checks in a browser share: each writes one line for a thing that should hold, and waits for what takes time.
"use strict";

const report = document.getElementById("report");
// Where a fault is planted, no more is looked at once it has been noticed.
const planted = new URLSearchParams(location.search).get("until");
let isOver = false;
function check(page, what, holds, found = "") {
  if (isOver) return;
  const line = `${holds ? "ok  " : "FAIL"} ${page}: ${what}${holds ? "" : ` ${found}`}\n`;
  report.textContent += line;
  if (planted === null || holds || !new RegExp(planted).test(line)) return;
  isOver = true;
  report.textContent += "done\n";
  for (const frame of document.querySelectorAll("iframe")) frame.remove();
}

const pause = (milliseconds) => new Promise((resolve) => { if (!isOver) setTimeout(resolve, milliseconds); });
async function until(condition, seconds = 5) {
  for (let i = 0; i < 20 * seconds && !condition(); ++i) await pause(50);
  return condition();
}

// Pictures are drawn, and the library is unpacked, in real time, which the clock of this browser does not know: so each
// look at a condition takes some of it.
async function later(condition, seconds = 30) {
  for (let i = 0; i < 20 * seconds && !condition(); ++i) {
    for (let n = 0, sum = 0; n < 2e6; ++n) sum += Math.sqrt(n);
    await pause(50);
  }
  return condition();
}

// The page in a frame of its own, and its document.
async function opened(page, width) {
  const frame = document.createElement("iframe");
  frame.style.width = `${width}px`;
  const loaded = new Promise((resolve) => { frame.onload = resolve; });
  frame.src = page;
  document.body.append(frame);
  await loaded;
  return { frame, window: frame.contentWindow, document: frame.contentDocument };
}
