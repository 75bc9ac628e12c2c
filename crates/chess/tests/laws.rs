//! Laws of positions and moves, after random play from standard and double-Chess960 starts.

use chess::attacks::{bishop_attacks, rook_attacks};
use chess::{
    Bitboard, CheckInfo, Color, Generate, Move, MoveList, Observer, Piece, PieceType, Position, Setup,
    Square, Wing,
};

#[path = "support/positions.rs"]
mod positions;
#[path = "support/random.rs"]
mod random;

use random::{Random, RandomPlay};

/// Calls the law for every position of so many random games, and for the traps.
fn everywhere(games: usize, mut law: impl FnMut(&Position)) {
    positions::traps().for_each(|pos| law(&pos));
    let mut random = Random::new(2);
    for _ in 0..games {
        let mut pos = random.start();
        law(&pos);
        for _ in 0..200 {
            let Some(mv) = random.legal_move(&pos) else { break };
            pos.play(mv);
            law(&pos);
        }
    }
}

#[test]
fn every_kept_value_equals_the_one_computed_from_scratch() {
    everywhere(200, |pos| {
        let (fresh, mends) = Setup::from(pos).position().unwrap();
        assert!(mends.is_empty(), "{pos}: {mends:?}");
        let keys = |pos: &Position| {
            let [white, black] = Color::ALL.map(|color| pos.non_pawn_key(color));
            [pos.key(), pos.pawn_key(), pos.minor_key(), white, black]
        };
        assert_eq!(keys(pos), keys(&fresh), "{pos}");
        assert_eq!(pos.castling(), fresh.castling(), "{pos}");
        assert_eq!(pos.en_passant(), fresh.en_passant(), "{pos}");
        assert_eq!(pos.checkers(), fresh.checkers(), "{pos}");
        assert_eq!(pos.pinned(), fresh.pinned(), "{pos}");
        assert_eq!(pos.to_string(), fresh.to_string());
        assert_eq!(pos.game_ply(), fresh.game_ply());
    });
}

#[test]
fn the_minor_key_changes_with_minor_pieces_and_kings_only() {
    let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::King];
    let minors = |pos: &Position| kinds.map(|kind| Color::ALL.map(|color| pos.pieces(color, kind)));
    everywhere(20, |pos| {
        for &mv in &pos.legal_moves() {
            let next = pos.after(mv);
            assert_eq!(minors(pos) == minors(&next), pos.minor_key() == next.minor_key(), "{mv:?} in {pos}");
        }
    });
}

#[test]
fn sets_and_board_agree() {
    everywhere(100, |pos| {
        let squares = |wanted: &dyn Fn(Piece) -> bool| -> Bitboard {
            Square::ALL.into_iter().filter(|&sq| pos.piece_on(sq).is_some_and(wanted)).collect()
        };
        assert_eq!(pos.occupied(), squares(&|_| true));
        for color in Color::ALL {
            assert_eq!(pos.of_color(color), squares(&|piece| piece.color() == color));
            assert_eq!(pos.piece_on(pos.king(color)), Some(Piece::new(color, PieceType::King)));
            let is_piece = |kind| !matches!(kind, PieceType::Pawn | PieceType::King);
            let pieces = squares(&|piece| piece.color() == color && is_piece(piece.kind()));
            assert_eq!(pos.has_pieces(color), pieces.any(), "{pos}");
            assert_eq!(pieces.into_iter().len(), pieces.into_iter().fold(0, |count, _| count + 1));
        }
        for kind in PieceType::ALL {
            assert_eq!(pos.of_kind(kind), squares(&|piece| piece.kind() == kind));
        }
        assert!(pos.men().eq(Square::ALL.iter().filter_map(|&sq| Some((pos.piece_on(sq)?, sq)))));
    });
}

#[test]
fn checkers_attack_the_king_and_pins_open_a_line_to_it() {
    everywhere(100, |pos| {
        let us = pos.side_to_move();
        let (king, them) = (pos.king(us), pos.of_color(!us));
        assert_eq!(pos.checkers(), pos.attackers_to(king, pos.occupied()) & them, "{pos}");

        let queens = pos.of_kind(PieceType::Queen);
        let sliders_seeing_king = |occupied: Bitboard| {
            (bishop_attacks(king, occupied) & (pos.of_kind(PieceType::Bishop) | queens)
                | rook_attacks(king, occupied) & (pos.of_kind(PieceType::Rook) | queens))
                & them
        };
        let now = sliders_seeing_king(pos.occupied());
        let pinned: Bitboard = (pos.of_color(us) & !Bitboard::of(king))
            .into_iter()
            .filter(|&sq| sliders_seeing_king(pos.occupied() ^ sq) != now)
            .collect();
        assert_eq!(pos.pinned(), pinned, "{pos}");
    });
}

#[test]
fn a_right_to_castle_has_its_king_and_rook() {
    everywhere(100, |pos| {
        for color in Color::ALL {
            for wing in Wing::ALL {
                let Some(rook) = pos.castling().rook(color, wing) else { continue };
                let king = pos.king(color);
                assert_eq!(pos.piece_on(rook), Some(Piece::new(color, PieceType::Rook)), "{pos}");
                assert_eq!((rook.rank(), Wing::of(king, rook)), (king.rank(), wing), "{pos}");
            }
        }
        let any = Color::ALL.iter().any(|&color| pos.castling().any_of(color));
        assert_eq!(pos.castling().any(), any);
    });
}

#[test]
fn en_passant_is_kept_exactly_where_it_can_be_played() {
    everywhere(200, |pos| {
        let legal = pos.legal_moves().iter().find(|mv| mv.is_en_passant()).map(|mv| mv.to());
        assert_eq!(pos.en_passant(), legal, "{pos}");
    });
}

#[test]
fn a_copy_takes_the_move_back() {
    everywhere(20, |pos| {
        let before = *pos;
        let fen = pos.to_string();
        for &mv in &pos.legal_moves() {
            let mut played = *pos;
            played.play(mv);
            assert_eq!(played, pos.after(mv));
            assert_ne!(played.key(), before.key(), "{pos} {mv:?}");
            assert_eq!(played.side_to_move(), !pos.side_to_move());
        }
        assert_eq!(*pos, before);
        assert_eq!(pos.to_string(), fen);
    });
}

#[test]
fn two_null_moves_are_none_but_for_clocks_and_en_passant() {
    everywhere(100, |pos| {
        if pos.in_check() {
            return;
        }
        let mut setup = Setup::from(pos);
        setup.side_to_move = !setup.side_to_move;
        setup.en_passant = None;
        let (turned, _) = setup.position().unwrap();
        let mut passed = *pos;
        passed.play_null();
        assert_eq!((passed.key(), passed.pinned()), (turned.key(), turned.pinned()), "{pos}");
        if passed.in_check() {
            return;
        }
        passed.play_null();
        setup.side_to_move = pos.side_to_move();
        let (back, _) = setup.position().unwrap();
        assert_eq!((passed.key(), passed.pinned()), (back.key(), back.pinned()), "{pos}");
        assert_eq!(passed.halfmove_clock(), pos.halfmove_clock() + 2);
        assert_eq!(passed.repetition_window(), 0);
    });
}

#[test]
fn the_kinds_of_generation_part_the_legal_moves() {
    let bits = |list: &MoveList| list.iter().map(|mv| mv.bits()).collect::<std::collections::BTreeSet<u16>>();
    everywhere(200, |pos| {
        let all = pos.legal_moves();
        let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
        pos.generate(Generate::Noisy, &mut noisy);
        pos.generate(Generate::Quiet, &mut quiet);
        assert!(noisy.iter().all(|mv| !mv.is_quiet()), "{pos}");
        assert!(quiet.iter().all(|mv| mv.is_quiet()), "{pos}");
        assert_eq!(noisy.len() + quiet.len(), all.len(), "{pos}");
        assert_eq!(&bits(&noisy) | &bits(&quiet), bits(&all), "{pos}");
        assert_eq!(bits(&all).len(), all.len(), "{pos}: a move twice");
        assert_eq!(pos.count_legal_moves(), all.len(), "{pos}");
        assert_eq!(pos.has_legal_move(), !all.is_empty());
    });
}

#[test]
fn check_is_foreseen() {
    everywhere(200, |pos| {
        let info = CheckInfo::new(pos);
        for &mv in &pos.legal_moves() {
            let check = pos.after(mv).in_check();
            assert_eq!(pos.gives_check(mv), check, "{pos} {mv:?}");
            assert_eq!(info.gives_check(pos, mv), check, "{pos} {mv:?}");
        }
    });
}

/// A board that only hears what changes.
struct Board([Option<Piece>; 64]);

impl Observer for Board {
    fn take(&mut self, piece: Piece, sq: Square) {
        assert_eq!(self.0[sq.index()].take(), Some(piece));
    }

    fn put(&mut self, piece: Piece, sq: Square) {
        assert_eq!(self.0[sq.index()].replace(piece), None);
    }
}

#[test]
fn an_observer_can_follow_the_board() {
    everywhere(50, |pos| {
        let board = Square::ALL.map(|sq| pos.piece_on(sq));
        for &mv in &pos.legal_moves() {
            let mut observed = Board(board);
            let mut next = *pos;
            next.play_observed(mv, &mut observed);
            assert_eq!(observed.0, Square::ALL.map(|sq| next.piece_on(sq)), "{pos} {mv:?}");
        }
    });
}

/// The setup after a pseudo-legal move that is not castling, made by hand and without looking at
/// the king.
fn moved(pos: &Position, mv: Move) -> Setup {
    let mut setup = Setup::from(pos);
    let us = pos.side_to_move();
    let piece = setup.board[mv.from().index()].take().expect("a piece moves");
    if mv.is_en_passant() {
        setup.board[mv.to().behind(us).index()] = None;
    }
    setup.board[mv.to().index()] = Some(mv.promotion().map_or(piece, |kind| Piece::new(us, kind)));
    setup.side_to_move = !us;
    setup.castling.clear();
    setup.en_passant = None;
    setup
}

#[test]
fn legality_of_every_encoding_is_membership_in_the_list() {
    let mut random = Random::new(3);
    let mut set: Vec<Position> = positions::traps().collect();
    while set.len() < 60 {
        let mut pos = random.start();
        for _ in 0..10 + random.below(120) {
            let Some(mv) = random.legal_move(&pos) else { break };
            pos.play(mv);
        }
        set.push(pos);
    }
    for pos in set {
        let legal = pos.legal_moves();
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let pseudo = pos.is_pseudo_legal(mv);
            assert_eq!(pos.is_legal(mv), legal.contains(&mv), "{pos} {mv:?}");
            let king_safe = || mv.is_castling() || moved(&pos, mv).position().is_ok();
            assert_eq!(pos.is_legal(mv), pseudo && king_safe(), "{pos} {mv:?}");
        }
    }
}

#[test]
fn the_likely_key_is_the_key_after_an_ordinary_move() {
    everywhere(50, |pos| {
        for &mv in &pos.legal_moves() {
            let next = pos.after(mv);
            let ordinary = mv.promotion().is_none()
                && next.castling() == pos.castling()
                && next.en_passant().is_none()
                && pos.en_passant() != Some(mv.to());
            if ordinary {
                assert_eq!(pos.likely_key_after(mv), next.key(), "{mv:?} in {pos}");
            }
        }
    });
}

#[test]
fn every_right_to_castle_has_a_key() {
    let rights = ["K", "Q", "k", "q"];
    let key = |set: usize| {
        let of_set: String = rights
            .iter()
            .enumerate()
            .filter(|(bit, _)| set >> bit & 1 != 0)
            .map(|(_, &right)| right)
            .collect();
        let text = if of_set.is_empty() { "-" } else { &of_set };
        Position::from_fen(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {text} - 0 1")).unwrap().key()
    };
    let keys: std::collections::HashSet<u64> = (0..16).map(key).collect();
    assert_eq!(keys.len(), 16);
}
