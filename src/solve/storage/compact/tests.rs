//! Compact sections in memory and in files have the same entries.

use std::path::Path;

use super::super::entry::{Entry, Value};
use super::*;

/// Three units and a bit; of the last group, one entry.
const LEN: usize = 3 * UNIT + 5 * GROUP + 1;

fn entries() -> Vec<Value> {
    let entry = |i: usize| match i % 97 {
        0 => Value::NONE,
        _ => Value::new((i * 7 % 13 + i / 1000 % 40) as i8 - 6),
    };
    (0..LEN).map(entry).collect()
}

/// Room for some of the units, or for all that need the least memory.
const ROOM: u64 = 3 * (136 << 10) + 10_000;

/// The same section in memory, partly and wholly in a file, at its second place.
fn sections() -> Vec<(CompactSection, Allowance, SpillFile)> {
    let section = |bytes| {
        let file = SpillFile::new(Path::new(&std::env::temp_dir()).into());
        let allowance = Allowance::new(bytes);
        let space = Space {
            allowance: &allowance,
            file: &file,
        };
        let section = CompactSection::new(&entries(), 1, space).unwrap();
        (section, allowance, file)
    };
    [1 << 40, ROOM, 0].map(section).into()
}

#[test]
fn every_range_is_read_as_it_was() {
    let right = entries();
    for (section, _, file) in sections() {
        for from in (0..LEN).step_by(7001).chain([LEN - 1]) {
            for len in [1, 63, GROUP, 3000, UNIT, LEN] {
                let end = (from + len).min(LEN);
                let mut out = vec![Value::FILLER; end - from];
                section.read(from, &mut out, &file).unwrap();
                assert!(out == right[from..end], "{from} {len}");
            }
            assert_eq!(section.get::<Value>(from, &file).unwrap(), right[from]);
        }
    }
}

#[test]
fn entries_change_one_by_one_and_all_at_once() {
    let mut random = fastrand::Rng::with_seed(17);
    for (mut section, allowance, file) in sections() {
        let space = Space {
            allowance: &allowance,
            file: &file,
        };
        let mut right = entries();
        for number in (0..LEN).step_by(997).chain([0, LEN - 1, UNIT - 1, UNIT]) {
            right[number] = Value::new(random.i8(-48..=48));
            section.set(number, right[number], space).unwrap();
        }
        let mut out = vec![Value::FILLER; LEN];
        section.read(0, &mut out, &file).unwrap();
        assert!(out == right);
        right.reverse();
        section.replace(&right, space).unwrap();
        section.read(0, &mut out, &file).unwrap();
        assert!(out == right);
        let parts: Vec<_> = section.parts((0..LEN).step_by(UNIT)).collect();
        let numbers = parts.iter().flat_map(Units::numbers);
        assert!(numbers.eq(0..LEN));
        for mut part in parts {
            let last = part.numbers().end - 1;
            part.set(last, Value::new(48), space).unwrap();
            assert_eq!(part.get::<Value>(last, &file).unwrap(), Value::new(48));
        }
    }
}

/// Parts that begin and end anywhere, also within a group, and of which only some units count
/// as changed.
#[test]
fn parts_are_replaced_where_they_have_changed() {
    for (mut section, allowance, file) in sections() {
        let space = Space {
            allowance: &allowance,
            file: &file,
        };
        let mut right = entries();
        let parts = [
            0..LEN,
            5..6,
            UNIT - 1..UNIT + 1,
            100..UNIT + 7,
            UNIT..3 * UNIT,
            GROUP + 1..2 * UNIT + GROUP,
            LEN - 1..LEN,
        ];
        for (round, part) in (1..).zip(parts) {
            let entry = |i: usize| Value::new(((i * 5 + i / 3000) % 23) as i8 - round);
            let new: Vec<Value> = part.clone().map(entry).collect();
            let changed = 2 * UNIT;
            let region = Region {
                lines: 0..1,
                rows: part.clone(),
            };
            let has_changed = |range: Range<usize>| range.start < changed;
            section
                .replace_region(&region, LEN, &new, has_changed, space)
                .unwrap();
            for (number, entry) in part.zip(new) {
                if number < changed {
                    right[number] = entry;
                }
            }
            let mut out = vec![Value::FILLER; LEN];
            section.read(0, &mut out, &file).unwrap();
            assert!(out == right, "{round}");
        }
    }
}

/// Rows of lines of several lengths: about a group, less, and more than a unit.
#[test]
fn rows_of_lines_are_replaced() {
    for (mut section, allowance, file) in sections() {
        let space = Space {
            allowance: &allowance,
            file: &file,
        };
        let mut right = entries();
        for (round, width) in (1..).zip([40, 257, 3000, UNIT + 9]) {
            let count = LEN / width;
            let lines = count / 3..count;
            let rows = width / 5..width / 2;
            let region = Region { lines, rows };
            let entry = |i: usize| Value::new(((i * 5 + i / 3000) % 23) as i8 - round);
            let new: Vec<Value> = (0..region.len()).map(entry).collect();
            // The second time they are the same.
            for _ in 0..2 {
                section
                    .replace_region(&region, width, &new, |_| true, space)
                    .unwrap();
            }
            let mut new = new.into_iter();
            for line in region.lines.clone() {
                for row in region.rows.clone() {
                    right[line * width + row] = new.next().unwrap();
                }
            }
            let mut out = vec![Value::FILLER; LEN];
            section.read(0, &mut out, &file).unwrap();
            assert!(out == right, "{width}");
        }
    }
}

/// The rest is in the file, and what is freed can be taken again.
#[test]
fn no_more_memory_is_taken_than_allowed() {
    let held = |section: &CompactSection| {
        let units = section.units.iter();
        units.map(|unit| unit.held() as u64).sum::<u64>()
    };
    for (mut section, allowance, file) in sections() {
        let all = allowance.left() + held(&section);
        assert!(section.entries_in_file() == 0 || all <= ROOM);
        let space = Space {
            allowance: &allowance,
            file: &file,
        };
        // The first time, a thread may find no memory for its unit because other threads have
        // not yet freed that of theirs.
        for _ in 0..2 {
            section.replace(&vec![Value::new(1); LEN], space).unwrap();
            assert_eq!(allowance.left() + held(&section), all);
        }
        assert_eq!(section.entries_in_file() == 0, all > 0);
        section.spill(&file).unwrap();
        assert_eq!(held(&section), 0);
        assert_eq!(section.get::<Value>(LEN - 1, &file).unwrap(), Value::new(1));
    }
}
