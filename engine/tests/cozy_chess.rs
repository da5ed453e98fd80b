//! Compares positions with an independent move generator along random games.

mod games;

use std::collections::HashMap;

use cozy_chess::Board;
use tempo::position::{Castle, Move, Position};

/// Their castling moves go to the rook's square.
fn their_text(position: &Position, m: Move) -> String {
    let castle =
        Castle::ALL.iter().find(|c| m.is_castling() && c.color == position.side() && c.king_to == m.to());
    match castle {
        Some(castle) => format!("{}{}", castle.king_from, castle.rook_from),
        None => m.to_string(),
    }
}

fn their_board(position: &Position) -> Board {
    let fen = position.to_fen();
    // Their clock stops at 100.
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let clock = position.halfmove_clock().min(100).to_string();
    fields[4] = &clock;
    Board::from_fen(&fields.join(" "), false).unwrap_or_else(|e| panic!("{e}: {fen}"))
}

fn their_moves(board: &Board) -> Vec<String> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(|m| m.to_string()));
        false
    });
    moves.sort();
    moves
}

#[test]
fn legal_moves_checkers_and_pins_agree() {
    let mut positions = 0;
    games::play(1, 240, 120, |position, _| {
        positions += 1;
        let board = their_board(position);
        let mut ours: Vec<String> = position.legal_moves().iter().map(|&m| their_text(position, m)).collect();
        ours.sort();
        assert_eq!(ours, their_moves(&board), "{position:?}");
        assert_eq!(position.checkers().0, board.checkers().0, "{position:?}");
        let own = board.colors(board.side_to_move());
        assert_eq!(position.pinned().0, (board.pinned() & own).0, "{position:?}");
    });
    assert!(positions > 10_000, "only {positions} positions");
}

/// All that makes a position the same, as their board tells it: the FEN without counters, with the
/// en passant square only when a pawn may take. (Their `same_position` also counts
/// other pieces that can go there.)
fn identity(board: &Board) -> String {
    let fen = board.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut pawn_targets = cozy_chess::BitBoard::EMPTY;
    board.generate_moves(|set| {
        if set.piece == cozy_chess::Piece::Pawn {
            pawn_targets |= set.to;
        }
        false
    });
    let can_take = fields[3].parse().is_ok_and(|square: cozy_chess::Square| pawn_targets.has(square));
    let en_passant = if can_take { fields[3] } else { "-" };
    format!("{} {} {} {en_passant}", fields[0], fields[1], fields[2])
}

#[test]
fn moves_lead_to_the_same_positions() {
    games::play(2, 240, 120, |position, m| {
        let mut board = their_board(position);
        board.play(their_text(position, m).parse().unwrap());
        let next = position.make(m).to_fen();
        let without_counters = next.rsplitn(3, ' ').last();
        assert_eq!(without_counters, Some(&*identity(&board)), "{m} in {position:?}");
    });
}

#[test]
fn equal_positions_have_equal_hashes_and_others_do_not() {
    let mut identities: HashMap<u64, String> = HashMap::new();
    let mut hashes: HashMap<String, u64> = HashMap::new();
    let (mut seen_again, mut en_passants) = (0, 0);
    let mut see = |position: &Position, board: &Board| {
        let identity = identity(board);
        match identities.insert(position.hash(), identity.clone()) {
            Some(earlier) => {
                seen_again += 1;
                assert_eq!(earlier, identity);
            }
            None => assert_eq!(hashes.insert(identity, position.hash()), None, "{position:?}"),
        }
    };
    games::play(3, 480, 120, |position, m| {
        // Their board keeps the en passant square after every double step.
        let mut board = their_board(position);
        board.play(their_text(position, m).parse().unwrap());
        let next = position.make(m);
        see(&next, &board);
        if let Some(square) = next.ep_square() {
            en_passants += 1;
            let without = next.to_fen().replace(&format!(" {square} "), " - ");
            let without = Position::from_fen(&without).unwrap();
            see(&without, &their_board(&without));
        }
    });
    assert!(seen_again > 500, "only {seen_again} positions came again");
    assert!(en_passants > 100, "only {en_passants} with en passant");
}
