//! Late move reductions: in a good order, late quiet moves are rarely the best, so they
//! are searched less deep first.

/// The plies by which to reduce the search of a quiet move: the `number`-th of its board
/// from 0 on, which is searched to `depth`.
#[inline(always)]
pub(super) fn reduction(depth: u8, number: usize, is_pv: bool) -> u8 {
    let deep = u8::from(depth >= 7) + u8::from(depth >= 13);
    let late = u8::from(number >= 3);
    let reduced = match is_pv {
        true => late + deep / 2,
        false => 1 + late + deep,
    };
    reduced.min(depth.saturating_sub(2)) * u8::from(number > 0)
}
