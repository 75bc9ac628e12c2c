//! The HTML report: a single file with its data, style and script.

use super::model::Review;

const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = include_str!("report/style.css");
const SCRIPT: &str = include_str!("report/script.js");

/// The page of these games.
///
/// # Errors
/// Where the reviews cannot be written as JSON.
pub(crate) fn page(reviews: &[Review]) -> Result<String, serde_json::Error> {
    // Within a script only this character can end it; as an escape it means the same in JSON.
    let data = serde_json::to_string(reviews)?.replace('<', "\\u003c");
    let title = match reviews {
        [review] => format!("{} - {}", review.white.name, review.black.name),
        _ => format!("{} games", reviews.len()),
    };
    let mut page = PAGE.to_owned();
    for (place, text) in [
        ("{{title}}", escaped(&title).as_str()),
        ("{{style}}", STYLE),
        ("{{script}}", SCRIPT),
        ("{{data}}", &data),
    ] {
        // The data comes last, so that nothing in it is taken for a placeholder.
        page = page.replacen(place, text, 1);
    }
    Ok(page)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('{', "&#123;")
}
