//! Makes the module and its glue for browsers from a compiled crate: what the command
//! `wasm-bindgen --target web` does. Used by `scripts/build-wasm`:
//!
//! ```text
//! krou-bindgen INPUT.wasm FOLDER NAME
//! ```

use std::env::args;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let [_, input, folder, name] = &args().collect::<Vec<_>>()[..] else {
        eprintln!("usage: krou-bindgen INPUT.wasm FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen
        .input_path(input)
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(false)
                .remove_name_section(true)
                .remove_producers_section(true)
                .out_name(name)
                .generate(folder)
        });
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("krou-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
