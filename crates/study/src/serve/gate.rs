//! Which requests are answered at all, and the headers that every answer carries.
//!
//! A page of another site can make the browser send requests here, and by DNS rebinding even under a name of its own.
//! So the name in `Host` must be one of this server's, and a request that says where it comes from must come from here.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Nothing from elsewhere, nothing inline; the page may talk to this server only. Chessground draws its arrows with
/// attributes and its pieces with the object model, so that no inline style is needed either.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
     font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

const HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The names of this server, with the address that the connection came to.
#[derive(Clone, Debug)]
pub(super) struct Names {
    hosts: Vec<String>,
    /// Names without a port, on the port that `http` leaves out.
    without_port: Vec<String>,
}

/// The port of a URL with `http` that names none.
const HTTP_PORT: u16 = 80;

impl Names {
    /// The server's address and the names that it was given besides.
    pub(super) fn new(local: SocketAddr, others: &[String]) -> Self {
        // A socket for both families has such addresses as ::ffff:127.0.0.1, which nobody writes in a URL.
        let (ip, port) = (local.ip().to_canonical(), local.port());
        let address = if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() };
        let own = vec![address, "localhost".to_owned()];
        let mut hosts: Vec<String> = own.iter().map(|name| format!("{name}:{port}")).collect();
        for name in others {
            let name = name.to_ascii_lowercase();
            hosts.push(format!("{name}:{port}"));
            // Behind a proxy of the same machine, or on port 80.
            hosts.push(name);
        }
        Self { hosts, without_port: if port == HTTP_PORT { own } else { Vec::new() } }
    }

    fn knows(&self, host: &str) -> bool {
        self.hosts.iter().chain(&self.without_port).any(|known| known.eq_ignore_ascii_case(host))
    }

    fn knows_origin(&self, origin: &str) -> bool {
        if let Some(host) = origin.strip_prefix("http://") {
            return self.knows(host);
        }
        // Without a port this is another one than ours, so only the given names may be a proxy's.
        let known = |host: &str| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
        origin.strip_prefix("https://").is_some_and(known)
    }

    /// Why a request with these headers is not answered.
    fn refusal(&self, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let only = |name: header::HeaderName| {
            let mut values = headers.get_all(name).iter();
            let first = values.next().map(|value| value.to_str().unwrap_or("?"));
            if values.next().is_some() { Some("?") } else { first }
        };
        if !only(header::HOST).is_some_and(|host| self.knows(host)) {
            return Some((StatusCode::MISDIRECTED_REQUEST, "Unknown host name; see --host."));
        }
        let origin = only(header::ORIGIN);
        if origin.is_some_and(|origin| !self.knows_origin(origin)) {
            return Some((StatusCode::FORBIDDEN, "Requests from pages of other sites are refused."));
        }
        if headers.contains_key(header::UPGRADE) && origin.is_none() {
            return Some((StatusCode::FORBIDDEN, "A WebSocket needs an Origin header."));
        }
        if method != Method::GET && method != Method::HEAD {
            return Some((StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are allowed."));
        }
        let empty = only(header::CONTENT_LENGTH).is_none_or(|length| length == "0");
        if !empty || headers.contains_key(header::TRANSFER_ENCODING) {
            return Some((StatusCode::PAYLOAD_TOO_LARGE, "A request must not have a body."));
        }
        None
    }
}

/// Answers what may be answered.
pub(super) async fn check(State(names): State<Names>, request: Request, next: Next) -> Response {
    let mut response = match names.refusal(request.method(), request.headers()) {
        Some((status, reason)) => {
            let mut refused = (status, reason).into_response();
            refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            refused
        }
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(method: Method, headers: &[(&'static str, &str)]) -> Option<StatusCode> {
        let names = Names::new("127.0.0.1:5757".parse().unwrap(), &["board.example".to_owned()]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        names.refusal(&method, &map).map(|(status, _)| status)
    }

    #[test]
    fn only_this_server_s_names_are_answered() {
        for host in
            ["127.0.0.1:5757", "localhost:5757", "LOCALHOST:5757", "board.example:5757", "board.example"]
        {
            assert_eq!(refusal(Method::GET, &[("host", host)]), None, "{host}");
        }
        for host in ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:5757", ""] {
            let status = refusal(Method::GET, &[("host", host)]);
            assert_eq!(status, Some(StatusCode::MISDIRECTED_REQUEST), "{host}");
        }
        assert!(refusal(Method::GET, &[]).is_some());
        assert!(refusal(Method::GET, &[("host", "localhost:5757"), ("host", "evil.example")]).is_some());
    }

    #[test]
    fn names_are_as_browsers_write_them() {
        let knows = |local: &str, host: &str| Names::new(local.parse().unwrap(), &[]).knows(host);
        // The local address of a connection over IPv4 to a server that listens on ::.
        assert!(knows("[::ffff:127.0.0.1]:5757", "127.0.0.1:5757"));
        assert!(knows("[::1]:5757", "[::1]:5757"));
        // A URL with port 80 is sent without it.
        for (local, host) in [("127.0.0.1:80", "127.0.0.1"), ("[::1]:80", "[::1]"), ("[::1]:80", "localhost")]
        {
            assert!(knows(local, host) && knows(local, &format!("{host}:80")), "{host}");
            assert!(!knows(local, "evil.example"));
        }
        let names = Names::new("127.0.0.1:80".parse().unwrap(), &["board.example".to_owned()]);
        assert!(names.knows_origin("http://localhost") && names.knows_origin("https://board.example"));
        assert!(!names.knows_origin("https://localhost"), "another server's");
    }

    #[test]
    fn a_websocket_must_come_from_this_page() {
        let socket = |origin: &str| {
            refusal(Method::GET, &[("host", "localhost:5757"), ("upgrade", "websocket"), ("origin", origin)])
        };
        assert_eq!(socket("http://localhost:5757"), None);
        for origin in ["http://evil.example", "null", "http://localhost:5758", "file://", "localhost:5757"] {
            assert_eq!(socket(origin), Some(StatusCode::FORBIDDEN), "{origin}");
        }
        assert!(refusal(Method::GET, &[("host", "localhost:5757"), ("upgrade", "websocket")]).is_some());
    }

    #[test]
    fn requests_have_no_body_and_change_nothing() {
        let host = ("host", "localhost:5757");
        assert_eq!(refusal(Method::POST, &[host]), Some(StatusCode::METHOD_NOT_ALLOWED));
        let long = ("content-length", "9999999999");
        assert_eq!(refusal(Method::GET, &[host, long]), Some(StatusCode::PAYLOAD_TOO_LARGE));
        let chunked = ("transfer-encoding", "chunked");
        assert_eq!(refusal(Method::GET, &[host, chunked]), Some(StatusCode::PAYLOAD_TOO_LARGE));
    }
}
