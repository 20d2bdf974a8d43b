//! Ranks that are processes of an MPI job.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mpi::environment::{Universe, initialize_with_threading};
use mpi::request::multiple_scope;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, Source};
use mpi::{Rank, Threading};
use thiserror::Error;

use super::{Message, Ranks, Traffic};

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
    traffic: Mutex<Traffic>,
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
            traffic: Mutex::default(),
            calling: Mutex::default(),
            _job: Job {
                _universe: universe,
            },
        })
    }

    /// Waits until no other thread calls MPI.
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.calling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all processes of the job at once, this one with an exit status of 1. For errors,
    /// after this process has said what is wrong.
    pub fn abort(&self) -> ! {
        SimpleCommunicator::world().abort(1)
    }
}

/// The longest part of a message that is sent at once: MPI counts with 32 bits.
const MOST: usize = 1 << 30;

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn exchange_during(&self, sent: &[&[u8]], received: &mut [Message], work: &mut dyn FnMut()) {
        assert_eq!(sent.len(), self.count, "a message for each rank");
        assert_eq!(received.len(), self.count, "a message from each rank");
        let start = Instant::now();
        let mut worked = Duration::ZERO;
        let world = SimpleCommunicator::world();
        let others = |rank: usize| (rank != self.rank).then_some(mpi_rank(rank));
        let mut bytes = 0;
        multiple_scope(2 * self.count, |scope, all| {
            let calling = self.lock();
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
                    bytes += message.len() as u64;
                    let to = world.process_at_rank(rank);
                    for part in message.chunks(MOST) {
                        all.add(to.immediate_send(scope, part));
                    }
                }
            }
            drop(calling);
            let begin = Instant::now();
            work();
            worked = begin.elapsed();
            let _calling = self.lock();
            let mut done = Vec::new();
            wait_until(|| all.test_all(&mut done));
        });
        let mut traffic = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        traffic.bytes += bytes;
        traffic.exchanges += 1;
        traffic.waited_ns += start.elapsed().saturating_sub(worked).as_nanos() as u64;
    }

    fn progress(&self) {
        // Another thread may be at it.
        if let Ok(_calling) = self.calling.try_lock() {
            // Asking for a message makes MPI move those that travel. One that it finds stays
            // where it is.
            let world = SimpleCommunicator::world();
            let _ = world.any_process().immediate_probe();
        }
    }

    fn traffic(&self) -> Traffic {
        *self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
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
