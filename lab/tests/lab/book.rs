//! `krou-lab book`: building and extending opening books.

use std::fs;

use krou::internal::engine::Book;

use crate::support::lab;

#[test]
fn a_book_that_is_extended_equals_one_built_at_once() {
    let home = tempfile::tempdir().unwrap();
    let build = |file: &str, positions: usize| {
        let line = format!("book --out {file} --rules abapa --nodes 20 --positions {positions}");
        let out = lab(home.path(), &line, &[]).success();
        assert_eq!(out, format!("{file}: {positions} positions\n"));
        fs::read_to_string(home.path().join(file)).unwrap()
    };
    let whole = build("whole.book", 12);
    assert_eq!(whole.parse::<Book>().unwrap().positions().count(), 12);
    build("part.book", 8);
    assert_eq!(build("part.book", 12), whole);
    // There is nothing to add, and nothing is removed.
    let line = "book --out whole.book --rules abapa --positions 3";
    assert_eq!(
        lab(home.path(), line, &[]).success(),
        "whole.book: 12 positions\n"
    );
    assert_eq!(
        fs::read_to_string(home.path().join("whole.book")).unwrap(),
        whole
    );
}

#[test]
fn books_that_cannot_be_read_are_refused_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.book");
    for (text, error) in [
        (
            "krou book 9\n",
            "a.book: line 1: a book begins with 'krou book 1'",
        ),
        (
            "krou book 1\nrules kalah\nnodes 5\n",
            "a.book is a book of kalah: choose it with --rules",
        ),
        (
            "krou book 1\nrules awari\nnodes 5\n4-4-S A1\n",
            "a.book: line 4: ",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let found = lab(home.path(), "book --out a.book --nodes 5", &[]).error();
        assert!(found.contains(error), "{found}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let found = lab(
        home.path(),
        "book --out none/a.book --nodes 5 --positions 1",
        &[],
    );
    assert!(found.error().contains("cannot write none/a.book"));
}
