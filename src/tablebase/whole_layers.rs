//! Layers in memory for one batch of probes.

use super::loader::LoadError;
use super::result::ProbeResult;
use super::tables::Tablebase;
use crate::rules::{Board, Bounds, MAX_SEEDS};
use crate::solve::{Layer, LayerArray};
use crate::table::Kind;

/// Boards in the tables for each board of a batch up to which they are loaded whole.
/// Loading takes some ten nanoseconds a board, a probe of a packed table microseconds.
const BOARDS_PER_PROBE: u64 = 4;

/// The entries of the layers from 0 seeds on.
pub(super) struct WholeLayers {
    layers: Vec<Layer>,
    /// The distances of each layer that has a table of them and boards in the batch.
    distances: Vec<Option<LayerArray<u8>>>,
}

impl WholeLayers {
    /// Loads the layers of which a batch has many boards; `None` if it has few of any, or a
    /// table is missing or damaged: then single probes say which boards that concerns.
    pub fn load(tables: &Tablebase, boards: &[Board]) -> Option<WholeLayers> {
        let mut of_layer = [0; MAX_SEEDS as usize + 1];
        for board in boards {
            of_layer[usize::from(board.seeds())] += 1;
        }
        let highest = worth_loading(tables, &of_layer)?;
        WholeLayers::load_up_to(tables, highest, &of_layer).ok()
    }

    fn load_up_to(
        tables: &Tablebase,
        highest: u8,
        of_layer: &[u64],
    ) -> Result<WholeLayers, LoadError> {
        let mut loader = tables.loader();
        loader.load(highest)?;
        let mut distances = Vec::new();
        for (seeds, &boards) in (0..=highest).zip(of_layer) {
            distances.push(match boards {
                0 => None,
                _ => loader.distances(seeds)?,
            });
        }
        let layers = loader.into_layers();
        Ok(WholeLayers { layers, distances })
    }

    /// As [`Tablebase::probe`]; `None` if the board is not in a loaded layer, or has no
    /// index.
    pub fn probe(&self, board: &Board) -> Option<ProbeResult> {
        let seeds = usize::from(board.seeds());
        let layer = self.layers.get(seeds)?;
        let index = layer.index().index(board)?;
        let value = layer.value().get(index).get();
        let distance = match &self.distances[seeds] {
            // Draws have no distance.
            Some(distances) if value != 0 => Some(distances.get(index)),
            _ => None,
        };
        let bounds = layer.bounds().map(|bounds| Bounds {
            lower: bounds.lower.get(index).get(),
            upper: bounds.upper.get(index).get(),
        });
        Some(ProbeResult {
            value,
            distance,
            bounds,
        })
    }
}

/// The highest layer up to which all layers have few boards for each board of the batch,
/// of which `of_layer` are in each layer; boards that need no tables do not count. `None`
/// if there is none, or it has no board in the batch.
fn worth_loading(tables: &Tablebase, of_layer: &[u64]) -> Option<u8> {
    let mut in_batch = 0;
    let mut highest = None;
    for (seeds, &boards) in (0..=MAX_SEEDS).zip(of_layer) {
        if tables.table(seeds, Kind::Value).is_none() {
            break;
        }
        if answers_from_memory(tables, seeds) {
            continue;
        }
        in_batch += boards;
        // A higher layer has more boards, but may have more of them in the batch.
        if boards > 0 && tables.boards_up_to(seeds) <= BOARDS_PER_PROBE * in_batch {
            highest = Some(seeds);
        }
    }
    highest
}

/// Whether probes of a layer need no tables: its values are in memory, and it has neither
/// distances nor values beside its bounds.
fn answers_from_memory(tables: &Tablebase, seeds: u8) -> bool {
    tables.is_resident(seeds)
        && !tables.rules().has_bounds()
        && tables.table(seeds, Kind::Distance).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::Ruleset;
    use crate::tablebase::{BuildOptions, build};

    /// All boards up to this number of seeds, unindexed ones too.
    fn boards(seeds: u8) -> Vec<Board> {
        // Under `kalah` every board is indexed.
        let layers = (0..=seeds).map(|seeds| LayerIndex::new(Ruleset::KALAH, seeds));
        layers
            .flat_map(|layer| layer.boards().collect::<Vec<_>>())
            .collect()
    }

    /// The number of layers that are loaded for a batch.
    fn loaded(tables: &Tablebase, boards: &[Board]) -> usize {
        WholeLayers::load(tables, boards).map_or(0, |whole| whole.layers.len())
    }

    fn compare(tables: &Tablebase, boards: &[Board]) {
        for (board, found) in boards.iter().zip(tables.probe_all(boards)) {
            let expected = tables.probe(board);
            match (found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{board:?}"),
                (Err(found), Err(expected)) => {
                    assert_eq!(found.to_string(), expected.to_string(), "{board:?}");
                }
                (found, expected) => panic!("{board:?}: {found:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn batches_equal_single_probes_with_and_without_whole_layers() {
        let folder = tempfile::tempdir().unwrap();
        let options = BuildOptions::new(6).with_distance(true);
        for rules in [Ruleset::ABAPA, Ruleset::KALAH] {
            build(rules, folder.path(), &options, &crate::solve::Silent).unwrap();
        }
        let open = |rules| Tablebase::open(rules, [folder.path()]).unwrap();
        for tables in [
            Tablebase::embedded(Ruleset::AWARI),
            open(Ruleset::ABAPA),
            open(Ruleset::KALAH),
        ] {
            let mut all = boards(6);
            // In no table.
            all.insert(5, Board::START);
            assert_eq!(loaded(&tables, &all), 7);
            compare(&tables, &all);
            let few: Vec<Board> = all.iter().step_by(97).copied().collect();
            assert!(loaded(&tables, &few) < 5);
            compare(&tables, &few);
            assert!(tables.probe_all(&[]).is_empty());
        }
    }

    #[test]
    fn damaged_tables_are_left_to_single_probes() {
        let folder = tempfile::tempdir().unwrap();
        let options = BuildOptions::new(5).with_write(crate::table::Codec::Raw);
        let rules = Ruleset::AWARI;
        build(rules, folder.path(), &options, &crate::solve::Silent).unwrap();
        let file = folder.path().join("awari-05.value.krou");
        let mut bytes = std::fs::read(&file).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&file, bytes).unwrap();
        let tables = Tablebase::open(rules, [folder.path()]).unwrap();
        let all = boards(5);
        assert!(WholeLayers::load(&tables, &all).is_none());
        compare(&tables, &all);
        let of_layer = LayerIndex::new(rules, 5).len() as usize;
        let failed = tables.probe_all(&all).into_iter().filter(Result::is_err);
        assert!((1..=of_layer).contains(&failed.count()));
    }
}
