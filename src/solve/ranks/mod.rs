//! Ranks: processes that solve a layer together, numbered from 0.
//!
//! - `threads`: ranks that are threads of one process, for tests and small programs;
//! - `mpi`: ranks that are processes of an MPI job, with the feature `mpi`;
//! - here: the one operation that ranks share, [`Ranks::exchange`], in which each sends a message
//!   to each, and what is built on it. All ranks call it equally often and in the same order.
//!
//! `docs/internals/ranks.md` tells what they send and why.

#[cfg(feature = "mpi")]
mod mpi;
mod threads;

use std::fmt::Debug;

#[cfg(feature = "mpi")]
pub use self::mpi::{Mpi, MpiError};
pub use self::threads::ThreadRanks;

/// What a rank sends to one other, or has received from it.
pub type Message = Vec<u8>;

/// The ranks that solve a layer together, seen from one of them.
pub trait Ranks: Debug + Send + Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn count(&self) -> usize;

    /// Sends `sent[k]` to rank `k`; returns what rank `k` has sent, for each `k`. A rank's message
    /// to itself stays where it is.
    ///
    /// Every rank must call this equally often. It may be called from any thread, from one
    /// at a time.
    ///
    /// # Panics
    /// If there is not a message for each rank, or if another rank has ended. Where ranks are
    /// processes, the job may end instead.
    fn exchange(&self, sent: Vec<Message>) -> Vec<Message>;

    /// The bytes that this rank has sent to others so far; 0 where they are not counted.
    fn bytes_sent(&self) -> u64 {
        0
    }
}

/// A single rank, which has everything.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn exchange(&self, sent: Vec<Message>) -> Vec<Message> {
        sent
    }
}

/// What is built on [`Ranks::exchange`]. All ranks call each method in the same order.
impl dyn Ranks + '_ {
    /// Whether there is but one.
    pub fn is_alone(&self) -> bool {
        self.count() == 1
    }

    /// Whether this is the rank that does what only one may do, such as writing tables.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// Sends the same message to all; returns the messages of all, by sender.
    pub fn all(&self, message: Message) -> Vec<Message> {
        self.exchange(vec![message; self.count()])
    }

    /// Waits until all ranks have come here.
    pub fn wait_for_all(&self) {
        self.all(Message::new());
    }

    /// The number of each rank.
    ///
    /// # Panics
    /// If another rank sends something else: the ranks run different programs.
    pub fn numbers(&self, own: u64) -> Vec<u64> {
        let messages = self.all(own.to_le_bytes().into());
        let number = |message: Message| match message.first_chunk() {
            Some(&bytes) => u64::from_le_bytes(bytes),
            None => panic!("a number of {} bytes", message.len()),
        };
        messages.into_iter().map(number).collect()
    }

    /// The least of the ranks' numbers.
    pub fn least(&self, number: u64) -> u64 {
        self.numbers(number).into_iter().fold(number, u64::min)
    }

    /// The flag of the first rank, for all.
    pub fn flag_of_first(&self, flag: bool) -> bool {
        self.numbers(flag.into())[0] == 1
    }
}
