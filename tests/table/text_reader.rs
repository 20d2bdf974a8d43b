//! A second reader, as simple as possible and written from `docs/format.md` alone: it checks
//! the document against the library's reader. It assumes sound files.

use krou::internal::index::row::{is_open, rows};
use krou::rules::{ROW, Row, Ruleset};
use krou::table::{Codec, Kind, Table, TableId};

use crate::checksums::{HEADER, RECORD, number};
use crate::support::{file_of, options, planes};

/// States of the entropy coder.
pub const STATES: u32 = 256;
/// Stands for symbols without a share of their own.
pub const ESCAPE: u32 = 256;
/// The byte of a tree that marks a context.
pub const CONTEXT: u8 = 7;
/// The most contexts of a tree.
pub const MAX_CONTEXTS: usize = 128;

const LINES: usize = 8;
const COLUMNS: usize = 16;

/// The stored entries of a table, plane by plane.
pub fn stored_entries(file: &[u8]) -> Vec<Vec<u8>> {
    let planes = usize::from(file[18]);
    let blocks = stored_blocks(file);
    if file[19] > 1 {
        return tiled_entries(file, planes, &blocks);
    }
    let mut entries = vec![Vec::new(); planes];
    for block in blocks {
        let content = match file[19] {
            0 => block.to_vec(),
            _ => zstd::stream::decode_all(block).unwrap(),
        };
        let each = content.len() / planes;
        for (entries, part) in entries.iter_mut().zip(content.chunks(each)) {
            entries.extend(part);
        }
    }
    entries
}

fn stored_blocks(file: &[u8]) -> Vec<&[u8]> {
    let number_at = |offset| usize::try_from(number(file, offset)).unwrap();
    let mut start = HEADER + RECORD * number_at(32) + number_at(56);
    let blocks = (0..number_at(32)).map(|block| {
        let end = number_at(HEADER + RECORD * block);
        &file[std::mem::replace(&mut start, end)..end]
    });
    blocks.collect()
}

/// What a file says about decoding cells.
struct Coding {
    seeds: u8,
    is_distance: bool,
    models: Vec<Model>,
}

fn tiled_entries(file: &[u8], planes: usize, blocks: &[&[u8]]) -> Vec<Vec<u8>> {
    let seeds = file[16];
    let directory_end = HEADER + RECORD * usize::try_from(number(file, 32)).unwrap();
    let mut models = &file[directory_end..];
    let coding = Coding {
        seeds,
        is_distance: file[17] == 2,
        models: (0..planes).map(|_| Model::take(&mut models)).collect(),
    };
    let model_length = usize::try_from(number(file, 56)).unwrap();
    assert_eq!(file.len() - models.len(), directory_end + model_length);
    let block_size = u32::from_le_bytes(file[20..24].try_into().unwrap()) as usize;
    let sections = if file[19] == 2 { seeds } else { seeds / 2 };

    let rows_of = |section| -> (Vec<Row>, Vec<Row>) {
        let has_line = |row: &Row| file[10] == 2 || is_open(row);
        let opponents = rows(section).filter(has_line).collect();
        (opponents, rows(seeds - section).collect())
    };
    let count_of = |section| {
        let (opponents, movers) = rows_of(section);
        opponents.len().div_ceil(LINES) * movers.len().div_ceil(COLUMNS)
    };
    let count = (0..=sections).map(count_of).sum();
    let mut tiles = stored_tiles(blocks, block_size, count).into_iter();
    let mut entries = vec![Vec::new(); planes];
    for section in 0..=sections {
        let (opponents, movers) = rows_of(section);
        let start = entries[0].len();
        for plane in &mut entries {
            plane.resize(start + opponents.len() * movers.len(), 0);
        }
        for (strip, opponents) in opponents.chunks(LINES).enumerate() {
            for (number, here) in movers.chunks(COLUMNS).enumerate() {
                let tile = coding.decode(tiles.next().unwrap(), opponents, here);
                for (plane, cells) in entries.iter_mut().zip(tile) {
                    for (line, cells) in cells.chunks(here.len()).enumerate() {
                        let line = start + (strip * LINES + line) * movers.len();
                        plane[line + number * COLUMNS..][..here.len()].copy_from_slice(cells);
                    }
                }
            }
        }
    }
    entries
}

/// The stored bytes of all tiles, one after another.
fn stored_tiles<'b>(blocks: &[&'b [u8]], size: usize, count: usize) -> Vec<&'b [u8]> {
    let numbers: Vec<usize> = (0..count).collect();
    let in_blocks: Vec<_> = numbers.chunks(size).collect();
    assert_eq!(in_blocks.len(), blocks.len());
    let split = |(tiles, block): (&&[usize], &&'b [u8])| split(block, tiles.len());
    in_blocks.iter().zip(blocks).flat_map(split).collect()
}

fn split(block: &[u8], count: usize) -> Vec<&[u8]> {
    let mut rest = block;
    let lengths: Vec<u32> = (0..count).map(|_| take_number(&mut rest)).collect();
    let tiles = lengths.into_iter().map(|length| {
        let (tile, others) = rest.split_at(length as usize);
        rest = others;
        tile
    });
    let tiles = tiles.collect();
    assert!(rest.is_empty());
    tiles
}

impl Coding {
    fn level(&self, symbol: u32) -> u32 {
        match symbol {
            33.. if self.is_distance => 32 + (symbol - 32) / 4,
            _ => symbol,
        }
    }

    fn levels(&self) -> u32 {
        match self.is_distance {
            true => 88,
            false => 2 * u32::from(self.seeds) + 1,
        }
    }

    /// The entries of a tile, plane by plane.
    fn decode(&self, stored: &[u8], opponents: &[Row], movers: &[Row]) -> Vec<Vec<u8>> {
        let mut bits = Bits {
            bytes: stored,
            at: 0,
        };
        let mut state = bits.take(STATES.ilog2());
        let columns = movers.len();
        let zero = if self.is_distance { 0 } else { self.seeds };
        let mut before: Option<Vec<u32>> = None;
        let mut planes = Vec::new();
        for model in &self.models {
            let mut symbols: Vec<u32> = Vec::new();
            for cell in 0..opponents.len() * columns {
                let (line, column) = (cell / columns, cell % columns);
                let left = (column > 0).then(|| symbols[cell - 1]);
                let upper = match &before {
                    Some(before) => Some(before[cell]),
                    None => (line > 0).then(|| symbols[cell - columns]),
                };
                let zero = u32::from(zero);
                let [left, upper] = [left.or(upper), upper.or(left)]
                    .map(|symbol| self.level(symbol.unwrap_or(zero)));
                let hint = hint(&movers[column], &opponents[line]);
                let context = model.tree.context(left, upper, hint, self.levels());
                let step = model.tables[context][state as usize];
                symbols.push(match step.symbol {
                    ESCAPE => bits.take(8),
                    symbol => symbol,
                });
                state = step.base + bits.take(step.bits);
            }
            let entry = |&symbol: &u32| symbol.to_le_bytes()[0].wrapping_sub(zero);
            planes.push(symbols.iter().map(entry).collect());
            before = Some(symbols);
        }
        assert_eq!(state, 0);
        assert_eq!(bits.at.div_ceil(8), stored.len());
        assert_eq!(bits.take(8 * stored.len() as u32 - bits.at as u32), 0);
        planes
    }
}

/// Bits, the lowest of each byte first.
struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> u32 {
        (0..count).fold(0, |number, position| {
            let bit = self.bytes[self.at / 8] >> (self.at % 8) & 1;
            self.at += 1;
            number | u32::from(bit) << position
        })
    }
}

/// The hint of a board.
fn hint(mover: &Row, opponent: &Row) -> u32 {
    let most = |from: &Row, on: &Row| {
        let captured = |pit: usize| {
            let reached = usize::from(from[pit]).saturating_sub(ROW - 1 - pit);
            if reached > ROW {
                return 0;
            }
            let back = on[..reached].iter().rev();
            let captured = back.take_while(|&&seeds| seeds == 1 || seeds == 2);
            captured.map(|&seeds| i32::from(seeds) + 1).sum()
        };
        (0..ROW).map(captured).max().unwrap()
    };
    let net = most(mover, opponent) - most(opponent, mover);
    u32::try_from(net.clamp(-8, 8) + 8).unwrap()
}

struct Model {
    tree: Tree,
    /// For each context a table of states.
    tables: Vec<Vec<Step>>,
}

#[derive(Clone, Copy, Default)]
struct Step {
    symbol: u32,
    bits: u32,
    base: u32,
}

enum Tree {
    Context(usize),
    Split(u8, u8, Box<[Tree; 2]>),
}

impl Model {
    fn take(bytes: &mut &[u8]) -> Model {
        let mut contexts = 0;
        let tree = Tree::take(bytes, &mut contexts);
        assert!(contexts <= MAX_CONTEXTS);
        let tables = (0..contexts).map(|_| {
            let known = take_number(bytes);
            let mut shares = Vec::new();
            let mut symbol = 0;
            for _ in 0..known {
                symbol += take_number(bytes);
                shares.push((symbol, take_number(bytes)));
            }
            shares.push((ESCAPE, take_number(bytes)));
            steps_of(&shares)
        });
        Model {
            tables: tables.collect(),
            tree,
        }
    }
}

fn steps_of(shares: &[(u32, u32)]) -> Vec<Step> {
    let mut steps = vec![Step::default(); STATES as usize];
    let mut state = 0;
    for &(symbol, share) in shares {
        for _ in 0..share {
            steps[state as usize].symbol = symbol;
            state = (state + 163) % STATES;
        }
    }
    let mut counters = shares.to_vec();
    for step in &mut steps {
        let counter = counters.iter_mut().find(|c| c.0 == step.symbol);
        let (_, x) = counter.unwrap();
        step.bits = STATES.ilog2() - x.ilog2();
        step.base = (*x << step.bits) - STATES;
        *x += 1;
    }
    steps
}

impl Tree {
    fn take(bytes: &mut &[u8], contexts: &mut usize) -> Tree {
        match take_byte(bytes) {
            CONTEXT => {
                *contexts += 1;
                Tree::Context(*contexts - 1)
            }
            feature => {
                let most = take_byte(bytes);
                let branches = [(); 2].map(|()| Tree::take(bytes, contexts));
                Tree::Split(feature, most, branches.into())
            }
        }
    }

    fn context(&self, left: u32, upper: u32, hint: u32, levels: u32) -> usize {
        match self {
            Tree::Context(context) => *context,
            Tree::Split(feature, most, branches) => {
                let answer = [
                    left,
                    upper,
                    left + upper,
                    left + (levels - 1) - upper,
                    left.min(upper),
                    left.max(upper),
                    hint,
                ][usize::from(*feature)];
                let branch = usize::from(answer > u32::from(*most));
                branches[branch].context(left, upper, hint, levels)
            }
        }
    }
}

fn take_byte(bytes: &mut &[u8]) -> u8 {
    let (&first, rest) = bytes.split_first().unwrap();
    *bytes = rest;
    first
}

fn take_number(bytes: &mut &[u8]) -> u32 {
    match u32::from(take_byte(bytes)) {
        low @ ..128 => low,
        low => low - 128 + 128 * u32::from(take_byte(bytes)),
    }
}

/// Layers of one tile and of many, with and without a line for every row.
#[test]
fn the_format_document_suffices_to_read_every_codec_and_kind() {
    for (rules, layers) in [
        (Ruleset::AWALE, [0, 1, 2, 5, 8]),
        (Ruleset::KALAH, [0, 1, 3, 4, 6]),
    ] {
        for seeds in layers {
            for &kind in Kind::ALL {
                let id = TableId { rules, seeds, kind };
                let planes = planes(id);
                for &codec in Codec::ALL {
                    for block_size in [3, 1024] {
                        let file = file_of(id, &planes, &options(codec, block_size));
                        let read = stored_entries(&file);
                        let table = Table::from_bytes("made", file).unwrap();
                        let stored = usize::try_from(table.stored_entries()).unwrap();
                        assert_eq!(read.len(), planes.len());
                        for (read, plane) in read.iter().zip(&planes) {
                            assert!(read[..] == plane[..stored], "{id} {codec}");
                        }
                    }
                }
            }
        }
    }
}
