//! Every `console` block in README and docs is run, and prints what it says.
//! Blocks that need tables which are not built in are marked `text`.

#[test]
fn the_documents_tell_what_the_program_prints() {
    // The built-in tables answer, whatever folder is named outside.
    trycmd::TestCases::new()
        .env("KROU_DIR", "")
        .case("README.md")
        .case("docs/*.md");
}
