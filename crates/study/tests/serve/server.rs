//! The program, and pages that talk to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Nothing here takes so long on any machine; only a test that fails waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running server; it ends with the value.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// A server with these arguments, and no store unless they name one.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let store: &[&str] = if arguments.contains(&"--store") { &[] } else { &["--no-store"] };
        let mut child = Command::new(env!("CARGO_BIN_EXE_rufous-study"))
            .args(["serve", "--port", "0"])
            .args(store)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        let address = first.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap();
        let address = address.parse().unwrap_or_else(|_| panic!("{first}"));
        // Whoever writes must find somebody who reads.
        thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// A line of the process's status in Linux; `None` elsewhere.
    fn status(&self, name: &str) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    }

    pub(crate) fn threads(&self) -> Option<u64> {
        self.status("Threads")
    }

    /// Resident memory in megabytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.status("VmRSS").map(|kib| kib / 1024)
    }

    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends these bytes and gives everything that comes back until the server closes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may close before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A plain request with these headers; the connection is closed behind the answer.
    pub(crate) fn get(&self, path: &str, headers: &str) -> String {
        let host = self.address;
        let host = if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
        self.raw(format!("GET {path} HTTP/1.1\r\n{host}Connection: close\r\n{headers}\r\n").as_bytes())
    }

    pub(crate) fn page(&self) -> Page {
        Page::open(self)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page's WebSocket.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
    waiting: std::collections::VecDeque<String>,
}

impl Page {
    fn open(server: &Server) -> Self {
        let mut request = format!("ws://{}/engine", server.address).into_client_request().unwrap();
        request.headers_mut().insert("origin", format!("http://{}", server.address).parse().unwrap());
        let (socket, _) = tungstenite::client(request, server.connect()).expect("the handshake succeeds");
        Self { socket, waiting: std::collections::VecDeque::new() }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.socket.send(Message::text(line)).expect("the server reads");
    }

    /// The next line, or `None` when the server has closed.
    pub(crate) fn line(&mut self) -> Option<String> {
        while self.waiting.is_empty() {
            match self.socket.read() {
                Ok(Message::Text(text)) => self.waiting.extend(text.lines().map(str::to_owned)),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        self.waiting.pop_front()
    }

    /// Reads up to a line that begins like this.
    pub(crate) fn until(&mut self, start: &str) -> String {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let line = self.line().unwrap_or_else(|| panic!("closed before '{start}'"));
            if line.starts_with(start) {
                return line;
            }
        }
        panic!("no '{start}' in {PATIENCE:?}");
    }

    /// The engine works: it searches and gives a move.
    pub(crate) fn works(&mut self) {
        self.send("position startpos moves e2e4");
        self.send("go depth 4");
        self.until("info depth 4");
        self.until("bestmove");
    }
}

/// Waits until this is so.
pub(crate) fn eventually(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}
