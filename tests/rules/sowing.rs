//! The events of a move lead to the board, the captures and the end that its step has.

use krou::index::LayerIndex;
use krou::rules::SeedEvent;
use krou::rules::{Board, Endless, Leftovers, Next, Player, Position, Ruleset, Step};

/// The places round the board as South sees them, in the order of sowing.
const CIRCUIT: &str = "A B C D E F south a b c d e f north";
const STORES: [usize; 2] = [6, 13];

/// The number of a place in the circuit, seen from the mover.
fn number(place: &str, position: &Position) -> usize {
    let number = CIRCUIT.split(' ').position(|name| name == place).unwrap();
    (number + 7 * usize::from(position.to_move == Player::North)) % 14
}

/// The pits of a board with an empty store after each row.
fn with_stores(board: &Board) -> [u8; 14] {
    let [a, b, c, d, e, f] = board.mover();
    let [g, h, i, j, k, l] = board.opponent();
    [a, b, c, d, e, f, 0, g, h, i, j, k, l, 0]
}

/// Applies the events, and checks that each may follow those before it.
fn apply(position: &Position, rules: Ruleset, step: &Step, events: &[SeedEvent]) -> [u8; 14] {
    let number = |place| number(place, position);
    let mut places = with_stores(&position.board);
    let own = usize::from(step.pit);
    let (mut hand, mut captured) = (0, 0);
    let mut order = ["lift", "sow", "capture", "collect"].into_iter().peekable();
    let mut last = own;
    for (place, event) in events.iter().enumerate() {
        while order.peek() != Some(&event.event) {
            order.next().expect("an event in its order");
        }
        match event.event {
            "lift" => {
                assert_eq!((place, number(event.from), event.to), (0, own, "hand"));
                hand = event.seeds;
            }
            "sow" => {
                assert_eq!((event.from, event.seeds), ("hand", 1));
                hand -= 1;
                // Nothing is skipped but the other store, and in oware the pit itself and
                // the own store.
                let to = number(event.to);
                let is_skipped = |place: usize| match rules {
                    Ruleset::Oware(_) => place == own || STORES.contains(&place),
                    _ => place == STORES[1],
                };
                let stays = place == 1 && to == own;
                let mut next = if stays { own } else { (last + 1) % 14 };
                while is_skipped(next) {
                    next = (next + 1) % 14;
                }
                assert_eq!(to, next);
                last = to;
            }
            "capture" => {
                assert_eq!((hand, number(event.to)), (0, STORES[0]));
                captured += event.seeds;
            }
            _ => assert!(hand == 0 && STORES.contains(&number(event.to))),
        }
        if event.from != "hand" {
            let left = &mut places[number(event.from)];
            assert!(event.seeds > 0 && event.seeds == std::mem::take(left));
        }
        if event.to != "hand" {
            places[number(event.to)] += event.seeds;
        }
    }
    assert_eq!((hand, captured), (0, step.captured));
    places
}

/// Checks all moves of a board, whoever is to move.
fn check(rules: Ruleset, board: Board) {
    for to_move in [Player::South, Player::North] {
        let position = Position {
            to_move,
            ..board.into()
        };
        for step in rules.moves(&board).legal() {
            let events = rules.sowing(&position, &step);
            let places = apply(&position, rules, &step, &events);
            let [own, other] = STORES.map(|store| places[store].cast_signed());
            let mut left = match step.next {
                Next::Opponent => step.board.turned(),
                Next::Again | Next::Over => step.board,
            };
            // The opponent may be without a move.
            let over = rules
                .moves(&step.board)
                .terminal_value()
                .filter(|_| step.next == Next::Opponent);
            let keeps = rules
                .oware()
                .is_none_or(|oware| oware.leftovers == Leftovers::Owner);
            if over.is_some() && keeps {
                left = Board::EMPTY;
            }
            let mut stored = with_stores(&left);
            for store in STORES {
                stored[store] = places[store];
            }
            assert_eq!(places, stored, "{rules} {step:?} {events:?}");
            assert_eq!(
                own - other,
                step.gain - over.unwrap_or(0),
                "{rules} {step:?} {events:?}"
            );
        }
    }
}

/// Every ruleset, but only one settlement of endless play, which is no part of a move.
fn rulesets() -> impl Iterator<Item = Ruleset> {
    Ruleset::all().filter(|rules| {
        rules
            .oware()
            .is_none_or(|oware| oware.endless == Endless::Even)
    })
}

#[test]
fn events_of_every_small_board() {
    // Layers of the store family have all boards.
    for rules in rulesets() {
        for board in (0..=6).flat_map(|n| {
            LayerIndex::new(Ruleset::KALAH, n)
                .boards()
                .collect::<Vec<_>>()
        }) {
            check(rules, board);
        }
    }
}

/// Boards with up to 48 seeds in few and in many pits: some sowings go round the board.
#[test]
fn events_of_large_boards() {
    let mut random = fastrand::Rng::with_seed(53);
    for _ in 0..2_000 {
        let mut pits = [0; 12];
        let used = random.usize(1..=12);
        for _ in 0..random.u8(7..=48) {
            pits[random.usize(..used) * 5 % 12] += 1;
        }
        for rules in rulesets() {
            check(rules, Board::new(pits).unwrap());
        }
    }
}
