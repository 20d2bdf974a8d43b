//! The events of a move: how its seeds travel. An animation follows them and needs no rules.

use super::board::{PITS, ROW};
use super::position::{Player, Position};
use super::ruleset::{Leftovers, Ruleset, StoreGame};
use super::step::{Next, Step};

/// Seeds that go from one place to another. Places are the pits `A` to `F` of South and `a`
/// to `f` of North, the stores `south` and `north`, and the mover's `hand`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)]
pub struct SeedEvent {
    /// `lift`, `sow`, `capture`, or `collect` at the end of the game.
    pub event: &'static str,
    pub from: &'static str,
    pub to: &'static str,
    pub seeds: u8,
}

const LETTERS: [&str; PITS] = ["A", "B", "C", "D", "E", "F", "a", "b", "c", "d", "e", "f"];

/// The places of one lap of a sowing from a pit, in order; `None` is the own store.
fn circuit(rules: Ruleset, pit: usize, hand: u8) -> Vec<Option<usize>> {
    match rules {
        Ruleset::Oware(_) => (1..PITS).map(|n| Some((pit + n) % PITS)).collect(),
        Ruleset::Stores(game) => {
            let first = usize::from(game != StoreGame::Ifmg || hand == 1);
            let mut circuit: Vec<_> = (0..PITS).map(Some).collect();
            circuit.insert(ROW, None);
            circuit.rotate_left(pit + first);
            circuit
        }
    }
}

impl Ruleset {
    /// The events of a legal move, in order: its pit is lifted and sown seed by seed, then
    /// come the captured pits, then those that the end of the game gives to a player.
    pub fn sowing(self, position: &Position, step: &Step) -> Vec<SeedEvent> {
        let turned = position.to_move == Player::North;
        let letter = |pit: usize| LETTERS[(pit + ROW * usize::from(turned)) % PITS];
        let [own, other] = match turned {
            true => ["north", "south"],
            false => ["south", "north"],
        };
        let mut events = Vec::new();
        let mut add = |event, from, to, seeds| {
            events.push(SeedEvent {
                event,
                from,
                to,
                seeds,
            });
        };

        let mut pits = position.board.pits();
        let pit = usize::from(step.pit);
        let hand = std::mem::take(&mut pits[pit]);
        add("lift", letter(pit), "hand", hand);
        let (mut last, mut stored) = (None, 0);
        for place in circuit(self, pit, hand)
            .into_iter()
            .cycle()
            .take(hand.into())
        {
            add("sow", "hand", place.map_or(own, letter), 1);
            match place {
                Some(pit) => pits[pit] += 1,
                None => stored += 1,
            }
            last = place;
        }
        let mut captured = step.captured;
        while let Some(pit) = last.filter(|_| captured > 0) {
            let seeds = std::mem::take(&mut pits[pit]);
            captured -= seeds;
            add("capture", letter(pit), own, seeds);
            // Captures in the own row go on opposite, others backwards.
            last = Some(if pit < ROW { PITS - 1 - pit } else { pit - 1 });
        }

        let rest = step.gain - (stored + step.captured) as i8;
        let stores = match (step.next, self.oware()) {
            // One row is empty.
            (Next::Over, _) => Some([if rest > 0 { own } else { other }; 2]),
            (Next::Opponent, Some(rules)) if rules.leftovers == Leftovers::Owner => {
                let is_over = self.moves(&step.board).terminal_value().is_some();
                is_over.then_some([own, other])
            }
            _ => None,
        };
        for (pit, seeds) in pits.into_iter().enumerate().filter(|(_, seeds)| *seeds > 0) {
            if let Some(stores) = stores {
                add("collect", letter(pit), stores[pit / ROW], seeds);
            }
        }
        events
    }
}
