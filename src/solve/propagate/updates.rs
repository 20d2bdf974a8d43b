//! Updates: what a rank has changed in its portion of a section, as a message to the others.
//! [`received`](super::received) reads it.
//!
//! What a share of a section changes is one *update*. The message consists of updates:
//!
//! ```text
//! chunk                       u32
//! bytes that follow           u64
//! then for each panel of a line that has changed
//!     line in the chunk       u16
//!     panel                   u16
//!     rows                    u64 for each half of the panel, 64 rows: bit k is set if the
//!                             entry of row k is sent
//!     entries of these rows
//! ```

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::cpu::Permute;
use crate::solve::panels::PANEL_HEIGHT;
use crate::solve::ranks::Message;
use crate::solve::storage::Entry;
use crate::spans;

/// Bytes before the changes of an update: the number of the chunk, and the bytes that follow.
pub(super) const HEADER: usize = 12;

/// Rows of half a panel, which are compared at a time.
pub(super) const HALF: usize = 64;

/// Halves of a panel.
pub(super) const HALVES: usize = PANEL_HEIGHT / HALF;

/// Bytes before the entries of a panel of a line.
pub(super) const PANEL: usize = 4 + 8 * HALVES;

/// The rows of a half if all are sent.
pub(super) const ALL: u64 = u64::MAX;

/// A message that is written. Its memory is used again: where memory is new, the system first
/// clears it, which takes longer than to write an update.
#[derive(Default)]
pub(super) struct Draft {
    /// The message so far, and room for more.
    bytes: Message,
    len: usize,
}

impl Draft {
    /// The message so far.
    pub fn message(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Room for more of it.
    #[inline(always)]
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        if self.bytes.len() - self.len < bytes {
            self.bytes.resize(self.len + self.len / 4 + bytes, 0);
        }
        &mut self.bytes[self.len..]
    }

    /// Appends bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Appends the messages of others, on all threads.
    fn append(&mut self, others: &[Draft]) {
        if others.is_empty() {
            return;
        }
        let _parallel = spans::parallel("updates");
        let len = others.iter().map(|other| other.len).sum();
        let mut rest = self.room(len);
        let mut parts = Vec::new();
        for other in others {
            let part = rest.split_off_mut(..other.len).expect("room for all");
            parts.push((part, other.message()));
        }
        parts.into_par_iter().for_each_init(
            || spans::task("updates"),
            |_, (to, from)| to.copy_from_slice(from),
        );
        self.len += len;
    }
}

/// The drafts of a section's message. Each thread writes the updates of its shares into one
/// that no other has at the time.
#[derive(Default)]
pub(super) struct Drafts(Mutex<Vec<Draft>>);

impl Drafts {
    /// Begins an update of a chunk, in one of the drafts.
    pub fn begin(&self, chunk: usize) -> Update {
        let mut drafts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let draft = drafts.pop().unwrap_or_default();
        drop(drafts);
        Update::new(chunk, draft)
    }

    /// Ends an update.
    pub fn end(&self, update: Update) {
        let draft = update.finish();
        // The next update goes where this one is, so that there are as few drafts as threads.
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(draft);
    }

    /// All updates in one message.
    pub fn take_message(&mut self) -> Draft {
        let drafts = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(mut message) = drafts.pop() else {
            return Draft::default();
        };
        message.append(drafts);
        for draft in drafts {
            draft.len = 0;
        }
        message
    }

    /// Takes the memory of a message that has been sent.
    pub fn give(&mut self, mut message: Draft) {
        message.len = 0;
        let drafts = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        drafts.push(message);
    }
}

/// What a share of a section has changed.
pub(super) struct Update {
    draft: Draft,
    /// Where it begins in the draft.
    start: usize,
}

impl Update {
    /// No changes yet of a chunk.
    fn new(chunk: usize, mut draft: Draft) -> Update {
        let start = draft.len;
        draft.room(HEADER)[..4].copy_from_slice(&(chunk as u32).to_le_bytes());
        draft.len += HEADER;
        Update { draft, start }
    }

    /// Adds what has changed in a panel of a line of the chunk. What is behind the entries in
    /// `before` does not matter.
    #[inline(always)]
    pub fn push<P: Permute, E: Entry>(
        &mut self,
        line: usize,
        panel: usize,
        before: &[E; PANEL_HEIGHT],
        now: &[E],
    ) {
        // Loops over as many rows as the compiler knows are much faster.
        match now.as_array() {
            Some(now) => self.push_full::<P, E>(line, panel, before, now),
            None => {
                let mut padded = *before;
                padded[..now.len()].copy_from_slice(now);
                self.push_full::<P, E>(line, panel, before, &padded);
            }
        }
    }

    #[inline(always)]
    fn push_full<P: Permute, E: Entry>(
        &mut self,
        line: usize,
        panel: usize,
        before: &[E; PANEL_HEIGHT],
        now: &[E; PANEL_HEIGHT],
    ) {
        /// The most rows of a half that are sent one by one, unless that is fast. Sending all
        /// takes less time, and not many more bytes.
        const ROWS: u32 = 24;
        let room = self.draft.room(PANEL + PANEL_HEIGHT * E::BYTES);
        let (header, mut rest) = room.split_at_mut(PANEL);
        let mut len = PANEL;
        header[..2].copy_from_slice(&(line as u16).to_le_bytes());
        header[2..4].copy_from_slice(&(panel as u16).to_le_bytes());
        let halves = before.as_chunks().0.iter().zip(now.as_chunks().0);
        let rows = header[4..].as_chunks_mut().0;
        for (rows, (before, now)) in rows.iter_mut().zip(halves) {
            let mut sent = E::differing::<P>(before, now);
            if !P::IS_FAST && sent.count_ones() > ROWS {
                sent = ALL;
                E::encode(now, &mut rest[..HALF * E::BYTES]);
            } else {
                E::compress::<P>(now, sent, rest);
            }
            *rows = sent.to_le_bytes();
            let written = sent.count_ones() as usize * E::BYTES;
            len += written;
            rest = &mut rest[written..];
        }
        self.draft.len += len;
    }

    /// The draft with the whole update; without it if nothing has changed.
    fn finish(mut self) -> Draft {
        let changes = self.start + HEADER;
        if self.draft.len == changes {
            self.draft.len = self.start;
        } else {
            let len = (self.draft.len - changes) as u64;
            self.draft.bytes[self.start + 4..changes].copy_from_slice(&len.to_le_bytes());
        }
        self.draft
    }
}
