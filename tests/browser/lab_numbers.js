// node lab_numbers.js library.js numbers.wasm NATIVE INPUT: what the program prints as WebAssembly, beside what it
// prints compiled for this machine. The numbers of a call, as a vector, may be 1e-12 apart in f64, and 1e-6 in f32, of
// the vector's length. It is not 0, since WebAssembly has registers of another width, so sums are added in another
// order, and rounds a product before it is added. A step in f32 is 6e-8; behind five layers it is 4e-7.
"use strict";
const fs = require("fs"),
      [library, program, native, input] = process.argv.slice(2).map((name) => fs.readFileSync(name));
const Library = new Function(`${library}; return Library;`)();

class Program extends Library {
  system() {
    const view = () => new DataView(this.made.memory.buffer), bytes = () => new Uint8Array(this.made.memory.buffer);
    const parts = (list, count) => Array.from(
      {length: count}, (_, i) => [view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true)]);
    this.printed ??= [];
    this.read ??= 0;
    const nothing = (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; };
    return {...super.system(), args_sizes_get: nothing,
      fd_write: (file, list, count, written) => {
        let sum = 0;
        for (const [place, size] of parts(list, count)) {
          this.printed.push(Buffer.from(bytes().slice(place, place + size)));
          sum += size;
        }
        view().setUint32(written, sum, true);
        return 0;
      },
      fd_read: (file, list, count, got) => {
        let sum = 0;
        for (const [place, size] of parts(list, count)) {
          const some = input.subarray(this.read, this.read + size);
          bytes().set(some, place);
          this.read += some.length;
          sum += some.length;
        }
        view().setUint32(got, sum, true);
        return 0;
      },
      proc_exit: (code) => { throw {code}; }};
  }
}

async function main() {
  const made = new Program(), module = await WebAssembly.compile(program), wanted = {}, system = made.system();
  for (const {module: from, name} of WebAssembly.Module.imports(module))
    (wanted[from] ??= {})[name] = system[name] ?? (() => 0);
  made.made = (await WebAssembly.instantiate(module, wanted)).exports;
  try { made.made._start(); } catch (end) { if (end.code !== 0) throw end; }
  const lines = String(Buffer.concat(made.printed)).trim().split("\n"), others = String(native).trim().split("\n");
  let failed = Number(lines.length !== others.length), numbers = 0;
  const most = {f32: 1e-6, f64: 1e-12}, worst = {f32: 0, f64: 0};
  others.forEach((line, n) => {
    const [kind, name, ...right] = line.split(" "), [kindHere, nameHere, ...here] = (lines[n] ?? "").split(" ");
    const apart = right.length === here.length ?
      Math.hypot(...right.map((one, i) => one - here[i])) / (Math.hypot(...right) || 1) : Infinity;
    numbers += right.length;
    worst[kind] = Math.max(worst[kind], apart);
    if (kind !== kindHere || name !== nameHere || !(apart <= most[kind])) {
      failed += 1;
      console.log(`FAIL ${name}: ${apart} apart; ${lines[n]?.slice(0, 200)}, and native ${line.slice(0, 200)}`);
    }
  });
  console.log(`${numbers} numbers of ${lines.length} calls: f32 differ by ${worst.f32.toExponential(1)}, f64 by ${
    worst.f64.toExponential(1)}`);
  process.exit(failed ? 1 : 0);
}
main();
