//! Session files.

use super::complaint;
use sim_harness::lwp::session::Session;

/// Reads it, twice alike; warns of it, or complains with a place in the text.
///
/// # Panics
/// If a promise is broken.
pub fn one_input(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Session::parse("session.toml", text) {
        Ok(session) => {
            assert!(session.warnings().iter().all(|warning| !warning.is_empty()));
            assert_eq!(session.straps.validate(), Ok(()), "straps that no hardware may have were taken");
            assert_eq!(Session::parse("session.toml", text).ok(), Some(session));
        }
        Err(error) => complaint::check(&error),
    }
}
