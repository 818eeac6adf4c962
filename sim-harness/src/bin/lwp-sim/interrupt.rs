//! Ctrl-C.

use super::exit;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C ask for an orderly end. A second one ends the program at once.
pub(crate) fn catch() {
    // Fails only if a handler is there already, or the system has no signals; then Ctrl-C just kills.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(exit::INTERRUPTED.into());
        }
    });
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// What becomes `true` with Ctrl-C.
pub(crate) const fn flag() -> &'static AtomicBool {
    &STOP
}
