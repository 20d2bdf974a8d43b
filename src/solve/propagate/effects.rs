//! Effects: what a round of the worklist makes of the parents of changed boards.
//!
//! Threads find them in lists, each in the order of the index. They are applied piece by
//! piece of the array, so that all threads write at once. Ranks with copies of the array
//! first send one another what they have found.

use rayon::prelude::*;

use super::changes::Change;
use super::messages::{BOARD, push_board, push_entries, read_board, read_entries};
use crate::index::LayerIndex;
use crate::solve::ranks::{Message, Ranks};
use crate::solve::storage::{Entry, LayerArray, Piece, SpillError};
use crate::spans;

/// The effect of a change on a parent.
#[derive(Clone, Copy)]
pub(super) struct Effect<E> {
    /// The parent's number in the order of the index.
    pub number: u64,
    section: u8,
    line: u32,
    /// Its entry before the round, and what it becomes.
    before: E,
    after: E,
}

/// What a round makes of the parents: effects in lists, each in the order of the index.
pub(super) struct Effects<E>(pub Vec<Vec<Effect<E>>>);

impl<E: Entry> Effects<E> {
    /// The effects that all ranks have found, for each of them, where all have copies of the
    /// parents. All ranks call this together.
    pub fn of_all(mut self, ranks: &dyn Ranks, parents: &LayerArray<E>) -> Effects<E> {
        if ranks.is_alone() {
            return self;
        }
        let parallel = spans::parallel("updates");
        let lists = self.0.par_iter().filter(|effects| !effects.is_empty());
        let messages = lists.map_init(
            || spans::task("updates"),
            |_, effects| encode(effects, parents.index()),
        );
        let messages: Vec<Message> = messages.collect();
        drop(parallel);
        let received = ranks.all(messages.concat());
        let mut lists = Vec::new();
        let others = (0..ranks.count()).filter(|&rank| rank != ranks.rank());
        for mut rest in others.map(|rank| received[rank].as_slice()) {
            while let Some((&count, effects)) = rest.split_first_chunk() {
                let len = u32::from_le_bytes(count) as usize * Effect::<E>::BYTES;
                let (list, others) = effects.split_at(len);
                lists.push(list);
                rest = others;
            }
        }
        let _parallel = spans::parallel("updates");
        let lists = lists.into_par_iter();
        self.0.par_extend(lists.map_init(
            || spans::task("updates"),
            |_, effects| decode(effects, parents),
        ));
        self
    }

    /// Writes the effects; returns the changes, in the order of the index, in lists of one
    /// or more.
    pub fn apply(self, parents: &mut LayerArray<E>) -> Result<Vec<Vec<Change<E>>>, SpillError> {
        let parallel = spans::parallel("effects");
        let index = parents.index().clone();
        let ends = self.ends();
        let is_small = ends.is_empty();
        let pieces = parents.pieces(&ends);
        let piece_ends: Vec<u64> = pieces.iter().map(|piece| piece.numbers().end).collect();
        let splits = self.splits(&piece_ends);
        let mut changes: Vec<Vec<Change<E>>> = pieces
            .into_par_iter()
            .enumerate()
            .with_max_len(if is_small { usize::MAX } else { 1 })
            .map(|(number, piece)| {
                let _task = spans::task("effects");
                let within =
                    |splits: &Vec<u32>| splits[number] as usize..splits[number + 1] as usize;
                let lists = self.0.iter().zip(&splits);
                let lists = lists.map(|(effects, splits)| &effects[within(splits)]);
                apply_to(piece, lists.collect::<Vec<_>>().concat(), &index)
            })
            .collect::<Result<_, _>>()?;
        // Freeing so many lists takes time as well.
        self.0.into_par_iter().for_each(drop);
        drop(parallel);
        if is_small {
            // Short lists would make short tasks.
            changes = vec![changes.concat()];
        }
        changes.retain(|list| !list.is_empty());
        Ok(changes)
    }

    /// The numbers of entries before which a thread's work should end, so that all have about
    /// as many effects to write. None if there are too few effects for several threads.
    fn ends(&self) -> Vec<u64> {
        /// Pieces for each thread: enough to share the work evenly.
        const PIECES: usize = 8;
        /// Effects that are worth a piece of their own.
        const EFFECTS: usize = 512;
        /// Effects looked at for each piece.
        const SAMPLE: usize = 16;
        let all: usize = self.0.iter().map(Vec::len).sum();
        let pieces = (all / EFFECTS).clamp(1, PIECES * rayon::current_num_threads());
        let step = (all / (pieces * SAMPLE)).max(1);
        let sample = self.0.iter().flatten().step_by(step);
        let mut sample: Vec<u64> = sample.map(|effect| effect.number).collect();
        sample.sort_unstable();
        let mut ends: Vec<u64> = sample
            .into_iter()
            .step_by(SAMPLE)
            .skip(1)
            .take(pieces - 1)
            .collect();
        ends.dedup();
        ends
    }

    /// By list, where the effects on each piece begin and end: 0, then one place for each of
    /// these ends of pieces.
    fn splits(&self, ends: &[u64]) -> Vec<Vec<u32>> {
        /// Lists that a thread takes at a time, at the least.
        const LISTS: usize = 16;
        let lists = self.0.par_iter().with_min_len(LISTS);
        let splits = lists.map_init(
            || spans::task("effects"),
            |_, effects| {
                let mut at = 0;
                let splits = ends.iter().map(|&end| {
                    at += effects[at..].partition_point(|effect| effect.number < end);
                    at as u32
                });
                std::iter::once(0).chain(splits).collect()
            },
        );
        splits.collect()
    }
}

/// A list of effects in a message: their number, and for each the board, its entry before
/// the round, and what it becomes.
fn encode<E: Entry>(effects: &[Effect<E>], index: &LayerIndex) -> Message {
    let mut message = Message::with_capacity(4 + effects.len() * Effect::<E>::BYTES);
    message.extend((effects.len() as u32).to_le_bytes());
    for effect in effects {
        push_board(
            &mut message,
            (effect.section, effect.line, effect.rank(index)),
        );
        push_entries(&mut message, &[effect.before, effect.after]);
    }
    message
}

/// The effects of a list in a message, without their number.
fn decode<E: Entry>(list: &[u8], parents: &LayerArray<E>) -> Vec<Effect<E>> {
    let effects = list.chunks_exact(Effect::<E>::BYTES).map(|effect| {
        let (board, entries) = effect.split_first_chunk().expect("a board");
        let [before, after] = read_entries(entries);
        Effect::new(parents, read_board(board), before, after)
    });
    effects.collect()
}

/// Writes these effects on a piece, in any order; returns the changes.
fn apply_to<E: Entry>(
    mut piece: Piece<'_, E>,
    mut effects: Vec<Effect<E>>,
    index: &LayerIndex,
) -> Result<Vec<Change<E>>, SpillError> {
    /// Effects whose entries are waited for at once.
    const AHEAD: usize = 16;
    effects.sort_by_key(|effect| effect.number);
    let mut changes = Vec::new();
    let mut ahead = effects.iter().skip(AHEAD);
    for effect in &effects {
        if let Some(effect) = ahead.next() {
            piece.prefetch(effect.number);
        }
        let entry = piece.get(effect.number)?;
        if entry == effect.before {
            piece.set(effect.number, effect.after)?;
            changes.push(effect.change(index));
        } else {
            // Another child has changed it in this round. A parent that is
            // reevaluated gets the same entry each time, and of those that are
            // raised the highest is right.
            piece.set(effect.number, entry.max(effect.after))?;
        }
    }
    Ok(changes)
}

impl<E: Entry> Effect<E> {
    /// Bytes of an effect in a message.
    const BYTES: usize = BOARD + 2 * E::BYTES;

    /// What becomes of a board of an array: its section, line and rank.
    pub fn new(
        array: &LayerArray<E>,
        (section, line, rank): (u8, u32, u32),
        before: E,
        after: E,
    ) -> Effect<E> {
        Effect {
            number: array.number(section, line, rank),
            section,
            line,
            before,
            after,
        }
    }

    /// The rank of the mover's row.
    fn rank(&self, index: &LayerIndex) -> u32 {
        let width = index.section_width(self.section) as u64;
        let line_start = index.section_start(self.section) + u64::from(self.line) * width;
        (self.number - line_start) as u32
    }

    /// The change that it makes.
    fn change(&self, index: &LayerIndex) -> Change<E> {
        Change {
            section: self.section,
            line: self.line,
            rank: self.rank(index),
            before: self.before,
        }
    }
}
