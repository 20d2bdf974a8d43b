#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| krou_fuzz::game::run(data));
