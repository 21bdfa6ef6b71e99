// Runs first on each page, and keeps what goes wrong: errors of scripts, and whatever could not be loaded.
"use strict";
window.wentWrong = [];
addEventListener("error", (event) => {
  const what = event.target === window ? event.message : `not loaded: ${event.target.src || event.target.href}`;
  window.wentWrong.push(what);
}, true);
addEventListener("unhandledrejection", (event) => window.wentWrong.push(`not handled: ${event.reason}`));
