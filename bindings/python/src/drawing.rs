//! The drawing of a board that notebooks show.

use std::fmt::Write;

use krou::rules::ROW;

/// Width and height of a pit with its margin.
const PIT: usize = 48;
/// The width of the board around the pits.
const EDGE: usize = 8;

/// A board as SVG: the opponent's pits above, from right to left, the mover's below.
pub fn svg(board: &krou::Board) -> String {
    let width = ROW * PIT + 2 * EDGE;
    let height = 2 * PIT + 2 * EDGE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{board}\">\
         <rect width=\"{width}\" height=\"{height}\" rx=\"16\" fill=\"#b98b56\"/>\
         <g font-family=\"sans-serif\" font-size=\"18\" text-anchor=\"middle\">"
    );
    for (pit, seeds) in board.pits().into_iter().enumerate() {
        let (column, row) = if pit < ROW {
            (pit, 1)
        } else {
            (2 * ROW - 1 - pit, 0)
        };
        let x = EDGE + column * PIT + PIT / 2;
        let y = EDGE + row * PIT + PIT / 2;
        let (radius, baseline) = (PIT / 2 - 4, y + 6);
        let ink = if seeds == 0 { "#c9a679" } else { "#2b1a08" };
        // Writing to a string does not fail.
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"#ead3b1\"/>\
             <text x=\"{x}\" y=\"{baseline}\" fill=\"{ink}\">{seeds}</text>"
        );
    }
    svg.push_str("</g></svg>");
    svg
}
