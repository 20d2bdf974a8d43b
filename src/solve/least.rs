//! The least of a row's children, column by column: the inner kernel of sweeps.
//!
//! Turning an entry reverses the order, so the best move is the one to the
//! least child. The kernel takes minima of the children as they are stored, and
//! only the result is turned. What a column map does within a chunk is cut
//! beforehand into *pieces* of a few fixed lengths, so that its loops need not
//! ask how long anything is.

use std::ops::Range;

use super::columns::ColumnMap;
use super::entry::Entry;
use super::lines::LinePart;

/// The longest piece.
const LONG: usize = 32;

/// Columns from `from` on, counted within the chunk, lead to the entries of the
/// child's line from `to` on.
#[derive(Clone, Copy)]
struct Piece {
    from: u32,
    to: u32,
}

/// The quiet moves that a column map makes of a chunk's columns.
#[derive(Default)]
pub(super) struct Pieces {
    /// Where the chunk's columns are in the child's line, if they all go there
    /// together.
    whole: Option<u32>,
    /// Pieces of 32, 16, 8 and 4 columns, and single ones.
    by_32: Vec<Piece>,
    by_16: Vec<Piece>,
    by_8: Vec<Piece>,
    by_4: Vec<Piece>,
    by_1: Vec<Piece>,
    /// One entry in each cache line of the child's line that is read.
    pub touched: Vec<u32>,
}

impl Pieces {
    pub fn new<E>(map: &ColumnMap, columns: &Range<u32>) -> Pieces {
        let mut pieces = Pieces::default();
        let first = (map.quiet).partition_point(|run| run.from + run.len <= columns.start);
        for run in &map.quiet[first..] {
            if run.from >= columns.end {
                break;
            }
            let from = run.from.max(columns.start);
            let len = (run.from + run.len).min(columns.end) - from;
            let to = run.to + (from - run.from);
            pieces.touch::<E>(to, len);
            if len as usize == columns.len() {
                pieces.whole = Some(to);
            } else {
                pieces.cut(from - columns.start, to, len);
            }
        }
        pieces
    }

    /// Cuts a run. Its last piece may overlap the one before: taking a minimum
    /// twice does no harm.
    fn cut(&mut self, from: u32, to: u32, len: u32) {
        let (list, length) = match len {
            32.. => (&mut self.by_32, 32),
            16.. => (&mut self.by_16, 16),
            8.. => (&mut self.by_8, 8),
            4.. => (&mut self.by_4, 4),
            _ => (&mut self.by_1, 1),
        };
        list.extend((0..len.div_ceil(length)).map(|number| {
            let offset = (number * length).min(len - length);
            Piece {
                from: from + offset,
                to: to + offset,
            }
        }));
    }

    fn touch<E>(&mut self, to: u32, len: u32) {
        let in_line = 64 / size_of::<E>() as u32;
        for line in to / in_line..=(to + len - 1) / in_line {
            let place = to.max(line * in_line);
            if self.touched.last().is_none_or(|&t| t / in_line < line) {
                self.touched.push(place);
            }
        }
    }

    #[inline(always)]
    fn lower<E: Entry>(&self, least: &mut [E], child: LinePart<'_, E>) {
        lower_all::<32, E>(&self.by_32, least, child);
        lower_all::<16, E>(&self.by_16, least, child);
        lower_all::<8, E>(&self.by_8, least, child);
        lower_all::<4, E>(&self.by_4, least, child);
        for piece in &self.by_1 {
            let entry = &mut least[piece.from as usize];
            *entry = (*entry).min(child.from(piece.to)[0]);
        }
    }
}

#[inline(always)]
fn lower_all<const N: usize, E: Entry>(pieces: &[Piece], least: &mut [E], child: LinePart<'_, E>) {
    for piece in pieces {
        let least = least[piece.from as usize..].first_chunk_mut::<N>();
        let child = child.from(piece.to).first_chunk::<N>();
        let (Some(least), Some(child)) = (least, child) else {
            unreachable!("a piece lies within both lines")
        };
        for (entry, &child) in least.iter_mut().zip(child) {
            *entry = (*entry).min(child);
        }
    }
}

/// Fills a row of a tile with the least child of each column. `moves` are the
/// pieces of each move and the line that it reads, at most six.
#[inline(always)]
pub(super) fn least_children<E: Entry>(least: &mut [E], moves: &[(&Pieces, LinePart<'_, E>)]) {
    let mut whole: [&[E]; 6] = [&[]; 6];
    let mut count = 0;
    for (pieces, child) in moves {
        if let Some(to) = pieces.whole {
            whole[count] = child.entries(to, least.len());
            count += 1;
        }
    }
    match count {
        0 => least.fill(E::NO_CHILD),
        1 => least_of([whole[0]], least),
        2 => least_of([whole[0], whole[1]], least),
        3 => least_of([whole[0], whole[1], whole[2]], least),
        4 => least_of([whole[0], whole[1], whole[2], whole[3]], least),
        5 => least_of([whole[0], whole[1], whole[2], whole[3], whole[4]], least),
        _ => least_of(whole, least),
    }
    for (pieces, child) in moves {
        pieces.lower(least, *child);
    }
}

/// Writes the least entries of some lines, which are as long as `least`.
#[inline(always)]
fn least_of<const M: usize, E: Entry>(lines: [&[E]; M], least: &mut [E]) {
    let len = least.len();
    if len < LONG {
        for (i, entry) in least.iter_mut().enumerate() {
            *entry = lines
                .iter()
                .fold(E::NO_CHILD, |least, line| least.min(line[i]));
        }
        return;
    }
    for number in 0..len.div_ceil(LONG) {
        let start = (number * LONG).min(len - LONG);
        let mut piece = [E::NO_CHILD; LONG];
        for line in lines {
            for (entry, &child) in piece.iter_mut().zip(&line[start..start + LONG]) {
                *entry = (*entry).min(child);
            }
        }
        least[start..start + LONG].copy_from_slice(&piece);
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::oware_column_map;
    use super::super::entry::{Key, Score};
    use super::super::wide::{Work, widely};
    use super::*;
    use crate::index::row;
    use crate::rules::Ruleset;

    struct Kernel<'a, E>(&'a [(&'a Pieces, LinePart<'a, E>)], Vec<E>);

    impl<E: Entry> Work for Kernel<'_, E> {
        type Done = Vec<E>;

        #[inline(always)]
        fn run(mut self) -> Vec<E> {
            least_children(&mut self.1, self.0);
            self.1
        }
    }

    /// Both ways to compile the kernel, against the map's runs one by one.
    fn compare<E: Entry + std::fmt::Debug>(entry: impl Fn(i8) -> E) {
        let Ruleset::Oware(rules) = Ruleset::AWARI else {
            unreachable!("awari is of the oware family")
        };
        let seeds = 7;
        for crossed in 0..=13 {
            let map = oware_column_map(rules, seeds, crossed, crossed > 0);
            let same = oware_column_map(rules, seeds, 0, false);
            let child = |factor: usize, seeds| -> Vec<E> {
                let places = 0..row::row_count(seeds) as usize;
                places
                    .map(|i| entry((i * factor % 97) as i8 - 48))
                    .collect()
            };
            let (there, here) = (child(37, seeds + crossed), child(71, seeds));
            for columns in [0..792, 0..5, 17..60, 100..612, 280..792] {
                let pieces = [&map, &same].map(|map| Pieces::new::<E>(map, &columns));
                for with_same in 0..=2 {
                    let mut moves = vec![(&pieces[0], LinePart::whole(&there))];
                    moves.extend(vec![(&pieces[1], LinePart::whole(&here)); with_same]);
                    let mut plain = vec![E::NO_CHILD; columns.len()];
                    for (column, least) in columns.clone().zip(&mut plain) {
                        if with_same > 0 {
                            *least = here[column as usize];
                        }
                        for run in &map.quiet {
                            if (run.from..run.from + run.len).contains(&column) {
                                *least = (*least).min(there[(run.to + column - run.from) as usize]);
                            }
                        }
                    }
                    let kernel = || Kernel(&moves, vec![E::NONE; columns.len()]);
                    assert_eq!(kernel().run(), plain, "{crossed} {columns:?}");
                    assert_eq!(widely(kernel()), plain, "{crossed} {columns:?}");
                }
            }
        }
    }

    #[test]
    fn pieces_lead_where_runs_lead_however_wide() {
        compare(Score::new);
        compare(|value| Key::new(value, 7));
    }
}
