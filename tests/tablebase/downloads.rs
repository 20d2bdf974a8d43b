//! Downloads from good, broken and hostile hosts: the tables that a build writes, or none.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::table::{Codec, Kind, TableError, TableId, TableIndex};
use krou::tablebase::{BuildOptions, Downloaded, Host, RepackOptions, build, repack};

use crate::files::{make_pipe, names};
use crate::host::{Answer, TestHost};
use crate::old_tables::old_folder;
use crate::remote::{SEEDS, folder};

/// The tables of a ruleset up to some seeds.
fn ids(rules: Ruleset, seeds: u8) -> Vec<TableId> {
    let kinds = |seeds| {
        Kind::of(rules, false)
            .into_iter()
            .map(move |kind| (seeds, kind))
    };
    let ids = (0..=seeds).flat_map(kinds);
    ids.map(|(seeds, kind)| TableId { rules, seeds, kind })
        .collect()
}

fn all() -> Vec<TableId> {
    ids(Ruleset::ABAPA, SEEDS)
}

fn download(host: &Host, to: &Path) -> Result<Downloaded, TableError> {
    host.download(&all(), to, &|_, _| ())
}

/// Checks that a folder has all tables of another one.
fn assert_all(to: &Path, from: &Path) {
    for id in all() {
        let [there, right] =
            [to, from].map(|folder| fs::read(folder.join(id.file_name())).unwrap());
        assert!(there == right, "{id}");
    }
    assert!(names(to).iter().all(|name| !name.ends_with(".partial")));
}

/// Writes the index of a folder with a change.
fn index_with(folder: &Path, change: impl FnOnce(&mut TableIndex)) {
    let (mut index, _) = TableIndex::of_folder(folder, &mut |_| ()).unwrap();
    change(&mut index);
    index.write(folder).unwrap();
}

#[test]
fn downloads_go_on_and_are_checked() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), |_| ());
    let to = tempfile::tempdir().unwrap();
    let ids = all();
    let (bytes, announced) = (AtomicU64::new(0), AtomicU64::new(0));
    let on_bytes = |more, all| {
        bytes.fetch_add(more, Ordering::Relaxed);
        announced.store(all, Ordering::Relaxed);
    };
    let download = || Host::new(&*host.url).download(&ids, to.path(), &on_bytes);
    // What an interrupted run has left is the start of the table.
    let last = ids.last().unwrap().file_name();
    let whole = fs::read(folder.path().join(&last)).unwrap();
    let partial = to.path().join(last.clone() + ".partial");
    fs::write(&partial, &whole[..100]).unwrap();
    let done = download().unwrap();
    let mut all = 0;
    for id in &ids {
        let table = fs::read(to.path().join(id.file_name())).unwrap();
        assert_eq!(table, fs::read(folder.path().join(id.file_name())).unwrap());
        all += table.len() as u64;
    }
    assert_eq!([bytes, announced].map(AtomicU64::into_inner), [all, all]);
    assert_eq!((done.bytes, done.proved), (all, ids.len()));
    assert!(!partial.exists());

    // A start that is not the table's does not become one.
    fs::remove_file(to.path().join(&last)).unwrap();
    fs::write(&partial, [7; 100]).unwrap();
    let download = || Host::new(&*host.url).download(&ids, to.path(), &|_, _| ());
    let error = download().unwrap_err();
    assert!(error.to_string().contains("SHA-256"), "{error}");
    assert!(!partial.exists());
    download().unwrap();
    // Nor is a table overwritten that is another one.
    fs::write(to.path().join(&last), b"mine").unwrap();
    let error = download().unwrap_err();
    assert!(
        error.to_string().contains("not the host's table"),
        "{error}"
    );
}

/// Hosts may have tables of earlier versions, and folders too.
#[test]
fn downloads_replace_tables_of_earlier_versions() {
    let folder = old_folder();
    index_with(folder.path(), |_| ());
    let host = TestHost::serve(folder.path(), |_| ());
    let id = TableId {
        rules: Ruleset::ABAPA,
        seeds: 3,
        kind: Kind::Bounds,
    };
    let download =
        |host: &TestHost, to: &Path| Host::new(&*host.url).download(&[id], to, &|_, _| ());
    let to = tempfile::tempdir().unwrap();
    let error = download(&host, to.path()).unwrap_err();
    assert!(error.to_string().contains("earlier version"), "{error}");
    let fresh = self::folder();
    let host = TestHost::serve(fresh.path(), |_| ());
    download(&host, folder.path()).unwrap();
    let [was, is] = [&fresh, &folder].map(|folder| fs::read(folder.path().join(id.file_name())));
    assert_eq!(was.unwrap(), is.unwrap());
}

/// Tables that the manifest lists must be its own: neither another codec nor other blocks.
#[test]
fn forged_tables_are_refused_before_their_first_byte() {
    let forged = folder();
    let last = forged.path().join(all().pop().unwrap().file_name());
    let mut bytes = fs::read(&last).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&last, bytes).unwrap();
    index_with(forged.path(), |_| ());
    let raw = folder();
    let options = RepackOptions {
        write: Codec::Raw.into(),
        memory: None,
    };
    repack(Ruleset::ABAPA, raw.path(), &options, &Silent).unwrap();
    index_with(raw.path(), |_| ());
    for (folder, forged) in [(&forged, 1), (&raw, all().len())] {
        let host = TestHost::serve(folder.path(), |_| ());
        let to = tempfile::tempdir().unwrap();
        for remote in [Host::new(&*host.url), Host::new(&*host.url).trusted()] {
            let error = download(&remote, to.path()).unwrap_err().to_string();
            assert!(error.contains("not what a build writes"), "{error}");
            assert_eq!(error.matches(".krou").count(), forged, "{error}");
        }
        assert!(names(to.path()).is_empty());
        assert!(host.ranges.lock().unwrap().is_empty());
    }
}

/// What the host sends in place of two tables goes, and both are named.
#[test]
fn refused_tables_do_not_stay() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), |answer| {
        if ["abapa-03.value.krou", "abapa-07.bounds.krou"].contains(&&*answer.name) {
            answer.bytes.reverse();
        }
    });
    let to = tempfile::tempdir().unwrap();
    let error = download(&Host::new(&*host.url), to.path())
        .unwrap_err()
        .to_string();
    assert!(error.contains("SHA-256"), "{error}");
    for name in ["abapa-03.value.krou", "abapa-07.bounds.krou"] {
        assert!(error.contains(name), "{error}");
        assert!(!names(to.path()).iter().any(|there| there.starts_with(name)));
    }
    assert_eq!(names(to.path()).len(), all().len() - 2);
}

/// For tables that the manifest does not list a host has to be trusted.
#[test]
fn unknown_tables_take_consent() {
    let folder = tempfile::tempdir().unwrap();
    build(
        Ruleset::KALAH,
        folder.path(),
        &BuildOptions::new(2),
        &Silent,
    )
    .unwrap();
    index_with(folder.path(), |_| ());
    let host = TestHost::serve(folder.path(), |_| ());
    let (to, ids) = (tempfile::tempdir().unwrap(), ids(Ruleset::KALAH, 2));
    let download = |host: Host| host.download(&ids, to.path(), &|_, _| ());
    let error = download(Host::new(&*host.url)).unwrap_err().to_string();
    assert!(error.contains("nothing but the host vouches"), "{error}");
    assert!(host.ranges.lock().unwrap().is_empty());
    assert_eq!(download(Host::new(&*host.url).trusted()).unwrap().proved, 0);
    assert_eq!(names(to.path()).len(), ids.len());
}

/// An index that names more bytes than the header is refused before one of them has come.
#[test]
fn impossible_lengths_are_refused() {
    let folder = folder();
    index_with(folder.path(), |index| index.tables[0].bytes = 1 << 50);
    let host = TestHost::serve(folder.path(), |_| ());
    let to = tempfile::tempdir().unwrap();
    let error = download(&Host::new(&*host.url), to.path()).unwrap_err();
    assert!(error.to_string().contains("is too long"), "{error}");
    assert!(host.ranges.lock().unwrap().is_empty());
}

/// A line on which no table comes within the limit, which is one for silence alone.
#[test]
fn slow_lines_bring_tables() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), |answer| {
        answer.pace = (answer.length / 5 + 1, Duration::from_millis(250));
    });
    let to = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let few: Vec<TableId> = all().split_off(14);
    let host = Host::new(&*host.url).timeout(Duration::from_millis(900));
    host.download(&few, to.path(), &|_, _| ()).unwrap();
    assert!(start.elapsed() > Duration::from_millis(950));
    assert_eq!(names(to.path()).len(), few.len());
}

/// What came before a host was silent stays, and is not asked for again.
#[test]
fn silent_hosts_end_a_download_that_goes_on_later() {
    let folder = folder();
    let last = all().pop().unwrap();
    let whole = fs::read(folder.path().join(last.file_name())).unwrap();
    let silent = TestHost::serve(folder.path(), |answer| {
        let at_first = if answer.first == 0 { 5000 } else { 1 };
        answer.pace = (at_first, Duration::from_secs(3600));
    });
    let to = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let remote = Host::new(&*silent.url).timeout(Duration::from_millis(400));
    let error = remote
        .download(&[last], to.path(), &|_, _| ())
        .unwrap_err()
        .to_string();
    assert!(error.contains("cannot be read to its end"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(30));
    let partial = to.path().join(last.file_name() + ".partial");
    let kept = fs::read(&partial).unwrap();
    assert!(
        kept.len() >= 5000 && whole.starts_with(&kept),
        "{}",
        kept.len()
    );
    let good = TestHost::serve(folder.path(), |_| ());
    Host::new(&*good.url)
        .download(&[last], to.path(), &|_, _| ())
        .unwrap();
    let asked = good.ranges.lock().unwrap().clone();
    assert_eq!(
        asked,
        [format!("{}.krou {}-{}", last, kept.len(), whole.len() - 1)]
    );
    assert_eq!(fs::read(to.path().join(last.file_name())).unwrap(), whole);
}

/// Connections that break off, hosts that are busy, and those of several machines.
#[test]
fn broken_connections_and_busy_hosts_bring_tables() {
    let folder = folder();
    let breaks = |answer: &mut Answer| answer.bytes.truncate(20_000);
    let busy = |answer: &mut Answer| {
        // Fewer times than a download tries, even if one file has all of them.
        if answer.number < 3 {
            (answer.status, answer.headers) = ("503 Service Unavailable", "Retry-After: 0\r\n");
        }
    };
    let other_machines = |answer: &mut Answer| {
        answer.bytes.truncate(20_000);
        answer.version = answer.number;
        answer.total = "*".to_owned();
    };
    for fault in [breaks, busy, other_machines] {
        let host = TestHost::serve(folder.path(), fault);
        let to = tempfile::tempdir().unwrap();
        download(&Host::new(&*host.url), to.path()).unwrap();
        assert_all(to.path(), folder.path());
    }
}

/// Such a host sends again what is there.
#[test]
fn downloads_go_on_without_ranges() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), Answer::make_whole);
    let to = tempfile::tempdir().unwrap();
    let last = all().pop().unwrap().file_name();
    let whole = fs::read(folder.path().join(&last)).unwrap();
    fs::write(to.path().join(last + ".partial"), &whole[..9000]).unwrap();
    download(&Host::new(&*host.url), to.path()).unwrap();
    assert_all(to.path(), folder.path());
}

/// What is no table, whatever it is, is not read to its end.
#[cfg(unix)]
#[test]
fn other_files_are_not_read() {
    let folder = folder();
    let host = TestHost::serve(folder.path(), |_| ());
    let to = tempfile::tempdir().unwrap();
    let [pipe, endless, sparse] =
        [0, 1, 2].map(|seeds| to.path().join(format!("abapa-0{seeds}.value.krou")));
    make_pipe(&pipe);
    std::os::unix::fs::symlink("/dev/zero", &endless).unwrap();
    fs::File::create(&sparse).unwrap().set_len(1 << 42).unwrap();
    let error = download(&Host::new(&*host.url), to.path())
        .unwrap_err()
        .to_string();
    assert!(error.contains("not the host's tables"), "{error}");
    for path in [pipe, endless, sparse] {
        assert!(
            error.contains(path.file_name().unwrap().to_str().unwrap()),
            "{error}"
        );
    }
}
