// The library in the page: functions compiled from C++, and the little that they ask of a system.
"use strict";

class Library {
  // What make_page has packed into `data`, once for all figures.
  static unpacked() {
    return this.opened ??= (async () => {
      for (const [name, text] of Object.entries(data)) {
        const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
        data[name] = new Uint8Array(await new Response(stream).arrayBuffer());
      }
      // Its numbers of four bytes come with all their first bytes first.
      const count = data.model.length / 4;
      data.model = data.model.map((_, i, bytes) => bytes[(i % 4) * count + Math.floor(i / 4)]);
      return Library.open(data.library);
    })();
  }

  static async open(bytes) {
    const library = new Library(), module = await WebAssembly.compile(bytes), wanted = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module))
      (wanted[from] ??= {})[name] = library.system()[name] ?? (() => 0);
    library.made = (await WebAssembly.instantiate(module, wanted)).exports;
    library.made._initialize();
    return library;
  }

  system() {
    const view = () => new DataView(this.made.memory.buffer);
    return {
      environ_sizes_get: (count, size) => {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return 0;
      },
      clock_time_get: (clock, precision, time) => {
        view().setBigUint64(time, BigInt(Math.round(1e6 * performance.now())), true);
        return 0;
      },
      proc_exit: (code) => { throw new Error(`the library has stopped with ${code}`); },
    };
  }

  // Numbers are given as they are, lists of numbers, bytes and texts as an address and how many there are. The answer
  // is the list of numbers that the function made; its text, if there is one, is in `text`.
  call(name, ...given) {
    const places = [], plain = given.flatMap((one) => {
      if (typeof one === "number" || typeof one === "boolean") return [Number(one)];
      const bytes = typeof one === "string" ? new TextEncoder().encode(one) :
        one instanceof Uint8Array ? one : new Uint8Array(Float64Array.from(one).buffer);
      const place = this.made.malloc(bytes.length + 1);
      new Uint8Array(this.made.memory.buffer).set(bytes, place);
      places.push(place);
      return [place, typeof one === "string" ? bytes.length : one.length];
    });
    const count = this.made[name](...plain), {buffer} = this.made.memory;
    for (const place of places) this.made.free(place);
    this.text = new TextDecoder().decode(new Uint8Array(buffer, this.made.lab_text(), this.made.lab_text_size()));
    if (count < 0) throw new Error(this.text);
    return count === 0 ? new Float64Array(0) : new Float64Array(buffer, this.made.lab_numbers(), count).slice();
  }
}
