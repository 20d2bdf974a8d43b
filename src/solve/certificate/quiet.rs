//! The second pass: quiet moves. It computes the entries that are not stored, and checks
//! that every other entry is the best of its board's moves.

use std::convert::Infallible;

use super::entries::{Entries, MarkedEntry, NONE};
use super::lines::{CAPTURES, WHOLE};
use super::pass::{Pass, Scan};

/// The second pass over a quantity.
pub(super) struct QuietPass<'a> {
    pub pass: Pass<'a>,
    pub entries: &'a Entries,
    /// The entries of the boards that quiet moves lead to.
    pub children: &'a Entries,
    /// What the pass leaves as marks.
    pub marks: Marks,
}

/// The meaning of marks after the second pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marks {
    /// A conversion attains the entry.
    Conversions,
    /// The entry is founded, as far as conversions tell. The value of endless play is
    /// always founded.
    Founded { endless: i8 },
}

/// What a pass does with an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// It is the best conversion: raise it to the best quiet move.
    Complete,
    /// Compare it with the best move.
    Check,
}

impl QuietPass<'_> {
    /// Computes the entries of missing sections, all of whose quiet moves lead to other
    /// sections.
    pub fn complete(&self, sections: impl Iterator<Item = u8>) {
        self.run(sections, Work::Complete);
    }

    /// Whether each entry of some sections is the best of its board's moves, if no
    /// conversion is worth more.
    pub fn check(&self, sections: impl Iterator<Item = u8>) -> bool {
        self.run(sections, Work::Check)
    }

    fn run(&self, sections: impl Iterator<Item = u8>, work: Work) -> bool {
        let checked = self
            .pass
            .all(sections, |scan| Ok::<_, Infallible>(self.scan(scan, work)));
        match checked {
            Ok(is_right) => is_right,
            Err(never) => match never {},
        }
    }

    fn scan(&self, scan: &Scan<'_>, work: Work) -> bool {
        let own = scan.own(self.entries.section(scan.chunk.section));
        let mut best = vec![NONE; scan.chunk.lines];
        let mut is_whole = vec![false; scan.chunk.lines];
        let mut is_right = true;
        for rank in 0..scan.width {
            let moves = self.pass.rows.moves(scan.of_mover, rank);
            best.fill(NONE);
            scan.find_whole(rank, &mut is_whole);
            for m in moves {
                let children = scan.child_line(self.children, m.section, m.line);
                let ranks = &scan.lines.crossed(m.crossing()).quiet;
                for (&rank, best) in ranks.iter().zip(&mut best) {
                    if rank != CAPTURES && rank != WHOLE {
                        *best = (*best).max(-children[rank as usize].get());
                    }
                }
            }
            for (line, (&best, &is_whole)) in best.iter().zip(&is_whole).enumerate() {
                let quiet = match is_whole {
                    true => {
                        let board = scan.board(line, rank);
                        self.pass.plain_quiet(&board, self.children)
                    }
                    false => best,
                };
                is_right &= self.visit(&own[line * scan.width + rank], quiet, work);
            }
        }
        is_right
    }

    /// Completes or checks an entry, given the best quiet move.
    #[inline(always)]
    fn visit(&self, entry: &MarkedEntry, quiet: i8, work: Work) -> bool {
        let (mut own, mut is_attained) = entry.both();
        let mut is_right = true;
        match work {
            Work::Complete => {
                is_attained = own >= quiet;
                own = own.max(quiet);
            }
            Work::Check => is_right = quiet <= own && (is_attained || quiet == own),
        }
        let mark = match self.marks {
            Marks::Conversions => is_attained,
            Marks::Founded { endless } => own == endless || own > endless && is_attained,
        };
        entry.set(own, mark);
        is_right
    }
}
