//! Judgement of a move by the winning chances that it lost.

use serde::{Deserialize, Serialize};

use crate::analyst::Score;

/// Every threshold of a review, in per cent of winning chances unless another unit is named. `docs/study.md` has the
/// same table for readers, checked by a test.
pub(crate) mod threshold {
    /// A move that loses this much is an inaccuracy,
    pub(crate) const INACCURACY: f64 = 5.0;
    /// a mistake,
    pub(crate) const MISTAKE: f64 = 10.0;
    /// or a blunder.
    pub(crate) const BLUNDER: f64 = 15.0;
    /// A missed mate is reported up to this many moves.
    pub(crate) const MATE_MOVES: i32 = 5;
    /// A position with at least these chances is won,
    pub(crate) const WON: f64 = 75.0;
    /// and no longer below these: what lies between is a missed win.
    pub(crate) const NO_LONGER_WON: f64 = 60.0;
    /// A move is the only good one if the second best loses this much.
    pub(crate) const ONLY_MOVE: f64 = 10.0;
    /// Chances further from 50 than this are an advantage; a mistake that gains or loses one is a turning point.
    pub(crate) const ADVANTAGE: f64 = 10.0;
}

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Judgement {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Judgement {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        }
    }

    /// The numeric annotation glyph: `?!`, `?` or `??`.
    pub(crate) fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    fn of_loss(loss: f64) -> Option<Self> {
        let table = [
            (threshold::BLUNDER, Self::Blunder),
            (threshold::MISTAKE, Self::Mistake),
            (threshold::INACCURACY, Self::Inaccuracy),
        ];
        table.into_iter().find(|&(least, _)| loss >= least).map(|(_, judgement)| judgement)
    }
}

/// What a move missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Missed {
    /// A mate in so many moves.
    Mate(i32),
    Win,
}

/// The judgement of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// Winning chances lost.
    pub(crate) loss: f64,
    pub(crate) judgement: Option<Judgement>,
    pub(crate) missed: Option<Missed>,
}

/// Judges a move by the value of the position before it and by its own, both for the side that moved.
pub(crate) fn judge(before: Score, after: Score) -> Verdict {
    let (had, has) = (before.winning_chances(), after.winning_chances());
    let loss = (had - has).max(0.0);
    let missed = match before {
        Score::Mate(moves) if (1..=threshold::MATE_MOVES).contains(&moves) && !is_winning_mate(after) => {
            Some(Missed::Mate(moves))
        }
        _ if had >= threshold::WON && has < threshold::NO_LONGER_WON => Some(Missed::Win),
        _ => None,
    };
    // With a large advantage a missed mate loses next to no winning chances, but it should be reported.
    let least = missed.map(|_| Judgement::Inaccuracy);
    Verdict { loss, judgement: Judgement::of_loss(loss).max(least), missed }
}

/// Is the side that moved about to mate, or has it done so?
fn is_winning_mate(score: Score) -> bool {
    matches!(score, Score::Mate(moves) if moves > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Centipawns, Mate};

    #[test]
    fn the_page_of_the_board_has_the_same_thresholds() {
        let text = include_str!("../../web/src/review/thresholds.json");
        let page: std::collections::BTreeMap<String, f64> = serde_json::from_str(text).unwrap();
        let own = [
            ("inaccuracy", threshold::INACCURACY),
            ("mistake", threshold::MISTAKE),
            ("blunder", threshold::BLUNDER),
            ("mateMoves", threshold::MATE_MOVES.into()),
            ("won", threshold::WON),
            ("noLongerWon", threshold::NO_LONGER_WON),
            ("onlyMove", threshold::ONLY_MOVE),
            ("largestScore", Mate(1).bounded_centipawns().into()),
        ];
        assert_eq!(page, own.map(|(name, value)| (name.to_owned(), value)).into());
    }

    fn judgement(before: Score, after: Score) -> Option<Judgement> {
        judge(before, after).judgement
    }

    #[test]
    fn the_loss_of_chances_decides() {
        // 55, 110 and 165 centipawns from an even position are 5.0, 10.0 and 14.7 per cent.
        assert_eq!(judgement(Centipawns(0), Centipawns(-50)), None);
        assert_eq!(judgement(Centipawns(0), Centipawns(-56)), Some(Judgement::Inaccuracy));
        assert_eq!(judgement(Centipawns(0), Centipawns(-112)), Some(Judgement::Mistake));
        assert_eq!(judgement(Centipawns(0), Centipawns(-170)), Some(Judgement::Blunder));
        // Where the game is decided a pawn is worth less.
        assert_eq!(judgement(Centipawns(900), Centipawns(700)), None);
        assert_eq!(judgement(Centipawns(-700), Mate(-4)), None);
        assert_eq!(judgement(Centipawns(30), Centipawns(80)), None);
    }

    #[test]
    fn missed_mates_and_wins() {
        let verdict = judge(Mate(2), Centipawns(900));
        assert_eq!((verdict.judgement, verdict.missed), (Some(Judgement::Inaccuracy), Some(Missed::Mate(2))));
        assert_eq!(judge(Mate(2), Mate(5)).missed, None);
        assert_eq!(judge(Mate(9), Centipawns(900)).missed, None);
        assert_eq!(judge(Mate(1), Mate(-3)).judgement, Some(Judgement::Blunder));
        assert_eq!(judge(Centipawns(400), Centipawns(50)).missed, Some(Missed::Win));
        assert_eq!(judge(Centipawns(400), Centipawns(200)).missed, None);
        assert_eq!(judge(Mate(12), Centipawns(0)).missed, Some(Missed::Win));
    }
}
