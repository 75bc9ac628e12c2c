//! Accepts connections and limits their number, duration and size.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time;

use super::gate::{self, Names};
use super::limits::Limits;
use super::session::Shared;
use super::{assets, socket};

/// Connections that may be open besides the WebSockets; a browser opens six at most.
const CONNECTIONS: usize = 128;
/// The head of a request must be there within this time.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// A connection that does not become a WebSocket is closed after this time, whatever it is doing.
const CONNECTION_TIME: Duration = Duration::from_secs(30);
/// Bytes of the head of a request, and headers in it.
const HEAD_BYTES: usize = 16 << 10;
const HEADERS: usize = 64;

/// A board server that listens.
pub(super) struct Server {
    listener: TcpListener,
    address: SocketAddr,
    hosts: Vec<String>,
    shared: Arc<Shared>,
    seats: Arc<Semaphore>,
}

impl Server {
    /// Listens on this address. Pages may reach the server by these other names too.
    pub(super) async fn bind(address: SocketAddr, shared: Shared, hosts: Vec<String>) -> io::Result<Self> {
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| io::Error::new(error.kind(), format!("cannot listen on {address}: {error}")))?;
        let seats = Arc::new(Semaphore::new(shared.limits.sessions.into()));
        Ok(Self { address: listener.local_addr()?, listener, hosts, shared: Arc::new(shared), seats })
    }

    /// The URL of the page.
    pub(super) fn page_address(&self) -> String {
        let ip = match self.address.ip().to_canonical() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            // Not every system lets such a socket take connections over IPv4.
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        format!("http://{}/", SocketAddr::new(ip, self.address.port()))
    }

    /// The limits.
    pub(super) fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// Serves for ever.
    pub(super) async fn run(self) {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            // If all places are taken, new connections wait in the system's queue; timeouts free the places again.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let Ok((stream, _)) = self.listener.accept().await else {
                // Too many open files, or the peer has gone: keep serving.
                time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let router = self.router(&stream);
            tokio::spawn(async move {
                serve_connection(stream, router).await;
                drop(place);
            });
        }
    }

    fn router(&self, stream: &TcpStream) -> Router {
        let local = stream.local_addr().unwrap_or(self.address);
        let names = Names::new(local, &self.hosts);
        let (shared, seats) = (Arc::clone(&self.shared), Arc::clone(&self.seats));
        Router::new()
            .route("/engine", get(move |upgrade| socket::open(upgrade, shared, seats)))
            .fallback(assets::serve)
            .layer(from_fn_with_state(names, gate::check))
    }
}

async fn serve_connection(stream: TcpStream, router: Router) {
    // The lines of a search are small and should not be delayed.
    let _ = stream.set_nodelay(true);
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    // Errors are the peer's: it went away, or did not send HTTP.
    let _ = time::timeout(CONNECTION_TIME, connection).await;
}
