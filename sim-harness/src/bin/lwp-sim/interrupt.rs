//! Ctrl-C and SIGTERM.

use super::exit;
use sim_harness::stop;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C and SIGTERM ask for an orderly end. A second one ends the program at once.
pub(crate) fn catch() {
    // Fails only if a handler is there already, or the system has no signals; then Ctrl-C just kills.
    let _ = stop::on_request(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(exit::INTERRUPTED.into());
        }
    });
}

/// Whether the program was asked to end.
pub(crate) fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// The flag that becomes `true` when the program is asked to end.
pub(crate) const fn flag() -> &'static AtomicBool {
    &STOP
}
