//! All other commands.

use uci::{Check, Command, Message, Start};

use super::Driver;
use crate::bench::{self, BenchRequest};
use crate::job::JobResult;
use crate::speedtest::{self, SpeedTestRequest};
use crate::{about, display, doctor, eval, genfens, help, identity, network, perft};

impl Driver {
    pub(super) fn carry_out(&mut self, command: Command) {
        match command {
            Command::Uci => {
                self.out.greet_client();
                identity::introduce(&self.out);
            }
            Command::IsReady => {
                if self.has_engine(|| Command::IsReady) {
                    self.out.message(Message::ReadyOk);
                }
            }
            Command::SetOption { name, value } => self.set_option(name, value),
            Command::Register(_) => {
                // Rufous is free: everybody is registered.
                self.out.message(Message::Registration(Check::Checking));
                self.out.message(Message::Registration(Check::Ok));
            }
            Command::UciNewGame => self.new_game(),
            Command::Position { start, moves } => self.set_position(start, moves),
            Command::Board => self.show_board(),
            Command::Flip => self.game.flip(),
            Command::Eval => self.eval(),
            Command::Bench(words) => self.bench(&words),
            Command::SpeedTest(words) => self.speed_test(&words),
            Command::ExportNet(files) => self.export_network(&files),
            Command::GenFens(request) => {
                let out = self.out.clone();
                self.count(Box::new(move |engine, cancel| {
                    genfens::generate(engine.as_ref(), &request, &out, cancel);
                    JobResult::Done
                }));
            }
            Command::Compiler => self.out.line(about::compiler()),
            Command::Doctor => self.doctor(),
            Command::Help => self.out.line(help::text()),
            Command::License => self.out.line(about::license()),
            // Handled before they get into the queue.
            Command::Debug(_) | Command::Stop | Command::PonderHit | Command::Quit | Command::Go(_) => {}
        }
    }

    fn new_game(&mut self) {
        // An engine that was not created yet has nothing to clear.
        if self.engine.is_some() {
            self.prepare(Box::new(|engine, _| {
                if let Some(engine) = engine {
                    engine.new_game();
                }
                JobResult::Done
            }));
        }
    }

    fn set_position(&mut self, start: Start, moves: Vec<String>) {
        match self.game.set_up(start, moves) {
            Ok(mends) => mends.iter().for_each(|mend| self.out.note(format!("FEN mended: {mend}"))),
            Err(error) => self.out.error(error),
        }
    }

    fn show_board(&self) {
        let position = self.game.current();
        let tablebases = self.engine.as_ref().and_then(|engine| engine.probe_tablebases(position));
        self.out.line(display::board(position, tablebases));
    }

    fn eval(&mut self) {
        let (out, position) = (self.out.clone(), *self.game.current());
        self.prepare(Box::new(move |engine, _| {
            match network::in_use(engine.as_ref()) {
                Ok(network) => out.line(eval::explain(&network, &position)),
                Err(reason) => out.error(reason),
            }
            JobResult::Done
        }));
    }

    fn bench(&mut self, words: &[String]) {
        match BenchRequest::read(words, self.game.current()) {
            Err(problem) => self.out.error(problem),
            Ok(request) => {
                let out = self.out.clone();
                self.count(Box::new(move |engine, cancel| {
                    if let Err(reason) = bench::run(engine.as_ref(), &request, &out, cancel) {
                        out.error(reason);
                    }
                    JobResult::Done
                }));
            }
        }
    }

    fn speed_test(&mut self, words: &[String]) {
        match SpeedTestRequest::read(words) {
            Err(problem) => self.out.error(problem),
            Ok(request) => {
                let out = self.out.clone();
                self.count(Box::new(move |engine, cancel| {
                    if let Err(reason) = speedtest::run(engine.as_ref(), &request, &out, cancel) {
                        out.error(reason);
                    }
                    JobResult::Done
                }));
            }
        }
    }

    fn doctor(&mut self) {
        let (out, options) = (self.out.clone(), self.options.clone());
        self.count(Box::new(move |engine, cancel| {
            doctor::run(engine.as_ref(), &options, &out, cancel);
            JobResult::Done
        }));
    }

    fn export_network(&mut self, files: &[String]) {
        let export = match network::Export::plan(&self.options, files) {
            Ok(export) => export,
            Err(reason) => return self.out.error(reason),
        };
        let out = self.out.clone();
        self.prepare(Box::new(move |engine, _| {
            match export.write(engine.as_ref()) {
                Ok(told) => out.note(told),
                Err(reason) => out.error(reason),
            }
            JobResult::Done
        }));
    }

    pub(super) fn perft(&mut self, depth: u64) {
        let (out, position) = (self.out.clone(), *self.game.current());
        let threads = self.options.get("Threads").map_or(1, engine::OptionValue::number) as usize;
        let castling = self.castling(&position);
        self.count(Box::new(move |_, cancel| {
            perft::run(&position, depth, threads, castling, &out, cancel);
            JobResult::Done
        }));
    }
}
