//! Several lines and restricted roots: the scores of the lines, inside the tables and
//! beyond.

use super::*;
use crate::engine::search::{Aim, Score};
use crate::rules::Next;
use crate::solve::reference;

/// The bounds of the value of a step.
fn bounds_of(step: &Step, reference: &mut Reference) -> Bounds {
    if step.next == Next::Over {
        return Bounds::of_value(step.gain);
    }
    let Bounds { lower, upper } = reference.bounds(&step.board).unwrap();
    let (a, b) = (step.value(lower), step.value(upper));
    Bounds {
        lower: a.min(b),
        upper: a.max(b),
    }
}

/// With tables for all boards and without any: an exact score is the value of its move.
#[test]
fn exact_lines_have_the_values_of_their_moves() {
    const SEEDS: u8 = 5;
    for &(name, rules) in Ruleset::NAMED {
        let truths = reference::solve(rules, SEEDS);
        let mut reference = Reference {
            rules,
            truths: &truths,
        };
        let mut exact = [0; 2];
        for (number, tables) in [Some(tables(rules, SEEDS, false)), None]
            .into_iter()
            .enumerate()
        {
            let mut random = Lcg(12);
            for aim in [Aim::Seeds, Aim::Result] {
                let options = small_hash().with_aim(aim);
                let mut engine = Engine::new(rules, tables.clone(), options);
                for _ in 0..60 {
                    let board = random_board(2 + random.below(4), &mut random);
                    let game = game(rules, board);
                    let limits = Limits::default().with_depth(8).with_lines(6);
                    let Some(report) = search(&mut engine, &game, &limits) else {
                        continue;
                    };
                    let lines = report.lines();
                    let legal: Vec<Step> = game.moves().legal().collect();
                    assert_eq!(lines.len(), legal.len(), "{name}: {board:?}");
                    for line in &lines {
                        let step = legal.iter().find(|step| step.pit == line.pv[0]).unwrap();
                        let others = lines.iter().filter(|other| other.pv[0] == step.pit);
                        assert_eq!(others.count(), 1, "{name}: {board:?} {lines:?}");
                        let Bounds { lower, upper } = bounds_of(step, &mut reference);
                        if line.score.is_exact() {
                            exact[number] += 1;
                            let value = i16::from(lower) * 100;
                            let context = format!("{name}: {board:?} {line:?}");
                            assert_eq!(line.score.hundredths(), value, "{context}");
                            assert_eq!(lower, upper, "{context}");
                        } else if number == 0 && !rules.has_bounds() {
                            panic!("{name}: {board:?} {line:?} is in the tables");
                        }
                    }
                }
            }
        }
        assert!(exact[0] > 30 && exact[1] > 15, "{name}: {exact:?}");
    }
}

#[test]
fn a_restricted_search_chooses_among_the_given_pits() {
    let mut random = Lcg(14);
    for &(name, rules) in Ruleset::NAMED {
        let truths = reference::solve(rules, 5);
        let mut reference = Reference {
            rules,
            truths: &truths,
        };
        for tables in [None, Some(tables(rules, 5, false))] {
            let mut engine = Engine::new(rules, tables, small_hash());
            for seeds in [4, 5, 20] {
                for _ in 0..10 {
                    let game = game(rules, random_board(seeds, &mut random));
                    let legal: Vec<Step> = game.moves().legal().collect();
                    let Some(step) = legal.get(random.below(legal.len().max(1))) else {
                        continue;
                    };
                    if game.outcome().is_some() {
                        continue;
                    }
                    let limits = Limits::default().with_depth(6).with_pits(&[step.pit]);
                    let report = search(&mut engine, &game, &limits).unwrap();
                    assert_eq!(report.pv[0], step.pit, "{name}");
                    assert!(report.others.is_empty());
                    if report.score.is_exact() && seeds <= 5 {
                        let bounds = bounds_of(step, &mut reference);
                        assert_eq!(report.score, Score::exact(bounds.lower), "{name}: {game:?}");
                    }
                }
            }
        }
    }
    // Pits that cannot be played do not restrict it.
    let board = "0 0 0 0 1 1 / 2 0 0 0 0 9".parse().unwrap();
    let game = game(Ruleset::AWARI, board);
    let mut engine = Engine::new(Ruleset::AWARI, None, small_hash());
    let limits = Limits::default().with_depth(3).with_pits(&[0, 1]);
    let report = search(&mut engine, &game, &limits.with_lines(9)).unwrap();
    assert_eq!(report.others.len(), 1);
}
