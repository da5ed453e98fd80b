#!/usr/bin/env python3
"""Times the start of an engine, and how long it is not ready and how much memory it takes with each of some nets.

    scripts/engine_start.py ENGINE [NET...] [--starts N]

Prints medians and the least and greatest of N starts (20). A net is loaded three ways: read from the disk, since its
pages were given up before; from memory, hashed; and from memory with its check remembered. For the last, files must not
have been written in the last seconds.
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
        """Resident megabytes: all, those of files, and addresses."""
        fields = {}
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            for line in status:
                name, _, value = line.partition(":")
                fields[name] = value.split()
        return [int(fields[name][0]) / 1024 for name in ("VmRSS", "RssFile", "VmSize")]

    def end(self):
        self.process.communicate("quit\n")


def show(what, times):
    middle, least, most = statistics.median(times), min(times), max(times)
    print(f"{what:<44} {middle:8.1f} ms  ({least:.1f} to {most:.1f}, {len(times)} starts)")


def give_up(path):
    """Drops a file's pages from memory."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def start_up(engine, starts):
    times = []
    for _ in range(starts):
        started = Engine(engine, "/dev/null")
        started.ask("uci", "uciok")
        times.append(1000 * (time.perf_counter() - started.begun))
        started.end()
    show("start to uciok", times)


def net(engine, path, starts):
    caches = tempfile.mkdtemp(prefix="engine-start-")
    name = os.path.basename(path) if path else "embedded"
    ways = [("from the disk, hashed", True, "/dev/null"), ("from memory, hashed", False, "/dev/null")]
    ways.append(("from memory, check remembered", False, caches))
    for what, cold, remembered in ways if path else [("", False, "/dev/null")]:
        times, memory = [], None
        if remembered == caches:
            warm = Engine(engine, caches)
            warm.ask(f"setoption name EvalFile value {path}\nisready", "readyok")
            warm.end()
        for _ in range(starts):
            if cold:
                give_up(path)
            started = Engine(engine, remembered)
            started.ask("uci", "uciok")
            option = f"setoption name EvalFile value {path}\n" if path else ""
            times.append(started.ask(option + "isready", "readyok"))
            memory = started.memory()
            started.end()
        show(f"first isready, {name} {what}", times)
    print(f"{'  resident; of files; addresses, ' + name:<44} {memory[0]:8.1f} MB  {memory[1]:.1f} MB  {memory[2]:.1f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("nets", nargs="*")
    parser.add_argument("--starts", type=int, default=20)
    arguments = parser.parse_args()
    engine = os.path.abspath(arguments.engine)
    start_up(engine, arguments.starts)
    net(engine, None, arguments.starts)
    for path in arguments.nets:
        net(engine, os.path.abspath(path), arguments.starts)


if __name__ == "__main__":
    main()
