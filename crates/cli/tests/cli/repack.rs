//! `krou repack`: not beside another krou, and without a layer that nothing needs.

use krou::internal::table::FolderLock;

use crate::support::{built, call_in, words};

#[test]
fn a_folder_at_which_another_krou_is_at_work_is_refused() {
    let home = built("--seeds 5");
    let _lock = FolderLock::new(home.path().join("tables")).unwrap();
    let message = call_in(home.path(), &words("repack --codec raw")).error();
    assert!(
        message.contains("another krou is at work in tables"),
        "{message}"
    );
}

#[test]
fn a_layer_that_was_left_out_is_not_needed() {
    let home = built("--seeds 12 --skip 11");
    let told = call_in(home.path(), &words("repack --codec raw --json")).success();
    assert!(told.contains("\"tables\":12,"), "{told}");
    call_in(home.path(), &words("verify")).success();
    let counts = call_in(home.path(), &words("stats --csv --all"));
    assert!(
        counts.stderr.ends_with("no other layer needs it\n"),
        "{}",
        counts.stderr
    );
    assert_eq!(counts.code, Some(0));
    let counts = counts.stdout;
    assert!(
        counts.contains("\n12,") && !counts.contains("\n11,"),
        "{counts}"
    );
}
