//! Boards that are over before a move is made: no move decides their entry.

/// One such board and its entry. The order is by mover's row, then by column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Fixed<E> {
    /// The rank of the mover's row.
    pub row: u32,
    /// The rank of the opponent's row among all rows.
    pub column: u32,
    /// What the end of the game makes it.
    pub entry: E,
}

/// The fixed entries of a layer, by section, in order.
pub(super) type FixedEntries<E> = Vec<Vec<Fixed<E>>>;

/// None, in a layer of so many sections.
pub(super) fn no_fixed_entries<E>(sections: usize) -> FixedEntries<E> {
    (0..sections).map(|_| Vec::new()).collect()
}
