//! Why a file cannot be used, in our own words: clients search what an engine says for the phrases of the operating
//! system, and xboard takes them for an engine that could not be started.

use std::io::{Error, ErrorKind};

/// What is wrong, to stand behind the name of the file.
pub fn io_error_text(error: &Error) -> String {
    let words = match error.kind() {
        ErrorKind::NotFound => "it does not exist",
        ErrorKind::PermissionDenied => "this user has no access to it",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "it is not a folder",
        ErrorKind::AlreadyExists => "it is there already",
        ErrorKind::UnexpectedEof => "it ends too soon",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "there is no room left for it",
        ErrorKind::ReadOnlyFilesystem => "nothing can be written there",
        ErrorKind::InvalidFilename => "this is no name for a file",
        _ => match (error.get_ref(), error.raw_os_error()) {
            // An error of our own.
            (Some(own), _) => return own.to_string(),
            (None, Some(number)) => return format!("the system gives error {number}"),
            (None, None) if error.kind() == ErrorKind::InvalidData => "its contents make no sense",
            (None, None) => "the system does not say why",
        },
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What xboard looks for in all that an engine says at its start.
    const PHRASES: [&str; 6] = [
        "No such file",
        "not found",
        "Permission denied",
        "unknown host",
        "No remote directory",
        "can't alloc",
    ];

    #[test]
    fn no_error_of_the_system_is_told_in_its_words() {
        for number in 0..=200 {
            let text = io_error_text(&Error::from_raw_os_error(number));
            assert!(PHRASES.iter().all(|phrase| !text.contains(phrase)), "{number}: {text}");
            assert!(!text.contains("os error"), "{number}: {text}");
        }
        assert_eq!(io_error_text(&Error::from(ErrorKind::NotFound)), "it does not exist");
        assert_eq!(
            io_error_text(&Error::new(ErrorKind::InvalidData, "its checksum is wrong")),
            "its checksum is wrong"
        );
    }
}
