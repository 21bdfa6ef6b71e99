"""terminal.py PROGRAMS: what trainers draw on a terminal fits it, whatever its width, and whatever becomes of it.

PROGRAMS is the folder they are in.
"""
import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from screen import Screen, Terminal, columns_of  # noqa: E402

programs = sys.argv[1]
failures = []
widths = [120, 80, 40]


def check(holds, *message):
    if not holds:
        failures.append(" ".join(map(str, message)))
        print(*message)


def progress(program, columns, *options):
    """Progress is drawn in one line, again and again; it never breaks."""
    command = [program, "--quick", "--no-plots", *options]
    screen, terminal = Screen(columns), Terminal(command, columns)
    for part in terminal:
        screen.feed(part)
    terminal.status()
    name = os.path.basename(program)
    check(not screen.broken, name, "at", columns, "columns draws a line that is too long:", screen.broken[:1])
    check(len(screen.shown()) == 1, name, "at", columns, "columns leaves lines:", screen.shown())
    check("loss" in screen.shown()[-1], name, "at", columns, "columns ends with:", screen.shown()[-1])
    return screen.drawn


def verdict(program, columns):
    """The table of measures fits the terminal, and loses nothing."""
    command = [program, "--quick", "--no-plots", "--epochs", "1"]
    wide, text = "", ""
    for part in Terminal(command, 1000, stream="stdout"):
        wide += part
    for part in Terminal(command, columns, stream="stdout"):
        text += part
    begin = text.rindex("\nmeasure")
    longest = max(text[begin:].split("\n"), key=columns_of)
    name = os.path.basename(program)
    check(columns_of(longest) <= columns, name, "at", columns, "columns prints:", longest)
    check(text[begin:].split() == wide[wide.rindex("\nmeasure"):].split(), name, "at", columns, "columns loses words")


def resized(program):
    """The window becomes narrow and wide again while a training runs."""
    terminal = Terminal([program, "--epochs", "100000000", "--no-plots"], 120)
    plan, columns, lines, rest = [40, 80, 120], 120, [], ""
    deadline = time.monotonic() + 60
    seen = 0
    for part in terminal:
        *complete, rest = (rest + part).split("\r\033[K")
        for line in complete:
            seen += 1
            if seen > 2:  # what was on its way when the size changed is not judged
                lines.append((columns, columns_of(line)))
        if seen >= 6 and plan:
            columns, seen = plan.pop(0), 0
            terminal.resize(columns)
        elif seen >= 6 or time.monotonic() > deadline:
            os.kill(terminal.program.pid, signal.SIGINT)
    terminal.status()
    for width in widths:
        drawn = [length for columns, length in lines if columns == width]
        check(len(drawn) >= 3, "resized to", width, "columns: lines drawn:", lines)
        check(all(length < width for length in drawn), "resized to", width, "columns: lines of", drawn)
    check(any(length > 80 for _, length in lines), "a wide window is not used:", lines)


recall = os.path.join(programs, "08_dot_product_attention")
longest_name = os.path.join(programs, "09_multi_head_self_attention")
for columns in widths:
    drawn = progress(longest_name, columns)
    check(drawn >= 5, "progress is hardly drawn:", drawn)
    verdict(longest_name, columns)
    verdict(recall, columns)
    progress(recall, columns)
resized(recall)

print(len(failures), "failures")
sys.exit(1 if failures else 0)
