use super::score::INFINITE;
use super::*;
use crate::nnue::{Network, Simd};

fn searcher(simd: Simd) -> Searcher {
    Searcher::new(Network::embedded(), simd, 4).unwrap()
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

/// Searches, and returns the outcome with the `info` lines, their times cut off.
fn run(searcher: &mut Searcher, game: &Game, limits: &Limits) -> (Outcome, Vec<String>) {
    let mut lines = Vec::new();
    let mut report = |report: &Report| {
        lines.push(Report { time: std::time::Duration::ZERO, ..*report }.to_string());
    };
    let outcome = searcher.search(game, limits, &Task::unattended(), &mut report);
    (outcome, lines)
}

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

#[test]
fn mates_are_found_with_their_distance() {
    let table = [
        // position, depth, score in moves, first move
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 3, "mate 1", "d1d8"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 3, "mate 1", "h5f7"),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 10, "mate 2", ""),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 6, "mate 2", "a1a6"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 8, "mate 3", "f6a6"),
        ("6k1/R7/1R6/8/8/8/8/6K1 b - - 0 1", 9, "mate -1", ""),
    ];
    for (fen, depth, score, best) in table {
        let (outcome, lines) = run(&mut searcher(Simd::best()), &game(fen), &Limits::depth(depth));
        assert_eq!(UciScore(outcome.score).to_string(), score, "{fen}: {lines:#?}");
        assert!(outcome.best.to_string().starts_with(best), "{fen}: {}", outcome.best);
    }
}

#[test]
fn no_legal_move_is_mate_or_stalemate_without_a_node() {
    let table = [
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 seldepth 0 score mate 0 nodes 0 "),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 seldepth 0 score cp 0 nodes 0 "),
    ];
    for (fen, line) in table {
        let (outcome, lines) = run(&mut searcher(Simd::best()), &game(fen), &Limits::depth(5));
        assert_eq!((outcome.best, outcome.ponder, outcome.nodes), (Move::NULL, Move::NULL, 0));
        assert!(lines.len() == 1 && lines[0].starts_with(line), "{fen}: {lines:?}");
    }
}

#[test]
fn stalemate_is_a_refuge() {
    // White keeps his pawn only by stalemating.
    let (outcome, lines) =
        run(&mut searcher(Simd::best()), &game("5k2/5P2/4K3/8/8/8/8/8 w - - 0 1"), &Limits::depth(6));
    assert_eq!(outcome.score, DRAW, "{lines:#?}");
}

#[test]
fn a_perpetual_check_is_a_draw() {
    // White is far behind but checks for ever on e8 and h5.
    let perpetual = game("6k1/q5p1/8/7Q/8/8/rr4PP/7K w - - 0 1");
    let (outcome, lines) = run(&mut searcher(Simd::best()), &perpetual, &Limits::depth(10));
    assert_eq!(outcome.score, DRAW, "{lines:#?}");
}

#[test]
fn the_third_occurrence_in_the_game_is_a_draw() {
    // A queen up, White has shuffled until h1h2 would bring about the third occurrence.
    let mut game = game("8/8/8/8/8/5k2/8/K6Q b - - 0 1");
    for text in ["f3e3", "h1h2", "e3f3", "h2h1", "f3e3", "h1h2", "e3f3", "h2h1", "f3e3"] {
        game.play(game.position().parse_move(text).unwrap());
    }
    let only = |text| vec![game.position().parse_move(text).unwrap()];
    let limits = Limits { search_moves: only("h1h2"), ..Limits::depth(6) };
    assert_eq!(run(&mut searcher(Simd::best()), &game, &limits).0.score, DRAW);
    let (outcome, _) = run(&mut searcher(Simd::best()), &game, &Limits::depth(6));
    assert!(outcome.score > 300 && outcome.best.to_string() != "h1h2", "{outcome:?}");
}

#[test]
fn a_draw_for_the_taking_needs_no_search() {
    // Black is a queen down, but d3e3 would bring about a position for the third time.
    let mut game = game("8/8/8/8/8/4k3/8/K6Q w - - 0 1");
    for text in ["h1h2", "e3d3", "h2h1", "d3e3", "h1h2", "e3d3", "h2h1"] {
        game.play(game.position().parse_move(text).unwrap());
    }
    let mut searcher = searcher(Simd::best());
    searcher.path.start(&game);
    searcher.evaluator.reset(game.position());
    let position = *game.position();
    for alpha in [-10_000, -300, -1] {
        assert_eq!(searcher.negamax(&position, 1, alpha, alpha + 1, 5, true), DRAW);
        assert_eq!(searcher.quiescence(&position, 1, alpha, alpha + 1), DRAW);
    }
    assert_eq!(searcher.nodes, 0);
    // In a window above the draw it is not asked for.
    assert!(searcher.quiescence(&position, 1, DRAW, DRAW + 1) < -300);
    // In an open window the rest is searched, and worth less.
    assert_eq!(searcher.quiescence(&position, 1, -INFINITE, INFINITE), DRAW);
    assert_eq!(searcher.negamax(&position, 1, -INFINITE, INFINITE, 3, false), DRAW);
    assert!(searcher.nodes > 0);
}

#[test]
fn fifty_moves_end_the_game() {
    // White can neither capture nor mate with the last ply: whatever he plays is a draw.
    let (outcome, _) =
        run(&mut searcher(Simd::best()), &game("7k/8/8/8/8/8/8/KQ6 w - - 99 80"), &Limits::depth(5));
    assert_eq!(outcome.score, DRAW);
    // One that mates on the last ply wins.
    let mating = game("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    let (outcome, _) = run(&mut searcher(Simd::best()), &mating, &Limits::depth(5));
    assert_eq!(
        (UciScore(outcome.score).to_string().as_str(), outcome.best.to_string().as_str()),
        ("mate 1", "a1a8")
    );
}

#[test]
fn node_limits_are_exact() {
    let mut searcher = searcher(Simd::best());
    for nodes in [1, 2, 3, 10, 19, 20, 21, 100, 511, 512, 513, 1000, 4321, 20_000] {
        searcher.clear();
        let (outcome, lines) = run(&mut searcher, &game(MIDDLEGAME), &Limits::nodes(nodes));
        assert_eq!(outcome.nodes, nodes);
        assert!(!outcome.best.is_null());
        assert!(lines.last().unwrap().contains(&format!(" nodes {nodes} ")), "{lines:?}");
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let search_moves = ["a2a3", "h2h3"].map(|text| game(MIDDLEGAME).position().parse_move(text).unwrap());
    let limits = Limits { search_moves: search_moves.to_vec(), ..Limits::depth(5) };
    let (outcome, _) = run(&mut searcher(Simd::best()), &game(MIDDLEGAME), &limits);
    assert!(search_moves.contains(&outcome.best), "{}", outcome.best);
}

#[test]
fn the_same_search_gives_the_same_lines_on_every_path() {
    let games = [MIDDLEGAME, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"].map(game);
    let play =
        |searcher: &mut Searcher| games.each_ref().map(|game| run(searcher, game, &Limits::nodes(15_000)));
    let mut first = searcher(Simd::best());
    let expected = play(&mut first);
    first.clear();
    assert_eq!(play(&mut first), expected, "after clear");
    for simd in [Simd::Scalar, Simd::Avx2, Simd::Avx512] {
        if simd.is_available() {
            assert_eq!(play(&mut searcher(simd)), expected, "{simd:?}");
        }
    }
}

#[test]
fn a_stopped_ponder_search_never_starts() {
    let task = Task::unattended();
    task.signals.stop(task.number);
    let limits = Limits { ponder: true, ..Limits::default() };
    let outcome = searcher(Simd::best()).search(&game(MIDDLEGAME), &limits, &task, &mut |_| ());
    assert_eq!(outcome.nodes, 0);
    assert!(!outcome.best.is_null());
}

#[test]
fn a_stopped_search_still_finds_a_move() {
    let task = Task::unattended();
    task.signals.stop(task.number);
    let mut depths = Vec::new();
    let outcome =
        searcher(Simd::best())
            .search(&game(MIDDLEGAME), &Limits::default(), &task, &mut |report| depths.push(report.depth));
    assert_eq!(depths, [1]);
    assert!(outcome.nodes > 0 && !outcome.best.is_null());
}

#[test]
fn the_longest_iterations_end() {
    // Almost nothing to search: the depth limit is reached, lines as long as they can be.
    let (outcome, lines) =
        run(&mut searcher(Simd::best()), &game("8/8/8/8/5k2/8/5p2/5K2 b - - 0 1"), &Limits::nodes(300_000));
    assert!(outcome.nodes <= 300_000 && !lines.is_empty());
}
