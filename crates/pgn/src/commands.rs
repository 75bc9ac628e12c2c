//! Commands in comments: `[%clk 0:03:00]`, `[%eval 0.35]` and their kin.

/// The value of the first command of this name in the comment.
///
/// ```
/// assert_eq!(pgn::command("[%eval 0.2] [%clk 0:02:59.9] well played", "clk"), Some("0:02:59.9"));
/// ```
pub fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let (start, end) = find(comment, name)?;
    comment[start..end].trim_end_matches(']').split_once(char::is_whitespace).map(|(_, value)| value.trim())
}

/// The comment without any command of this name.
pub fn without_command(comment: &str, name: &str) -> String {
    let mut text = comment.to_owned();
    while let Some((start, end)) = find(&text, name) {
        let behind = text[end..].trim_start().to_owned();
        text.truncate(start);
        text.push_str(&behind);
    }
    text.trim().to_owned()
}

/// Where a command begins and ends, with its brackets.
fn find(comment: &str, name: &str) -> Option<(usize, usize)> {
    comment.match_indices("[%").find_map(|(start, _)| {
        let end = start + comment[start..].find(']')? + 1;
        let inside = &comment[start + 2..end - 1];
        let word = inside.split(|c: char| c.is_whitespace() || c == ',').next()?;
        (word == name).then_some((start, end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_and_taken_out() {
        let comment = "before [%eval #-3,20] between [%clk 1:00:00] behind [%eval 0.1]";
        assert_eq!(command(comment, "eval"), Some("#-3,20"));
        assert_eq!(command(comment, "emt"), None);
        assert_eq!(without_command(comment, "eval"), "before between [%clk 1:00:00] behind");
        for broken in ["[%clk", "[%clk]", "[%", "[%]", "%clk 0:01:00]"] {
            assert_eq!(command(broken, "clk"), None, "{broken}");
        }
        assert_eq!(without_command("[%clk", "clk"), "[%clk");
    }
}
