//! Groups hold what was packed into them, whatever is read or changed.

use super::*;
use crate::cpu::OneByOne;

/// Entries of every width, with and without the entry 0, in groups of many lengths.
fn groups() -> Vec<Vec<u8>> {
    let mut random = fastrand::Rng::with_seed(15);
    let mut groups = Vec::new();
    for len in [1, 2, 63, 64, 65, 200, GROUP - 1, GROUP] {
        for span in 0..=8 {
            for zeros in [0, 2, 40] {
                let mut base = 0;
                let entry = |i: usize| {
                    if i.is_multiple_of(BLOCK) {
                        base = random.u8(..=(u8::MAX - ((1_u16 << span) - 1) as u8));
                    }
                    match zeros > 0 && random.usize(..BLOCK) < zeros {
                        true => 0,
                        false => base + random.u8(..=((1_u16 << span) - 1) as u8),
                    }
                };
                groups.push((0..len).map(entry).collect());
            }
        }
    }
    groups.extend([vec![0; GROUP], vec![255; 100], vec![0, 255], vec![1, 0]]);
    groups
}

fn packed(entries: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    pack(entries, &mut out);
    out
}

#[test]
fn every_part_of_a_group_is_read_as_it_was() {
    for entries in groups() {
        let group = packed(&entries);
        assert!(group.len() <= LARGEST);
        let ends = [1, 2, 63, 64, 65, 128, 200, entries.len()];
        for from in (0..entries.len()).step_by(29).chain([entries.len() - 1]) {
            for len in ends {
                let end = (from + len).min(entries.len());
                let mut out = vec![7; end - from];
                unpack(&group, entries.len(), from, &mut out);
                assert_eq!(out, entries[from..end]);
            }
        }
    }
}

#[test]
fn plain_and_wide_code_write_the_same_bytes() {
    for entries in groups() {
        let mut plain = Vec::new();
        let out = &mut plain;
        Pack {
            entries: &entries,
            out,
        }
        .run::<OneByOne>();
        assert_eq!(plain, packed(&entries));
        let mut out = vec![7; entries.len()];
        Unpack {
            group: &plain,
            len: entries.len(),
            from: 0,
            out: &mut out,
        }
        .run::<OneByOne>();
        assert_eq!(out, entries);
    }
}

#[test]
fn an_entry_changes_alone_or_not_at_all() {
    let mut random = fastrand::Rng::with_seed(16);
    let mut counts = [0; 2];
    for mut entries in groups() {
        let mut group = packed(&entries);
        for _ in 0..200 {
            let number = random.usize(..entries.len());
            let near = entries[random.usize(..entries.len())];
            let entry = [near, 0, random.u8(..)][random.usize(..3)];
            let is_set = set(&mut group, entries.len(), number, entry);
            counts[usize::from(is_set)] += 1;
            if is_set {
                entries[number] = entry;
            }
            let mut out = vec![7; entries.len()];
            unpack(&group, entries.len(), 0, &mut out);
            assert_eq!(out, entries);
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
}

/// Widths are as small as the entries allow.
#[test]
fn a_block_takes_the_bits_of_its_span() {
    let bytes = |entries: [u8; 4]| packed(&entries).len() - HEAD;
    assert_eq!(bytes([9, 9, 9, 9]), 0);
    assert_eq!(bytes([9, 10, 9, 9]), 8);
    assert_eq!(bytes([9, 16, 9, 9]), 24);
    // 0 beside 128 to 131: differences of 1 to 4.
    assert_eq!(bytes([0, 128, 131, 0]), 24);
    assert_eq!(bytes([0, 255, 0, 0]), 8);
    assert_eq!(bytes([0, 1, 255, 0]), 64);
}
