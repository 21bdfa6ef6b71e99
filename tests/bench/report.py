"""Measures what the bars ask for, prints one table, writes results.json and a picture. See tests/bench/run --help."""

import argparse
import json
import math
import os
import platform
import re
import statistics
import sys

import bars
import programs


def wanted(pattern, threads):
    """The bars that the pattern selects, and which (key, who) must be measured for them."""
    chosen, needed = [], {}

    def need(what, count, whos):
        keys = [f"{shape}/t{count}" for shape in bars.shapes(what)]
        for key in keys:
            needed.setdefault(key, set()).update(whos)
        return keys

    for bar in bars.BARS:
        for count in set(bar.threads) & set(threads):
            if re.search(pattern, bar.name):
                chosen.append((bar, count, need(bar.what, count, ["regard", *bar.peer.split("|")])))
    for name, what in bars.DRAWN.items():
        if re.search(pattern, name):
            for count in threads:
                need(what, count, ["*"])
    return chosen, needed


def ratio(times, peer):
    """How many times as fast as the peer we are: the median over the rounds; None if the peer was not measured."""
    ratios = [statistics.median(theirs / ours for ours, theirs in zip(times["regard"], times[who]))
              for who in peer.split("|") if times.get(who)]
    return min(ratios) if ratios else None


def geometric_mean(numbers):
    return math.exp(statistics.fmean(map(math.log, numbers)))


def judge(bar, threads, keys, results):
    """One row of the table."""
    row = {"bar": bar.name, "threads": threads, "peer": bar.peer or "a limit", "shapes": len(keys), "measured": 0,
           "mean_bar": bar.mean, "each_bar": bar.each, "verdict": "not measured"}
    ours, ratios = {}, {}
    for key in keys:
        times = results.get(key, {}).get("seconds", {})
        if not times.get("regard"):
            continue
        seconds = statistics.median(times["regard"])
        compared = ratio(times, bar.peer) if bar.peer else bar.at_most / seconds
        if compared is not None:
            ours[key], ratios[key] = seconds, compared
    if not ratios:
        return row
    worst = min(ratios, key=ratios.get)
    mean = geometric_mean(ratios.values())
    each_bar = bar.each or (1.0 if bar.at_most else 0.0)
    short = mean < bar.mean or ratios[worst] < each_bar
    row.update(measured=len(ratios), seconds=geometric_mean(ours.values()), mean=mean, worst=ratios[worst],
               worst_shape=worst.rsplit("/", 1)[0], each_bar=each_bar, ratios=ratios,
               verdict="short" if short else "pass")
    return row


def in_units(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def print_table(rows):
    head = ["bar", "threads", "shapes", "ours", "against", "mean", "bar", "worst", "bar", "at", "verdict"]
    lines = [head]
    for row in rows:
        number = lambda name: f"{row[name]:.2f}" if row.get(name) else ""
        shapes = row["shapes"] if row["measured"] in (0, row["shapes"]) else f"{row['measured']} of {row['shapes']}"
        lines.append([row["bar"], row["threads"], shapes, in_units(row["seconds"]) if "seconds" in row else "",
                      row["peer"].replace("|", " or "), number("mean"), number("mean_bar"), number("worst"),
                      number("each_bar"), row.get("worst_shape", ""), row["verdict"]])
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(head))]
    right = {1, 2, 3, 5, 6, 7, 8}
    for line in lines:
        print("  ".join(f"{str(cell):{'>' if i in right else '<'}{widths[i]}}" for i, cell in enumerate(line)).rstrip())


def draw_picture(results, path):
    try:
        import picture
    except ImportError:
        print("regard: no picture, because this Python has no matplotlib", file=sys.stderr)
        return
    if picture.draw(results, path):
        print(f"\npicture: {path}")


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/run", usage="see tests/bench/run --help")
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()

    chosen, needed = wanted(arguments.pattern, [int(count) for count in arguments.threads.split(",")])
    if not needed:
        names = sorted({bar.name for bar in bars.BARS} | set(bars.DRAWN))
        print(f"regard: nothing to measure is named '{arguments.pattern}'. There are:", file=sys.stderr)
        print("".join(f"  {name}\n" for name in names), end="", file=sys.stderr)
        return 2

    ours = programs.Programs(arguments.programs)
    torches = {}
    python = programs.python_with_torch()
    if python and any("torch" in who for whos in needed.values() for who in whos):
        torches = {f"torch_{kind}": programs.Torch(python, kind) for kind in ("default", "tuned")}

    results = {}
    for number, (key, whos) in enumerate(needed.items(), 1):
        print(f"\r\033[K[{number}/{len(needed)}] {key}" if sys.stderr.isatty() else f"[{number}/{len(needed)}] {key}",
              end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
        if "*" in whos:
            whos |= set(ours.whos.get(key, []))
        seconds, work = programs.measure(ours, torches, key, whos, arguments.rounds)
        results[key] = {"seconds": seconds, **work}
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    for torch in torches.values():
        torch.close()

    rows = [judge(bar, count, keys, results) for bar, count, keys in chosen]
    print_table(rows)
    os.makedirs(arguments.out, exist_ok=True)
    with open(os.path.join(arguments.out, "results.json"), "w") as file:
        about = {"processor": platform.processor() or platform.machine(), "rounds": arguments.rounds,
                 "peers": ours.settings, "torch": {name: torch.version for name, torch in torches.items()}}
        json.dump({"about": about, "bars": rows, "measurements": results}, file, indent=1)
    draw_picture(results, os.path.join(arguments.out, "picture.png"))
    return int(any(row["verdict"] == "short" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
