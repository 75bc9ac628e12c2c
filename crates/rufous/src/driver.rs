//! The event loop between the client and the engine.
//!
//! The driver only ever waits for the next event. Commands are carried out in order; one that needs an
//! idle engine keeps those after it waiting, including the error messages for their lines. `stop`,
//! `ponderhit`, `quit` and `debug` take effect at once, and so does `isready` during a search or a
//! count; `stop` and `ponderhit` also affect commands that still wait in the queue. So each `go` is
//! answered by exactly one `bestmove`, in order, and no `stop` is ever lost.
//!
//! `quit` is the last entry of the queue: what came before it is carried out. Only searches are cut
//! short by it, running and waiting ones, and each still gives its move. A count (`go perft`, `bench`,
//! `speedtest`, `genfens`) is cut short if it was running before the batch of lines that `quit` came
//! with, since then a user has given up waiting; in one batch with `quit` it belongs to a script. A
//! second `quit` in a later batch exits at once. The end of the input acts like `quit`, but a search
//! that ends by itself is finished.

mod commands;
mod queue;
mod search;
mod setoption;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use engine::platform::Instant;
use engine::{Engine, Options, platform};
use uci::{Command, Message, Parsed};

use crate::game::Game;
use crate::job::{Cancel, Job, JobResult};
use crate::program_options::all_options;
use crate::writer::Writer;
use queue::{Action, LineContext, StopRequest, Task, starts_new_work};
use search::RunningSearch;

/// Jobs count moves or call the engine, and need no more than threads usually have.
const JOB_STACK_BYTES: usize = 2 << 20;

/// Debug mode repeats at most this much of a command.
const ECHOED: usize = 200;

/// An event for the driver.
pub(crate) enum Event {
    /// A line came in.
    Line(Parsed, Arrival),
    /// A line came in that was too long to be kept.
    LineTooLong(Arrival),
    /// No more lines will come.
    EndOfInput,
    /// The running search has ended with this move.
    SearchEnded(Message),
    /// The running job is done, and gives the engine back.
    JobDone(Box<Option<Engine>>, JobResult),
}

/// Where events are sent to.
#[derive(Clone)]
pub(crate) struct Events {
    sender: Sender<Event>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Events {
    /// False when there is no driver any more.
    pub(crate) fn send(&self, event: Event) -> bool {
        let sent = self.sender.send(event).is_ok();
        (self.wake)();
        sent
    }
}

/// How a line came in.
#[derive(Clone, Copy)]
pub(crate) struct Arrival {
    /// Lines that came together have the same number, later ones a higher one.
    pub(crate) batch: u64,
    pub(crate) time: Instant,
}

/// The state of the driver.
enum Activity {
    Idle,
    Working(Work),
    Searching(RunningSearch),
}

/// A job that is running.
struct Work {
    kind: WorkKind,
    cancel: Cancel,
    /// The batch of the line that asked for it.
    batch: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WorkKind {
    /// Work that the next commands rely on: the engine is not ready before its end.
    Preparation,
    /// Work that is waited for like a search and can be stopped like one.
    Count,
}

/// The event loop's state.
pub(crate) struct Driver {
    out: Writer,
    events: Events,
    receiver: Receiver<Event>,
    /// Passed to a job while it runs, and created when it is first needed.
    engine: Option<Engine>,
    /// Why there is no engine, if there can be none.
    no_engine: Option<String>,
    options: Options,
    game: Game,
    activity: Activity,
    queue: VecDeque<Task>,
    /// Of the line that is being carried out.
    context: LineContext,
    /// When the last search or count ended; the time of the next one counts from here at the earliest.
    free_since: Instant,
    debug: bool,
    /// The note about castling notation in Chess960 was printed.
    chess960_noted: bool,
    /// No more commands are accepted: the batch of the `quit` or of the end of the input.
    closed: Option<u64>,
    ended: bool,
}

impl Driver {
    pub(crate) fn new(out: Writer) -> Self {
        Self::waking(out, || {})
    }

    /// A driver for a host that cannot block: `wake` is called for every event.
    pub(crate) fn waking(out: Writer, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let (sender, receiver) = channel();
        Self {
            out,
            events: Events { sender, wake: Arc::new(wake) },
            receiver,
            engine: None,
            no_engine: None,
            options: Options::new(all_options()),
            game: Game::default(),
            activity: Activity::Idle,
            queue: VecDeque::new(),
            context: LineContext {
                arrival: Arrival { batch: 0, time: Instant::now() },
                stop: StopRequest::Never,
            },
            free_since: Instant::now(),
            debug: false,
            chess960_noted: false,
            closed: None,
            ended: false,
        }
    }

    /// Where to send events.
    pub(crate) fn events(&self) -> Events {
        self.events.clone()
    }

    /// Handles an event and all pending ones, and runs what can be run now. False when the session has ended.
    pub(crate) fn poll(&mut self, event: Option<Event>) -> bool {
        let mut next = event.or_else(|| self.receiver.try_recv().ok());
        while let Some(event) = next.filter(|_| !self.ended) {
            self.handle(event);
            self.advance();
            next = self.receiver.try_recv().ok();
        }
        !self.ended
    }

    /// Handles events until the end of the input or `quit`.
    pub(crate) fn serve(mut self) {
        while !self.ended {
            let event = self.next_event();
            self.handle(event);
            self.advance();
        }
    }

    /// Carries out these lines one by one, each when the one before is finished; a search without end goes on until
    /// a later line ends it.
    pub(crate) fn run_script(mut self, lines: impl IntoIterator<Item = Parsed>) {
        let mut lines = lines.into_iter().peekable();
        while let Some(line) = lines.next() {
            self.handle(Event::Line(line, Arrival { batch: 0, time: Instant::now() }));
            self.advance();
            while !self.ended && self.must_wait(lines.peek().is_some()) {
                let event = self.next_event();
                self.handle(event);
                self.advance();
            }
            if self.ended {
                return;
            }
        }
    }

    fn must_wait(&self, more_lines: bool) -> bool {
        match &self.activity {
            Activity::Idle => false,
            Activity::Searching(search) => search.is_limited() || !more_lines,
            Activity::Working(_) => true,
        }
    }

    fn next_event(&self) -> Event {
        // The driver holds a sender itself, so there is always one.
        self.receiver.recv().unwrap_or(Event::EndOfInput)
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Line(parsed, arrival) => self.handle_line(parsed, arrival),
            Event::LineTooLong(arrival) => {
                self.enqueue(
                    arrival,
                    Action::Error("a line of more than 4 megabytes was ignored".to_owned()),
                );
            }
            Event::EndOfInput => {
                self.end_unlimited();
                self.close(Arrival { batch: u64::MAX, time: Instant::now() });
            }
            Event::SearchEnded(answer) => {
                self.activity = Activity::Idle;
                self.free_since = Instant::now();
                self.out.message(answer);
            }
            Event::JobDone(engine, outcome) => self.job_done(*engine, outcome),
        }
    }

    fn handle_line(&mut self, Parsed { command, problems }: Parsed, arrival: Arrival) {
        if let Some(first) = self.closed {
            // A second `quit` after a while: do not wait for the rest.
            self.ended |= command == Some(Command::Quit) && arrival.batch > first;
            return;
        }
        for problem in problems {
            if problem.is_error() {
                self.enqueue(arrival, Action::Error(problem.to_string()));
            } else if self.debug {
                self.out.note(problem);
            }
        }
        let Some(command) = command else { return };
        if self.debug {
            let text: String = command.to_string().chars().take(ECHOED).collect();
            self.out.note(format!("received: {text}"));
        }
        match command {
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Debug(on) => self.debug = on,
            Command::Quit => self.quit(arrival),
            Command::IsReady if self.can_answer_at_once() => self.out.message(Message::ReadyOk),
            command => {
                if starts_new_work(&command) {
                    self.end_unlimited();
                }
                self.enqueue(arrival, Action::Command(command));
            }
        }
    }

    /// Can `isready` be answered at once?
    fn can_answer_at_once(&self) -> bool {
        match &self.activity {
            Activity::Idle => false,
            // A cancelled count ends soon, and then the answer means that it has ended.
            Activity::Working(work) => work.kind == WorkKind::Count && !work.cancel.is_set(),
            Activity::Searching(_) => true,
        }
    }

    fn enqueue(&mut self, arrival: Arrival, action: Action) {
        self.queue.push_back(Task { action, context: LineContext { arrival, stop: StopRequest::Never } });
    }

    /// Ends whatever is running or waits to be run, as soon as possible.
    fn stop(&mut self) {
        if let Activity::Working(work) = &self.activity {
            work.cancel.cancel();
        }
        self.stop_search();
        self.request_stop(StopRequest::Always, |_| true);
    }

    /// Ends the searches, and a count that was started in an earlier batch; the rest is carried out.
    fn quit(&mut self, arrival: Arrival) {
        if let Activity::Working(work) = &self.activity
            && work.batch < arrival.batch
        {
            work.cancel.cancel();
        }
        self.stop_search();
        self.request_stop(StopRequest::Always, Action::is_search);
        self.close(arrival);
    }

    fn stop_search(&mut self) {
        if let Activity::Searching(search) = &mut self.activity
            && search.stop(&self.out)
        {
            self.activity = Activity::Idle;
        }
    }

    /// The expected move was played.
    fn ponder_hit(&mut self) {
        if let Activity::Searching(search) = &mut self.activity
            && search.ponder_hit(&self.out)
        {
            self.activity = Activity::Idle;
        }
        for task in &mut self.queue {
            if let Action::Command(Command::Go(go)) = &mut task.action {
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
        self.request_stop(StopRequest::IfUnlimited, Action::is_search);
    }

    /// Notes the request for the commands that still wait.
    fn request_stop(&mut self, new: StopRequest, concerned: impl Fn(&Action) -> bool) {
        for task in self.queue.iter_mut().filter(|task| concerned(&task.action)) {
            task.context.stop = new.max(task.context.stop);
        }
    }

    /// Accepts no more commands, and ends when everything before is done.
    fn close(&mut self, arrival: Arrival) {
        if self.closed.is_none() {
            self.closed = Some(arrival.batch);
            self.enqueue(arrival, Action::End);
        }
    }

    /// Carries out the commands that can be carried out now.
    fn advance(&mut self) {
        while let Some(task) = self.queue.pop_front() {
            let fits = match self.activity {
                Activity::Idle => true,
                Activity::Working(_) => false,
                Activity::Searching(_) => task.action.allowed_during_search(),
            };
            if !fits {
                self.queue.push_front(task);
                return;
            }
            self.context = task.context;
            self.out.serve(task.context.arrival.batch);
            match task.action {
                Action::Command(Command::Go(go)) => self.go(go, task.context.stop),
                Action::Command(command) => self.carry_out(command),
                Action::Error(text) => self.out.error(text),
                Action::End => self.ended = true,
            }
        }
    }

    /// Is the engine there? If not it is built first, and the task has to wait.
    fn has_engine(&mut self, command: impl FnOnce() -> Command) -> bool {
        if self.engine.is_some() || self.no_engine.is_some() {
            return true;
        }
        self.queue.push_front(Task { action: Action::Command(command()), context: self.context });
        self.prepare(Box::new(|engine, _| match crate::network::new_engine() {
            Ok(new) => {
                *engine = Some(new);
                JobResult::Done
            }
            Err(reason) => JobResult::NoEngine(reason),
        }));
        false
    }

    /// Starts a job that later commands depend on.
    fn prepare(&mut self, job: Job) {
        self.start(WorkKind::Preparation, job);
    }

    /// Starts a job that can be ended, which `stop` may have asked for already.
    fn count(&mut self, job: Job) {
        self.start(WorkKind::Count, job);
    }

    fn start(&mut self, kind: WorkKind, job: Job) {
        let cancel = Cancel::default();
        if kind == WorkKind::Count && self.context.stop == StopRequest::Always {
            cancel.cancel();
        }
        self.activity =
            Activity::Working(Work { kind, cancel: cancel.clone(), batch: self.context.arrival.batch });
        let (events, mut engine) = (self.events.clone(), self.engine.take());
        let work = move || {
            let outcome = job(&mut engine, &cancel);
            events.send(Event::JobDone(Box::new(engine), outcome));
        };
        platform::spawn("job", JOB_STACK_BYTES, work).expect("the system can start a thread");
    }

    fn job_done(&mut self, engine: Option<Engine>, outcome: JobResult) {
        self.engine = engine;
        if matches!(&self.activity, Activity::Working(work) if work.kind == WorkKind::Count) {
            self.free_since = Instant::now();
        }
        self.activity = Activity::Idle;
        match outcome {
            JobResult::Done => {}
            JobResult::OptionSet(change) => self.options.record(change),
            JobResult::NoEngine(reason) => {
                self.out.error(&reason);
                self.no_engine = Some(reason);
            }
        }
    }
}
