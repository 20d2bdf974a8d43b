//! What `krou --version` prints: how this program was built, and which of its loops run here.

use krou::internal::cpu::Registers;

/// The version and, in a release build, the commit: `krou -V`.
pub const SHORT: &str = concat!(env!("CARGO_PKG_VERSION"), env!("KROU_COMMIT"));

/// The features that this program may be built with, and whether it is.
const FEATURES: [(&str, bool); 2] = [
    ("mpi", cfg!(feature = "mpi")),
    ("server", cfg!(feature = "server")),
];

/// The same with the features and with the registers that the loops of solver and engine use on
/// this processor: `krou --version`. Manual pages do not have it, since it differs from one
/// machine to another.
pub fn long() -> String {
    let features = FEATURES.iter().filter(|(_, is_built)| *is_built);
    let features: Vec<&str> = features.map(|(name, _)| *name).collect();
    format!(
        "{SHORT}\nfeatures: {}\nprocessor: {}, {}",
        match features.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        },
        std::env::consts::ARCH,
        Registers::here().as_str(),
    )
}
