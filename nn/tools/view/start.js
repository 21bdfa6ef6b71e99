// The page begins.

document.title = element("title").textContent = recording.title;
element("about").textContent = recording.about;
element("about").hidden = recording.about === "";
element("back").href = recording.back;
element("back").hidden = recording.back === "";
element("layer").replaceChildren(...recording.layers.map((name, layer) => new Option(name, layer)));
element("layerLabel").hidden = recording.layers.length < 2;
element("step").max = recording.steps.length - 1;
addEventListener("hashchange", readAddress);
new ResizeObserver(draw).observe(element("stage"));
readAddress();
