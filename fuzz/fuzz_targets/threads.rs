//! For targets that solve.

/// Lets parallel work run on the thread of the fuzzer: between threads an input would wait longer
/// than it works.
pub fn use_this_thread() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1);
    let alone = alone.use_current_thread().build_global();
    alone.expect("no pool yet");
}
