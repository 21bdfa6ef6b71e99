"""Draws what was measured: the rungs of the two ladders, speed over size, how far from the machine's limits that is,
and what attention costs as sequences grow."""

import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullLocator

COLOURS = {"regard": "#c2410c", "openblas": "#1d4ed8", "eigen": "#15803d", "onednn": "#7e22ce",
           "ort": "#0e7490", "torch_default": "#a3a3a3", "torch_tuned": "#404040"}
NAMES = {"openblas": "OpenBLAS", "eigen": "Eigen", "onednn": "oneDNN", "ort": "ONNX Runtime",
         "torch_default": "PyTorch, default", "torch_tuned": "PyTorch, tuned"}


def rate(results, key, who, unit="flops", of=statistics.median):
    """In thousands of millions a second; None if it was not measured."""
    entry = results.get(key, {})
    times = entry.get("seconds", {}).get(who)
    return entry[unit] / of(times) / 1e9 if times and unit in entry else None


def limit(results, what, threads, unit):
    """Of the machine: the best that was seen, since everything that can happen makes it less."""
    return rate(results, f"limits/{what}/t{threads}", "regard", unit, of=min)


def plain(axis):
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def draw_ladder(axes, results, size=1024):
    alone, together = (results.get(f"ladder/{size}/t{threads}", {}).get("seconds", {}) for threads in (1, 2))
    bars = [(name, 1) for name in alone if name[0].isdigit()] + [(name, 2) for name in together if name[0].isdigit()]
    if not bars:
        return False
    speeds = [rate(results, f"ladder/{size}/t{threads}", name) for name, threads in bars]
    labels = [name.replace("_", " ") + (", on 2" if threads == 2 else "") for name, threads in bars]
    axes.barh(labels, speeds, color=COLOURS["regard"], height=0.7)
    for i, speed in enumerate(speeds):
        gain = f"   ×{speed / speeds[i - 1]:.1f}" if i else ""
        axes.text(speed * 1.04, i, f"{speed:.3g}{gain}", va="center",
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    for who in ("openblas", "eigen", "onednn", "ort"):
        for threads, style in ((1, "--"), (2, ":")):
            if threads > max(count for _, count in bars):
                continue
            if speed := rate(results, f"ladder/{size}/t{threads}", who):
                axes.axvline(speed, color=COLOURS[who], linestyle=style, linewidth=1.2, zorder=0,
                             label=NAMES[who] + (", 2 threads" if threads == 2 else ""))
    axes.set_xscale("log")
    axes.set_xlim(right=axes.get_xlim()[1] * 4)  # for the numbers
    axes.invert_yaxis()
    axes.set_xlabel("GFLOP/s")
    axes.set_title(f"The rungs of the ladder, {size} × {size}, and what each gains")
    axes.legend(loc="upper right", framealpha=1, fontsize=8)
    plain(axes.xaxis)
    return True


def draw_attention_ladder(axes, results, what, size=1024):
    """The time of each rung, how many times as fast as the first it is, and what memory it holds."""
    bars = []
    for threads in (1, 2):
        entry = results.get(f"attention_ladder/{what}/{size}/t{threads}", {})
        for who, times in entry.get("seconds", {}).items():
            label = who.replace("_causal", ", causal").replace("_", " ") + (", on 2" if threads == 2 else "")
            bars.append((label, statistics.median(times) * 1e3, entry.get(f"held/{who}")))
    bars.sort(key=lambda bar: (not bar[0][0].isdigit(), bar[0]))  # the rungs, then the library
    if not bars:
        return False
    colours = [COLOURS["regard"] if label[0].isdigit() else COLOURS["torch_default"] for label, _, _ in bars]
    axes.barh([label for label, _, _ in bars], [time for _, time, _ in bars], color=colours, height=0.7)
    for i, (_, time, held) in enumerate(bars):
        gain = f"   ×{bars[0][1] / time:.2g}" if i and bars[0][0][0] == "1" else ""
        unit, bytes_of_unit = ("MiB", 2 ** 20) if held and held >= 2 ** 20 else ("KiB", 2 ** 10)
        memory = f"   {held / bytes_of_unit:.3g} {unit}" if held else ""
        axes.text(time * 1.06, i, f"{time:.3g} ms{gain}{memory}", va="center", fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(right=axes.get_xlim()[1] * 6)  # for the numbers
    axes.invert_yaxis()
    axes.set_xlabel("ms, and how many times as fast as rung 1; memory that is held meanwhile")
    passes = "forward" if what == "forward" else "forward and gradient"
    axes.set_title(f"Attention, {size} queries and keys: {passes}")
    plain(axes.xaxis)
    return True


def draw_sizes(axes, results, threads):
    sizes = set()
    for who, colour in COLOURS.items():
        points = {n: rate(results, f"square/NN/{n}/t{threads}", who) for n in (2 ** i for i in range(4, 13))}
        points = {n: speed for n, speed in points.items() if speed}
        if points:
            axes.plot(*zip(*points.items()), "o-", color=colour, label=NAMES.get(who, who), markersize=4,
                      linewidth=2.5 if who == "regard" else 1.3)
            sizes |= set(points)
    if not sizes:
        return False
    if peak := limit(results, "multiply_add", threads, "flops"):
        axes.axhline(peak, color="black", linestyle=":", label="multiply-adds in registers")
    axes.set_xscale("log", base=2)
    axes.set_xticks(sorted(sizes))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_ylim(0, axes.get_ylim()[1] * 1.05)
    axes.set_xlabel("n")
    axes.set_ylabel("GFLOP/s")
    axes.set_title(f"n × n times n × n, {'1 thread' if threads == 1 else f'{threads} threads'}")
    axes.legend(fontsize=8)
    plain(axes.xaxis)
    return True


def draw_roofline(axes, results):
    found, lowest = False, {}
    for threads, style, fill in ((1, "--", "white"), (2, "-", COLOURS["regard"])):
        peak, stream = limit(results, "multiply_add", threads, "flops"), limit(results, "triad", threads, "bytes")
        if not peak or not stream:
            continue
        found = True
        intensities = [0.04, peak / stream, 2000]
        axes.plot(intensities, [min(peak, stream * x) for x in intensities], style, color="black", linewidth=1.2,
                  label=f"{peak:.0f} GFLOP/s, {stream:.0f} GB/s: {threads} thread{'s' * (threads > 1)}")
        for key, entry in results.items():
            drawn = key.startswith(("square/NN/", "pointwise/")) and key.endswith(f"/t{threads}")
            if drawn and "flops" in entry and "bytes" in entry and (speed := rate(results, key, "regard")):
                intensity, name = entry["flops"] / entry["bytes"], key.split("/")[-2]
                axes.plot(intensity, speed, "o", markersize=6, color=COLOURS["regard"], markerfacecolor=fill)
                lowest[name] = min(lowest.get(name, (intensity, speed)), (intensity, speed))
    if not found:
        return False
    lowest.pop("multiply", None)  # stands where add does
    for name, point in lowest.items():
        axes.annotate(name.replace("add", "add, multiply"), point, fontsize=8, ha="center", textcoords="offset points",
                      xytext=(0, -16), bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("operations for each byte of the operands and the result")
    axes.set_ylabel("GFLOP/s")
    axes.set_title("Under the roof of the machine: 1 thread (hollow), 2 threads (filled)")
    axes.legend(loc="lower right", fontsize=8)
    plain(axes.xaxis)
    plain(axes.yaxis)
    return True


def draw_length(axes, results, what):
    """Attention over n positions: the memory of the whole program, or the time of a step forward and backward."""
    sizes = set()
    for name, label, colour, above in (
            ("length", "fused", COLOURS["regard"], -14),
            ("length_learned", "fused, with a table by distance that learns", COLOURS["onednn"], None),
            ("length_composed", "composed", COLOURS["torch_default"], 7)):
        points = {}
        for n in (2 ** i for i in range(9, 15)):
            entry = results.get(f"{name}/{n}/t2", {})
            if "peak" in entry:
                points[n] = entry["peak"] / 2 ** 20 if what == "memory" else statistics.median(
                    entry["seconds"]["regard"]) * 1e3
        if points:
            sizes |= set(points)
            axes.plot(*zip(*points.items()), "o-", color=colour, label=label)
            for n in (min(points), max(points)) if above else ():
                axes.annotate(f"{points[n]:,.0f}", (n, points[n]), textcoords="offset points", ha="center", fontsize=8,
                              xytext=(0, above))
    if not sizes:
        return False
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sorted(sizes))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("positions")
    axes.set_ylabel("MiB, the whole program" if what == "memory" else "ms, forward and backward, 2 threads")
    axes.set_title(f"The {what} of attention with 8 heads of 64 features")
    axes.legend(fontsize=8)
    plain(axes.xaxis)
    plain(axes.yaxis)
    return True


def draw(results, path):
    """Returns whether there was anything to draw."""
    plt.rcParams["font.size"] = 10
    panels = [lambda axes: draw_ladder(axes, results), lambda axes: draw_roofline(axes, results),
              lambda axes: draw_attention_ladder(axes, results, "forward"),
              lambda axes: draw_attention_ladder(axes, results, "gradient"),
              lambda axes: draw_sizes(axes, results, 1), lambda axes: draw_sizes(axes, results, 2),
              lambda axes: draw_length(axes, results, "memory"), lambda axes: draw_length(axes, results, "time")]
    wanted = []
    for panel in panels:  # what was not measured takes no place
        trial = plt.figure()
        if panel(trial.add_subplot()):
            wanted.append(panel)
        plt.close(trial)
    if not wanted:
        return False
    columns = min(2, len(wanted))
    rows = -(-len(wanted) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(7.5 * columns, 5.25 * rows), constrained_layout=True,
                                squeeze=False)
    for axes in grid.flat[len(wanted):]:
        axes.set_axis_off()
    for panel, axes in zip(wanted, grid.flat):
        panel(axes)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.25)
    figure.savefig(path, dpi=110)
    return True
