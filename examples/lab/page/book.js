// The figures for the pages of the book: laboratory.open(place, title) builds one in an element, out of reach of the
// style of the page.
"use strict";

const laboratory = (() => {
@include all.js
@data
  const style = `
@include style.css
`;
  address.write = () => {};  // the address of a page is that of its parts

  // Returns what stops all that moves.
  async function open(place, title) {
    const figure = figures.find((one) => one.title === title);
    if (!figure) throw new Error(`there is no figure "${title}"`);
    const library = await Library.unpacked(), box = html("section", {id: `figure-${figure.name}`});
    place.attachShadow({mode: "open"}).append(html("style", {}, style), box);
    return build(figure, box, library, {}) ?? (() => {});
  }
  return {open};
})();
