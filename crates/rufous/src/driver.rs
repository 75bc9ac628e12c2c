//! The event loop between the client and the engine.
//!
//! The driver never waits for anything but the next event. Commands are carried out in the order in
//! which they came; one that needs the engine idle keeps those behind it waiting. `stop`,
//! `ponderhit`, `quit` and `debug` are heard at once, and so is `isready` during a search; `stop`
//! and `ponderhit` also reach those searches that still wait in the queue. So each `go` is closed by
//! exactly one `bestmove`, in order, and no `stop` is ever lost.

mod commands;
mod search;
mod setoption;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use engine::{Engine, Options};
use uci::{Command, Go, Message, Parsed, Problem};

use crate::board::Board;
use crate::job::{Cancel, Job, Outcome};
use crate::writer::{Audience, Writer};
use search::Search;

/// Debug mode repeats at most this much of a command.
const ECHOED: usize = 200;

/// Something that the driver has to hear of.
pub(crate) enum Event {
    /// A line came in.
    Line(Parsed),
    /// A line came in that was too long to be kept.
    LineTooLong,
    /// No more lines will come.
    EndOfInput,
    /// The running search has ended with this move.
    SearchEnded(Message),
    /// The running job is done, and gives the engine back.
    JobDone(Box<Option<Engine>>, Outcome),
}

/// A command that waits for its turn.
enum Task {
    Command(Command),
    /// A search, perhaps stopped before it could begin.
    Go(Go, StopWish),
    /// The end of the program.
    End,
}

/// Whether a search that has not begun yet is to be ended as soon as it begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StopWish {
    Never,
    /// If it would not end by itself, which depends on who is to move by then.
    IfUnlimited,
    Always,
}

impl Task {
    /// Can it be carried out while a search is running?
    fn fits_into_search(&self) -> bool {
        match self {
            Self::Go(..) | Self::End => false,
            Self::Command(command) => match command {
                Command::Uci
                | Command::IsReady
                | Command::Register(_)
                | Command::Position { .. }
                | Command::Board
                | Command::Flip
                | Command::Help
                | Command::License
                | Command::Compiler => true,
                Command::SetOption { name, .. } => {
                    engine::find_option(name).is_some_and(engine::OptionSpec::at_once)
                }
                _ => false,
            },
        }
    }
}

/// Does the command begin something new, so that a search without end has no meaning any more?
fn begins_anew(command: &Command) -> bool {
    matches!(
        command,
        Command::Go(_)
            | Command::UciNewGame
            | Command::Bench(_)
            | Command::SpeedTest(_)
            | Command::Eval
            | Command::GenFens(_)
    )
}

/// What is going on.
enum Activity {
    Idle,
    Working(Cancel),
    Searching(Search),
}

/// The event loop's state.
pub(crate) struct Driver {
    out: Writer,
    events: Sender<Event>,
    heard: Receiver<Event>,
    /// Lent away while a job runs, and not there before it is needed.
    engine: Option<Engine>,
    /// Why there is no engine, if there can be none.
    no_engine: Option<String>,
    options: Options,
    board: Board,
    activity: Activity,
    queue: VecDeque<Task>,
    debug: bool,
    /// The user has been told how castling is written in this kind of chess.
    told_of_chess960: bool,
    /// Nothing more will be heard.
    closed: bool,
    ended: bool,
}

impl Driver {
    pub(crate) fn new(out: Writer) -> Self {
        let (events, heard) = channel();
        Self {
            out,
            events,
            heard,
            engine: None,
            no_engine: None,
            options: Options::default(),
            board: Board::default(),
            activity: Activity::Idle,
            queue: VecDeque::new(),
            debug: false,
            told_of_chess960: false,
            closed: false,
            ended: false,
        }
    }

    /// Where to send events.
    pub(crate) fn events(&self) -> Sender<Event> {
        self.events.clone()
    }

    /// Serves the events until the end of the input or `quit`.
    pub(crate) fn serve(mut self) {
        while !self.ended {
            let event = self.next_event();
            self.hear(event);
            self.advance();
        }
    }

    /// Carries out these lines one by one, each when the one before is finished.
    pub(crate) fn run_script(mut self, lines: impl IntoIterator<Item = Parsed>) {
        for line in lines {
            self.hear(Event::Line(line));
            self.advance();
            while !matches!(self.activity, Activity::Idle) {
                let event = self.next_event();
                self.hear(event);
                self.advance();
            }
            if self.ended {
                return;
            }
        }
    }

    fn next_event(&self) -> Event {
        // The driver holds a sender itself, so there is always one.
        self.heard.recv().unwrap_or(Event::EndOfInput)
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Line(_) | Event::LineTooLong if self.closed => {}
            Event::Line(parsed) => self.hear_line(parsed),
            Event::LineTooLong => self.out.error("a line of more than 4 megabytes was ignored"),
            Event::EndOfInput => {
                self.end_unlimited();
                self.close();
            }
            Event::SearchEnded(answer) => {
                self.activity = Activity::Idle;
                self.out.message(answer);
            }
            Event::JobDone(engine, outcome) => self.job_done(*engine, outcome),
        }
    }

    fn hear_line(&mut self, Parsed { command, problems }: Parsed) {
        problems.iter().for_each(|problem| self.tell_problem(problem));
        let Some(command) = command else { return };
        if self.debug {
            let text: String = command.to_string().chars().take(ECHOED).collect();
            self.out.note(format!("received: {text}"));
        }
        match command {
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Debug(on) => self.debug = on,
            Command::Quit => {
                self.stop();
                self.close();
            }
            Command::IsReady if matches!(self.activity, Activity::Searching(_)) => {
                self.out.message(Message::ReadyOk);
            }
            command => {
                if begins_anew(&command) {
                    self.end_unlimited();
                }
                self.queue.push_back(match command {
                    Command::Go(go) => Task::Go(go, StopWish::Never),
                    command => Task::Command(command),
                });
            }
        }
    }

    fn tell_problem(&self, problem: &Problem) {
        if problem.is_error() {
            self.out.error(problem);
        } else if self.debug {
            self.out.note(problem);
        }
    }

    /// Ends whatever is running or waits to be run, as soon as possible.
    fn stop(&mut self) {
        match &mut self.activity {
            Activity::Idle => {}
            Activity::Working(cancel) => cancel.cancel(),
            Activity::Searching(search) => {
                if search.stop(&self.out) {
                    self.activity = Activity::Idle;
                }
            }
        }
        self.wish_to_stop(StopWish::Always);
    }

    /// The expected move was played.
    fn ponder_hit(&mut self) {
        if let Activity::Searching(search) = &mut self.activity
            && search.ponder_hit(&self.out)
        {
            self.activity = Activity::Idle;
        }
        for task in &mut self.queue {
            if let Task::Go(go, _) = task {
                go.ponder = false;
            }
        }
    }

    /// Ends those searches that would not end by themselves.
    fn end_unlimited(&mut self) {
        if let Activity::Searching(search) = &mut self.activity
            && !search.is_limited()
            && search.stop(&self.out)
        {
            self.activity = Activity::Idle;
        }
        self.wish_to_stop(StopWish::IfUnlimited);
    }

    /// Remembers the wish for those searches that still wait.
    fn wish_to_stop(&mut self, new: StopWish) {
        for task in &mut self.queue {
            if let Task::Go(_, wish) = task {
                *wish = new.max(*wish);
            }
        }
    }

    /// Hears nothing more, and ends when everything before is done.
    fn close(&mut self) {
        if !self.closed {
            self.closed = true;
            self.queue.push_back(Task::End);
        }
    }

    /// Carries out what can be carried out now.
    fn advance(&mut self) {
        while let Some(task) = self.queue.pop_front() {
            let fits = match self.activity {
                Activity::Idle => true,
                Activity::Working(_) => false,
                Activity::Searching(_) => task.fits_into_search(),
            };
            if !fits {
                self.queue.push_front(task);
                return;
            }
            match task {
                Task::Command(command) => self.carry_out(command),
                Task::Go(go, wish) => self.go(go, wish),
                Task::End => self.ended = true,
            }
        }
    }

    /// Is the engine there? If not it is built first, and the task has to wait.
    fn has_engine(&mut self, task: impl FnOnce() -> Task) -> bool {
        if self.engine.is_some() || self.no_engine.is_some() {
            return true;
        }
        self.queue.push_front(task());
        self.start(Box::new(|engine, _| match crate::network::new_engine() {
            Ok(new) => {
                *engine = Some(new);
                Outcome::Done
            }
            Err(reason) => Outcome::NoEngine(reason),
        }));
        false
    }

    /// Starts a job.
    fn start(&mut self, job: Job) {
        let cancel = Cancel::default();
        self.activity = Activity::Working(cancel.clone());
        let (events, mut engine) = (self.events.clone(), self.engine.take());
        let work = move || {
            let outcome = job(&mut engine, &cancel);
            let _ = events.send(Event::JobDone(Box::new(engine), outcome));
        };
        thread::Builder::new().name("job".to_owned()).spawn(work).expect("the system can start a thread");
    }

    fn job_done(&mut self, engine: Option<Engine>, outcome: Outcome) {
        self.engine = engine;
        self.activity = Activity::Idle;
        match outcome {
            Outcome::Done => {}
            Outcome::OptionSet(change) => self.options.record(change),
            Outcome::NoEngine(reason) => {
                self.out.error(&reason);
                self.no_engine = Some(reason);
            }
        }
    }

    /// The client speaks the protocol from now on.
    fn greet_client(&self) {
        self.out.set_audience(Audience::Client);
    }
}
