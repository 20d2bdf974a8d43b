//! The ranks of a build: the processes that `mpirun` has started, or this one alone.

use std::env;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
#[cfg(feature = "mpi")]
use krou::solve::Mpi;
use krou::solve::default_memory_limit;
use krou::solve::{Alone, Ranks};

#[cfg(feature = "mpi")]
use crate::messages::{print_message, with_causes};
use crate::system::host_name;

/// What MPI libraries and job managers tell the processes that they start.
const STARTED: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"];

/// Runs a command on all ranks. If it fails on one, that one says why and the job ends.
pub fn on_ranks(run: impl FnOnce(&Arc<dyn Ranks>) -> Result<ExitCode>) -> Result<ExitCode> {
    if !STARTED.iter().any(|name| env::var_os(name).is_some()) {
        return run(&(Arc::new(Alone) as Arc<dyn Ranks>));
    }
    #[cfg(not(feature = "mpi"))]
    anyhow::bail!(
        "this krou was built without MPI, so it cannot be one of several processes: build it \
         with '--features mpi', or start it without mpirun"
    );
    #[cfg(feature = "mpi")]
    {
        let mpi = Arc::new(Mpi::join()?);
        let ranks: Arc<dyn Ranks> = mpi.clone();
        run(&ranks).inspect_err(|error| {
            let (rank, why) = (ranks.rank(), with_causes(error.as_ref()));
            print_message(&format!("rank {rank}: {why}"));
            mpi.abort();
        })
    }
}

/// The memory limit of each rank of this machine, if none is set: their share of most of the
/// free memory. All ranks call this together.
pub fn default_memory(ranks: &dyn Ranks) -> Option<u64> {
    let limit = default_memory_limit();
    let own = host_name();
    let hosts = ranks.all(own.clone().into_bytes());
    let here = hosts.iter().filter(|host| **host == own.as_bytes()).count();
    limit.map(|limit| limit / here as u64)
}
