//! The header in the repository is the one that cbindgen writes from the sources.
//!
//! To write it anew: `KROU_WRITE_HEADER=1 cargo test -p krou-c --test header`

use std::path::Path;
use std::{env, fs};

#[test]
fn header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let mut header = Vec::new();
    cbindgen::generate_with_config(root, config)
        .unwrap()
        .write(&mut header);
    let header = String::from_utf8(header).unwrap();
    let path = root.join("include/krou.h");
    if env::var_os("KROU_WRITE_HEADER").is_some() {
        fs::write(&path, &header).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap() == header,
        "include/krou.h is not current: write it anew with \
         'KROU_WRITE_HEADER=1 cargo test -p krou-c --test header'"
    );
}
