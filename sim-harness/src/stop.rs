//! Ctrl-C and the other ways to ask a program to end.

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// Exit code of a program that was asked to end, as shells give it for Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Calls `handler`, on a thread of its own, for each Ctrl-C, SIGTERM and SIGHUP. SIGHUP stays ignored if it was, as under `nohup`.
///
/// # Errors
/// If there is a handler already, or the system refuses one.
pub fn on_request(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    let ignore = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
    // SAFETY: no handler is installed, only the action of the system.
    let before = unsafe { sigaction(Signal::SIGHUP, &ignore) };
    let was_ignored = before.as_ref().is_ok_and(|before| matches!(before.handler(), SigHandler::SigIgn));
    let done = ctrlc::set_handler(handler);
    match before {
        // SAFETY: as above.
        Ok(_) if was_ignored => drop(unsafe { sigaction(Signal::SIGHUP, &ignore) }),
        // SAFETY: the action is the one that the process had.
        Ok(before) if done.is_err() => drop(unsafe { sigaction(Signal::SIGHUP, &before) }),
        _ => {}
    }
    done
}
