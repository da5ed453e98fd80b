//! What a draw over two arms promises, checked on the executables.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::output;
use layouts::capture::Capture;
use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;
use layouts::unit::Kind;

/// The type of executables that can be loaded anywhere, in the byte 16 of the file.
const ET_DYN: u8 = 3;

/// Draws two layouts for both arms and checks everything that a draw promises; `arms` are the archive of each link and
/// the executable, the arm with more first. Returns the first arm's capture.
pub fn prove(dir: &Path, arms: &[(PathBuf, PathBuf); 2]) -> Capture {
    let open = |at: usize| {
        let folder = dir.join(format!("capture-{at}"));
        Capture::open(&arms[at].0, &folder).expect("capture opens")
    };
    let (full, base) = (open(0), open(1));
    let expected = output(&arms[0].1);
    assert_eq!(output(&arms[1].1), expected, "the arms do different things");
    // Addresses in constants need no room that the start writes to when they are fixed at the link.
    let fixed = fs::read(&arms[0].1).expect("executable")[16] != ET_DYN;
    for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::RelRo || !fixed) {
        assert!(full.units().iter().any(|unit| unit.key.kind == kind), "no unit of {kind:?}");
    }
    let more = full.units().iter().filter(|unit| base.unit(&unit.key).is_none()).count();
    assert!(more > 0, "the arms do not differ");
    for seed in [1, 2] {
        let draw = Draw::new(seed, &Parts::all(), &[&full, &base]);
        let images = [(&full, "full"), (&base, "base")].map(|(capture, name)| {
            let image = relink(capture, &draw, &dir.join(name)).expect("relinks");
            assert_eq!(output(image.path()), expected, "{name}, seed {seed}");
            let moved = image.moved(capture.natural());
            for (moved, all) in [moved.functions, moved.data] {
                assert!(moved * 100 >= all * 95, "{name}, seed {seed}: {moved} of {all} moved");
            }
            image
        });
        let shared = images[0].shared(&images[1]);
        let (same, common) = shared.total();
        assert_eq!(same, common, "seed {seed}: {shared:?}");
        let elsewhere = images[0].unscattered(&images[1]);
        assert!(elsewhere.is_empty(), "seed {seed}: {elsewhere:?}");
        assert!(common * 10 >= full.units().len() * 8, "{common} of {} in common", full.units().len());
    }
    full
}
