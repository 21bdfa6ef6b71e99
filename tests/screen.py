"""What a terminal shows of a program:   screen.py COLUMNS COMMAND…

Runs the command with its standard error on a terminal of so many columns, and prints the lines that stand there at the
end. Exits with 3 if a line was too long for the terminal, which then breaks it; else as the command does.

Tests of programs that draw on terminals import this file.
"""
import codecs
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata


def columns_of(text):
    """How many columns a text takes: characters of East Asia two, accents on the letter before none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Screen:
    """Knows the control characters that our programs use: carriage return, line feed, and "erase to the end"."""

    def __init__(self, columns):
        self.columns = columns
        self.lines = [""]  # the cursor is in the last one
        self.at = 0  # a column
        self.broken = []  # lines that were too long
        self.drawn = 0  # how often a line was begun again

    def feed(self, text):
        for token in re.findall("\033\\[K|.", text, re.DOTALL):
            if token == "\r":
                self.at = 0
            elif token == "\n":
                self.lines.append("")
            elif token == "\033[K":
                self.lines[-1] = self.lines[-1][: self.at]
                self.drawn += 1
            else:
                if self.at + columns_of(token) > self.columns:
                    self.broken.append(self.lines[-1])
                    self.lines.append("")
                    self.at = 0
                self.lines[-1] = self.lines[-1][: self.at] + token  # what we write over has been erased before
                self.at += columns_of(token)

    def shown(self):
        return [line for line in self.lines if line]


class Terminal:
    """A program whose standard error, or output, is a terminal. Iterating gives what it writes there."""

    def __init__(self, command, columns, stream="stderr", **options):
        self.master, slave = pty.openpty()
        self.resize(columns)
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.program = subprocess.Popen(command, **{**streams, stream: slave}, **options)
        os.close(slave)

    def resize(self, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def __iter__(self):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            try:
                some = os.read(self.master, 65536)
            except OSError:  # the last one who could write has closed it
                some = b""
            if not some:
                return
            yield decoder.decode(some).replace("\r\n", "\n")

    def status(self):
        os.close(self.master)
        return self.program.wait()


if __name__ == "__main__":
    screen, terminal = Screen(int(sys.argv[1])), Terminal(sys.argv[2:], int(sys.argv[1]))
    for part in terminal:
        screen.feed(part)
    print(*screen.shown(), sep="\n")
    status = terminal.status()
    for line in screen.broken:
        print(f"broken at column {screen.columns}: {line}")
    sys.exit(3 if screen.broken else status)
