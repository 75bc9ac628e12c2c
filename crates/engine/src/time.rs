//! Time management: the soft and the hard limit of a move.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chess::Position;

use crate::limits::Limits;
use crate::params::{self, thousandths};
use crate::platform::Instant;
use crate::settings::Settings;

/// The nodes left in a game that is played by nodes in place of time (`nodestime`).
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeClock {
    left: std::sync::Arc<Mutex<Option<i64>>>,
}

impl NodeClock {
    /// What is left, `first` at the first move of a game.
    fn left(&self, first: i64) -> i64 {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(first)
    }

    /// Takes what a search has used off, and adds the increment.
    fn pass(&self, used: u64, increment: i64) {
        if let Some(left) = self.left.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            *left = (*left - used as i64 + increment).max(0);
        }
    }
}

/// The plan for one move. Everything is counted in ticks: milliseconds, or nodes under `nodestime`.
#[derive(Debug)]
pub(crate) struct Clock {
    start: Instant,
    nodes_per_ms: i64,
    /// The soft limit, before it is scaled by how the search goes.
    optimum: Option<f64>,
    /// The hard limit.
    maximum: Option<i64>,
    increment: i64,
    node_clock: NodeClock,
}

/// What a clock that counts time gives to a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Plan {
    /// About so much of the game's time.
    About(Duration),
    /// What was asked for.
    Exactly(Duration),
}

impl Clock {
    pub(crate) fn new(limits: &Limits, pos: &Position, settings: &Settings, node_clock: &NodeClock) -> Self {
        let start = limits.asked_at.unwrap_or_else(Instant::now);
        let us = pos.side_to_move();
        let nodes_per_ms = settings.nodes_time as i64;
        let ticks = nodes_per_ms.max(1);
        // Ticks of a client cannot overflow in what follows.
        let sane = |ms: i64| ms.clamp(0, 1 << 40).saturating_mul(ticks);
        let overhead = if nodes_per_ms > 0 { 0 } else { settings.move_overhead as i64 };
        let increment = sane(limits.increment[us.index()].unwrap_or(0));
        let mut clock = Self {
            start,
            nodes_per_ms,
            optimum: None,
            maximum: None,
            increment,
            node_clock: node_clock.clone(),
        };
        if let Some(ms) = limits.time[us.index()] {
            let mut time = sane(ms);
            if nodes_per_ms > 0 {
                time = node_clock.left(time + increment);
            }
            let moves_to_go = limits.moves_to_go.unwrap_or(0);
            clock.plan(time, overhead, moves_to_go, pos.fullmove_number(), settings.ponder);
        }
        if let Some(ms) = limits.move_time {
            let maximum = (sane(ms) - overhead.min(sane(ms) / 2)).max(1);
            clock.maximum = Some(clock.maximum.map_or(maximum, |other| other.min(maximum)));
        }
        clock
    }

    fn plan(&mut self, time: i64, overhead: i64, moves_to_go: i64, move_number: u16, may_ponder: bool) {
        // What can be spent without losing: the flag falls at `time`, and each move loses the overhead.
        let usable = (time - overhead).max(1) as f64;
        // What a move gains after its overhead. With the whole increment, a clock whose increment is about the overhead would
        // run down to nothing.
        let increment = (self.increment - overhead).max(0) as f64;
        let (optimum, maximum) = if moves_to_go > 0 {
            let moves = moves_to_go.min(params::time_horizon().into()) as f64;
            // The overhead of the moves until the control is lost as well.
            let share = ((usable - overhead as f64 * (moves - 1.0)).max(usable / 2.0)) / moves
                + thousandths(params::time_control_increment()) * increment;
            let maximum = if moves_to_go == 1 {
                0.9 * usable
            } else {
                let most = thousandths(params::time_control_most()) * usable;
                (thousandths(params::time_control_max()) * share).min(most)
            };
            (thousandths(params::time_control_share()) * share, maximum)
        } else {
            // A small share of the clock in the opening, with the whole game ahead, and a larger one from move to move.
            let opening = (-thousandths(params::time_opening_decay()) * f64::from(move_number)).exp();
            let part =
                thousandths(params::time_share()) - thousandths(params::time_opening_share()) * opening;
            // The nearer the reserve, the smaller the part that is spent.
            let part = part * usable / (usable + f64::from(params::time_reserve()) * overhead as f64);
            let share = part * usable + thousandths(params::time_increment()) * increment;
            (share, (thousandths(params::time_max()) * share).min(thousandths(params::time_most()) * usable))
        };
        // With pondering, part of the thinking is done on the opponent's time.
        let optimum = if may_ponder { thousandths(params::time_ponder()) * optimum } else { optimum };
        let maximum = maximum.min(0.9 * usable).max(1.0);
        self.optimum = Some(optimum.min(maximum));
        self.maximum = Some(maximum as i64);
    }

    /// The time since the search was asked for.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn ticks(&self, nodes: u64) -> i64 {
        if self.nodes_per_ms > 0 { nodes as i64 } else { self.start.elapsed().as_millis() as i64 }
    }

    /// Is the hard limit reached?
    pub(crate) fn hard_limit_reached(&self, nodes: u64) -> bool {
        self.maximum.is_some_and(|maximum| self.ticks(nodes) >= maximum)
    }

    /// Is the soft limit, times `factor`, reached?
    pub(crate) fn soft_limit_reached(&self, nodes: u64, factor: f64) -> bool {
        self.optimum.is_some_and(|optimum| {
            let maximum = self.maximum.unwrap_or(i64::MAX) as f64;
            self.ticks(nodes) as f64 >= (optimum * factor).min(maximum)
        })
    }

    /// What is planned for this move, if it is time that counts.
    pub(crate) fn planned_time(&self) -> Option<Plan> {
        let maximum = self.maximum_time()?;
        Some(match self.optimum {
            Some(optimum) => Plan::About(Duration::from_secs_f64(optimum / 1000.0).min(maximum)),
            None => Plan::Exactly(maximum),
        })
    }

    /// The most time that this search may take, if time counts.
    pub(crate) fn maximum_time(&self) -> Option<Duration> {
        let maximum = self.maximum.filter(|_| self.nodes_per_ms == 0)?;
        Some(Duration::from_millis(maximum.max(0) as u64))
    }

    /// When that is over.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.maximum_time().map(|most| self.start + most)
    }

    /// Is the game's clock what limits this search?
    pub(crate) fn uses_game_clock(&self) -> bool {
        self.optimum.is_some()
    }

    /// The search has ended.
    pub(crate) fn finish_move(&self, nodes: u64) {
        if self.nodes_per_ms > 0 {
            self.node_clock.pass(nodes, self.increment);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: i64, increment: i64, moves_to_go: Option<i64>, overhead: u64) -> Clock {
        clock_at_move(1, time, increment, moves_to_go, overhead)
    }

    fn clock_at_move(
        number: u16,
        time: i64,
        increment: i64,
        moves_to_go: Option<i64>,
        overhead: u64,
    ) -> Clock {
        let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {number}");
        let position = Position::from_fen(&fen).unwrap();
        let limits = Limits {
            time: [Some(time); 2],
            increment: [Some(increment); 2],
            moves_to_go,
            ..Limits::default()
        };
        let settings = Settings { move_overhead: overhead, ..Settings::default() };
        Clock::new(&limits, &position, &settings, &NodeClock::default())
    }

    #[test]
    fn never_plans_past_what_is_left() {
        for time in [-5, 0, 1, 10, 11, 50, 1_000, 60_000, i64::MAX] {
            for increment in [0, 20, 5_000, i64::MAX] {
                for moves_to_go in [None, Some(-3), Some(0), Some(1), Some(2), Some(40), Some(i64::MAX)] {
                    for overhead in [0, 10, 5_000] {
                        let clock = clock_at_move(60, time, increment, moves_to_go, overhead);
                        let maximum = clock.maximum.unwrap();
                        let usable = (time.min(1 << 40) - overhead as i64).max(1);
                        assert!(
                            maximum >= 1 && maximum <= usable,
                            "{time}+{increment}/{moves_to_go:?}: {maximum}"
                        );
                        assert!(clock.optimum.unwrap() <= maximum as f64 + 1.0);
                    }
                }
            }
        }
    }

    #[test]
    fn time_counts_from_when_the_search_was_asked_for() {
        let asked_at = Instant::now().checked_sub(Duration::from_secs(3));
        let limits = Limits { move_time: Some(3_000), asked_at, ..Limits::default() };
        let clock = Clock::new(&limits, &Position::startpos(), &Settings::default(), &NodeClock::default());
        assert!(clock.hard_limit_reached(0) && clock.elapsed() >= Duration::from_secs(3));
        assert!(clock.maximum_time().is_some_and(|most| most <= Duration::from_secs(3)));
        assert_eq!(clock.node_clock.left(5_000), 5_000);
        clock.finish_move(1_000);
        assert_eq!(clock.node_clock.left(0), 5_000, "nodes are time only where that was asked for");
    }

    #[test]
    fn a_reserve_is_kept() {
        // A game without an end whose every move takes twice the plan, as the course of the search may want.
        let (mut left, increment) = (1_000.0, 10);
        for number in 1..=300 {
            let clock = clock_at_move(number, left as i64, increment, None, 10);
            left += increment as f64 - (2.0 * clock.optimum.unwrap()).min(clock.maximum.unwrap() as f64);
            assert!(left > 200.0, "{left}");
        }
        assert!(left < 300.0, "{left}: most of the clock is to be used");
    }

    #[test]
    fn more_time_is_more_thought() {
        let plan = |time| clock(time, 0, None, 10).optimum.unwrap();
        assert!(plan(1_000) < plan(10_000) && plan(10_000) < plan(100_000));
    }

    #[test]
    fn the_plan_for_a_time_control() {
        let most = |moves, overhead| clock(10_000, 0, Some(moves), overhead).maximum.unwrap();
        let plan = |moves, overhead| clock(10_000, 0, Some(moves), overhead).optimum.unwrap();
        assert!((8_000..=9_990).contains(&most(1, 10)), "nearly all of it for the last move");
        assert!(most(40, 10) < most(2, 10) && most(2, 10) < most(1, 10));
        assert!(plan(10, 500) < 0.8 * plan(10, 10), "every move until the control loses its overhead");
        assert_eq!(plan(10, 100), clock(9_000, 0, Some(10), 0).optimum.unwrap(), "once each");
        let horizon = i64::from(params::time_horizon());
        assert_eq!(plan(horizon, 0), plan(i64::MAX, 0), "nobody plans for more than the horizon");
        assert!(plan(horizon - 1, 0) > plan(horizon, 0));
    }

    #[test]
    fn an_increment_is_spent_once() {
        for moves_to_go in [None, Some(20)] {
            let plan = |increment| clock(60_000, increment, moves_to_go, 0).optimum.unwrap();
            let more = plan(1_000) - plan(0);
            assert!((100.0..=1000.0).contains(&more), "{more} of 1000 with {moves_to_go:?}");
        }
    }

    #[test]
    fn a_large_increment_does_not_risk_the_clock() {
        let most = clock(10_000, 1_000_000, None, 0).maximum.unwrap();
        assert_eq!(most, i64::from(params::time_most()) * 10);
    }

    #[test]
    fn pondering_spends_more() {
        let position = Position::startpos();
        let limits = Limits { time: [Some(60_000); 2], ..Limits::default() };
        let plan = |ponder| {
            let settings = Settings { ponder, ..Settings::default() };
            Clock::new(&limits, &position, &settings, &NodeClock::default()).optimum.unwrap()
        };
        assert!(plan(true) > plan(false));
    }

    #[test]
    fn the_time_for_a_move_is_kept_beside_a_clock_and_loses_the_overhead() {
        let most = |time, move_time| {
            let limits = Limits { time: [time; 2], move_time: Some(move_time), ..Limits::default() };
            let settings = Settings { move_overhead: 30, ..Settings::default() };
            Clock::new(&limits, &Position::startpos(), &settings, &NodeClock::default()).maximum.unwrap()
        };
        assert_eq!(most(None, 1_000), 970);
        assert_eq!(most(None, 40), 20, "never more than half of it");
        assert_eq!(most(Some(600_000), 100), 70);
        assert!(most(Some(1_000), 100_000) < 1_000, "nor is the clock forgotten");
    }

    #[test]
    fn the_course_of_the_search_stretches_the_plan_up_to_the_hard_limit() {
        let limits = Limits { time: [Some(100_000); 2], ..Limits::default() };
        let settings = Settings { nodes_time: 1, ..Settings::default() };
        let clock = Clock::new(&limits, &Position::startpos(), &settings, &NodeClock::default());
        let (optimum, maximum) = (clock.optimum.unwrap() as u64 + 1, clock.maximum.unwrap() as u64);
        assert!(clock.soft_limit_reached(optimum, 1.0) && !clock.soft_limit_reached(optimum, 2.0));
        assert!(clock.soft_limit_reached(optimum / 2, 0.25));
        assert!(!clock.soft_limit_reached(maximum - 1, 1e9) && clock.soft_limit_reached(maximum, 1e9));
        assert!(!clock.hard_limit_reached(maximum - 1) && clock.hard_limit_reached(maximum));
    }

    #[test]
    fn an_increment_is_added_to_the_nodes_left() {
        let limits = Limits { time: [Some(1_000); 2], increment: [Some(7); 2], ..Limits::default() };
        let settings = Settings { nodes_time: 10, ..Settings::default() };
        let node_clock = NodeClock::default();
        let clock = Clock::new(&limits, &Position::startpos(), &settings, &node_clock);
        assert_eq!(node_clock.left(0), 10_070, "the first move has its increment too");
        clock.finish_move(1_000);
        assert_eq!(node_clock.left(0), 9_140);
        clock.finish_move(1_000_000);
        assert_eq!(node_clock.left(0), 0, "a clock does not go below zero");
    }

    #[test]
    fn nodes_stand_for_time() {
        let limits = Limits { time: [Some(1_000); 2], ..Limits::default() };
        let settings = Settings { nodes_time: 100, ..Settings::default() };
        let node_clock = NodeClock::default();
        let clock = Clock::new(&limits, &Position::startpos(), &settings, &node_clock);
        assert!(!clock.hard_limit_reached(10) && clock.hard_limit_reached(99_999));
        assert_eq!(clock.maximum_time(), None, "nodes are no time");
        clock.finish_move(60_000);
        assert_eq!(node_clock.left(0), 40_000, "counted once a game");
    }
}
