#!/usr/bin/env python3
"""Times the start of an engine, and how long it is not ready and how much memory it takes with each of some nets.

    scripts/engine_start.py ENGINE [NET...] [--starts N]

Prints the table of docs/nets.md: median, quartiles, least and greatest of N starts (20). A net is loaded three ways: read
from the disk, since its pages were given up before; from memory, hashed; and from memory with its check remembered. All
ways take turns, so that what else the machine does meets all of them.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time


class Engine:
    def __init__(self, path, caches):
        environment = dict(os.environ, XDG_CACHE_HOME=caches)
        pipe = subprocess.PIPE
        self.begun = time.perf_counter()
        self.process = subprocess.Popen([path], stdin=pipe, stdout=pipe, env=environment, text=True, bufsize=1)

    def ask(self, text, answer):
        """Milliseconds until a line is the answer."""
        begun = time.perf_counter()
        self.process.stdin.write(text + "\n")
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the engine ended before it said {answer}")
            if line.strip() == answer:
                return 1000 * (time.perf_counter() - begun)
            if line.startswith("info string") and not line.rstrip().endswith("%"):
                raise SystemExit(f"the engine says: {line.strip()}")

    def memory(self):
        """Resident megabytes: all, and those of files."""
        fields = {}
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            for line in status:
                name, _, value = line.partition(":")
                fields[name] = value.split()
        return [int(fields[name][0]) / 1024 for name in ("VmRSS", "RssFile")]

    def end(self):
        self.process.communicate("quit\n")


class Table:
    """Figures by row, in the order in which the rows are first met."""

    def __init__(self):
        self.rows = {}

    def add(self, row, unit, figure):
        self.rows.setdefault((row, unit), []).append(figure)

    def text(self):
        lines = ["| | | median | quartiles | least, greatest |", "|---|---|---:|---:|---:|"]
        for (row, unit), figures in self.rows.items():
            low, middle, high = quartiles(figures)
            spread = f"{low:.1f} to {high:.1f} | {min(figures):.1f} to {max(figures):.1f}"
            lines.append(f"| {row} | {unit} | {middle:.1f} | {spread} |")
        return "\n".join(lines)


def quartiles(figures):
    if len(figures) == 1:
        return figures * 3
    return statistics.quantiles(figures, n=4, method="inclusive")


class Load:
    """One way to be ready with one net; no path is the embedded one."""

    def __init__(self, path, what, caches, cold=False):
        self.path, self.caches, self.cold = path, caches, cold
        self.name = f"`{os.path.splitext(os.path.basename(path))[0]}`" if path else "the embedded net"
        self.row = f"first `isready` with {self.name}{what}"

    def start(self, engine, table):
        if self.cold:
            give_up(self.path)
        started = Engine(engine, self.caches)
        started.ask("uci", "uciok")
        if not self.path:
            table.add("start to `uciok`", "ms", 1000 * (time.perf_counter() - started.begun))
        option = f"setoption name EvalFile value {self.path}\n" if self.path else ""
        ready = started.ask(option + "isready", "readyok")
        table.add(self.row, "ms", ready)
        resident = started.memory()
        started.end()
        return resident


def give_up(path):
    """Drops a file's pages from memory."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def remember(engine, path, caches):
    """Lets the engine remember the check of a net, which it does of files that nobody has written to for three seconds."""
    time.sleep(max(0, max(os.stat(path).st_mtime, os.stat(path).st_ctime) + 4 - time.time()))
    started = Engine(engine, caches)
    started.ask(f"setoption name EvalFile value {path}\nisready", "readyok")
    started.end()
    if not os.listdir(caches):
        raise SystemExit(f"{path}: the engine did not remember its check; expected it to")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("nets", nargs="*")
    parser.add_argument("--starts", type=int, default=20)
    arguments = parser.parse_args()
    if arguments.starts < 1:
        parser.error(f"--starts: found {arguments.starts}, expected 1 or more")
    engine = os.path.abspath(arguments.engine)
    with tempfile.TemporaryDirectory(prefix="engine-start-") as caches:
        loads = [Load(None, "", "/dev/null")]
        for path in map(os.path.abspath, arguments.nets):
            remember(engine, path, caches)
            # In this order: what is read from the disk is in memory for the two after it.
            loads.append(Load(path, ", its file not in memory", "/dev/null", cold=True))
            loads.append(Load(path, ", in memory, hashed", "/dev/null"))
            loads.append(Load(path, ", in memory, its check remembered", caches))
        times, memory = Table(), Table()
        for _ in range(arguments.starts):
            for load in loads:
                resident, files = load.start(engine, times)
                memory.add(f"resident with {load.name}", "MB", resident)
                memory.add(f"of which files, with {load.name}", "MB", files)
    print(f"{arguments.starts} starts each, in turn.\n")
    times.rows.update(memory.rows)
    print(times.text())


if __name__ == "__main__":
    main()
