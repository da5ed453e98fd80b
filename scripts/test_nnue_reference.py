#!/usr/bin/env python3
"""Tests of nnue_reference.py: nets that are small enough to compute by hand, and input that it must refuse."""

import hashlib
import itertools
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import nnue_reference as reference

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# White's king on b1, Black's on g7; a white pawn on a2, a black queen on h5.
FEW = "8/6k1/8/7q/8/8/P7/1K6 {} - - 0 1"


def tempo_net(rows, layers, buckets=(0,) * 32, scale=255 * 16384):
    """A file of width 2 without threats. `rows` gives the weights of some piece rows, each layer is weights, biases."""
    count = (max(buckets) + 1) * 768
    table = np.zeros((count, 2), dtype="<i2")
    for row, weights in rows.items():
        table[row] = weights
    payload = table.tobytes() + np.array([10, 20], dtype="<i2").tobytes()
    for weights, biases in layers:
        payload += np.array(weights, dtype="<i2").tobytes() + np.array(biases, dtype="<i4").tobytes()
    hidden2, hidden3 = len(layers[0][1]), len(layers[1][1])
    numbers = (1, 2, max(buckets) + 1, count, 0, hidden2, hidden3, scale, 255, 14)
    header = struct.pack("<8s10I", b"TEMPONET", *numbers) + bytes(buckets) + hashlib.sha256(payload).digest()
    return header + payload


def halfkp_net(rows, layers):
    """A HalfKP file; every layer is a dict of (output, input) to weight, and biases."""
    table = np.zeros((41024, 256), dtype="<i2")
    for row, weights in rows.items():
        table[row, : len(weights)] = weights
    file = struct.pack("<III", 0x7AF32F16, 0x3E5AA6EE, 4) + b"text" + struct.pack("<I", 0x5D69D7B8)
    file += bytes(512) + table.tobytes() + struct.pack("<I", 0x63337156)
    for (weights, biases), shape in zip(layers, ((32, 512), (32, 32), (1, 32))):
        matrix = np.zeros(shape, dtype="i1")
        for place, weight in weights.items():
            matrix[place] = weight
        file += np.array(biases + [0] * (shape[0] - len(biases)), dtype="<i4").tobytes() + matrix.tobytes()
    return file


# Outputs are sums of inputs as they are: 16384 is one.
ONE = 1 << 14
PASSING = (([[ONE, 0, 0, 0], [0, ONE, 0, 0], [0, 0, ONE, 0], [0, 0, 0, ONE]], [0, 0, 0, 0]), (np.eye(4) * ONE, [0] * 4))


class Values(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "a.net")

    def net(self, file):
        self.file.write_bytes(file)
        return reference.open_net(str(self.file), check_hash=True)

    def values(self, file, *fens):
        return reference.answers(self.net(file), 1, fens).splitlines()

    def test_the_features_of_a_view(self):
        # White sees: mirrored no (king b1). Black sees its king on g2, mirrored b2; White's pawn on a7, mirrored h7.
        buckets = [0] * 32
        buckets[1 * 4 + 1] = 1
        rows = {
            (0 * 6 + 0) * 64 + 8: (1, 0),  # own pawn a2
            (1 * 6 + 4) * 64 + 39: (2, 0),  # enemy queen h5
            (0 * 6 + 5) * 64 + 1: (4, 0),  # own king b1
            (1 * 6 + 5) * 64 + 54: (8, 0),  # enemy king g7
            768 + (1 * 6 + 0) * 64 + 55: (0, 1),  # enemy pawn h7
            768 + (0 * 6 + 4) * 64 + 24: (0, 2),  # own queen a4
            768 + (0 * 6 + 5) * 64 + 9: (0, 4),  # own king b2
            768 + (1 * 6 + 5) * 64 + 62: (0, 8),  # enemy king g8
        }
        # Inputs: mover 25 20, other 10 35 for White; 10 35 and 25 20 for Black.
        file = tempo_net(rows, (*PASSING, ([[1, 10, 100, 1500]], [-5])), buckets)
        values = [25 + 200 + 1000 + 52_500 - 5, 10 + 350 + 2500 + 30_000 - 5]
        # Material 110 + 900: 80 times 1010 - 3370 is -188,800.
        scaled = [value - value * 188_800 // 1_000_000 for value in values]
        expected = [f"net {value} scaled {min(part, 30_000)}" for value, part in zip(values, scaled)]
        self.assertEqual(self.values(file, FEW.format("w"), FEW.format("b")), expected)

    def test_rounding_and_bounds(self):
        # Own king on b1 pushes the mover's first neuron beyond 255, and the second below 0.
        rows = {(0 * 6 + 5) * 64 + 1: (300, -300)}
        halves = (([[ONE // 2, 0, 0, 0], [-1, 0, 0, 0], [ONE * 1 // 8, 0, 0, 0]], [0, 0, 0]), ([[ONE, ONE, ONE]], [0]))
        # 255 / 2 = 127.5, -255 >> 14 = -1 and then 0, 255 / 8 = 31.875; 127 + 0 + 31 = 158,
        # of which it takes a little more than 317 to make one.
        for weight, bias, expected in ((1, 0, 0), (3, 0, 1), (-3, 0, -1), (2, 1, 0), (-2, -1, 0), (2, 2, 1)):
            file = tempo_net(rows, (*halves, ([[weight]], [bias])), scale=255 * 16384 // 317)
            self.assertTrue(self.values(file, FEW.format("w"))[0].startswith(f"net {expected} "))

    def test_halfkp_features(self):
        # White: king b1 = 1, own pawn a2 = 8, enemy queen h5 = 39. Black, turned round: king g7 = 9, enemy pawn a2 = 55,
        # own queen h5 = 24.
        rows = {
            641 * 1 + 1 + 8: (1,),
            641 * 1 + 577 + 39: (2,),
            641 * 9 + 65 + 55: (4,),
            641 * 9 + 513 + 24: (200,),
        }
        layers = (({(0, 0): 64, (1, 256): 32}, [6, 0]), ({(0, 0): 64, (0, 1): 64}, []), ({(0, 0): -5}, [3]))
        # Mover 3, other 127: 3 + 6 / 64 = 3, 127 / 2 = 63, -5 · 66 + 3 = -327, / 16 = -20.
        # Mover 127, other 3: 127, 1, both together 128 and so 127, -632, / 16 = -39.
        values = self.values(halfkp_net(rows, layers), FEW.format("w"), FEW.format("b"))
        self.assertEqual([value.split()[1] for value in values], ["-20", "-39"])

    def test_halfkp_sums_wrap(self):
        layers = (({(0, 0): 64, (0, 1): 64}, []), ({(0, 0): 64}, []), ({(0, 0): 16}, []))
        # 30,000 + 30,000 is -5536 in 16 bits and so 0; -32,768 - 32,668 is 100.
        rows = {641 * 1 + 1 + 8: (30_000, -32_768), 641 * 1 + 577 + 39: (30_000, -32_668)}
        self.assertTrue(self.values(halfkp_net(rows, layers), FEW.format("w"))[0].startswith("net 100 "))

    def test_sums_that_leave_their_range_are_errors(self):
        steep = (([[32767, 0, 0, 0]], [2**31 - 1]), ([[ONE]], [0]), ([[1]], [0]))
        with self.assertRaisesRegex(reference.Refused, "layer 2: found sums from .* 32 bits"):
            self.values(tempo_net({}, steep), FEW.format("w"))

    def test_processes_share_the_work(self):
        self.file.write_bytes(tempo_net({}, (*PASSING, ([[1, 1, 1, 1]], [0]))))
        fens = "".join(f"{FEW.format(side)}\n" for side in itertools.islice(itertools.cycle("wb"), 2500))
        command = [sys.executable, reference.__file__, str(self.file)]
        one, two = (
            subprocess.run([*command, "--jobs", jobs], input=fens, capture_output=True, text=True, check=True).stdout
            for jobs in ("1", "2")
        )
        self.assertEqual(one, two)
        self.assertEqual(one.count("\n"), 2500)

    def test_files_that_are_refused(self):
        good = tempo_net({}, (*PASSING, ([[1, 1, 1, 1]], [0])))
        for file, message in (
            (b"", "a.net"),
            (b"TEMPONE2" + good[8:], "first bytes: found b'TEMPONE2'"),
            (good[:100], "header: found 100 bytes"),
            (good[:8] + struct.pack("<I", 2) + good[12:], "format version: found 2, expected 1"),
            (good[:16] + struct.pack("<I", 2) + good[20:], "piece rows: found 768, expected 1536"),
            (good[:24] + struct.pack("<I", 7) + good[28:], "threat rows: found 7"),
            (good[:48] + b"\1" + good[49:], "king bucket: found 1, expected less than 1"),
            (good[:-1], "biases of the output: found 3 bytes"),
            (good + b"x", "end of the file"),
            (good[:-1] + b"\1", "SHA-256 of the payload"),
            (struct.pack("<II", 0x7AF32F16, 1), "hash of the shape: found 1, expected 1046128366"),
        ):
            with self.assertRaisesRegex(reference.Refused, message):
                self.net(file)

    def test_positions_that_are_refused(self):
        net = self.net(tempo_net({}, (*PASSING, ([[1, 1, 1, 1]], [0]))))
        for fen, message in (
            ("", "expected a FEN"),
            (START.replace(" w ", " x "), "second field w or b"),
            (START.replace("8/8/", "8/"), "8 ranks"),
            (START.replace("/8/", "/7/", 1), "8 ranks of 8 squares"),
            (START.replace("Q", "X"), "the piece 'X'"),
            (START.replace("Q", "K"), "one king"),
            (START.replace("k", "q"), "one king"),
            (START.replace("R", "P"), "pawn on the first or last rank"),
            (START.replace("8", "QQQQQQQQ", 1), "found 40 pieces"),
        ):
            with self.assertRaisesRegex(reference.Refused, f"position 3: .*{message}"):
                reference.answers(net, 2, [START, fen])


class Threats(unittest.TestCase):
    def test_rows_in_the_order_of_the_description(self):
        threats = reference.Threats()
        # The first attacker, an own pawn on a2, reaches b3 alone; the next one on b2 reaches a3 and c3.
        a2, b2, a3, b3 = 8, 9, 16, 17
        self.assertEqual([threats.first[0, a2, b3], threats.first[0, b2, a3]], [0, 12])
        # An own pawn on a7 reaches b8, where no pawn can stand; the enemy's king there is the tenth.
        a7, b7, b8, a8 = 48, 49, 57, 56
        self.assertEqual(threats.first[0, b7, a8] - threats.first[0, a7, b8], 10)
        self.assertEqual(threats.place[b8].tolist()[11], 9)
        # Black's king, the last attacker, on h8.
        self.assertEqual(threats.first[11, 63, 62] + 10, threats.ROWS)

    def test_lines_end_at_the_first_piece(self):
        threats = reference.Threats()
        pieces, _ = reference.parse_fen("7k/8/8/8/8/8/1K6/r1r1R3 w")
        # The king attacks both black rooks, they each other, and the one on c1 and White's rook each other.
        self.assertEqual(len(threats.active(pieces)), 2 + 2 + 2)


if __name__ == "__main__":
    unittest.main()
