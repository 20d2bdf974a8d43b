//! Where gathered entries come from: files of this rank, and other ranks.

use rayon::prelude::*;

use super::sources::Sources;
use crate::solve::ranks::{Message, Ranks, slices};
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

/// Splits a buffer, which grows if it has to, into those of some extents.
fn split<'o, E: SpillEntry>(
    extents: &[Extent],
    buffer: &'o mut Vec<E>,
) -> Vec<(Extent, &'o mut [E])> {
    let all = extents.iter().map(|extent| extent.len as usize).sum();
    if buffer.len() < all {
        buffer.resize(all, E::FILLER);
    }
    let mut out = buffer.as_mut_slice();
    let mut parts = Vec::with_capacity(extents.len());
    for &extent in extents {
        let (part, rest) = out.split_at_mut(extent.len as usize);
        parts.push((extent, part));
        out = rest;
    }
    parts
}

/// Reads extents of sections that are not in memory as they are, on all threads.
pub(super) fn read<E: SpillEntry>(
    arrays: &[&LayerArray<E>],
    extents: &[Extent],
    out: &mut Vec<E>,
) -> Result<(), SpillError> {
    let parts = split(extents, out);
    let _parallel = spans::parallel("gather");
    parts.into_par_iter().try_for_each(|(extent, out)| {
        let _task = spans::task("gather");
        arrays[usize::from(extent.array)].read_elsewhere(extent.section, extent.start, out)
    })
}

/// What ranks ask of one another for some bands, and what they answer for one band after the
/// other. The memory is used again for the next bands.
#[derive(Default)]
pub(super) struct Fetch {
    /// What each rank asks for: the bytes of its extents, by band.
    asked: Vec<Vec<Message>>,
    /// The next band to answer.
    next: usize,
    sent: Vec<Message>,
    received: Vec<Message>,
}

impl Fetch {
    /// Tells all ranks what this one reads for each of some bands, and hears what they read.
    /// All call this together.
    pub fn ask<'e>(&mut self, ranks: &dyn Ranks, bands: impl Iterator<Item = &'e [Extent]>) {
        let mut questions = ranks.no_messages();
        for extents in bands {
            for (rank, question) in questions.iter_mut().enumerate() {
                let asked = |extent: &&Extent| extent.owner as usize == rank;
                let asked = extents.iter().filter(asked);
                let start = question.len();
                question.extend([0; 4]);
                let mut count = 0_u32;
                for extent in asked.filter(|_| rank != ranks.rank()) {
                    question.extend(extent.to_bytes());
                    count += 1;
                }
                question[start..start + 4].copy_from_slice(&count.to_le_bytes());
            }
        }
        let questions = ranks.exchange(questions);
        self.asked = questions
            .iter()
            .map(|question| bands_of(question))
            .collect();
        self.next = 0;
        self.sent.resize(ranks.count(), Message::new());
        self.received.resize(ranks.count(), Message::new());
    }

    /// Answers the others' next band, and fetches the extents of this rank's next one into
    /// `out`. Does some work meanwhile. All ranks call this together, once for each band that
    /// they have asked for.
    pub fn next<E: SpillEntry>(
        &mut self,
        ranks: &dyn Ranks,
        sources: &Sources<'_, E>,
        extents: &[Extent],
        out: &mut Vec<E>,
        work: &mut dyn FnMut(),
    ) -> Result<(), SpillError> {
        let array = sources.arrays[0];
        for (asked, answer) in self.asked.iter().zip(&mut self.sent) {
            match asked.get(self.next) {
                Some(extents) => write_answer(sources, extents, answer)?,
                None => answer.clear(),
            }
        }
        self.next += 1;
        let mut lens = vec![0; ranks.count()];
        for extent in extents {
            lens[extent.owner as usize] += extent.len as usize * E::BYTES;
        }
        lens[ranks.rank()] = 0;
        for (received, len) in self.received.iter_mut().zip(lens) {
            received.resize(len, 0);
        }
        ranks.exchange_during(&slices(&self.sent), &mut self.received, work);
        let mut answers: Vec<&[u8]> = self.received.iter().map(Vec::as_slice).collect();
        let parts = split(extents, out).into_iter().map(|(extent, out)| {
            let answer = &mut answers[extent.owner as usize];
            let bytes = match extent.owner as usize == ranks.rank() {
                true => None,
                false => answer.split_off(..out.len() * E::BYTES),
            };
            (extent, bytes, out)
        });
        let parts: Vec<_> = parts.collect();
        let _parallel = spans::parallel("answers");
        let parts = parts.into_par_iter().with_min_len(EXTENTS);
        parts.try_for_each_init(
            || spans::task("answers"),
            |_, (extent, bytes, out)| match bytes {
                Some(bytes) => {
                    E::decode(bytes, out);
                    Ok(())
                }
                None => array.read_elsewhere(extent.section, extent.start, out),
            },
        )
    }
}

/// Extents that a thread copies at a time, at the least.
const EXTENTS: usize = 64;

/// The bytes of extents, by band.
fn bands_of(mut question: &[u8]) -> Vec<Message> {
    let mut bands = Vec::new();
    while let Some((&count, rest)) = question.split_first_chunk() {
        let (extents, rest) = rest.split_at(u32::from_le_bytes(count) as usize * Extent::BYTES);
        bands.push(extents.to_vec());
        question = rest;
    }
    bands
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
    let mut rest = answer.as_mut_slice();
    let parts = extents.map(|(section, start, len)| {
        let bytes = rest.split_off_mut(..len as usize * E::BYTES);
        (section, start, bytes.expect("room for all"))
    });
    let parts: Vec<_> = parts.collect();
    let _parallel = spans::parallel("answers");
    let parts = parts.into_par_iter().with_min_len(EXTENTS);
    parts.try_for_each_init(
        || (Vec::new(), spans::task("answers")),
        |(buffer, _), (section, start, bytes)| {
            let len = bytes.len() / E::BYTES;
            match sources.entries(section, start, len) {
                Some(entries) => E::encode(entries, bytes),
                None => {
                    buffer.resize(len, E::FILLER);
                    array.read_elsewhere(section, start, buffer)?;
                    E::encode(buffer, bytes);
                }
            }
            Ok(())
        },
    )
}
