//! Ranks that are threads of one process. They share no memory but their messages.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::{Message, Ranks};

/// A rank that is a thread, or several, of this process.
///
/// ```
/// use std::sync::Arc;
///
/// use krou::Ruleset;
/// use krou::solve::Ranks;
/// use krou::internal::solve::ThreadRanks;
/// use krou::solve::Silent;
/// use krou::tablebase::{BuildOptions, build};
/// use krou::tablebase::build_on;
///
/// let options = BuildOptions::new(5);
/// let [together, alone] = [tempfile::tempdir()?, tempfile::tempdir()?];
/// std::thread::scope(|scope| {
///     for rank in ThreadRanks::new(2) {
///         let folder = together.path();
///         scope.spawn(move || {
///             let rank: Arc<dyn Ranks> = Arc::new(rank);
///             build_on(&rank, Ruleset::AWARI, folder, &options, &Silent).unwrap();
///         });
///     }
/// });
/// build(Ruleset::AWARI, alone.path(), &options, &Silent)?;
/// let table = |folder: &tempfile::TempDir| std::fs::read(folder.path().join("awari-05.value.krou"));
/// assert!(table(&together)? == table(&alone)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ThreadRanks {
    rank: usize,
    to: Vec<Sender<Message>>,
    /// Channels need a lock to be shared; there is never more than one user.
    from: Mutex<Vec<Receiver<Message>>>,
}

impl ThreadRanks {
    /// This many ranks, each for a thread of its own.
    ///
    /// # Panics
    /// If `count` is 0.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(count: usize) -> Vec<ThreadRanks> {
        assert!(count > 0, "no ranks");
        let mut to: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
        let mut from: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
        for to in &mut to {
            for from in &mut from {
                let (sender, receiver) = channel();
                to.push(sender);
                from.push(receiver);
            }
        }
        let ranks = to.into_iter().zip(from).enumerate();
        ranks
            .map(|(rank, (to, from))| ThreadRanks {
                rank,
                to,
                from: Mutex::new(from),
            })
            .collect()
    }
}

impl Ranks for ThreadRanks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, sent: Vec<Message>) -> Vec<Message> {
        assert_eq!(sent.len(), self.count(), "a message for each rank");
        let mut own = Message::new();
        for (rank, message) in sent.into_iter().enumerate() {
            if rank == self.rank {
                own = message;
            } else {
                self.to[rank].send(message).expect("another rank has ended");
            }
        }
        // A rank that has panicked is out of step, and says so by ending.
        let from = self.from.lock().unwrap_or_else(PoisonError::into_inner);
        let receive = |rank: usize| match rank == self.rank {
            true => std::mem::take(&mut own),
            false => from[rank].recv().expect("another rank has ended"),
        };
        (0..self.count()).map(receive).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_reaches_its_rank_in_order() {
        std::thread::scope(|scope| {
            for rank in ThreadRanks::new(3) {
                scope.spawn(move || {
                    let me = rank.rank();
                    let dynamic: &dyn Ranks = &rank;
                    for round in 0..50 {
                        let message = |to| [me as u8, to as u8, round].repeat(me + to);
                        let received = dynamic.exchange((0..3).map(message).collect());
                        for (from, message) in received.iter().enumerate() {
                            let expected = [from as u8, me as u8, round].repeat(from + me);
                            assert_eq!(*message, expected);
                        }
                    }
                    assert_eq!(dynamic.numbers(10 + me as u64), [10, 11, 12]);
                    assert_eq!(dynamic.least(me as u64 + 4), 4);
                    assert!(dynamic.flag_of_first(me == 0) && !dynamic.flag_of_first(me != 0));
                });
            }
        });
    }

    #[test]
    #[should_panic(expected = "another rank has ended")]
    fn a_rank_that_has_ended_is_noticed() {
        let mut ranks = ThreadRanks::new(2);
        drop(ranks.pop());
        let rank: &dyn Ranks = &ranks[0];
        rank.wait_for_all();
    }
}
