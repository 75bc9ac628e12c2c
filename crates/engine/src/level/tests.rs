//! What holds for every level, whatever the game's seed.

use std::time::Duration;

use super::*;

fn level(elo: u64, seed: u64) -> Level {
    let settings = Settings { limit_strength: true, elo, ..Settings::default() };
    Level::of_search(&settings, &Limits::depth(1), seed, None).unwrap()
}

fn pos(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn visible_moves(level: &Level, pos: &Position) -> Vec<Move> {
    level.visible_moves(pos, pos.legal_moves().to_vec())
}

#[test]
fn the_limit_comes_before_the_skill_and_analysis_before_both() {
    let elo = |settings: Settings| elo_asked(&settings);
    let full = Settings::default();
    assert_eq!(elo(full.clone()), None);
    assert_eq!(elo(Settings { skill_level: 0, ..full.clone() }), Some(1320));
    assert_eq!(elo(Settings { skill_level: 10, ..full.clone() }), Some(2255));
    assert_eq!(elo(Settings { skill_level: 19, ..full.clone() }), Some(3096));
    let both = Settings { skill_level: 3, limit_strength: true, elo: 700, ..full };
    assert_eq!(elo(both.clone()), Some(700));
    assert_eq!(elo(Settings { analyse_mode: true, ..both }), None);
}

#[test]
fn only_searches_for_a_move_are_weakened() {
    let settings = Settings { limit_strength: true, elo: 1000, ..Settings::default() };
    let weakened = |limits: Limits| Level::of_search(&settings, &limits, 1, None).is_some();
    let clock = Limits { time: [Some(1000); 2], ..Limits::default() };
    assert!(weakened(Limits::nodes(5)) && weakened(clock.clone()));
    assert!(weakened(Limits { ponder: true, ..clock }), "the ponder hit makes it a move");
    assert!(!weakened(Limits::default()));
    assert!(!weakened(Limits { infinite: true, ..Limits::depth(5) }));
    assert!(!weakened(Limits { mate: Some(3), ..Limits::depth(5) }));
}

#[test]
fn mates_in_one_are_given_and_avoided() {
    let mating = pos("6k1/5ppp/8/8/8/8/5PPP/R3Q1K1 w - - 0 1");
    // Every move but those that make room or guard the back rank is answered by mate.
    let threatened = pos("6k1/5ppp/8/8/8/P7/1P3PPP/r4NK1 w - - 0 1");
    let exposed = pos("4r1k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1");
    for seed in 0..200 {
        let beginner = level(WEAKEST, seed);
        let found = visible_moves(&beginner, &mating);
        assert!(found.len() == 1 && !mating.after(found[0]).has_legal_move());
        for mv in visible_moves(&beginner, &exposed) {
            let after = exposed.after(mv);
            let mated = |answer: &Move| {
                let end = after.after(*answer);
                end.in_check() && !end.has_legal_move()
            };
            assert!(!after.legal_moves().iter().any(mated), "{mv:?} with seed {seed}");
        }
        assert!(!visible_moves(&beginner, &threatened).is_empty());
    }
}

#[test]
fn checks_and_takings_back_are_never_overlooked() {
    let checked = pos("4k3/8/8/8/4r3/8/3P1P2/R2QKB1R w KQ - 0 1");
    let taken = pos("rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    let back = taken.parse_uci_move("d8d5").unwrap();
    let mut missed = 0;
    for seed in 0..300 {
        let mut beginner = level(WEAKEST, seed);
        assert_eq!(visible_moves(&beginner, &checked).len(), checked.legal_moves().len());
        missed += usize::from(!visible_moves(&beginner, &taken).contains(&back));
        beginner.taken_on = Some(back.to());
        assert!(visible_moves(&beginner, &taken).contains(&back));
    }
    assert!(missed > 10, "{missed}: what was not just taken there can be overlooked");
}

#[test]
fn stronger_players_see_more_and_nobody_is_blind() {
    let busy = pos("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8");
    let bare = pos("8/8/4k3/8/8/3K4/4P3/8 w - - 0 1");
    let unseen = |elo, pos: &Position| -> usize {
        (0..400).map(|seed| pos.legal_moves().len() - visible_moves(&level(elo, seed), pos).len()).sum()
    };
    let counts = [600, 1000, 1600, 2200, 2800, 3190].map(|elo| unseen(elo, &busy));
    assert!(counts.windows(2).all(|pair| pair[0] > pair[1]), "{counts:?}");
    assert_eq!(counts[5], 0);
    let share = |count: usize, pos: &Position| count as f64 / (400 * pos.legal_moves().len()) as f64;
    assert!(share(unseen(600, &bare), &bare) < 0.7 * share(counts[0], &busy), "mistakes grow with the men");
}

#[test]
fn errors_are_the_same_for_a_game_and_differ_between_games() {
    let start = Position::startpos();
    let (one, other) = (level(900, 1), level(900, 2));
    assert_eq!(one.error(&start), level(900, 1).error(&start));
    assert_ne!(one.error(&start), other.error(&start));
    assert_eq!(visible_moves(&one, &start), visible_moves(&level(900, 1), &start));
    let spread = |elo| {
        let squares = (0..500).map(|seed| f64::from(level(elo, seed).error(&start)).powi(2)).sum::<f64>();
        (squares / 500.0).sqrt()
    };
    assert!(spread(600) > spread(1500) && spread(1500) > spread(2500) && spread(3190) < 1.0);
}

#[test]
fn thinking_takes_a_share_of_the_plan() {
    let start = Position::startpos();
    for seed in 0..100 {
        let player = level(1200, seed);
        let think = |ms, agreement| player.thinking_time(&start, Duration::from_millis(ms), agreement);
        assert_eq!(think(36, 0.5), Duration::ZERO, "a second for the game is no time to wait");
        assert!(think(4000, 0.2) >= Duration::from_millis(1000));
        assert!(think(4000, 1.0) < think(4000, 0.2), "what is clear takes less time");
        assert!((0..=10).all(|tenth| think(900, f64::from(tenth) / 10.0) < Duration::from_millis(900)));
        assert!(think(10_000_000, 0.0) <= Duration::from_secs(15));
    }
}
