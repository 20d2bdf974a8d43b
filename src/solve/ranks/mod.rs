//! Ranks: processes that solve a layer together, numbered from 0.
//!
//! - `part`: which lines of a layer a rank has;
//! - `threads`: ranks that are threads of one process, for tests and small programs;
//! - `mpi`: ranks that are processes of an MPI job, with the feature `mpi`;
//! - here: what ranks do together.
//!
//! Everything that ranks do together is built on one operation, [`Ranks::exchange_during`],
//! in which each sends a message to each. All ranks call it equally often and in the same
//! order. `docs/ranks.md` explains the pattern with an example.

#[cfg(feature = "mpi")]
mod mpi;
mod part;
mod threads;

use std::fmt::Debug;

#[cfg(feature = "mpi")]
pub use self::mpi::{Mpi, MpiError};
pub(super) use self::part::Part;
pub use self::threads::ThreadRanks;

/// What a rank sends to one other, or has received from it.
pub type Message = Vec<u8>;

/// The ranks that solve a layer together, seen from one of them.
pub trait Ranks: Debug + Send + Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn count(&self) -> usize;

    /// Sends `sent[k]` to rank `k` and does some work meanwhile; returns when `received[k]`
    /// has what rank `k` sends, which is as long as `received[k]`. What a rank would send to
    /// itself stays where it is.
    ///
    /// Every rank must call this equally often. It may be called from any thread, from one
    /// at a time.
    ///
    /// # Panics
    /// If there is not a message for each rank, if one is not as long as is expected, or if
    /// another rank has ended. Where ranks are processes, the job may end instead.
    fn exchange_during(&self, sent: &[&[u8]], received: &mut [Message], work: &mut dyn FnMut());

    /// Moves messages that are on their way. Long work during an exchange calls this now and
    /// then, from any thread, so that a rank that waits for a long message need not wait until
    /// its sender has done its work.
    fn progress(&self) {}

    /// What this rank has sent and how long it has waited so far.
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}

/// What a rank has sent to others, and how long it has waited for them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Traffic {
    /// Bytes sent to other ranks.
    pub bytes: u64,
    /// Calls of [`Ranks::exchange_during`].
    pub exchanges: u64,
    /// Nanoseconds spent in them, without the work done meanwhile.
    pub waited_ns: u64,
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

    fn exchange_during(&self, _: &[&[u8]], _: &mut [Message], work: &mut dyn FnMut()) {
        work();
    }
}

/// A number in a message.
fn number(message: &Message) -> u64 {
    match message.first_chunk() {
        Some(&bytes) => u64::from_le_bytes(bytes),
        None => panic!("a number of {} bytes", message.len()),
    }
}

/// Messages as they are sent.
pub(super) fn slices(messages: &[Message]) -> Vec<&[u8]> {
    messages.iter().map(Vec::as_slice).collect()
}

/// What ranks do together, in terms of [`Ranks::exchange_during`]. All call each method in the
/// same order.
impl dyn Ranks + '_ {
    /// Whether there is but one.
    pub fn is_alone(&self) -> bool {
        self.count() == 1
    }

    /// Whether this is the rank that does what only one may do, such as writing tables.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// A message for each rank, empty.
    pub fn no_messages(&self) -> Vec<Message> {
        vec![Message::new(); self.count()]
    }

    /// Sends a message to each rank; returns those received, by sender.
    pub fn exchange(&self, sent: Vec<Message>) -> Vec<Message> {
        let mut received = self.exchange_slices(&slices(&sent));
        let own = self.rank();
        received[own] = sent.into_iter().nth(own).unwrap_or_default();
        received
    }

    /// Sends the same message to all; returns those of all, by sender.
    pub fn all(&self, message: Message) -> Vec<Message> {
        let mut received = self.exchange_slices(&vec![message.as_slice(); self.count()]);
        received[self.rank()] = message;
        received
    }

    /// Sends a message to each rank; returns those of the others.
    fn exchange_slices(&self, sent: &[&[u8]]) -> Vec<Message> {
        let lens = sent.iter().map(|sent| (sent.len() as u64).to_le_bytes());
        let lens: Vec<_> = lens.collect();
        let mut received = vec![vec![0; 8]; self.count()];
        let sent_lens: Vec<&[u8]> = lens.iter().map(|len| &len[..]).collect();
        self.exchange_during(&sent_lens, &mut received, &mut || ());
        received[self.rank()] = vec![0; 8];
        for received in &mut received {
            *received = vec![0; number(received) as usize];
        }
        self.exchange_during(sent, &mut received, &mut || ());
        received
    }

    /// Waits until all ranks have come here.
    pub fn wait_for_all(&self) {
        self.all(Message::new());
    }

    /// The number that each rank gives, by rank.
    pub fn numbers(&self, own: u64) -> Vec<u64> {
        let own = own.to_le_bytes();
        let mut received = vec![own.to_vec(); self.count()];
        self.exchange_during(&vec![&own[..]; self.count()], &mut received, &mut || ());
        received.iter().map(number).collect()
    }

    /// The sum of a number over all ranks.
    pub fn sum(&self, number: u64) -> u64 {
        self.numbers(number).into_iter().sum()
    }

    /// The largest of the ranks' numbers.
    pub fn most(&self, number: u64) -> u64 {
        self.numbers(number).into_iter().fold(0, u64::max)
    }

    /// The least of the ranks' numbers.
    pub fn least(&self, number: u64) -> u64 {
        self.numbers(number).into_iter().fold(u64::MAX, u64::min)
    }

    /// Whether it is so for any rank.
    pub fn any(&self, is_so: bool) -> bool {
        self.sum(is_so.into()) > 0
    }

    /// What the first rank says.
    pub fn as_first(&self, is_so: bool) -> bool {
        self.numbers(is_so.into())[0] == 1
    }
}
