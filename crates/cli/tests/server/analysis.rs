//! Analyses as server-sent events.

use std::io::{Read, Write};

use krou::rules::{Position, Ruleset};
use krou::tablebase::Tablebase;
use serde_json::Value;

use crate::support::Server;

fn first_letters(info: &Value) -> Vec<char> {
    let lines = info["lines"].as_array().unwrap().iter();
    let letters = lines.map(|line| line["letters"].as_str().unwrap().chars().next().unwrap());
    letters.collect()
}

fn scores(info: &Value) -> Vec<f64> {
    let lines = info["lines"].as_array().unwrap().iter();
    lines.map(|line| line["score"].as_f64().unwrap()).collect()
}

#[test]
fn analyses_report_each_depth_and_end_with_the_last() {
    let server = Server::start();
    for (lines, moves) in [(1, ""), (3, ""), (2, "C")] {
        let path = format!("/api/v1/abapa/analysis?moves={moves}&lines={lines}&depth=5");
        let events = server.events(&path);
        let (done, infos) = events.split_last().unwrap();
        assert_eq!(
            (done.0.as_str(), &done.1),
            ("done", &infos.last().unwrap().1)
        );
        let depths: Vec<u64> = infos
            .iter()
            .map(|(name, info)| {
                assert_eq!(name, "info");
                let letters = first_letters(info);
                assert_eq!(letters.len(), lines, "{info}");
                let mover = if moves.is_empty() {
                    'A'..='F'
                } else {
                    'a'..='f'
                };
                assert!(
                    letters.iter().all(|letter| mover.contains(letter)),
                    "{info}"
                );
                let mut distinct = letters.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), lines, "{info}");
                assert!(scores(info).is_sorted_by(|a, b| a >= b), "{info}");
                assert_eq!(info["lines"][0]["exact"], false);
                assert!(info["nodes"].is_u64() && info["time_ms"].is_u64());
                info["depth"].as_u64().unwrap()
            })
            .collect();
        assert_eq!(depths, [1, 2, 3, 4, 5]);
    }
}

#[test]
fn analyses_inside_the_tables_are_exact() {
    let server = Server::start();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    for start in [
        "0-2-0-1-0-1-2-1-0-0-1-1-20-19-S",
        "0-2-0-1-0-1-2-1-0-0-1-1-19-20-N",
    ] {
        let position: Position = start.parse().unwrap();
        let moves = tables.moves(&position.board).unwrap();
        let path = format!("/api/v1/awari/analysis?start={start}&lines=6");
        let (name, info) = server.events(&path).pop().unwrap();
        assert_eq!(name, "done");
        let lines = info["lines"].as_array().unwrap();
        assert_eq!(lines.len(), moves.len());
        let sign = [1, -1][position.to_move as usize];
        let lead = i32::from(position.stores.south) - i32::from(position.stores.north);
        for (line, m) in lines.iter().zip(&moves) {
            let value = i32::from(m.result.unwrap().value);
            assert_eq!(line["exact"], true);
            assert_eq!(line["score"].as_f64(), Some(f64::from(value)), "{line}");
            assert_eq!(line["net"].as_f64(), Some(f64::from(lead + sign * value)));
            let result = match sign * lead + value {
                0 => "draw",
                1.. => "win",
                _ => "loss",
            };
            assert_eq!(line["result"], result);
        }
    }
}

#[test]
fn closed_connections_stop_their_analyses() {
    let server = Server::start();
    let path = "/api/v1/abapa/analysis?movetime=10000";
    for _ in 0..8 {
        let mut stream = server.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
    }
    // If the others were not stopped, this one would be refused.
    let events = server.events("/api/v1/abapa/analysis?depth=2");
    assert_eq!(events.last().unwrap().0, "done");
}
