//! Verifying: checksums, then the certificate of every board.

use super::loader::LoadError;
use super::probe::Tablebase;
use crate::solve::certificate::{Certificate, Failure};
use crate::solve::{Observer, SolveError, Store};

/// How much to verify.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions {
    /// The layers whose boards are checked. All below them are read.
    pub seeds: u8,
    /// Only so many random boards of each layer that has more.
    pub sample: Option<u64>,
    /// How many failures to report at most, of each layer.
    pub most: usize,
}

/// What came of verifying one layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The layer.
    pub seeds: u8,
    /// Boards checked.
    pub boards: u64,
    /// Whether some number was only found to be that of the best move: a sample
    /// of boards cannot show more of bounds, or of values without distances.
    pub consistency_only: bool,
    /// The first boards that are wrong; none if the layer is right.
    pub failures: Vec<Failure>,
}

/// The seed of the random boards: the same boards at every run.
const SAMPLE_SEED: u64 = 0x6b72_6f75;

impl Tablebase {
    /// Reads every table up to a layer, which checks all checksums, and checks
    /// the boards of each layer with the plain rules; calls `on_layer` after
    /// each. Needs as much memory as all those layers together, a byte for
    /// each board (three where there are bounds, one more with distances).
    ///
    /// # Errors
    /// If a layer is missing or a table is damaged. Wrong boards are no error
    /// here: they are in the verdict.
    pub fn verify(
        &self,
        options: &VerifyOptions,
        observer: &dyn Observer,
        mut on_layer: impl FnMut(Verdict),
    ) -> Result<(), LoadError> {
        let rules = self.rules();
        let mut loader = self.loader();
        let mut layers = Vec::new();
        for seeds in 0..=options.seeds {
            layers.push(loader.load(seeds)?.to_layer().map_err(SolveError::from)?);
            let distance = loader.distances(seeds)?;
            let distance = distance.map(Store::into_plane).transpose();
            let distance = distance.map_err(SolveError::from)?;
            let certificate = Certificate {
                rules,
                layers: &layers,
                distance: distance.as_ref(),
                most: options.most,
            };
            let all = self.index(seeds).len();
            let sample = options.sample.filter(|&count| count < all);
            let failures = match sample {
                Some(count) => certificate.sample(count, SAMPLE_SEED, observer),
                None => certificate.check(observer),
            };
            on_layer(Verdict {
                seeds,
                boards: sample.unwrap_or(all),
                consistency_only: sample.is_some() && (distance.is_none() || rules.has_bounds()),
                failures,
            });
        }
        Ok(())
    }
}
