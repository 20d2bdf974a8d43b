//! Rank and unrank: rows, open rows, and boards in the index of a layer.

use krou::index::LayerIndex;
use krou::internal::index::{OpponentRows, row};
use krou::rules::row_seeds;
use krou::rules::{Board, MAX_SEEDS, ROW, Row, Ruleset};

/// The first byte selects the ruleset and the direction; the rest is a board of at
/// most 48 seeds, or a number of seeds and an index.
pub fn run(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let rules = match choice & 1 {
        0 => Ruleset::AWARI,
        _ => Ruleset::KALAH,
    };
    if choice & 2 == 0 {
        if let Some(pits) = rest.first_chunk::<12>()
            && let Ok(board) = Board::new(*pits)
        {
            check_board(rules, &board);
        }
    } else if let Some(([seeds], rest)) = rest.split_first_chunk()
        && let Some((index, _)) = rest.split_first_chunk()
    {
        let layer = LayerIndex::new(rules, seeds % (MAX_SEEDS + 1));
        check_index(rules, &layer, u64::from_le_bytes(*index) % layer.len());
    }
}

fn check_board(rules: Ruleset, board: &Board) {
    check_row(&board.mover());
    check_row(&board.opponent());
    let layer = LayerIndex::new(rules, board.seeds());
    let is_indexed = rules == Ruleset::KALAH || row::is_open(&board.opponent());
    match layer.index(board) {
        Some(index) => {
            assert!(is_indexed);
            assert_eq!(layer.board(index), *board);
        }
        None => assert!(!is_indexed),
    }
}

fn check_index(rules: Ruleset, layer: &LayerIndex, index: u64) {
    let board = layer.board(index);
    assert_eq!(board.seeds(), layer.seeds());
    assert_eq!(layer.index(&board), Some(index));
    let location = layer.locate(&board).expect("a board of the layer");
    assert_eq!(layer.index_of(location), index);
    let section = location.section;
    assert!((layer.section_start(section)..layer.section_start(section + 1)).contains(&index));
    assert_eq!(
        OpponentRows::of(rules).row(section, location.line),
        board.opponent(),
        "line {}",
        location.line
    );
}

fn check_row(configuration: &Row) {
    let seeds = row_seeds(configuration);
    let rank = row::rank(configuration);
    assert!(rank < row::row_count(seeds));
    assert_eq!(row::unrank(seeds, rank), *configuration);
    if row::is_open(configuration) {
        let open = row::open_rank(configuration);
        assert!(open <= rank && open < row::open_row_count(seeds));
        assert_eq!(row::unrank_open(seeds, open), *configuration);
    }
    // The next row has the next rank.
    let mut following = row::rows_from(*configuration).skip(1);
    match following.next() {
        Some(next) => assert_eq!(row::rank(&next), rank + 1),
        None => assert_eq!(rank + 1, row::row_count(seeds)),
    }
    assert_eq!(configuration.len(), ROW);
}
