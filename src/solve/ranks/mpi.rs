//! Ranks that are processes of an MPI job.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mpi::environment::{Universe, initialize_with_threading};
use mpi::request::{multiple_scope, scope};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{CommunicatorCollectives, Destination, Source};
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
            rank: world.rank() as usize,
            count: world.size() as usize,
            traffic: Mutex::default(),
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

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn exchange(&self, messages: &[Message], received: &mut [Message]) {
        assert_eq!(messages.len(), self.count, "a message for each rank");
        assert_eq!(received.len(), self.count, "a message from each rank");
        let start = Instant::now();
        let world = SimpleCommunicator::world();
        received[self.rank].clone_from(&messages[self.rank]);
        let len = |(rank, message): (usize, &Message)| match rank == self.rank {
            true => 0,
            false => message.len() as u64,
        };
        let sent: Vec<u64> = messages.iter().enumerate().map(len).collect();
        let mut lens = vec![0_u64; self.count];
        scope(|scope| {
            let request = world.immediate_all_to_all_into(scope, &sent[..], &mut lens[..]);
            let mut pending = Some(request);
            wait_until(|| {
                pending = pending.take().and_then(|request| request.test().err());
                pending.is_none()
            });
        });
        let others = (0..self.count).filter(|&rank| rank != self.rank);
        for rank in others {
            received[rank].resize(lens[rank] as usize, 0);
        }
        let parts = |len: u64| (len as usize).div_ceil(MOST);
        let requests: usize = (lens.iter().chain(&sent)).map(|&len| parts(len)).sum();
        multiple_scope(requests, |scope, all| {
            for (rank, message) in received.iter_mut().enumerate() {
                if rank != self.rank {
                    let from = world.process_at_rank(rank as Rank);
                    for part in message.chunks_mut(MOST) {
                        all.add(from.immediate_receive_into(scope, part));
                    }
                }
            }
            let others = messages.iter().enumerate();
            for (rank, message) in others.filter(|(rank, _)| *rank != self.rank) {
                let to = world.process_at_rank(rank as Rank);
                for part in message.chunks(MOST) {
                    all.add(to.immediate_send(scope, part));
                }
            }
            let mut done = Vec::with_capacity(requests);
            wait_until(|| all.test_all(&mut done));
        });
        let mut traffic = self.traffic.lock().unwrap_or_else(PoisonError::into_inner);
        traffic.bytes += sent.iter().sum::<u64>();
        traffic.exchanges += 1;
        traffic.waited_ns += start.elapsed().as_nanos() as u64;
    }

    fn traffic(&self) -> Traffic {
        *self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until something has happened. MPI libraries wait by asking without a pause, which
/// would take the time of a thread that computes.
fn wait_until(mut has_happened: impl FnMut() -> bool) {
    /// Pauses are a quarter of the time waited so far, but no shorter and no longer.
    const PAUSES: (Duration, Duration) = (Duration::from_micros(10), Duration::from_millis(1));
    let start = Instant::now();
    while !has_happened() {
        thread::sleep((start.elapsed() / 4).clamp(PAUSES.0, PAUSES.1));
    }
}
