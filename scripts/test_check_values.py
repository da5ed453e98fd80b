#!/usr/bin/env python3
"""Tests that check_values.sh fails when the engine and the reference differ: the reference reads a copy of the net in which
one weight is another.

The script is given a stand-in for Python, which passes the net on, changed. PROFILE and CARGO_TARGET_DIR are those of
check_values.sh. Run by a Python that has numpy (scripts/find_numpy.sh).
"""

import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent
GAMES = "20"


def changed(net):
    """A net with another weight in its last layer, in front of which each format has something else."""
    net = bytearray(net)
    if net[:8] == b"TEMPONET":
        # The last of the 16-bit weights, before the output's bias.
        net[-5] ^= 0x04
        net[80:112] = hashlib.sha256(net[112:]).digest()
    else:
        net[-1] ^= 0x04
    return bytes(net)


def stand_in(arguments):
    """Runs this Python as it was asked to; the reference is given the changed net."""
    with tempfile.TemporaryDirectory() as folder:
        if arguments[0].endswith("nnue_reference.py"):
            net = pathlib.Path(folder, "changed.net")
            net.write_bytes(changed(pathlib.Path(arguments[1]).read_bytes()))
            arguments[1] = str(net)
        return subprocess.run([sys.executable, *arguments]).returncode


class CheckValues(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stand_in = pathlib.Path(folder.name, "python")
        command = shlex.join([sys.executable, str(pathlib.Path(__file__).resolve()), "stand-in"])
        self.stand_in.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        self.stand_in.chmod(0o755)

    def run_script(self, python, *nets):
        environment = dict(os.environ, PYTHON=str(python), JOBS="1")
        command = [SCRIPTS / "check_values.sh", GAMES, *nets]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    def counts(self, done):
        """Of each line that compares: net, path, positions, how many differ."""
        found = re.findall(r"^(\S+) (\S+) \(\d+ s\): (\d+) positions with \d+ values, (\d+) differ$", done.stdout, re.M)
        return [(net, path, int(positions), int(differ)) for net, path, positions, differ in found]

    def test_the_same_net_on_both_sides(self):
        done = self.run_script(sys.executable, "main", "halfkp")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        counts = self.counts(done)
        self.assertLessEqual({("main", "scalar"), ("halfkp", "scalar")}, {count[:2] for count in counts})
        self.assertTrue(all(positions > 0 and differ == 0 for _, _, positions, differ in counts), done.stdout)

    def test_one_weight_that_differs(self):
        for net in "main", "halfkp":
            with self.subTest(net):
                done = self.run_script(self.stand_in, net)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                counts = self.counts(done)
                self.assertIn((net, "scalar"), [count[:2] for count in counts])
                # Every path tells, though most positions have the same value.
                self.assertTrue(all(0 < differ < positions / 2 for _, _, positions, differ in counts), done.stdout)
                first = r"^first: \S+ [wb] .*\n  engine     eval net (\S+) .*\n  reference  eval net (\S+) "
                pairs = re.findall(first, done.stdout, re.M)
                self.assertEqual(len(pairs), len(counts), done.stdout)
                self.assertTrue(all(engine != reference for engine, reference in pairs), done.stdout)


if __name__ == "__main__":
    if sys.argv[1:2] == ["stand-in"]:
        sys.exit(stand_in(sys.argv[2:]))
    unittest.main()
