//! The search asks the system for no memory, and what it has asked for before is what it says.

use allocation_counter::measure;

use tempo::memory::Memory;
use tempo::nnue::{Architecture, Net, Network, Simd, halfkp, synth, widen};
use tempo::position::Position;
use tempo::search::{Game, Limits, Searcher, Task};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

#[test]
fn nothing_is_allocated_in_the_search() {
    let game = Game::new(Position::from_fen(MIDDLEGAME).unwrap());
    let mut searcher = Searcher::new(Network::embedded(), Simd::best(), 4).unwrap();
    let task = Task::unattended();
    let mut search = |nodes| {
        let counted = measure(|| {
            assert_eq!(searcher.search(&game, &Limits::nodes(nodes), &task, &mut |_| ()).nodes, nodes);
        });
        counted.count_total
    };
    // The first search makes room for the longest line.
    search(1);
    assert_eq!(search(20_000), 0);
}

/// A net of every kind: the embedded one, a narrow one, one with threat rows, a HalfKP one.
fn nets() -> Vec<Net> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name| folder.path().join(name);
    synth::synthesise(&Architecture { width: 128, ..Architecture::MAIN }, 1, &path("narrow")).unwrap();
    let narrow = Network::load(&path("narrow")).unwrap();
    widen::widen(&narrow, &Architecture { width: 192, ..Architecture::T1536 }, 1, &path("threats")).unwrap();
    halfkp::synth::synthesise(1, &path("halfkp")).unwrap();
    let loaded = ["narrow", "threats", "halfkp"].map(|name| Net::load(&path(name)).unwrap());
    std::iter::once(Net::try_embedded().unwrap()).chain(loaded).collect()
}

#[test]
fn a_thread_holds_what_it_says() {
    for net in nets() {
        let (game, task) = (Game::default(), Task::unattended());
        let mut searcher = None;
        let counted = measure(|| {
            let mut made = Searcher::new(net.clone(), Simd::best(), 4).unwrap();
            made.search(&game, &Limits::nodes(1), &task, &mut |_| ());
            searcher = Some(made);
        });
        let Memory { heap, mapped } = searcher.unwrap().memory();
        assert_eq!(counted.bytes_current, heap as i64, "{net:?}");
        // The evaluation cache: 65,536 slots of eight bytes.
        assert_eq!(mapped, if cfg!(feature = "eval-cache") { 1 << 19 } else { 0 });
    }
}
