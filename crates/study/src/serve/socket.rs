//! The WebSocket of a page: UCI lines both ways, and a few JSON messages for what UCI has no command.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};
use tokio::time::{self, Instant};

use super::outbox::Outbox;
use super::session::{self, Shared};

/// Bytes of a message. A game of a thousand moves takes six thousand.
const MESSAGE_BYTES: usize = 64 << 10;
/// Messages a second in the long run, and at once.
const RATE: u32 = 100;
const BURST: u32 = 400;
/// A page that has been silent for this long is pinged.
const ASK_AFTER: Duration = Duration::from_secs(15);
/// A page that has been silent for this long is disconnected.
const GONE_AFTER: Duration = Duration::from_secs(45);
/// A page must read what it is sent within this time.
const SEND_TIME: Duration = Duration::from_secs(10);
/// Lines that are sent in one go.
const BATCH: usize = 64;

/// The JSON messages of the server.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Notice<'a> {
    /// The first message: the environment of the engine.
    Hello { place: &'a str, options: BTreeMap<&'a str, &'a str>, limits: Vec<String>, store: bool },
    /// There is no engine for this page, for this reason.
    Refused(&'a str),
}

impl Notice<'_> {
    fn message(&self) -> Message {
        Message::text(serde_json::to_string(self).unwrap_or_default())
    }
}

/// Makes the connection a WebSocket, with a session if there is a seat for it.
pub(super) async fn open(upgrade: WebSocketUpgrade, shared: Arc<Shared>, seats: Arc<Semaphore>) -> Response {
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES).max_frame_size(MESSAGE_BYTES).write_buffer_size(0);
    match seats.try_acquire_owned() {
        Ok(seat) => upgrade.on_upgrade(move |socket| serve(socket, shared, seat)),
        Err(TryAcquireError::NoPermits | TryAcquireError::Closed) => {
            upgrade.on_upgrade(move |socket| refuse(socket, shared))
        }
    }
}

/// A browser does not tell a page why a WebSocket failed, so it is opened in order to send the reason.
async fn refuse(mut socket: WebSocket, shared: Arc<Shared>) {
    let reason = format!(
        "All {} boards of this server are in use. Close a page, or start it with a larger --sessions.",
        shared.limits.sessions
    );
    let say = async {
        let _ = socket.send(Notice::Refused(&reason).message()).await;
        let frame = CloseFrame { code: close_code::AGAIN, reason: "all boards are in use".into() };
        let _ = socket.send(Message::Close(Some(frame))).await;
    };
    let _ = time::timeout(SEND_TIME, say).await;
}

async fn serve(mut socket: WebSocket, shared: Arc<Shared>, seat: OwnedSemaphorePermit) {
    let hello = Notice::Hello {
        place: "on this computer",
        options: shared.options().map(|spec| (spec.name, spec.about)).collect(),
        limits: shared.limits.in_words(),
        store: shared.archive.is_some(),
    };
    let hello = hello.message();
    if !send(&mut socket, hello).await {
        return;
    }
    let (out, mut lines) = Outbox::new();
    let Ok(session) = session::start(shared, out.clone(), seat) else {
        let _ = send(&mut socket, Notice::Refused("the system cannot start another thread").message()).await;
        return;
    };
    let mut allowance = Allowance::new();
    let mut heard = Instant::now();
    let mut ask = time::interval_at(heard + ASK_AFTER, ASK_AFTER);
    let mut waiting = Vec::with_capacity(BATCH);
    loop {
        tokio::select! {
            frame = socket.recv(), if allowance.is_open() => {
                heard = Instant::now();
                let Some(Ok(frame)) = frame else { return };
                match frame {
                    Message::Text(text) => {
                        allowance.spend();
                        for line in text.lines().filter(|line| !line.trim().is_empty()) {
                            if session.send(line.to_owned()).await.is_err() {
                                return;
                            }
                        }
                    }
                    Message::Binary(_) => {
                        allowance.spend();
                        out.error("binary messages are not supported");
                    }
                    Message::Ping(_) | Message::Pong(_) => allowance.spend(),
                    Message::Close(_) => return,
                }
            }
            () = time::sleep_until(allowance.opens()), if !allowance.is_open() => {}
            count = lines.recv_many(&mut waiting, BATCH) => {
                if count == 0 || !send(&mut socket, Message::text(waiting.join("\n"))).await {
                    return;
                }
                waiting.clear();
            }
            _ = ask.tick() => {
                if heard.elapsed() > GONE_AFTER || !send(&mut socket, Message::Ping("".into())).await {
                    return;
                }
            }
        }
    }
}

/// Sends a message, if the page reads it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(time::timeout(SEND_TIME, socket.send(message)).await, Ok(Ok(())))
}

/// Rate limit of messages with room for bursts. A page that sends more is not read until its allowance has refilled.
struct Allowance {
    /// The time until which the messages so far have used up the allowance.
    used_until: Instant,
}

impl Allowance {
    const EACH: Duration = Duration::from_millis(1000 / RATE as u64);

    fn new() -> Self {
        Self { used_until: Instant::now() }
    }

    fn spend(&mut self) {
        self.used_until = self.used_until.max(Instant::now()) + Self::EACH;
    }

    /// When the next message is read.
    fn opens(&self) -> Instant {
        self.used_until.checked_sub(Self::EACH * BURST).unwrap_or_else(Instant::now)
    }

    fn is_open(&self) -> bool {
        self.used_until <= Instant::now() + Self::EACH * BURST
    }
}
