//! The border of the ABI: results become status codes, panics stay inside, the last failure's text is kept.

use crate::abi::Status;
use crate::failure::Failure;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    static LAST: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Runs the body of the exported function `name`.
///
/// A panic ends here, and so never unwinds into C. (In a build with `panic = "abort"` it ends the process instead.)
pub(crate) fn guard(name: &str, body: impl FnOnce() -> Result<(), Failure>) -> i32 {
    // A model that a panic left half changed refuses every later call (see `handle`); nothing else is shared.
    let failure = match panic::catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return Status::Ok as i32,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure::Internal(panic_text(payload.as_ref()).to_owned()),
    };
    remember(format!("{name}: {failure}"));
    failure.status() as i32
}

/// The text of the last failure in this thread.
pub(crate) fn last() -> *const c_char {
    // The text stays where it is until the next failure replaces it.
    LAST.try_with(|last| last.borrow().as_ref().map(|text| text.as_ptr()))
        .ok()
        .flatten()
        .unwrap_or(c"no failure".as_ptr())
}

fn remember(text: String) {
    let text = CString::new(text).unwrap_or_default();
    // A thread that is ending keeps no texts.
    let _ = LAST.try_with(|last| last.replace(Some(text)));
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn text() -> String {
        // SAFETY: the text of this thread, before another failure.
        unsafe { CStr::from_ptr(last()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(text(), "no failure");
        assert_eq!(guard("f", || panic!("at {}", 7)), Status::Internal as i32);
        assert_eq!(text(), "f: a bug in the model, please report it: at 7");
        assert_eq!(guard("g", || Err(Failure::Null { what: "model" })), Status::Null as i32);
        assert_eq!(text(), "g: model is null");
        assert_eq!(guard("h", || Ok(())), 0);
        assert_eq!(text(), "g: model is null", "success leaves the text alone");
        std::thread::spawn(|| assert_eq!(text(), "no failure")).join().unwrap();
    }
}
