#![no_main]

mod threads;

libfuzzer_sys::fuzz_target!(
    init: threads::use_this_thread(),
    |data: &[u8]| krou_fuzz::solver::run(data)
);
