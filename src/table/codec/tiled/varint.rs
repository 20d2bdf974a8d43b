//! Numbers below 2^14 in one or two bytes: up to 127 one; else two, the lower seven
//! bits first with the highest bit set.

#[cfg(feature = "solve")]
pub(super) fn write_number(number: usize, out: &mut Vec<u8>) {
    assert!(number < 1 << 14, "a number of at most two bytes");
    if number >= 0x80 {
        out.push(number as u8 | 0x80);
        out.push((number >> 7) as u8);
    } else {
        out.push(number as u8);
    }
}

/// Takes a number from the front of some bytes; `None` if there is none, or if its
/// second byte is not needed or too large.
#[inline]
pub(super) fn read_number(bytes: &mut &[u8]) -> Option<u16> {
    let low = read_byte(bytes)?;
    if low < 0x80 {
        return Some(low.into());
    }
    let high = read_byte(bytes)?;
    (1..0x80)
        .contains(&high)
        .then_some(u16::from(low & 0x7F) | u16::from(high) << 7)
}

#[inline]
pub(super) fn read_byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

#[cfg(all(test, feature = "solve"))]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_read_back() {
        for number in 0..1 << 14 {
            let mut bytes = Vec::new();
            write_number(number, &mut bytes);
            let mut rest = &bytes[..];
            assert_eq!(read_number(&mut rest).map(usize::from), Some(number));
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        for bytes in [&[][..], &[0x80], &[0x80, 0], &[0xFF, 0x80]] {
            assert_eq!(read_number(&mut &bytes[..]), None, "{bytes:?}");
        }
    }
}
