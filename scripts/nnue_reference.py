#!/usr/bin/env python3
"""Computes the values of a net from the description of its file.

usage: nnue_reference.py NET [FENS] [--jobs N]

Prints `net <net> scaled <scaled>` for every line of FENS (default: standard input), each a FEN: what the engine's UCI
command `eval` says of it. NET is a file as docs/net-format.md describes it, or a HalfKP 256x2-32-32 file (`.nnue`) in
its published format; its first bytes tell which.

This is the measure that the engine's fast paths are held to. It is written from those descriptions alone and shares
nothing with the engine, neither code nor tables. All arithmetic is in integers; a sum of the later layers that leaves
32 bits, which a net has to exclude, is an error and no value. Needs Python 3.8 and numpy.
"""

import argparse
import hashlib
import itertools
import multiprocessing
import struct
import sys

import numpy as np

CHUNK = 1000  # positions that go through the later layers together

PIECES = "PNBRQKpnbrqk"
PIECE_OF = {letter: piece for piece, letter in enumerate(PIECES)}
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
WHITE, BLACK = range(2)


class Refused(Exception):
    """Input that is not as described; the message says where, what was found and what was expected."""


# -- Positions ---------------------------------------------------------------------------------------------------------

BLANKS = str.maketrans({str(n): "." * n for n in range(1, 9)})


def parse_fen(fen):
    """The pieces as (square, piece) with a1 = 0 and White's pawn = 0, and the side to move."""
    fields = fen.split()
    if len(fields) < 2 or fields[1] not in ("w", "b"):
        raise Refused(f"'{fen}': expected a FEN, its second field w or b")
    ranks = fields[0].translate(BLANKS).split("/")
    if len(ranks) != 8 or any(len(rank) != 8 for rank in ranks):
        raise Refused(f"'{fen}': expected 8 ranks of 8 squares")
    squares = "".join(reversed(ranks))
    try:
        pieces = [(square, PIECE_OF[letter]) for square, letter in enumerate(squares) if letter != "."]
    except KeyError as letter:
        raise Refused(f"'{fen}': found the piece {letter}, expected one of {PIECES}") from None
    if squares.count("K") != 1 or squares.count("k") != 1:
        raise Refused(f"'{fen}': expected one king of each colour")
    if any(letter in "Pp" for letter in squares[:8] + squares[56:]):
        raise Refused(f"'{fen}': found a pawn on the first or last rank")
    if len(pieces) > 32:
        raise Refused(f"'{fen}': found {len(pieces)} pieces, expected at most 32")
    return pieces, WHITE if fields[1] == "w" else BLACK


def seen_by(pieces, colour, turn):
    """The pieces as a colour sees them: its own are 0 to 5; for Black every square is turned by `turn`."""
    if colour == WHITE:
        return pieces
    return [(square ^ turn, (piece + 6) % 12) for square, piece in pieces]


def king_square(view):
    return next(square for square, piece in view if piece == KING)


# -- Arithmetic --------------------------------------------------------------------------------------------------------


def toward_zero(dividend, divisor):
    """The quotient of whole numbers without its fraction; the divisor is positive."""
    quotient = abs(dividend) // divisor
    return -quotient if dividend < 0 else quotient


def sum_rows(rows, indices):
    """The sum of some rows of 16-bit weights. A few hundred of them cannot leave 32 bits."""
    return rows[indices].sum(axis=0, dtype=np.int32)


def sums_of(inputs, weights, biases, what):
    """A layer before its activation, for many positions: [position][input] to [position][output]."""
    sums = inputs @ weights.T + biases
    low, high = int(sums.min()), int(sums.max())
    if low < -(1 << 31) or high >= 1 << 31:
        raise Refused(f"{what}: found sums from {low} to {high}, expected numbers of 32 bits")
    return sums


def outputs_of(inputs, layers, shift, most):
    """The last layer's only sum for each position, as Python's unbounded integers."""
    *hidden, last = layers
    for number, (weights, biases) in enumerate(hidden, start=2):
        inputs = np.clip(sums_of(inputs, weights, biases, f"layer {number}") >> shift, 0, most)
    return sums_of(inputs, *last, "output")[:, 0].tolist()


# -- Files -------------------------------------------------------------------------------------------------------------


class Reader:
    """Takes one array after another from a file that is mapped into memory."""

    def __init__(self, path):
        self.path = path
        self.at = 0
        try:
            self.data = np.memmap(path, dtype=np.uint8, mode="r")
        except (OSError, ValueError) as error:
            raise Refused(f"{path}: {error}") from None

    def refuse(self, what, found, expected):
        raise Refused(f"{self.path}: {what}: found {found}, expected {expected}")

    def expect(self, what, found, expected):
        if found != expected:
            self.refuse(what, found, expected)

    def bytes(self, what, size):
        left = len(self.data) - self.at
        if size > left:
            self.refuse(what, f"{left} bytes at {self.at}", f"{size} bytes")
        self.at += size
        return self.data[self.at - size : self.at]

    def array(self, what, kind, *shape):
        """Integers, `kind` is for example "<i2"; they stay in the file until they are looked at."""
        size = np.dtype(kind).itemsize * int(np.prod(shape))
        return np.frombuffer(self.bytes(what, size), dtype=kind).reshape(shape)

    def word(self, what):
        return int(self.array(what, "<u4", 1)[0])

    def layer(self, what, kind, outputs, inputs, biases_first):
        """Weights and biases of a layer, widened so that no sum can overflow."""

        def biases():
            return self.array(f"biases of {what}", "<i4", outputs).astype(np.int64)

        first = biases() if biases_first else None
        weights = self.array(f"weights of {what}", kind, outputs, inputs).astype(np.int64)
        return weights, first if biases_first else biases()

    def end(self):
        self.expect("end of the file", f"{len(self.data)} bytes", f"{self.at} bytes")


# -- The engine's own nets: docs/net-format.md -------------------------------------------------------------------------

STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))
MOVES = {
    KNIGHT: (JUMPS, 1),
    BISHOP: (DIAGONAL, 7),
    ROOK: (STRAIGHT, 7),
    QUEEN: (STRAIGHT + DIAGONAL, 7),
    KING: (STRAIGHT + DIAGONAL, 1),
}


def reach(piece, start):
    """What a piece attacks on an empty board: each square with the mask of the squares that it passes over."""
    file, rank = start % 8, start // 8
    if piece % 6 == PAWN:
        ahead = 1 if piece == PAWN else -1
        steps, far = ((-1, ahead), (1, ahead)), 1 if 1 <= rank <= 6 else 0
    else:
        steps, far = MOVES[piece % 6]
    found = {}
    for across, up in steps:
        passed = 0
        for distance in range(1, far + 1):
            x, y = file + distance * across, rank + distance * up
            if not (0 <= x < 8 and 0 <= y < 8):
                break
            found[y * 8 + x] = passed
            passed |= 1 << (y * 8 + x)
    return found


class Threats:
    """Numbers the threat pairs and finds those of a position."""

    ROWS = 86_808

    def __init__(self):
        # First row of (attacker, from, to), or -1, and what must be empty between them.
        self.first = np.full((12, 64, 64), -1, dtype=np.int32)
        self.passed = np.zeros((12, 64, 64), dtype=np.uint64)
        row = 0
        for attacker, start in itertools.product(range(12), range(64)):
            for to, passed in sorted(reach(attacker, start).items()):
                self.first[attacker, start, to] = row
                self.passed[attacker, start, to] = passed
                row += 12 if 8 <= to < 56 else 10
        # Place of a target among those that can stand on a square: on the outer ranks there are no pawns.
        self.place = np.tile(np.arange(12, dtype=np.int32), (64, 1))
        outer = [0, 0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]
        self.place[:8] = self.place[56:] = outer
        # The check values of the description.
        start, middle = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "6k1/8/5n2/3q4/2B1P3/8/8/3R2K1 w"
        counts = [len(self.active(parse_fen(fen)[0])) for fen in (start, middle)]
        assert (row, *counts) == (self.ROWS, 40, 11), (row, counts)

    def active(self, view):
        """The rows of all pairs of a (mirrored) view."""
        squares = np.array([square for square, _ in view])
        pieces = np.array([piece for _, piece in view])
        occupied = np.uint64(sum(1 << square for square, _ in view))
        pair = pieces[:, None], squares[:, None], squares[None, :]
        first = self.first[pair]
        attacked = (first >= 0) & (self.passed[pair] & occupied == 0)
        return (first + self.place[squares, pieces])[attacked]


class TempoNet:
    """A net as docs/net-format.md describes it."""

    MAGIC = b"TEMPONET"
    HEADER = struct.Struct("<8s10I32s32s")

    def __init__(self, reader, check_hash):
        magic, version, width, buckets, piece_rows, threat_rows, hidden2, hidden3, scale, most, shift, table, digest = (
            self.HEADER.unpack(reader.bytes("header", self.HEADER.size).tobytes())
        )
        reader.expect("magic", magic, self.MAGIC)
        reader.expect("format version", version, 1)
        reader.expect("activation maximum", most, 255)
        reader.expect("weight shift", shift, 14)
        reader.expect("piece rows", piece_rows, buckets * 768)
        if threat_rows not in (0, Threats.ROWS):
            reader.refuse("threat rows", threat_rows, f"0 or {Threats.ROWS}")
        if min(width, buckets, hidden2, hidden3) == 0:
            reader.refuse("shape", f"{width} {buckets} {hidden2} {hidden3}", "numbers above 0")
        if max(table) >= buckets:
            reader.refuse("king bucket", max(table), f"less than {buckets}")
        self.width, self.scale, self.buckets = width, scale, table

        self.piece_rows = reader.array("piece rows", "<i2", piece_rows, width)
        self.threat_rows = reader.array("threat rows", "<i2", threat_rows, width)
        self.biases = reader.array("biases", "<i2", width).astype(np.int32)
        self.layers = [
            reader.layer("layer 2", "<i2", hidden2, 2 * width, biases_first=False),
            reader.layer("layer 3", "<i2", hidden3, hidden2, biases_first=False),
            reader.layer("the output", "<i2", 1, hidden3, biases_first=False),
        ]
        reader.end()
        if check_hash:
            found = hashlib.sha256(reader.data[self.HEADER.size :]).hexdigest()
            reader.expect("SHA-256 of the payload", found, digest.hex())
        self.threats = Threats() if threat_rows else None

    def activations(self, pieces, colour):
        """The first layer as one colour sees it."""
        view = seen_by(pieces, colour, turn=56)
        king = king_square(view)
        if king % 8 >= 4:
            king ^= 7
            view = [(square ^ 7, piece) for square, piece in view]
        base = self.buckets[king // 8 * 4 + king % 8] * 768
        sums = self.biases + sum_rows(self.piece_rows, [base + piece * 64 + square for square, piece in view])
        if self.threats:
            sums += sum_rows(self.threat_rows, self.threats.active(view))
        return np.clip(sums, 0, 255)

    def values(self, inputs):
        outputs = outputs_of(inputs, self.layers, shift=14, most=255)
        return [toward_zero(output * self.scale, 255 * 16384) for output in outputs]


# -- HalfKP 256x2-32-32, as published ----------------------------------------------------------------------------------


class HalfKpNet:
    """A HalfKP net. A view is the board turned round for Black; features are all pieces but the kings."""

    VERSION = 0x7AF32F16
    TRANSFORMER, NETWORK = 0x5D69D7B8, 0x63337156
    # Own pawns have the numbers 1 to 64, enemy pawns 65 to 128, own knights 129 to 192, and so on.
    PER_KING = 641

    def __init__(self, reader, _check_hash):
        reader.expect("version", reader.word("version"), self.VERSION)
        reader.expect("hash of the shape", reader.word("hash of the shape"), self.TRANSFORMER ^ self.NETWORK)
        reader.bytes("description", reader.word("length of the description"))
        reader.expect("hash of the transformer", reader.word("hash of the transformer"), self.TRANSFORMER)
        self.width = 256
        self.biases = reader.array("biases", "<i2", 256).astype(np.int32)
        self.rows = reader.array("rows", "<i2", 64 * self.PER_KING, 256)
        reader.expect("hash of the layers", reader.word("hash of the layers"), self.NETWORK)
        self.layers = [
            reader.layer("layer 2", "i1", 32, 512, biases_first=True),
            reader.layer("layer 3", "i1", 32, 32, biases_first=True),
            reader.layer("the output", "i1", 1, 32, biases_first=True),
        ]
        reader.end()

    def activations(self, pieces, colour):
        """The first layer as one colour sees it."""
        view = seen_by(pieces, colour, turn=63)
        base = king_square(view) * self.PER_KING + 1
        indices = [
            base + piece % 6 * 128 + piece // 6 * 64 + square for square, piece in view if piece % 6 != KING
        ]
        sums = self.biases + sum_rows(self.rows, np.array(indices, dtype=np.int64))
        # The published sums have 16 bits and wrap.
        return np.clip(sums.astype(np.int16), 0, 127)

    def values(self, inputs):
        return [toward_zero(output, 16) for output in outputs_of(inputs, self.layers, shift=6, most=127)]


# -- Values ------------------------------------------------------------------------------------------------------------

MATERIAL = (110, 320, 330, 500, 900, 0)
MOST = 30_000


def scaled(net, pieces):
    """What the search makes of the net's value."""
    material = sum(MATERIAL[piece % 6] for _, piece in pieces)
    value = net + toward_zero(net * 80 * (material - 3370), 1_000_000)
    return max(-MOST, min(MOST, value))


def open_net(path, check_hash):
    reader = Reader(path)
    start = reader.data[:8].tobytes()
    if start == TempoNet.MAGIC:
        return TempoNet(reader, check_hash)
    if start[:4] == struct.pack("<I", HalfKpNet.VERSION):
        return HalfKpNet(reader, check_hash)
    return reader.refuse("first bytes", start, f"{TempoNet.MAGIC} or a HalfKP net's version {HalfKpNet.VERSION:#x}")


def answers(net, first, fens):
    """The lines to print for some positions; `first` is the number of the first one."""
    inputs = np.empty((len(fens), 2, net.width), dtype=np.int64)
    positions = []
    for number, fen in enumerate(fens):
        try:
            pieces, mover = parse_fen(fen)
        except Refused as error:
            raise Refused(f"position {first + number}: {error}") from None
        positions.append(pieces)
        inputs[number, 0] = net.activations(pieces, mover)
        inputs[number, 1] = net.activations(pieces, 1 - mover)
    values = net.values(inputs.reshape(len(fens), -1))
    return "".join(f"net {value} scaled {scaled(value, pieces)}\n" for value, pieces in zip(values, positions))


NET = None


def start_worker(path):
    global NET
    NET = open_net(path, check_hash=False)


def work(chunk):
    return answers(NET, *chunk)


def chunks(lines):
    """(number of the first position, positions) of so many positions at a time."""
    for first in itertools.count(1, CHUNK):
        fens = [line.strip() for line in itertools.islice(lines, CHUNK)]
        if not fens:
            return
        yield first, fens


def run(arguments):
    net = open_net(arguments.net, check_hash=True)
    with open(arguments.fens) if arguments.fens else sys.stdin as lines:
        if arguments.jobs == 1:
            for first, fens in chunks(lines):
                sys.stdout.write(answers(net, first, fens))
            return
        with multiprocessing.Pool(arguments.jobs, start_worker, (arguments.net,)) as pool:
            for text in pool.imap(work, chunks(lines)):
                sys.stdout.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("net", help="a net file")
    parser.add_argument("fens", nargs="?", help="a file of FENs, one a line; default: standard input")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the work; default: 1")
    arguments = parser.parse_args()
    if arguments.jobs < 1:
        parser.error(f"--jobs {arguments.jobs}: expected at least 1")
    try:
        run(arguments)
    except (Refused, OSError) as error:
        sys.exit(f"nnue_reference: {error}")


if __name__ == "__main__":
    main()
