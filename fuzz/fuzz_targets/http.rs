#![no_main]

#[path = "../src/program.rs"]
mod program;

libfuzzer_sys::fuzz_target!(|data: &[u8]| program::http(data));
