//! Where gathered entries come from: files of this rank, and other ranks.

use rayon::prelude::*;

use super::sources::Sources;
use crate::solve::ranks::{Message, Ranks};
use crate::solve::storage::{LayerArray, SpillEntry, SpillError};
use crate::spans;

/// Entries of a section that are read at once.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub array: u8,
    pub section: u8,
    /// The rank that has them.
    pub owner: u32,
    /// Offset in the section of the first one.
    pub start: u64,
    pub len: u64,
}

impl Extent {
    /// Bytes in which ranks ask for an extent: section, start and length.
    const BYTES: usize = 17;

    /// Takes another extent in that begins no earlier, if the two touch; otherwise `false`.
    pub fn take_in(&mut self, other: &Extent) -> bool {
        let of = |extent: &Extent| (extent.array, extent.section, extent.owner);
        let touches = of(self) == of(other) && other.start <= self.start + self.len;
        if touches {
            let end = other.start + other.len;
            self.len = self.len.max(end - self.start);
        }
        touches
    }

    fn to_bytes(self) -> [u8; Extent::BYTES] {
        let mut bytes = [0; Extent::BYTES];
        bytes[0] = self.section;
        bytes[1..9].copy_from_slice(&self.start.to_le_bytes());
        bytes[9..].copy_from_slice(&self.len.to_le_bytes());
        bytes
    }

    /// Section, start and length.
    fn from_bytes(bytes: &[u8; Extent::BYTES]) -> (u8, u64, u64) {
        let number = |from: usize| {
            let mut number = [0; 8];
            number.copy_from_slice(&bytes[from..from + 8]);
            u64::from_le_bytes(number)
        };
        (bytes[0], number(1), number(9))
    }
}

/// Splits a buffer into those of some extents.
fn split<'o, E>(extents: &[Extent], mut out: &'o mut [E]) -> Vec<(Extent, &'o mut [E])> {
    let mut parts = Vec::with_capacity(extents.len());
    for &extent in extents {
        let (part, rest) = out.split_at_mut(extent.len as usize);
        parts.push((extent, part));
        out = rest;
    }
    parts
}

/// Reads extents of spilled sections, on all threads.
pub(super) fn read<E: SpillEntry>(
    arrays: &[&LayerArray<E>],
    extents: &[Extent],
    out: &mut [E],
) -> Result<(), SpillError> {
    let parts = split(extents, out);
    let _parallel = spans::parallel("gather");
    parts.into_par_iter().try_for_each(|(extent, out)| {
        let _task = spans::task("gather");
        arrays[usize::from(extent.array)].read_spilled(extent.section, extent.start, out)
    })
}

/// Messages whose memory is used again.
#[derive(Default)]
pub(super) struct Messages {
    questions: [Vec<Message>; 2],
    answers: [Vec<Message>; 2],
}

/// Reads extents from the ranks that have them. All ranks call this together: each says what
/// it reads, and answers what the others ask for.
///
/// It uses none of the pool's threads, which compute meanwhile.
pub(super) fn fetch<E: SpillEntry>(
    sources: &Sources<'_, E>,
    ranks: &dyn Ranks,
    extents: &[Extent],
    messages: &mut Messages,
    out: &mut [E],
) -> Result<(), SpillError> {
    let array = sources.arrays[0];
    let Messages {
        questions: [questions, asked],
        answers: [answers, answered],
    } = messages;
    for messages in [&mut *questions, &mut *asked, &mut *answers, &mut *answered] {
        messages.resize(ranks.count(), Message::new());
    }
    questions.iter_mut().for_each(Message::clear);
    for extent in extents {
        if extent.owner as usize != ranks.rank() {
            questions[extent.owner as usize].extend(extent.to_bytes());
        }
    }
    ranks.exchange(questions, asked);
    for (asked, answer) in asked.iter().zip(&mut *answers) {
        write_answer(sources, asked, answer)?;
    }
    ranks.exchange(answers, answered);
    let mut answered: Vec<&[u8]> = answered.iter().map(Vec::as_slice).collect();
    for (extent, out) in split(extents, out) {
        if extent.owner as usize == ranks.rank() {
            array.read_spilled(extent.section, extent.start, out)?;
            continue;
        }
        let answer = &mut answered[extent.owner as usize];
        let (bytes, rest) = answer.split_at(out.len() * E::BYTES);
        E::decode(bytes, out);
        *answer = rest;
    }
    Ok(())
}

/// Answers what another rank asks for.
fn write_answer<E: SpillEntry>(
    sources: &Sources<'_, E>,
    asked: &Message,
    answer: &mut Message,
) -> Result<(), SpillError> {
    let array = sources.arrays[0];
    let (asked, _) = asked.as_chunks();
    let extents = asked.iter().map(Extent::from_bytes);
    let len: u64 = extents.clone().map(|(_, _, len)| len).sum();
    answer.resize(len as usize * E::BYTES, 0);
    let mut buffer = Vec::new();
    let mut rest = answer.as_mut_slice();
    for (section, start, len) in extents {
        let (bytes, others) = rest.split_at_mut(len as usize * E::BYTES);
        match sources.entries(section, start, len as usize) {
            Some(entries) => E::encode(entries, bytes),
            None => {
                buffer.resize(len as usize, E::FILLER);
                array.read_spilled(section, start, &mut buffer)?;
                E::encode(&buffer, bytes);
            }
        }
        rest = others;
    }
    Ok(())
}
