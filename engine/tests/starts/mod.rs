//! Where the random games of the tests of nets begin: those in this folder, and those in the library.

/// Starts whose random games castle, promote, capture en passant and walk kings over the board.
pub const STARTS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/PPPPPPPP/k7/8/8/7K/pppppppp/8 w - - 0 1",
    "rnbqkbnr/2p3p1/8/pP1pP1pP/Pp1Pp1Pp/8/2P3P1/RNBQKBNR w KQkq - 0 1",
    "k7/8/8/2Q5/8/3r4/8/7K w - - 0 1",
    "q3k2q/1b4b1/2n2n2/3rr3/3RR3/2N2N2/1B4B1/Q3K2Q w - - 0 1",
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
];
