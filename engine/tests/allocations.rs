//! The search asks the system for no memory.

use allocation_counter::measure;

use tempo::nnue::{Network, Simd};
use tempo::position::Position;
use tempo::search::{Game, Limits, Searcher, Task};

#[test]
fn nothing_is_allocated_in_the_search() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";
    let game = Game::new(Position::from_fen(fen).unwrap());
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
