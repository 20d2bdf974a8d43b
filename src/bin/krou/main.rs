//! krou at the command line.
fn main() {}
