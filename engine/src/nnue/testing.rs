//! What several tests of this room need: random games and seeded nets.

use std::sync::Arc;

use super::architecture::Architecture;
use super::network::Network;
use super::noise::Noise;
use super::writer::write_net;

pub(super) use super::games::random_game;

/// Starts whose random games castle, promote, capture en passant and walk kings over the board.
pub(super) const STARTS: [&str; 10] = [
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

/// The smallest shape with threat rows.
pub(super) fn small_teacher() -> Architecture {
    Architecture { width: 64, ..Architecture::T1536 }
}

/// A net of any shape with random weights that let values differ, one threat row in twenty too large
/// for 8 bits.
pub(super) fn random_net(architecture: &Architecture, seed: u64) -> Arc<Network> {
    let a = architecture;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.net");
    let mut noise = Noise::new(seed);
    let mut row = |len: usize, deviation: i32| -> Vec<i16> {
        let mut row = vec![0; len];
        noise.fill(&mut row, deviation);
        row
    };
    write_net(&path, a, |out| {
        out.put(&row(a.piece_rows() * a.width, 40))?;
        for number in 0..a.threat_rows {
            let mut threats = row(a.width, 15);
            if number % 20 == 0 {
                threats[number % a.width] = if number % 40 == 0 { 128 } else { -129 };
            }
            out.put(&threats)?;
        }
        out.put(&row(a.width, 100))?;
        for (outputs, inputs, deviation) in [(a.hidden2, a.inputs(), 300), (a.hidden3, a.hidden2, 4000)] {
            out.put(&row(outputs * inputs, deviation))?;
            let bias: Vec<i32> = row(outputs, 5000).into_iter().map(|bias| i32::from(bias) * 200).collect();
            out.put(&bias)?;
        }
        out.put(&row(a.hidden3, 9000))?;
        out.put(&[54_321])
    })
    .unwrap();
    Network::load(&path).unwrap()
}
