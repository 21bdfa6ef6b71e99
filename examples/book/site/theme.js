// Before anything is shown: the choice between light and dark that was made on another page, or on another day.
"use strict";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* a browser may forbid to remember; then the system decides */ }
