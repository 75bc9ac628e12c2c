//! The characters of a PGN file.

/// The text of a file: UTF-8 with or without its mark, UTF-16 with it, and Windows-1252 (which Latin-1 is a part of, and
/// which older databases write) for anything else. Every line ends with a line feed.
pub fn decode(bytes: &[u8]) -> String {
    let text = characters(bytes);
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

fn characters(bytes: &[u8]) -> String {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => characters(rest),
        [0xff, 0xfe, rest @ ..] => from_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => from_utf16(rest, u16::from_be_bytes),
        _ => match str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&byte| from_windows_1252(byte)).collect(),
        },
    }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// Windows-1252 is Latin-1 but for these 32 places; five of them are unused.
fn from_windows_1252(byte: u8) -> char {
    const FROM_0X80: [char; 32] = [
        '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}',
        '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => FROM_0X80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_text() {
        for bytes in [
            "Köln".as_bytes().to_vec(),
            "\u{feff}Köln".as_bytes().to_vec(),
            b"K\xf6ln".to_vec(),
            b"\xff\xfeK\0\xf6\0l\0n\0".to_vec(),
            b"\xfe\xff\0K\0\xf6\0l\0n".to_vec(),
        ] {
            assert_eq!(decode(&bytes), "Köln", "{bytes:?}");
        }
        assert_eq!(decode(b"a\r\nb\rc\n"), "a\nb\nc\n");
        assert_eq!(decode(b"\x84Sp\xe4t\x93 \x96 \x80"), "„Spät“ – €");
    }
}
