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
    let home = built("--seeds 7 --skip 6");
    let told = call_in(home.path(), &words("repack --codec raw --json")).success();
    assert!(told.contains("\"tables\":7,"), "{told}");
    call_in(home.path(), &words("verify")).success();
    let counts = call_in(home.path(), &words("stats --csv --all")).success();
    assert!(
        counts.contains("\n7,") && !counts.contains("\n6,"),
        "{counts}"
    );
}
