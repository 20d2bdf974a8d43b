//! Layer arrays in memory, compact and spilled have the same entries.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::rules::Ruleset;

fn index() -> LayerIndex {
    LayerIndex::new(Ruleset::AWARI, 6)
}

/// Arrays wholly in memory, partly compact and wholly on disk, with the same entries.
fn arrays<E: SpillEntry>(entry: impl Fn(u64) -> E) -> Vec<LayerArray<E>> {
    let index = index();
    let folder: Arc<Path> = std::env::temp_dir().into();
    let budgets = [u64::MAX, 9000, 3000, 0];
    let build = |bytes| {
        let mut budget = MemoryBudget::limited(bytes, folder.clone());
        LayerArray::build(&Part::whole(&index), &mut budget, |section| {
            let start = index.section_start(section);
            let end = start + index.section_entries(section) as u64;
            Ok::<_, SpillError>((start..end).map(&entry).collect())
        })
        .unwrap()
    };
    budgets.map(build).into()
}

fn value(number: u64) -> Value {
    Value::new((number * 7 % 13) as i8 - 6)
}

/// Bytes of memory that do not count as entries: a record for each unit.
fn overhead(array: &LayerArray<Value>) -> u64 {
    let sections = array.sections.iter();
    let compact = sections.filter(|section| matches!(section, Section::Compact(..)));
    compact.count() as u64 * 256
}

#[test]
fn sections_beyond_the_budget_are_compact_or_spilled() {
    let arrays = arrays(value);
    let bytes = |array: &LayerArray<Value>| array.bytes_in_memory();
    assert_eq!(bytes(&arrays[0]), index().len());
    // The second one is in memory, but not as it is.
    for (array, budget) in arrays[1..].iter().zip([9000, 3000, 0]) {
        assert!(bytes(array) <= budget + overhead(array), "{budget}");
        assert!(!array.is_in_memory());
        assert_eq!(array.is_without_file(), budget == 9000);
    }
    assert!(arrays[0].is_without_file() && arrays[0].is_in_memory());
}

#[test]
fn sections_with_the_longest_lines_go_to_the_file_first() {
    let mut partly = 0;
    for array in arrays(value) {
        let in_file = array.sections.iter().map(|section| match section {
            Section::InMemory(_) => false,
            Section::Compact(section, _) => section.entries_in_file() > 0,
            Section::Spilled => true,
        });
        let in_file: Vec<bool> = in_file.collect();
        assert!(
            in_file.is_sorted_by(|before, after| before >= after),
            "{in_file:?}"
        );
        partly += usize::from(in_file[0] && !in_file[6]);
    }
    assert!(partly > 0);
}

/// Regions of sections in every form are written and read.
#[test]
fn regions_are_replaced_and_read() {
    let index = index();
    for mut array in arrays(value) {
        let mut right: Vec<Value> = (0..index.len()).map(value).collect();
        for section in 0..=6 {
            let (lines, width) = (index.section_lines(section), index.section_width(section));
            for (rows, shift) in [(0..width, 1), (width / 3..width.div_ceil(2), 2)] {
                let lines = lines / 4..lines;
                let region = Region { lines, rows };
                // Lines are replaced if they have changed.
                let has_changed = |line: usize| !line.is_multiple_of(3);
                let mut entries = Vec::new();
                array.read_region(section, &region, &mut entries).unwrap();
                let mut left = entries.iter_mut();
                for line in region.lines.clone() {
                    for row in region.rows.clone() {
                        let number = index.section_start(section) as usize + line * width + row;
                        let entry = left.next().unwrap();
                        assert_eq!(*entry, right[number]);
                        if has_changed(line) {
                            *entry = value(number as u64 + shift);
                            right[number] = *entry;
                        }
                    }
                }
                array
                    .put_region(section, &region, &entries, has_changed)
                    .unwrap();
            }
        }
        assert_eq!(array.to_vec().unwrap(), right);
    }
}

#[test]
fn every_way_to_read_gives_the_same_entries() {
    let index = index();
    let right: Vec<Value> = (0..index.len()).map(value).collect();
    for array in arrays(value) {
        assert_eq!(array.to_vec().unwrap(), right);
        for i in 0..index.len() {
            assert_eq!(array.get(i).unwrap(), value(i));
        }
        let (mut bytes, mut start) = (vec![0; 997], 0);
        while start < index.len() {
            let left = (index.len() - start).min(997) as usize;
            let to_byte = |entry: Value| entry.get().cast_unsigned();
            array.copy_out(start, &mut bytes[..left], to_byte).unwrap();
            for (i, &byte) in (start..).zip(&bytes[..left]) {
                assert_eq!(byte.cast_signed(), value(i).get());
            }
            start += left as u64;
        }
        assert!(array.copy_out(index.len(), &mut [], |_| 0).is_ok());
        let copy = array.to_memory().unwrap();
        for i in 0..index.len() {
            assert_eq!(copy.get(i).unwrap(), value(i));
        }
        assert_eq!(array.into_memory().unwrap().to_vec().unwrap(), right);
    }
}

#[test]
fn entries_can_be_set_wherever_they_are() {
    let key = |i: u64| DistanceKey::new((i % 9) as i8 - 4, (i % 256) as u16);
    for mut array in arrays(|_| DistanceKey::FILLER) {
        for i in (0..array.index().len()).rev() {
            array.set(i, key(i)).unwrap();
        }
        let right: Vec<DistanceKey> = (0..array.index().len()).map(key).collect();
        assert_eq!(array.to_vec().unwrap(), right);
    }
}

#[test]
fn entries_can_be_set_in_every_form() {
    for mut array in arrays(value) {
        for i in (0..array.index().len()).rev() {
            array.set(i, value(3 * i + 1)).unwrap();
        }
        let right: Vec<Value> = (0..array.index().len()).map(|i| value(3 * i + 1)).collect();
        assert!(array.to_vec().unwrap() == right);
        let ends: Vec<u64> = (500..array.index().len()).step_by(1000).collect();
        for mut piece in array.pieces(&ends) {
            for number in piece.numbers() {
                assert_eq!(piece.get(number).unwrap(), value(3 * number + 1));
                piece.set(number, value(number)).unwrap();
            }
        }
        let right: Vec<Value> = (0..array.index().len()).map(value).collect();
        assert!(array.to_vec().unwrap() == right);
    }
}

#[test]
fn an_array_makes_room_in_two_steps() {
    let folder: Arc<Path> = std::env::temp_dir().into();
    let right: Vec<Value> = (0..index().len()).map(value).collect();
    for mut array in arrays(value) {
        let held = array.bytes_in_memory();
        let freed = array.compact(&folder).unwrap();
        assert_eq!(array.bytes_in_memory(), held - freed);
        assert!(array.bytes_in_memory() < right.len() as u64 * 5 / 8 + overhead(&array));
        assert!(array.to_vec().unwrap() == right);
        let held = array.bytes_in_memory();
        let freed = array.spill(&folder).unwrap();
        assert_eq!(array.bytes_in_memory(), held - freed);
        assert!(array.bytes_in_memory() <= overhead(&array));
        assert!(array.to_vec().unwrap() == right);
    }
}

/// Entries of two bytes have no compact form.
#[test]
fn keys_are_spilled_as_they_are() {
    let folder: Arc<Path> = std::env::temp_dir().into();
    let key = |i: u64| DistanceKey::new((i % 9) as i8 - 4, (i % 256) as u16);
    let right: Vec<DistanceKey> = (0..index().len()).map(key).collect();
    for mut array in arrays(key) {
        assert_eq!(array.compact(&folder).unwrap(), 0);
        let held = array.bytes_in_memory();
        assert_eq!(array.spill(&folder).unwrap(), held);
        assert_eq!(array.bytes_in_memory(), 0);
        assert_eq!(array.to_vec().unwrap(), right);
    }
}

/// Sections are computed in buffers that were made for larger ones. They must
/// not keep that memory, or the budget would not hold.
#[test]
fn sections_keep_no_more_memory_than_they_need() {
    let index = index();
    let mut array = LayerArray::new(&index, Value::new(0));
    let mut buffer = Vec::with_capacity(2 * index.largest_section());
    for section in 0..=6 {
        array.read_section(section, &mut buffer).unwrap();
        buffer = array.put(section, buffer).unwrap();
        buffer.reserve(2 * index.largest_section());
    }
    let capacity = |section: &Section<Value>| match section {
        Section::InMemory(entries) => entries.capacity(),
        Section::Compact(..) | Section::Spilled => 0,
    };
    let capacity: usize = array.sections.iter().map(capacity).sum();
    assert_eq!(capacity as u64, array.bytes_in_memory());
}

#[test]
fn copies_of_compact_sections_are_read_until_one_changes() {
    let folder: Arc<Path> = std::env::temp_dir().into();
    let right: Vec<Value> = (0..index().len()).map(value).collect();
    for mut array in arrays(value) {
        array.compact(&folder).unwrap();
        let held = array.bytes_in_memory();
        array.copy_compact(|_| false).unwrap();
        assert_eq!(array.bytes_in_memory(), held);
        array.copy_compact(|_| true).unwrap();
        array
            .copy_compact(|_| unreachable!("it has copies"))
            .unwrap();
        assert_eq!(array.bytes_in_memory(), held + index().len());
        assert!(array.is_in_memory() && array.to_vec().unwrap() == right);
        array.set(0, value(1)).unwrap();
        assert!(array.in_memory(0).is_none() && array.in_memory(1).is_some());
        assert_eq!(array.get(0).unwrap(), value(1));
        array.drop_copies();
        assert_eq!(array.bytes_in_memory(), held);
        assert!(array.to_vec().unwrap()[1..] == right[1..]);
    }
}
