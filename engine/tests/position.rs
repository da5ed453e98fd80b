//! What holds in every position of random games.

mod games;

use tempo::position::{Color, Move, PieceType, Position};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

#[test]
fn the_incremental_position_is_the_one_read_from_its_fen() {
    // Equality covers boards, keys, checkers, pins, rights and counters.
    games::play(11, 240, 150, |position, m| {
        let fen = position.to_fen();
        let fresh = Position::from_fen(&fen).unwrap_or_else(|e| panic!("{e}: {fen}"));
        assert!(fresh == *position, "{fen}");
        assert_eq!(fresh.hash(), position.hash());
        if position.checkers().is_empty() {
            let passed = position.make_null();
            assert!(Position::from_fen(&passed.to_fen()) == Ok(passed), "{fen}");
        }
        assert_ne!(position.make(m).hash(), position.hash());
    });
}

#[test]
fn captures_are_the_noisy_legal_moves() {
    games::play(12, 240, 120, |position, _| {
        let mut expected: Vec<u16> = position
            .legal_moves()
            .iter()
            .filter(|&&m| position.is_capture(m) || m.promotion().is_some())
            .map(|m| m.bits())
            .collect();
        let mut found: Vec<u16> = position.legal_captures().iter().map(|m| m.bits()).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{position:?}");
        for m in &position.legal_captures() {
            assert_eq!(position.captured(*m).is_some(), position.is_capture(*m));
        }
    });
}

#[test]
fn any_sixteen_bits_are_legal_exactly_when_generated() {
    let mut visited = 0;
    games::play(13, 120, 120, |position, _| {
        visited += 1;
        if visited % 24 != 0 {
            return;
        }
        let moves = position.legal_moves();
        assert_eq!(position.count_legal_moves(), moves.len() as u64);
        for bits in 0..=u16::MAX {
            let m = Move::from_bits(bits);
            assert_eq!(position.is_legal(m), moves.contains(&m), "{bits:#x} in {position:?}");
        }
    });
    assert!(visited > 5_000, "only {visited} positions");
}

#[test]
fn checks_and_hashes_are_known_before_the_move() {
    let (mut checks, mut en_passants) = (0, 0);
    games::play(14, 240, 120, |position, _| {
        for &m in &position.legal_moves() {
            let next = position.make(m);
            let check = !next.checkers().is_empty();
            assert_eq!(position.gives_check(m), check, "{m} in {position:?}");
            checks += u32::from(check);
            let keys = position.keys_after(m);
            assert_eq!(keys.placement, next.placement_key(), "{m} in {position:?}");
            if next.ep_square().is_none() {
                assert_eq!(keys.hash, next.hash(), "{m} in {position:?}");
            } else {
                en_passants += 1;
                assert_ne!(keys.hash, next.hash());
            }
            assert_eq!(position.parse_move(&m.to_string()), Some(m));
        }
    });
    assert!(checks > 1000 && en_passants > 100, "{checks} checks, {en_passants} en passants");
}

#[test]
fn discovered_and_special_checks() {
    for (fen, text, check) in [
        // Castling with check from the rook, and one where a pawn stands between.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true),
        ("5k2/5p2/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", true),
        // En passant opens the fifth rank, and the diagonal of the taken pawn.
        ("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "e5d6", true),
        ("6k1/8/8/3pP3/2B5/8/8/4K3 w - d6 0 1", "e5d6", true),
        // A promoted piece looks back through the square that the pawn left.
        ("8/4P3/8/8/4k3/8/8/4K3 w - - 0 1", "e7e8q", true),
        ("8/4P3/8/8/4k3/8/8/4K3 w - - 0 1", "e7e8b", false),
        // A piece that stays on its line discovers nothing.
        ("4k3/8/8/8/4P3/8/8/4RK2 w - - 0 1", "e4e5", false),
        ("4k3/8/8/4n3/4R3/8/8/4RK2 w - - 0 1", "e4d4", false),
        ("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "e4c3", true),
    ] {
        let position = position(fen);
        let m = position.parse_move(text).unwrap_or_else(|| panic!("{text} in {fen}"));
        assert_eq!(position.gives_check(m), check, "{text} in {fen}");
    }
}

#[test]
fn en_passant_counts_only_when_it_is_legal() {
    let start = Position::start();
    let e4 = start.make(start.parse_move("e2e4").unwrap());
    assert_eq!(e4.ep_square(), None);
    assert_eq!(e4.to_fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    for (fen, legal) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true),
        // The fifth rank opens when both pawns leave it.
        ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", false),
        // Pinned along the file, across the capture and along it.
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false),
        ("2b3k1/8/8/3pP3/4K3/8/8/8 w - d6 0 1", true),
        ("6kb/8/8/3pP3/8/2K5/8/8 w - d6 0 1", false),
        ("1b4k1/8/8/3pP3/8/6K1/8/8 w - d6 0 1", true),
        // The pawn itself gives check.
        ("4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 1", true),
        // Nobody is there to take.
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", false),
    ] {
        let position = position(fen);
        assert_eq!(position.ep_square().is_some(), legal, "{fen}");
        assert_eq!(position.parse_move("e5d6").is_some_and(|m| m.is_en_passant()), legal, "{fen}");
        let without = Position::from_fen(&fen.replace("d6", "-")).unwrap();
        assert_eq!(position.hash() == without.hash(), !legal, "{fen}");
        assert_eq!(position.placement_key(), without.placement_key());
    }
}

#[test]
fn only_the_hash_knows_castling_rights() {
    let with = position("4k2r/8/8/8/8/8/8/4K3 w k - 0 1");
    let without = position("4k2r/8/8/8/8/8/8/4K3 w - - 7 9");
    assert_ne!(with.hash(), without.hash());
    assert_eq!(with.placement_key(), without.placement_key());
    assert_ne!(without.make_null().placement_key(), without.placement_key());
}

#[test]
fn counters_run() {
    let mut position = Position::start();
    for (text, clock, number) in
        [("g1f3", 1, 1), ("g8f6", 2, 2), ("e2e4", 0, 2), ("f6e4", 0, 3), ("f1d3", 1, 3)]
    {
        position = position.make(position.parse_move(text).unwrap());
        assert_eq!((position.halfmove_clock(), position.fullmove()), (clock, number), "{text}");
    }
}

#[test]
fn texts_that_are_no_legal_move() {
    let start = Position::start();
    for text in ["", "e2", "e2e5", "e2e4q", "e7e5", "0000", "E2E4", "e2e4 ", "♔2e4", "e1g1"] {
        assert_eq!(start.parse_move(text), None, "{text:?}");
    }
    let promoting = position("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(promoting.parse_move("a7a8"), None);
    assert_eq!(promoting.parse_move("a7a8k"), None);
    let queen = promoting.parse_move("a7a8q").unwrap();
    assert_eq!(queen.promotion(), Some(PieceType::Queen));
    assert_eq!(promoting.moved_piece(queen), Some(PieceType::Pawn));
    let next = promoting.make(queen);
    assert_eq!(next.pieces(Color::White, PieceType::Queen).lsb(), Some(queen.to()));
    assert!(next.kind_bb(PieceType::Pawn).is_empty());
}

#[test]
fn material_that_cannot_mate() {
    for (fen, insufficient) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4k1b1/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k1b1/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4k2b/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", false),
    ] {
        assert_eq!(position(fen).is_insufficient_material(), insufficient, "{fen}");
    }
}

#[test]
fn the_board_is_drawn() {
    let mated = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert!(mated.legal_moves().is_empty());
    let text = mated.to_string();
    assert!(text.contains("\n4 |   |   |   |   |   |   | P | q |\n"), "{text}");
    assert!(text.contains(&format!("\nFen: {}\n", mated.to_fen())), "{text}");
    assert!(text.contains(&format!("\nKey: {:016X}\n", mated.hash())), "{text}");
    assert!(text.ends_with("\nCheckers: h4"), "{text}");
}
