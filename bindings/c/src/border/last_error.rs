//! The sentence of the last failure of each thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char};

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Remembers a sentence for this thread.
pub fn set(message: &str) {
    let bytes: Vec<u8> = message.bytes().filter(|&byte| byte != 0).collect();
    let message = CString::new(bytes).unwrap_or_default();
    // A thread that is ending may have none any more.
    let _ = LAST.try_with(|last| last.replace(message));
}

/// The sentence, valid until the next one of this thread; empty if there is none.
pub fn pointer() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr())
        .unwrap_or(c"".as_ptr())
}

/// The sentence as text.
#[cfg(test)]
pub fn text() -> String {
    LAST.with(|last| last.borrow().to_str().unwrap().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_its_own_message() {
        set("one");
        std::thread::spawn(|| {
            assert_eq!(text(), "");
            set("two");
        })
        .join()
        .unwrap();
        assert_eq!(text(), "one");
    }

    #[test]
    fn null_bytes_are_left_out() {
        set("a\0b");
        assert_eq!(text(), "ab");
    }
}
