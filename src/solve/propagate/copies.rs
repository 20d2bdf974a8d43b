//! Copies: how ranks keep the entries of a layer equal, where each has all of them.
//!
//! A rank computes its own [portion](Portion) of a section, and sends all others what has
//! changed there ([`updates`](super::updates)). The changes of a section travel while the next one
//! but one is computed. Both sections after it read the entries before them: any state between the
//! first and the last one leads to the same result (`docs/ranks.md`). So a rank that has finished a
//! section need not wait until the others have, and still knows how much it will receive: a message
//! ends with the length of the next one.

use super::changes::{SweptArray, Tick};
use super::portion::Portion;
use super::received::write_updates;
use super::updates::{Draft, Drafts};
use crate::solve::ranks::{Message, Ranks};
use crate::solve::storage::{Entry, SpillError};

/// What this rank has changed in a section of an array, as it is sent.
struct SectionMessage {
    array: usize,
    section: u8,
    changes: Draft,
}

/// The changes of two sections on their way to the other ranks.
pub(super) struct Copies<'a> {
    ranks: &'a dyn Ranks,
    /// What has been kept last, of which the others do not know the length.
    kept: Option<SectionMessage>,
    /// What was kept before, of which they know the length.
    announced: Option<SectionMessage>,
    /// How long the others' messages are about the section that is announced.
    lens: Vec<usize>,
    /// What others have sent. The memory is used again.
    received: Vec<Message>,
    /// A message that has been sent. Its memory is used again.
    sent: Option<Draft>,
}

/// Bytes of a length at the end of a message.
const LEN: usize = size_of::<u64>();

impl<'a> Copies<'a> {
    /// Where each of several ranks has copies.
    pub fn new(ranks: &'a dyn Ranks) -> Copies<'a> {
        Copies {
            ranks,
            kept: None,
            announced: None,
            lens: vec![0; ranks.count()],
            received: ranks.no_messages(),
            sent: None,
        }
    }

    /// Keeps what this rank has changed in a section of an array until it is sent.
    pub fn keep(&mut self, array: usize, section: u8, drafts: &mut Drafts) {
        self.kept = Some(SectionMessage {
            array,
            section,
            changes: drafts.take_message(),
        });
        if let Some(sent) = self.sent.take() {
            drafts.give(sent);
        }
    }

    /// Does some work while the changes of the section before the last one travel, and writes
    /// them into this rank's copies afterwards. All ranks call this together.
    pub fn exchange_during<E: Entry, const N: usize>(
        &mut self,
        arrays: &mut [SweptArray<E>; N],
        now: Tick,
        work: impl FnOnce(&mut [SweptArray<E>; N]) -> Result<(), SpillError>,
    ) -> Result<(), SpillError> {
        if self.kept.is_none() && self.announced.is_none() {
            return work(arrays);
        }
        let mut sent = match &mut self.announced {
            Some(announced) => std::mem::take(&mut announced.changes),
            None => Draft::default(),
        };
        let kept = self.kept.as_ref();
        let kept_len = kept.map_or(0, |kept| kept.changes.message().len());
        sent.push(&(kept_len as u64).to_le_bytes());
        for (received, len) in self.received.iter_mut().zip(&self.lens) {
            received.resize(len + LEN, 0);
        }
        let messages = vec![sent.message(); self.ranks.count()];
        let (mut work, mut worked) = (Some(work), Ok(()));
        self.ranks
            .exchange_during(&messages, &mut self.received, &mut || {
                worked = work.take().map_or(Ok(()), |work| work(arrays));
            });
        worked?;
        for (rank, (received, len)) in self.received.iter_mut().zip(&mut self.lens).enumerate() {
            if rank != self.ranks.rank() {
                let next = received[*len..].first_chunk().expect("a length");
                let next = u64::from_le_bytes(*next) as usize;
                received.truncate(std::mem::replace(len, next));
            }
        }
        match std::mem::replace(&mut self.announced, self.kept.take()) {
            Some(SectionMessage { array, section, .. }) => {
                self.sent = Some(sent);
                self.write(arrays, array, section, now)
            }
            None => Ok(()),
        }
    }

    /// Sends what has not been sent, and writes what others have changed. All ranks call this
    /// together.
    pub fn finish<E: Entry, const N: usize>(
        &mut self,
        arrays: &mut [SweptArray<E>; N],
        now: Tick,
    ) -> Result<(), SpillError> {
        while self.kept.is_some() || self.announced.is_some() {
            self.exchange_during(arrays, now, |_| Ok(()))?;
        }
        Ok(())
    }

    /// Writes what the others have changed in a section into this rank's copy.
    fn write<E: Entry, const N: usize>(
        &self,
        arrays: &mut [SweptArray<E>; N],
        array: usize,
        section: u8,
        now: Tick,
    ) -> Result<(), SpillError> {
        let of_others = || {
            let messages = self.received.iter().enumerate();
            messages.filter(|(rank, message)| *rank != self.ranks.rank() && !message.is_empty())
        };
        if of_others().next().is_none() {
            return Ok(());
        }
        let swept = &mut arrays[array];
        let index = swept.array.index().clone();
        let width = index.section_width(section);
        let mut entries = swept.take_section(section, Vec::new())?;
        let messages = of_others().map(|(rank, message)| {
            let portion = Portion::of_copy(&index, section, rank, self.received.len());
            (message.as_slice(), portion)
        });
        let ticks = swept.line_ticks(section);
        write_updates(messages, &mut entries, width, ticks, now);
        swept.array.put(section, entries)?;
        Ok(())
    }
}
