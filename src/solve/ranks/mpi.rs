//! Ranks that are processes of an MPI job.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mpi::environment::{Universe, initialize_with_threading};
use mpi::request::multiple_scope;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, Source};
use mpi::{Rank, Threading};
use thiserror::Error;

use super::{Message, Ranks};

/// MPI cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MpiError {
    /// It was started before.
    #[error("MPI has been started already: start it once in a process")]
    Started,
    /// The library was built for programs with one thread.
    #[error(
        "this MPI library does not allow calls from several threads: use one that has \
         MPI_THREAD_SERIALIZED, as Open MPI and MPICH do"
    )]
    Threads,
}

/// A process of an MPI job, as `mpirun` starts it. MPI ends when this is dropped, which waits
/// for the other processes.
#[derive(Debug)]
pub struct Mpi {
    rank: usize,
    count: usize,
    bytes_sent: AtomicU64,
    /// Held while MPI is called, which one thread may do at a time.
    calling: Mutex<()>,
    _job: Job,
}

/// Ends MPI when it is dropped. A process that panics ends the job.
struct Job {
    _universe: Universe,
}

impl Drop for Job {
    fn drop(&mut self) {
        if thread::panicking() {
            // Otherwise this would wait for the others, which wait for this one.
            SimpleCommunicator::world().abort(1);
        }
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Job")
    }
}

impl Mpi {
    /// Joins the job.
    ///
    /// # Errors
    /// If MPI was started before, or cannot be called from several threads.
    pub fn join() -> Result<Mpi, MpiError> {
        let started = initialize_with_threading(Threading::Serialized);
        let (universe, threading) = started.ok_or(MpiError::Started)?;
        if threading < Threading::Serialized {
            return Err(MpiError::Threads);
        }
        let world = universe.world();
        Ok(Mpi {
            rank: world.rank().unsigned_abs() as usize,
            count: world.size().unsigned_abs() as usize,
            bytes_sent: AtomicU64::new(0),
            calling: Mutex::default(),
            _job: Job {
                _universe: universe,
            },
        })
    }

    /// Ends all processes of the job at once, this one with an exit status of 1. For errors,
    /// after this process has said what is wrong.
    pub fn abort(&self) -> ! {
        SimpleCommunicator::world().abort(1)
    }
}

/// The longest part of a message that is sent at once: MPI counts with 32 bits.
const MOST: usize = 1 << 30;

impl Mpi {
    /// Sends `sent[k]` to rank `k`, and fills `received[k]`, which is as long, with what rank `k`
    /// sends.
    fn exchange_known(&self, sent: &[Message], received: &mut [Message]) {
        let world = SimpleCommunicator::world();
        let others = |rank: usize| (rank != self.rank).then_some(mpi_rank(rank));
        multiple_scope(2 * self.count, |scope, all| {
            for (rank, message) in received.iter_mut().enumerate() {
                if let Some(rank) = others(rank) {
                    let from = world.process_at_rank(rank);
                    for part in message.chunks_mut(MOST) {
                        all.add(from.immediate_receive_into(scope, part));
                    }
                }
            }
            for (rank, message) in sent.iter().enumerate() {
                if let Some(rank) = others(rank) {
                    let to = world.process_at_rank(rank);
                    for part in message.chunks(MOST) {
                        all.add(to.immediate_send(scope, part));
                    }
                }
            }
            let mut done = Vec::new();
            wait_until(|| all.test_all(&mut done));
        });
    }
}

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn exchange(&self, mut sent: Vec<Message>) -> Vec<Message> {
        assert_eq!(sent.len(), self.count, "a message for each rank");
        let lens = sent.iter().map(|sent| (sent.len() as u64).to_le_bytes());
        let lens: Vec<Message> = lens.map(Message::from).collect();
        let mut received = lens.clone();
        let _calling = self.calling.lock().unwrap_or_else(PoisonError::into_inner);
        self.exchange_known(&lens, &mut received);
        for message in &mut received {
            let len = message.first_chunk().expect("a length");
            *message = vec![0; u64::from_le_bytes(*len) as usize];
        }
        self.exchange_known(&sent, &mut received);
        received[self.rank] = std::mem::take(&mut sent[self.rank]);
        let bytes: usize = sent.iter().map(Vec::len).sum();
        self.bytes_sent.fetch_add(bytes as u64, Ordering::Relaxed);
        received
    }

    fn bytes_sent(&self) -> u64 {
        self.bytes_sent.load(Ordering::Relaxed)
    }
}

/// The number of a rank as MPI writes it.
fn mpi_rank(rank: usize) -> Rank {
    Rank::try_from(rank).expect("MPI has given it")
}

/// Waits until something has happened: first as MPI libraries do, without a pause, then with
/// longer and longer ones.
fn wait_until(mut has_happened: impl FnMut() -> bool) {
    const SPIN: Duration = Duration::from_micros(100);
    const YIELD: Duration = Duration::from_millis(1);
    const LONGEST: Duration = Duration::from_millis(1);
    let start = Instant::now();
    while !has_happened() {
        let waited = start.elapsed();
        if waited < SPIN {
            std::hint::spin_loop();
        } else if waited < YIELD {
            // Where ranks share a core, the one that is waited for gets it.
            thread::yield_now();
        } else {
            thread::sleep((waited / 8).min(LONGEST));
        }
    }
}
