//! What the unit with the straps of a session enumerates.

use super::plan::PlanError;
use super::sized::Sized;
use crate::rdt::session::Defaults;
use lwp_regs::rdt::RdtCaps;
use std::path::Path;

/// Returns the limits of the unit with the straps of this session, or with the default ones, and the cycles of a request of a logical
/// processor that is delayed by 0.
pub(super) fn limits(session: Option<&Path>) -> Result<(RdtCaps, Option<u32>), PlanError> {
    let defaults = Defaults::default();
    let sized = match session {
        Some(path) => Sized::load(path, &defaults)?,
        None => Sized::parse("", "", &defaults)?,
    };
    let straps = sized.session.straps;
    Ok((straps.caps(), Some(straps.mba_period.into())))
}
