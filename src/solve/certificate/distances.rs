//! Distances: whether each is what the moves that keep the value make it. Values are
//! checked before, and their marks say where a conversion keeps them.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU8, Ordering};

use super::entries::Entries;
use super::lines::{CAPTURES, WHOLE};
use super::pass::{Pass, Scan};
use crate::index::{LayerIndex, SectionOffset};
use crate::rules::Board;

/// The distance of each board of the layer being checked; 0 where the value is 0.
#[derive(Debug)]
pub(crate) struct Distances {
    index: LayerIndex,
    sections: Vec<Vec<AtomicU8>>,
}

impl Distances {
    /// Distances of which `fill` gives those of the first `sections` sections, from the
    /// index that it is asked for on.
    ///
    /// # Errors
    /// Those of `fill`.
    pub fn read<Error>(
        index: &LayerIndex,
        sections: u8,
        mut fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
    ) -> Result<Distances, Error> {
        let mut read = Vec::new();
        for section in 0..=index.seeds() {
            let mut bytes = vec![0; index.section_entries(section)];
            if section < sections {
                fill(index.section_start(section), &mut bytes)?;
            }
            read.push(bytes.into_iter().map(AtomicU8::new).collect());
        }
        Ok(Distances {
            index: index.clone(),
            sections: read,
        })
    }

    /// The distance at an offset.
    pub fn at(&self, at: SectionOffset) -> u8 {
        self.sections[usize::from(at.section)][at.offset as usize].load(Ordering::Relaxed)
    }

    fn of_board(&self, board: &Board) -> u8 {
        let at = self.index.offset_of(board);
        self.at(at.expect("moves lead to indexed boards"))
    }

    fn section(&self, section: u8) -> &[AtomicU8] {
        &self.sections[usize::from(section)]
    }
}

/// The pass over distances.
pub(super) struct DistancePass<'a> {
    pub pass: Pass<'a>,
    pub values: &'a Entries,
    pub distances: &'a Distances,
}

/// No move that keeps the value has been found.
const NO_MOVE: i16 = -i16::MAX;

impl DistancePass<'_> {
    /// Replaces the distances that a table leaves to the moves in sections that it stores:
    /// there are none for values of 0, and a winner's conversion takes one ply.
    pub fn replace_free(&self, sections: impl Iterator<Item = u8>) {
        self.run(sections, |scan| {
            let values = scan.own(self.values.section(scan.chunk.section));
            let own = scan.own(self.distances.section(scan.chunk.section));
            let mut is_whole = vec![false; scan.chunk.lines];
            for rank in 0..scan.width {
                scan.find_whole(rank, &mut is_whole);
                for (line, &is_whole) in is_whole.iter().enumerate() {
                    let at = line * scan.width + rank;
                    let free = match values[at].both() {
                        (0, _) => 0,
                        (1.., true) => {
                            let moves = || self.pass.rules.moves(&scan.board(line, rank));
                            u8::from(!is_whole || moves().over().is_none())
                        }
                        _ => continue,
                    };
                    own[at].store(free, Ordering::Relaxed);
                }
            }
            true
        });
    }

    /// Computes the distances of missing sections; `false` if one is too long for a table.
    pub fn complete(&self, sections: impl Iterator<Item = u8>) -> bool {
        self.run(sections, |scan| {
            self.scan(scan, |distance, plies| {
                let plies = u8::try_from(plies);
                distance.store(plies.unwrap_or(u8::MAX), Ordering::Relaxed);
                plies.is_ok()
            })
        })
    }

    /// Whether each distance of some sections is right.
    pub fn check(&self, sections: impl Iterator<Item = u8>) -> bool {
        self.run(sections, |scan| {
            self.scan(scan, |distance, plies| {
                i16::from(distance.load(Ordering::Relaxed)) == plies
            })
        })
    }

    fn run(
        &self,
        sections: impl Iterator<Item = u8>,
        scan: impl Fn(&Scan<'_>) -> bool + Sync,
    ) -> bool {
        let checked = self
            .pass
            .all(sections, |chunk| Ok::<_, Infallible>(scan(chunk)));
        match checked {
            Ok(is_right) => is_right,
            Err(never) => match never {},
        }
    }

    /// Whether `visit` passes every board of a chunk; it gets the distance and what the
    /// moves make it.
    fn scan(&self, scan: &Scan<'_>, visit: impl Fn(&AtomicU8, i16) -> bool) -> bool {
        let section = scan.chunk.section;
        let values = scan.own(self.values.section(section));
        let own = scan.own(self.distances.section(section));
        // Of each line the value, and the best count so far: a winner's is negated, so that
        // the greatest is the best for both.
        let mut counts = vec![(0, NO_MOVE); scan.chunk.lines];
        let mut is_whole = vec![false; scan.chunk.lines];
        let mut is_right = true;
        for rank in 0..scan.width {
            scan.find_whole(rank, &mut is_whole);
            for (line, (value, best)) in counts.iter_mut().enumerate() {
                let converts;
                (*value, converts) = values[line * scan.width + rank].both();
                *best = if converts { signed(*value, 1) } else { NO_MOVE };
            }
            for m in self.pass.rows.moves(scan.of_mover, rank) {
                let width = self.pass.index.section_width(m.section);
                let start = m.line as usize * width;
                let children = &self.values.section(m.section)[start..][..width];
                let distances = &self.distances.section(m.section)[start..][..width];
                let ranks = &scan.lines.crossed(m.crossing()).quiet;
                for (&rank, (value, best)) in ranks.iter().zip(&mut counts) {
                    if rank == CAPTURES || rank == WHOLE {
                        continue;
                    }
                    if -children[rank as usize].get() == *value {
                        let plies = distances[rank as usize].load(Ordering::Relaxed);
                        *best = (*best).max(signed(*value, 1 + i16::from(plies)));
                    }
                }
            }
            for (line, &(value, best)) in counts.iter().enumerate() {
                let plies = match (value, is_whole[line]) {
                    (0, _) => 0,
                    (_, true) => self.plain(&scan.board(line, rank), value, best),
                    (_, false) => signed(value, best),
                };
                is_right &= visit(&own[line * scan.width + rank], plies);
            }
        }
        is_right
    }

    /// The distance that the moves of a board make, by the plain rules; `converts` is the
    /// count of its conversions.
    fn plain(&self, board: &Board, value: i8, converts: i16) -> i16 {
        let moves = self.pass.rules.moves(board);
        if moves.over().is_some() {
            return 0;
        }
        let mut best = converts;
        for step in self.pass.quiet_steps(&moves) {
            if step.value(self.values.of_board(&step.board).get()) == value {
                let plies = self.distances.of_board(&step.board);
                best = best.max(signed(value, 1 + i16::from(plies)));
            }
        }
        signed(value, best)
    }
}

/// A count of plies, negated for a winner, or such a number back as a count.
fn signed(value: i8, plies: i16) -> i16 {
    if value > 0 { -plies } else { plies }
}
