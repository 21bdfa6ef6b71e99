"""Measures what the bars ask for, prints one table, writes results.json and a picture. See tests/bench/run --help."""

import argparse
import json
import math
import os
import platform
import re
import signal
import statistics
import sys
import time

import bars
import programs


def wanted(pattern, threads):
    """The bars that the pattern selects, which (key, who) must be measured for them, and the keys whose time counts."""
    chosen, needed, timed = [], {}, set()

    def need(what, count, whos, is_timed=True):
        keys = [f"{shape}/t{count}" for shape in bars.shapes(what)]
        for key in keys:
            needed.setdefault(key, set()).update(whos)
        timed.update(keys if is_timed else [])
        return keys

    for bar in bars.BARS:
        for count in sorted(set(bar.threads) & set(threads)):
            if re.search(pattern, bar.name):
                whos = ["regard", *filter(None, bar.peer.split("|"))]
                chosen.append((bar, count, need(bar.what, count, whos, not bar.mebibytes)))
    for name, what in bars.DRAWN.items():
        if re.search(pattern, name):
            for count in threads:
                need(what, count, ["*"])
    return chosen, needed, timed


def ratios_of(times, peer):
    """For each of the peers that was measured: how many times as fast as it we were, in each round, by size."""
    return [sorted(theirs / ours for ours, theirs in zip(times["regard"], times[who]))
            for who in peer.split("|") if times.get(who)]


def ratio(times, peer):
    """How many times as fast as the peer we are: the median over the rounds; None if the peer was not measured."""
    return min(map(statistics.median, ratios_of(times, peer)), default=None)


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
        cost = results[key]["peak"] if bar.mebibytes else statistics.median(times["regard"])
        limit = bar.mebibytes * 2**20 or bar.at_most
        compared = ratio(times, bar.peer) if bar.peer else limit / cost
        if compared is not None:
            ours[key], ratios[key] = cost, compared
    if not ratios:
        return row
    worst = min(ratios, key=ratios.get)
    mean = geometric_mean(ratios.values())
    each_bar = bar.each if bar.peer else 1.0
    short = mean < bar.mean or ratios[worst] < each_bar
    row.update(measured=len(ratios), ours=geometric_mean(ours.values()), is_memory=bar.mebibytes > 0, mean=mean,
               worst=ratios[worst], worst_shape=worst.rsplit("/", 1)[0], each_bar=each_bar, ratios=ratios,
               verdict="short" if short else "pass")
    return row


def in_units(row):
    if row["is_memory"]:
        return f"{row['ours'] / 2**20:.3g} MiB"
    seconds = row["ours"]
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
        lines.append([row["bar"], row["threads"], shapes, in_units(row) if "ours" in row else "",
                      row["peer"].replace("|", " or "), number("mean"), number("mean_bar"), number("worst"),
                      number("each_bar"), row.get("worst_shape", ""), row["verdict"]])
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(head))]
    right = {1, 2, 3, 5, 6, 7, 8}
    for line in lines:
        print("  ".join(f"{str(cell):{'>' if i in right else '<'}{widths[i]}}" for i, cell in enumerate(line)).rstrip())


def passes(needed, timed, rounds):
    """(key, rounds) for all measurements. The rounds of a key are spread over three passes: where the machine is slow
    for some seconds, that meets a few rounds of many keys, which medians survive, rather than all rounds of one."""
    at_once = math.ceil(rounds / 3)
    for first in range(0, rounds, at_once):
        for key in needed:
            if key in timed:
                yield key, min(at_once, rounds - first)
            elif first == 0:
                yield key, 1


def is_in_doubt(times, peer, limit):
    """Whether the limit lies where the true median may lie too. Of n ordered ratios, if they are independent, it is
    with about 95 % between those √n places before and after the middle."""
    for ratios in ratios_of(times, peer):
        middle, reach = len(ratios) / 2, math.sqrt(len(ratios))
        low, high = max(math.floor(middle - reach), 0), min(math.ceil(middle + reach), len(ratios)) - 1
        if ratios[low] < limit < ratios[high]:
            return True
    return False


def doubtful(chosen, results):
    """The keys where chance could decide on a single shape. A mean over many shapes is safe from most of it."""
    keys = {key: None for bar, _, keys in chosen for key in keys if bar.peer
            and is_in_doubt(results[key]["seconds"], bar.peer, bar.each or (bar.mean if len(keys) == 1 else 0))}
    return list(keys)


def measure_all(chosen, needed, timed, arguments):
    """key → the seconds of everybody in each round, and the work; and under which circumstances"""
    ours = programs.Programs(arguments.programs)
    python = programs.python_with_torch() if any("torch" in who for whos in needed.values() for who in whos) else None
    torches, results, before, start = {}, {}, programs.processor_seconds(), time.time()

    def measure(steps, title):
        for number, (key, rounds) in enumerate(steps, 1):
            show_progress(f"[{title}{number}/{len(steps)}] {key}")
            whos = needed[key]
            if "*" in whos:
                whos |= set(ours.whos.get(key, []))
            seconds, work = programs.measure(ours, torches, key, whos, rounds)
            result = results.setdefault(key, {"seconds": {}})
            for who, times in seconds.items():
                result["seconds"].setdefault(who, []).extend(times)
            for name, amount in work.items():
                result[name] = max(amount, result.get(name, 0))

    try:
        if python:
            torches = {f"torch_{kind}": programs.Torch(python, kind) for kind in ("default", "tuned")}
        measure(list(passes(needed, timed, arguments.rounds)), "")
        for _ in range(2):
            again = doubtful(chosen, results)
            measure(list(passes(again, set(again), arguments.rounds)), "again ")
    finally:
        show_progress("")
        for torch in torches.values():
            torch.close()
    peers = sorted(ours.versions)
    if torches:
        peers.append(f"PyTorch {torches['torch_tuned'].version} ({python})")
    about = {"machine": platform.platform(), "rounds": arguments.rounds, "settings of peers": ours.settings,
             "peers": peers}
    if after := programs.processor_seconds():
        everybody, own = (now - then for now, then in zip(after, before))
        about["used by others"] = max(0.0, (everybody - own) / (time.time() - start) / os.cpu_count())
    return results, about


def show_progress(line):
    """One line that rewrites itself on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
    elif line:
        print(line, file=sys.stderr, flush=True)


def remarks(chosen, needed, results, about):
    """What a reader of the table should know."""
    if about["peers"]:
        yield f"\nCompared with {', '.join(about['peers'])}."
    if near := doubtful(chosen, results):
        yield f"\nSo near to a bar that another run may say the opposite: {', '.join(near)}."
    missing = sorted({who for key, whos in needed.items() for who in whos - {"*"}
                      if who not in results[key]["seconds"]})
    if "ort" in missing:
        missing.remove("ort")
        yield f"\nONNX Runtime was not measured, because {programs.ORT_LIBRARY} does not name its library; see --help."
    if missing:
        yield f"\nNot measured, because it was not found here: {', '.join(missing)}. Try --peers."
    if about.get("used by others", 0) > 0.05:
        yield (f"\nOther programs used {about['used by others']:.0%} of the processors meanwhile. That is hardest on "
               "those who wait for all threads, so\nthe ratios at 2 threads mean little.")


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
    parser.add_argument("--threads", default=[1, 2], type=lambda text: [int(count) for count in text.split(",")])
    parser.add_argument("--rounds", default=9, type=int)
    parser.add_argument("--programs",
                        help="the folder of our programs; without it the other arguments are only checked")
    parser.add_argument("--out", default="")
    arguments = parser.parse_args()
    if not set(arguments.threads) <= {1, 2} or arguments.rounds < 1:
        parser.error("--threads is 1, 2 or 1,2; --rounds is at least 1")

    ort = os.environ.get(programs.ORT_LIBRARY)
    if ort and not os.path.isfile(ort):
        parser.error(f"{programs.ORT_LIBRARY} names no file: {ort}")

    chosen, needed, timed = wanted(arguments.pattern, arguments.threads)
    if not needed:
        names = sorted({bar.name for bar in bars.BARS} | set(bars.DRAWN))
        print(f"regard: nothing to measure is named '{arguments.pattern}'. There are:", file=sys.stderr)
        print("".join(f"  {name}\n" for name in names), end="", file=sys.stderr)
        return 2
    if not arguments.programs:
        return 0

    results, about = measure_all(chosen, needed, timed, arguments)
    rows = [judge(bar, count, keys, results) for bar, count, keys in chosen]
    print_table(rows)
    for line in remarks(chosen, needed, results, about):
        print(line)
    os.makedirs(arguments.out, exist_ok=True)
    with open(os.path.join(arguments.out, "results.json"), "w") as file:
        json.dump({"about": about, "bars": rows, "measurements": results}, file, indent=1)
    draw_picture(results, os.path.join(arguments.out, "picture.png"))
    return int(any(row["verdict"] == "short" for row in rows))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that PyTorch is not left behind
    sys.exit(main())
