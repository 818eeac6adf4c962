//! Plan of a session file, and the unit that the file is for.

use super::plan::{Planned, Request};
use crate::session::SessionError;
use crate::unit::{UNITS, Unit};
use std::fs;

/// Returns the plan of a run of `unit`.
///
/// # Errors
///
/// [`SessionError`] if the unit refuses the session file; [`SessionError::OtherUnit`] if another unit accepts it.
pub fn plan_of(unit: &'static Unit, request: &Request<'_>) -> Result<Box<dyn Planned>, SessionError> {
    let error = match (unit.cosim.plan)(request) {
        Err(error @ SessionError::Invalid(_)) => error,
        done => return done,
    };
    let text = request.session.and_then(|path| fs::read_to_string(path).ok());
    let fits = |other: &&&Unit| text.as_ref().is_some_and(|text| (other.cosim.check)(text).is_ok());
    match UNITS.iter().filter(|other| other.name != unit.name).find(fits) {
        Some(other) => Err(SessionError::OtherUnit {
            name: request.session.map_or_else(String::new, |path| path.display().to_string()),
            unit: unit.name,
            fits: other.name,
        }),
        None => Err(error),
    }
}
