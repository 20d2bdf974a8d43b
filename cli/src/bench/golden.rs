//! Hashes of the entries of verified `awari` layers.
//!
//! The hashes were taken from tables that `krou verify` proved board by board. Up to
//! 15 seeds, the number of boards with each value also agrees with the counts that
//! Lincke published (2002, appendix B; `scripts/check-published`), which depend on
//! neither solver nor verifier.

use std::io;

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::table::{EntrySource, Kind, TableId};
use xxhash_rust::xxh3::Xxh3;

use super::Check;

/// By seeds.
const VALUES: &[u64] = &[
    0xc44b_dff4_074e_ecdb,
    0x4a51_7335_ad5e_a5f8,
    0x985f_dd85_5f8c_cfcc,
    0x0860_50d9_ecdf_3d5a,
    0xb4b8_a3a3_29df_1f9a,
    0xb359_ee31_a2a4_6a65,
    0x4d17_7cb5_3653_db31,
    0xf43b_e230_fa4b_8dbe,
    0xf6d6_d17d_406c_6f17,
    0xf7a0_e1cf_4b2c_3c61,
    0xbfbf_3287_b864_f5d7,
    0xff8d_f358_ba03_7417,
    0x7001_384c_71b8_eaff,
    0x52d4_1d75_fc86_dae8,
    0x8e28_48ae_1a33_cff7,
    0xbb02_4a8b_3ecc_8693,
    0xe696_a637_5824_77d0,
    0x603f_1ec6_8b61_9f1d,
    0x4f34_60d6_0a86_b27c,
    0x6fce_86e3_f7bb_2f36,
    0x616b_6f99_999d_e400,
];
/// By seeds.
const DISTANCES: &[u64] = &[
    0xc44b_dff4_074e_ecdb,
    0x1ae5_c641_2588_0f18,
    0xe640_6458_a1a0_9dd8,
    0x92c9_bd52_85e9_c9a5,
    0xa61c_2ce9_c97d_b092,
    0x64f8_9cbf_d353_ab2c,
    0x64de_0b94_f771_edb8,
    0x8adf_b904_b83e_6b97,
    0xc1ea_22b6_621b_264d,
    0x3b75_affd_e552_5cd2,
    0xfba1_b07f_299c_b097,
    0x11fe_7533_6846_8cf8,
    0xb933_43a4_ff33_3df3,
    0xbeed_503e_cb6e_5216,
    0xb574_8969_adcb_5371,
    0x9c11_59bc_4e27_b016,
    0xc207_7496_f58d_98cc,
    0xd82f_dc39_d3f0_aa21,
    0x3e0d_9c82_ebdd_4bf3,
    0xdfa3_3544_97c3_ae0d,
    0xa882_3b4f_94a1_aac5,
];

/// The 64-bit XXH3 hash of a plane: one byte for each board, in the order of the
/// index.
pub fn hash(index: &LayerIndex, plane: &dyn EntrySource) -> io::Result<u64> {
    const CHUNK_BYTES: u64 = 1 << 16;
    let mut hash = Xxh3::new();
    let mut bytes = Vec::new();
    for start in (0..index.len()).step_by(CHUNK_BYTES as usize) {
        bytes.resize(CHUNK_BYTES.min(index.len() - start) as usize, 0);
        plane.fill(start, &mut bytes)?;
        hash.update(&bytes);
    }
    Ok(hash.digest())
}

/// Compares the hash of a table's entries with the known one, if there is one.
pub fn check(id: TableId, found: u64) -> Check {
    let known = match (id.rules, id.kind) {
        (Ruleset::AWARI, Kind::Value) => VALUES,
        (Ruleset::AWARI, Kind::Distance) => DISTANCES,
        _ => &[],
    };
    match known.get(usize::from(id.seeds)) {
        Some(&right) if right != found => Err(format!(
            "the entries of {id} are wrong (hash {found:016x} instead of {right:016x}): \
             do not trust tables that this program builds on this machine"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krou::tablebase::{EMBEDDED_SEEDS, Tablebase};

    /// A single wrong entry changes the hash.
    #[test]
    fn embedded_tables_have_the_golden_hashes() {
        let tables = Tablebase::embedded(Ruleset::AWARI);
        let mut loader = tables.loader();
        for seeds in 0..=EMBEDDED_SEEDS {
            let index = LayerIndex::new(Ruleset::AWARI, seeds);
            let plane = |entries: &dyn EntrySource| {
                let mut plane = vec![0; index.len() as usize];
                entries.fill(0, &mut plane).unwrap();
                plane
            };
            let values = plane(loader.load(seeds).unwrap().value());
            let distances = plane(&loader.distances(seeds).unwrap().unwrap());
            for (kind, mut plane) in [(Kind::Value, values), (Kind::Distance, distances)] {
                let id = tables.table(seeds, kind).unwrap().id();
                check(id, hash(&index, &plane).unwrap()).unwrap();

                plane[0] ^= 1;
                let wrong = check(id, hash(&index, &plane).unwrap()).unwrap_err();
                assert!(wrong.contains(&id.to_string()), "{wrong}");
            }
        }
    }

    #[test]
    fn layers_without_a_known_hash_pass() {
        for (rules, seeds) in [(Ruleset::KALAH, 3), (Ruleset::AWARI, 48)] {
            let kind = Kind::Value;
            assert_eq!(check(TableId { rules, seeds, kind }, 7), Ok(()));
        }
    }
}
