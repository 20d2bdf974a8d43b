//! The bytes of a file as text, whatever program has written it.

use std::borrow::Cow;

/// What the bytes from 0x80 on mean in Windows-1252, as far as this differs from Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file: UTF-16 if it begins with the mark of UTF-16 or with a letter as UTF-16
/// has it; otherwise UTF-8, or Windows-1252 if it is not that.
///
/// ```
/// use krou::ogn::decode;
///
/// assert_eq!(decode(b"[South \"Jos\xe9\"]"), "[South \"José\"]");
/// assert_eq!(decode(b"\xff\xfeF\0e\0"), "Fe");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).into(),
        [1..=0xff, 0, ..] => utf16(bytes, u16::from_le_bytes).into(),
        [0, 1..=0xff, ..] => utf16(bytes, u16::from_be_bytes).into(),
        _ => match str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => bytes.iter().copied().map(windows).collect(),
        },
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = (bytes.chunks_exact(2))
        .map(|pair| unit([pair[0], pair[1]]))
        .collect();
    String::from_utf16_lossy(&units)
}

fn windows(byte: u8) -> char {
    match byte {
        0x80..0xa0 => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}
