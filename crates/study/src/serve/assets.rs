//! The page, which `build.rs` embeds: the output of Vite in `web/dist`, or a note on how to build it.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct Asset {
    /// Its path from the root of the server, with a slash.
    path: &'static str,
    bytes: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The kinds of files that a page is made of.
const TYPES: [(&str, &str); 9] = [
    (".html", "text/html; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".css", "text/css; charset=utf-8"),
    (".svg", "image/svg+xml"),
    (".png", "image/png"),
    (".wasm", "application/wasm"),
    (".json", "application/json"),
    (".webmanifest", "application/manifest+json"),
    (".txt", "text/plain; charset=utf-8"),
];

/// Serves an embedded file; no path leads to the file system.
pub(super) async fn serve(request: Request) -> Response {
    let path = match request.uri().path() {
        "/" => "/index.html",
        path => path,
    };
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == path) else {
        return (StatusCode::NOT_FOUND, "Page not found.").into_response();
    };
    let kind = TYPES.iter().find(|(suffix, _)| path.ends_with(suffix));
    // Vite names what it builds by its contents; only the first page may change under its name.
    let cache = if path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(kind.map_or("application/octet-stream", |(_, kind)| kind)),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
    ];
    (headers, asset.bytes).into_response()
}
