//! Decoding the cells of tiles, one after another from the first line to the last, each with
//! the distribution of its context: tabled asymmetric numeral systems (Duda 2013).
//!
//! A decoder is always in one of 2^[`LOG`] states. A context's table says for each state
//! which symbol it stands for, and how many bits of the input lead to the next state, so
//! that a symbol costs one look-up: the more states stand for a symbol, the fewer bits it
//! takes. All contexts share the states, so each symbol may come from another table.
//!
//! A symbol waits for the one before it: that selects the table, and the table gives the
//! symbol. So tiles of the same shape are decoded side by side: while one waits for memory,
//! the processor works on the others.

use std::array;

use super::alphabet::Alphabet;
use super::contexts::{Contexts, hints};
use super::distribution::{Distribution, ESCAPE, LOG, MAX_BITS, PLAIN, STATES};
use super::model::Model;
use super::tiling::{CELLS, COLUMNS, Tile, Tiling};

/// The most bytes that a tile of this many planes takes.
pub(in crate::table) const fn max_tile_bytes(planes: usize) -> usize {
    max_bytes(planes * CELLS)
}

/// A tile as it is stored.
#[derive(Clone, Copy)]
pub(in crate::table) struct StoredTile<'b> {
    /// Its bytes, and those that follow it in its block, which are faster to read than the end
    /// of the tile is to find.
    pub bytes: &'b [u8],
    /// How many of them are its own.
    pub length: usize,
}

impl<'b> StoredTile<'b> {
    /// A tile of a block, if the block has as many bytes.
    pub fn new(block: &'b [u8], start: usize, length: usize) -> Option<StoredTile<'b>> {
        let bytes = block.get(start..)?;
        (length <= bytes.len()).then_some(StoredTile { bytes, length })
    }
}

/// The symbols of a plane of some tiles.
type Symbols<const TILES: usize> = [[u8; CELLS]; TILES];

/// Decodes tiles of the same shape, plane by plane: the entries of each, or `None` if its
/// stored bytes are not sound.
pub(in crate::table) fn decode<const TILES: usize>(
    planes: &[Decoding],
    tiling: &Tiling,
    tiles: [u64; TILES],
    stored: [StoredTile; TILES],
) -> [Option<Box<[u8]>>; TILES] {
    let tiles = tiles.map(|number| tiling.tile(number));
    let (cells, columns) = (tiles[0].cells(), tiles[0].columns);
    let mut all_hints = [[0; CELLS]; TILES];
    for (tile, out) in tiles.iter().zip(&mut all_hints) {
        hints(tiling, tile, &mut out[..cells]);
    }
    let all_hints = all_hints.each_ref().map(|hints| &hints[..cells]);
    let mut decoders = stored.map(|stored| Decoder::new(stored.bytes));
    let mut others: Option<Symbols<TILES>> = None;
    let mut are_sound = [true; TILES];
    let mut entries = tiles.map(|_| vec![0; cells * planes.len()].into_boxed_slice());
    for (plane, decoding) in planes.iter().enumerate() {
        let symbols = decoding.symbols(columns, all_hints, others.as_ref(), &mut decoders);
        for tile in 0..TILES {
            let symbols = &symbols[tile][..cells];
            are_sound[tile] &= decoding.are_possible(symbols);
            let out = &mut entries[tile][plane * cells..][..cells];
            for (entry, &symbol) in out.iter_mut().zip(symbols) {
                *entry = decoding.alphabet.entry(symbol);
            }
        }
        others = Some(symbols);
    }
    array::from_fn(|tile| {
        let is_sound = are_sound[tile] && decoders[tile].is_at(stored[tile].length);
        is_sound.then(|| std::mem::take(&mut entries[tile]))
    })
}

/// Decodes the entry of a cell in the last one of these planes, after everything that stands
/// before it in the tile; `None` if an entry is impossible.
pub(in crate::table) fn decode_entry(
    planes: &[Decoding],
    tiling: &Tiling,
    tile: Tile,
    cell: usize,
    stored: StoredTile,
) -> Option<u8> {
    let (last, before) = planes.split_last()?;
    // The planes before are decoded to their ends.
    let cells = if before.is_empty() {
        cell + 1
    } else {
        tile.cells()
    };
    let mut tile_hints = [0; CELLS];
    let tile_hints = &mut tile_hints[..cells];
    hints(tiling, &tile, tile_hints);
    let mut decoders = [Decoder::new(stored.bytes)];
    let mut others: Option<Symbols<1>> = None;
    for decoding in before {
        let symbols = decoding.symbols(tile.columns, [tile_hints], others.as_ref(), &mut decoders);
        if !decoding.are_possible(&symbols[0][..cells]) {
            return None;
        }
        others = Some(symbols);
    }
    let up_to_cell = &tile_hints[..=cell];
    let [symbols] = last.symbols(tile.columns, [up_to_cell], others.as_ref(), &mut decoders);
    let are_possible = last.are_possible(&symbols[..=cell]);
    are_possible.then(|| last.alphabet.entry(symbols[cell]))
}

/// A model made ready for decoding.
pub(in crate::table) struct Decoding {
    pub alphabet: Alphabet,
    pub contexts: Contexts,
    pub tables: DecodeTables,
}

/// The tables of all contexts.
pub(in crate::table) enum DecodeTables {
    /// Of values and bounds, whose symbols are at most 96.
    Narrow(Vec<DecodeTable<NarrowStep>>),
    /// Of distances.
    Wide(Vec<DecodeTable<WideStep>>),
}

impl Decoding {
    pub fn new(model: &Model, alphabet: Alphabet) -> Decoding {
        let distributions = model.distributions.iter();
        Decoding {
            alphabet,
            contexts: Contexts::new(&model.tree, alphabet.levels()),
            tables: match alphabet.is_signed {
                true => DecodeTables::Narrow(distributions.map(DecodeTable::new).collect()),
                false => DecodeTables::Wide(distributions.map(DecodeTable::new).collect()),
            },
        }
    }

    /// Whether symbols are those of entries.
    fn are_possible(&self, symbols: &[u8]) -> bool {
        symbols.iter().fold(0, |most, &symbol| symbol.max(most)) <= self.alphabet.most()
    }

    /// Decodes the symbols of the first cells of a plane of some tiles, those with a hint.
    fn symbols<const TILES: usize>(
        &self,
        columns: usize,
        hints: [&[u8]; TILES],
        others: Option<&Symbols<TILES>>,
        decoders: &mut [Decoder; TILES],
    ) -> Symbols<TILES> {
        match &self.tables {
            DecodeTables::Narrow(tables) => {
                self.symbols_with::<TILES, _, true>(tables, columns, hints, others, decoders)
            }
            DecodeTables::Wide(tables) => {
                self.symbols_with::<TILES, _, false>(tables, columns, hints, others, decoders)
            }
        }
    }

    fn symbols_with<const TILES: usize, S: DecodeStep, const SIGNED: bool>(
        &self,
        tables: &[DecodeTable<S>],
        columns: usize,
        hints: [&[u8]; TILES],
        others: Option<&Symbols<TILES>>,
        decoders: &mut [Decoder; TILES],
    ) -> Symbols<TILES> {
        // A constant, so that levels of values and bounds cost nothing.
        let alphabet = self.alphabet.with_signed(SIGNED);
        // What stands for a symbol that is too high, which is reported at the end.
        let highest = alphabet.level(alphabet.most());
        let mut symbols = [[0; CELLS]; TILES];
        let mut at_work = *decoders;
        for first in (0..hints[0].len()).step_by(columns) {
            let width = columns.min(COLUMNS).min(hints[0].len() - first);
            // Where the contexts of each cell begin: all but the left neighbour is known.
            let mut starts = [[0; COLUMNS]; TILES];
            let mut left = [alphabet.level(alphabet.zero()); TILES];
            for tile in 0..TILES {
                let above = match others {
                    Some(others) => Some(&others[tile][first..]),
                    None => first
                        .checked_sub(columns)
                        .map(|above| &symbols[tile][above..]),
                };
                let starts = starts[tile].iter_mut().zip(&hints[tile][first..][..width]);
                match above {
                    Some(above) => {
                        left[tile] = alphabet.level(above[0]).min(highest);
                        for ((start, &hint), &upper) in starts.zip(above) {
                            let upper = alphabet.level(upper).min(highest);
                            *start = self.contexts.start(hint, upper);
                        }
                    }
                    None => {
                        for (start, &hint) in starts {
                            *start = self.contexts.start_without_upper(hint);
                        }
                    }
                }
            }
            for column in 0..width {
                if column % SYMBOLS_PER_REFILL == 0 {
                    at_work.iter_mut().for_each(Decoder::refill);
                }
                for tile in 0..TILES {
                    let context = self.contexts.at(starts[tile][column], left[tile]);
                    let symbol = at_work[tile].symbol(&tables[usize::from(context)]);
                    symbols[tile][(first + column) % CELLS] = symbol;
                    left[tile] = alphabet.level(symbol).min(highest);
                }
            }
        }
        *decoders = at_work;
        symbols
    }
}

/// A context's table for decoding: a step for each state.
pub(in crate::table) struct DecodeTable<S>([S; STATES]);

/// What a state stands for: its symbol, how many bits lead to the next state, and the
/// lowest next state. Steps are small because a probe mainly waits for memory.
pub(in crate::table) trait DecodeStep: Copy {
    /// The symbol that stands for the escape.
    const ESCAPE: u16;

    /// A step of a symbol; `next` takes nine bits.
    fn new(symbol: u16, next: u16) -> Self;
    fn symbol(self) -> u16;
    fn next(self) -> u16;
}

/// A step of a table whose symbols are below 127: of values and bounds.
#[derive(Clone, Copy)]
pub(in crate::table) struct NarrowStep(u16);

impl DecodeStep for NarrowStep {
    const ESCAPE: u16 = 127;

    fn new(symbol: u16, next: u16) -> NarrowStep {
        NarrowStep(symbol << 9 | next)
    }

    #[inline(always)]
    fn symbol(self) -> u16 {
        self.0 >> 9
    }

    #[inline(always)]
    fn next(self) -> u16 {
        self.0 & 0x1FF
    }
}

/// A step of any table.
#[derive(Clone, Copy)]
pub(in crate::table) struct WideStep {
    symbol: u16,
    next: u16,
}

impl DecodeStep for WideStep {
    const ESCAPE: u16 = ESCAPE;

    fn new(symbol: u16, next: u16) -> WideStep {
        WideStep { symbol, next }
    }

    #[inline(always)]
    fn symbol(self) -> u16 {
        self.symbol
    }

    #[inline(always)]
    fn next(self) -> u16 {
        self.next
    }
}

impl<S: DecodeStep> DecodeTable<S> {
    pub fn new(distribution: &Distribution) -> DecodeTable<S> {
        let mut steps = [S::new(0, 0); STATES];
        // For each symbol its share plus how many of its states were visited so far.
        let mut met = vec![0; usize::from(ESCAPE) + 1];
        for &(symbol, share) in distribution.shares() {
            met[usize::from(symbol)] = u32::from(share);
        }
        for (step, symbol) in steps.iter_mut().zip(distribution.spread()) {
            let x = &mut met[usize::from(symbol)];
            // From the share up to twice the share less one: shifted by this many
            // bits, it is from STATES to 2 · STATES − 1.
            let bits = LOG - x.ilog2();
            let base = (*x << bits) - STATES as u32;
            // The lower bits of the base are 0: the lowest 1 tells how many they are.
            let next = (base << 1 | 1 << bits) as u16;
            let symbol = if symbol == ESCAPE { S::ESCAPE } else { symbol };
            *step = S::new(symbol, next);
            *x += 1;
        }
        DecodeTable(steps)
    }
}

/// Reads symbols, from the first to the last. A decoder of bad input goes on after its end,
/// with what follows, and then with zeros; [`Decoder::is_at`] finds out.
#[derive(Clone, Copy)]
pub(in crate::table) struct Decoder<'i> {
    input: &'i [u8],
    /// Bits that are next, the first lowest. Above them may be some of those that follow.
    word: u64,
    /// How many bits `word` holds.
    available: u32,
    /// The byte after those bits.
    next: usize,
    state: usize,
}

/// The most bytes that this many symbols take.
pub(in crate::table) const fn max_bytes(symbols: usize) -> usize {
    (LOG as usize + symbols * MAX_BITS).div_ceil(8)
}

/// Symbols that can be read after a [refill](Decoder::refill).
pub(in crate::table) const SYMBOLS_PER_REFILL: usize = 56 / MAX_BITS;

impl<'i> Decoder<'i> {
    pub fn new(input: &'i [u8]) -> Decoder<'i> {
        let mut decoder = Decoder {
            input,
            word: 0,
            available: 0,
            next: 0,
            state: 0,
        };
        decoder.refill();
        decoder.state = decoder.word as usize % STATES;
        decoder.word >>= LOG;
        decoder.available -= LOG;
        decoder
    }

    /// The next symbol. There must have been a refill at most [`SYMBOLS_PER_REFILL`] symbols
    /// ago, this one included.
    #[inline(always)]
    pub fn symbol<S: DecodeStep>(&mut self, table: &DecodeTable<S>) -> u8 {
        let step = table.0[self.state % STATES];
        let mut symbol = step.symbol();
        if symbol == S::ESCAPE {
            symbol = escaped(self.word);
            self.word >>= PLAIN;
            self.available -= PLAIN;
        }
        // A 1 below the base stands for the bits that follow.
        let next = u32::from(step.next());
        let less = next.wrapping_sub(1);
        let (base, mask) = ((next & less) >> 1, (next ^ less) >> 1);
        self.state = (base | self.word as u32 & mask) as usize;
        // The highest bit changes nothing: bits are at most eight.
        let bits = (next | 1 << LOG).trailing_zeros();
        self.word >>= bits;
        self.available -= bits;
        // At most 255.
        symbol as u8
    }

    /// Reads as many whole bytes as fit into the word: it then has 56 bits or more. Without
    /// a branch that depends on how many it had, which a processor could not predict.
    #[inline(always)]
    pub fn refill(&mut self) {
        let rest = self.input.get(self.next..).unwrap_or(&[]);
        let bytes = match rest.first_chunk() {
            Some(&bytes) => bytes,
            None => last_bytes(rest),
        };
        // Bits of the next byte that are there already are set again.
        self.word |= u64::from_le_bytes(bytes) << self.available;
        let taken = (63 - self.available) / 8;
        self.next += taken as usize;
        self.available += 8 * taken;
    }

    /// Whether exactly this many bytes of the input were read: the last symbol ended in the
    /// last of them, the bits left there are 0, and the state is the encoder's first.
    pub fn is_at(&self, end: usize) -> bool {
        let read = 8 * self.next - self.available as usize;
        let left = self.word % (1 << (read.next_multiple_of(8) - read));
        read.div_ceil(8) == end && left == 0 && self.state == 0
    }
}

/// The symbol that follows an escape. Cold, so that the compiler does not compute it always.
#[cold]
fn escaped(word: u64) -> u16 {
    (word % (1 << PLAIN)) as u16
}

/// Fewer than eight bytes, then zeros.
#[cold]
fn last_bytes(rest: &[u8]) -> [u8; 8] {
    std::array::from_fn(|i| rest.get(i).copied().unwrap_or(0))
}
