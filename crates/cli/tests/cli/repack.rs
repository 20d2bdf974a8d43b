//! `krou repack`: not beside another krou.

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
