//! One game and its referee, which checks every move and keeps the clocks.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chess::{CastlingNotation, Color, FenStyle, GameEnd, KeyHistory, Move, Position};
use serde::{Deserialize, Serialize};
use uci::client::ClientError;
use uci::{Go, Info, ScoreValue, Start, UciMove};

use super::adjudication::{Adjudication, Ruling, Scores};
use super::fault::{Fault, FaultKind};
use super::limits::{Clock, MOVETIME_TOLERANCE, Overshoot};
use super::openings::Opening;
use super::player::{Interruption, Player};
use super::stolen::Mark;

/// Mate scores count as this many centipawns, less the moves to mate.
const MATE: i64 = 100_000;

/// The result for the players with the white and the black men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Score {
    #[serde(rename = "1-0")]
    White,
    #[serde(rename = "1/2-1/2")]
    Draw,
    #[serde(rename = "0-1")]
    Black,
}

impl Score {
    pub(super) fn win(color: Color) -> Self {
        if color == Color::White { Self::White } else { Self::Black }
    }

    /// What White gained by it: 1, 0 or -1.
    pub(super) fn gain(self) -> i32 {
        match self {
            Self::White => 1,
            Self::Draw => 0,
            Self::Black => -1,
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Draw => "1/2-1/2",
            Self::Black => "0-1",
        }
    }
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    ByRule(GameEnd),
    Adjudicated,
    TooLong,
    Fault(Fault),
}

/// A move with what its engine said about it; a move of the book has no report.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) mv: Move,
    pub(super) report: Option<Report>,
}

/// The last report of an engine before its move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Report {
    pub(super) score: Option<ScoreValue>,
    pub(super) depth: Option<u64>,
    pub(super) time: Duration,
    /// The part of the time that was not charged.
    pub(super) given_back: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) start: Position,
    pub(super) moves: Vec<Played>,
    pub(super) score: Score,
    pub(super) ending: Ending,
    /// The game never began, since an engine was not ready.
    pub(super) failed_to_start: bool,
}

/// The conditions of all games of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub(super) adjudication: Adjudication,
    /// How far a clock may be overdrawn.
    pub(super) margin: Duration,
    /// Whether time that the host took is given back to a player who would lose by it.
    pub(super) give_back: bool,
    /// Whether engines ponder on the move that they expect.
    pub(super) ponder: bool,
    pub(super) chess960: bool,
}

/// The board with its history.
struct GameState {
    start: Position,
    position: Position,
    history: KeyHistory,
    moves: Vec<Played>,
    sent: Vec<UciMove>,
    notation: CastlingNotation,
}

impl GameState {
    fn new(start: &Position, chess960: bool) -> Self {
        let notation = if chess960 { CastlingNotation::KingTakesRook } else { CastlingNotation::KingMove };
        let (start, position) = (*start, *start);
        Self { start, position, history: KeyHistory::new(), moves: Vec::new(), sent: Vec::new(), notation }
    }

    fn play(&mut self, mv: Move, report: Option<Report>) {
        self.sent.extend(self.position.uci_move(mv, self.notation).parse::<UciMove>());
        self.history.push(&self.position);
        self.position.play(mv);
        self.moves.push(Played { mv, report });
    }

    fn start_for_engines(&self) -> Start {
        let fen = self.start.fen(FenStyle::Standard);
        if fen == Position::startpos().fen(FenStyle::Standard) {
            Start::Startpos
        } else if self.notation == CastlingNotation::KingTakesRook {
            Start::Fen(self.start.fen(FenStyle::Shredder))
        } else {
            Start::Fen(fen)
        }
    }

    /// The end by the rules of chess. Mate goes before the fifty moves, as the rules say.
    fn end(&self) -> Option<(Score, Ending)> {
        let end = self.position.game_end(&self.history)?;
        let score = match end {
            GameEnd::Checkmate => Score::win(!self.position.side_to_move()),
            _ => Score::Draw,
        };
        Some((score, Ending::ByRule(end)))
    }
}

/// Plays a game, the player with the white men first. `None` if the match was ended meanwhile.
pub(super) fn play(
    opening: &Opening,
    mut players: [&mut Player<'_>; 2],
    conditions: &Conditions,
    abort: &AtomicBool,
) -> Option<Game> {
    let game = play_moves(opening, &mut players, conditions, abort);
    players.into_iter().for_each(Player::end_pondering);
    game
}

fn play_moves(
    opening: &Opening,
    players: &mut [&mut Player<'_>; 2],
    conditions: &Conditions,
    abort: &AtomicBool,
) -> Option<Game> {
    let mut board = GameState::new(&opening.start, conditions.chess960);
    opening.moves.iter().for_each(|mv| board.play(*mv, None));
    for color in Color::ALL {
        if let Err(error) = players[color.index()].new_game() {
            return Some(Game { failed_to_start: true, ..forfeit(board, color, error.into()) });
        }
    }
    let mut clocks = [0, 1].map(|side: usize| players[side].engine.limits.clock.map(Clock::new));
    let mut scores = Scores::default();
    loop {
        if let Some((score, ending)) = board.end() {
            return Some(finish(board, score, ending));
        }
        let mover = board.position.side_to_move();
        let player = &mut *players[mover.index()];
        let (mv, expected, report) = match turn(player, &board, &mut clocks, conditions, abort) {
            Ok(turn) => turn,
            Err(Interruption::Aborted) => return None,
            Err(Interruption::Fault(fault)) => {
                // Whatever led to the fault must not reach into the next game.
                player.dismiss();
                return Some(forfeit(board, mover, fault));
            }
        };
        scores.push(mover, report.score.map(centipawns));
        board.play(mv, Some(report));
        if board.end().is_none()
            && let Some(ruling) =
                conditions.adjudication.rule(&scores, usize::from(board.position.fullmove_number()))
        {
            let (score, ending) = match ruling {
                Ruling::Draw => (Score::Draw, Ending::Adjudicated),
                Ruling::Win(color) => (Score::win(color), Ending::Adjudicated),
                Ruling::TooLong => (Score::Draw, Ending::TooLong),
            };
            return Some(finish(board, score, ending));
        }
        if conditions.ponder
            && let Some(expected) = expected
            && let Err(error) = ponder(player, &board, &clocks, expected)
        {
            return Some(forfeit(board, mover, error.into()));
        }
    }
}

/// Lets the player who has just moved ponder, if the answer that he expects is legal.
fn ponder(
    player: &mut Player<'_>,
    board: &GameState,
    clocks: &[Option<Clock>; 2],
    expected: UciMove,
) -> Result<(), ClientError> {
    if board.end().is_some() || board.position.parse_uci_move(&expected.to_string()).is_err() {
        return Ok(());
    }
    let go = with_clocks(player.engine.limits.go(), clocks, !board.position.side_to_move());
    player.ponder(board.start_for_engines(), &board.sent, expected, Go { ponder: true, ..go })
}

/// One move of the side to move, judged by the rules and charged to its clock, and the answer that is expected to it.
fn turn(
    player: &mut Player<'_>,
    board: &GameState,
    clocks: &mut [Option<Clock>; 2],
    conditions: &Conditions,
    abort: &AtomicBool,
) -> Result<(Move, Option<UciMove>, Report), Interruption> {
    let margin = conditions.margin;
    let mover = board.position.side_to_move();
    let limits = player.engine.limits;
    let go = with_clocks(limits.go(), clocks, mover);
    let by_clock = clocks[mover.index()].as_ref().map(|clock| clock.left() + margin);
    let by_movetime = limits.movetime.map(|time| time + MOVETIME_TOLERANCE + margin);
    let allowed = [by_clock, by_movetime].into_iter().flatten().min();

    let mut report = Report::default();
    let position = (board.start_for_engines(), board.sent.as_slice());
    let mark = allowed.map(|_| Mark::now());
    let (answer, before) = player.think(position, go, allowed, abort, &mut |info| note(&mut report, info))?;
    report.time = before + answer.elapsed();
    let is_late = allowed.is_some_and(|allowed| report.time > allowed);
    let stolen = mark.filter(|_| is_late).map_or(Duration::ZERO, |mark| mark.stolen_since());
    if conditions.give_back {
        report.given_back = stolen.min(report.time);
    }
    let used = report.time - report.given_back;

    let late = |time| Interruption::Fault(Fault::time_loss(time, stolen));
    if let Some(clock) = &mut clocks[mover.index()] {
        clock.charge(used, margin).map_err(|Overshoot(time)| late(time))?;
    }
    if let Some(time) = limits.movetime.filter(|_| by_movetime.is_some_and(|allowed| used > allowed)) {
        return Err(late(used - time));
    }
    let text = answer.best.map_or_else(|| "(none)".to_owned(), |best| best.to_string());
    let illegal = |_| Interruption::Fault(Fault::illegal_move(&text));
    let mv = board.position.parse_uci_move(&text).map_err(illegal)?;
    Ok((mv, answer.ponder, report))
}

fn with_clocks(mut go: Go, clocks: &[Option<Clock>; 2], mover: Color) -> Go {
    let [white, black] = clocks;
    if let Some(own) = &clocks[mover.index()] {
        (go.wtime, go.winc) = white.as_ref().map(Clock::as_sent).map_or((None, None), |(t, i)| (Some(t), i));
        (go.btime, go.binc) = black.as_ref().map(Clock::as_sent).map_or((None, None), |(t, i)| (Some(t), i));
        go.movestogo = own.moves_left();
    }
    go
}

/// Keeps what is said about the best line.
fn note(report: &mut Report, info: &Info) {
    if info.multipv.is_none_or(|rank| rank == 1)
        && let Some(score) = info.score
    {
        report.score = Some(score.value);
        report.depth = info.depth.or(report.depth);
    }
}

fn centipawns(score: ScoreValue) -> i64 {
    match score {
        ScoreValue::Cp(value) => value.clamp(-MATE / 2, MATE / 2),
        ScoreValue::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 4),
        ScoreValue::Mate(moves) => -MATE - moves.max(-MATE / 4),
    }
}

fn finish(board: GameState, score: Score, ending: Ending) -> Game {
    Game { start: board.start, moves: board.moves, score, ending, failed_to_start: false }
}

fn forfeit(board: GameState, loser: Color, fault: Fault) -> Game {
    finish(board, Score::win(!loser), Ending::Fault(fault))
}

/// How many games in a row never began.
#[derive(Debug, Default)]
pub(super) struct StartFailures(u32);

/// A match is ended after this many in a row.
const MAX_START_FAILURES: u32 = 10;

/// Too many games in a row did not begin, for this reason.
#[derive(Debug)]
pub(super) struct TooManyStartFailures(String);

impl fmt::Display for TooManyStartFailures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MAX_START_FAILURES} games in a row could not begin: {}", self.0)
    }
}

impl std::error::Error for TooManyStartFailures {}

impl StartFailures {
    pub(super) fn count(&mut self, game: &Game) -> Result<(), TooManyStartFailures> {
        self.0 = if game.failed_to_start { self.0 + 1 } else { 0 };
        if self.0 < MAX_START_FAILURES { Ok(()) } else { Err(TooManyStartFailures(game.reason())) }
    }
}

impl Game {
    /// The fault that decided the game.
    pub(super) fn fault(&self) -> Option<&Fault> {
        match &self.ending {
            Ending::Fault(fault) => Some(fault),
            _ => None,
        }
    }

    /// The moves that were only in time because time was given back, and who made them.
    pub(super) fn saved_moves(&self) -> impl Iterator<Item = (Color, &Report)> {
        let first = self.start.side_to_move();
        let movers = [first, !first].into_iter().cycle();
        movers
            .zip(&self.moves)
            .filter_map(|(mover, played)| Some((mover, played.report.as_ref()?)))
            .filter(|(_, report)| !report.given_back.is_zero())
    }

    /// The end in a few words.
    pub(super) fn reason(&self) -> String {
        let (winner, loser) = match self.score {
            Score::White => ("White", "Black"),
            Score::Black => ("Black", "White"),
            Score::Draw => ("", ""),
        };
        match &self.ending {
            Ending::ByRule(GameEnd::Checkmate) => format!("{winner} mates"),
            Ending::ByRule(GameEnd::Stalemate) => "Draw by stalemate".to_owned(),
            Ending::ByRule(GameEnd::Repetition) => "Draw by threefold repetition".to_owned(),
            Ending::ByRule(GameEnd::FiftyMoves) => "Draw by the fifty-move rule".to_owned(),
            Ending::ByRule(GameEnd::DeadPosition) => "Draw: nobody can mate".to_owned(),
            Ending::Adjudicated if self.score == Score::Draw => "Draw by adjudication".to_owned(),
            Ending::Adjudicated => format!("{winner} wins by adjudication"),
            Ending::TooLong => "Draw by adjudication: the longest game allowed".to_owned(),
            Ending::Fault(fault) => format!("{loser} {fault}"),
        }
    }

    /// The value of the PGN tag `Termination`.
    pub(super) fn termination(&self) -> &'static str {
        match &self.ending {
            Ending::Adjudicated | Ending::TooLong => "adjudication",
            Ending::Fault(fault) => match fault.kind {
                FaultKind::TimeLoss => "time forfeit",
                FaultKind::IllegalMove | FaultKind::Garbage => "rules infraction",
                FaultKind::Hang | FaultKind::Crash => "abandoned",
            },
            Ending::ByRule(_) => "normal",
        }
    }
}
