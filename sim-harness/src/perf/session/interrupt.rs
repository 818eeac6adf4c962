//! Table `[interrupt]`: the local APIC's entry, and how long the core takes.

use crate::perf::environment::Interrupt;
use crate::session::{Choice, Complaint, Flag, Number, Number32, choose};
use serde::Deserialize;
use toml::Spanned;

/// Delivery modes that interrupt: code and name.
const MODES: [(u32, &str); 3] = [(0, "fixed"), (2, "smi"), (4, "nmi")];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InterruptTable {
    delivery: Option<Spanned<Choice>>,
    vector: Option<Spanned<Number<255>>>,
    #[serde(default)]
    masked: Flag,
    latency: Option<Number32>,
    handler: Option<Number32>,
}

/// Returns the table's values.
pub(super) fn interrupt(table: Spanned<InterruptTable>) -> Result<Interrupt, Complaint> {
    let InterruptTable { delivery, vector, masked, latency, handler } = table.into_inner();
    let default = Interrupt::default();
    let (mode, _) = choose(delivery, MODES[0], &MODES, |(_, name)| name)?;
    if let Some(vector) = vector.as_ref().filter(|vector| vector.get_ref().0 < 16) {
        return Err(("vectors 0 to 15 are not delivered by a local APIC: 16 to 255".to_owned(), Some(vector.span())));
    }
    let vector = vector.map_or(default.entry, |vector| vector.get_ref().u32());
    Ok(Interrupt {
        entry: vector | mode << 8 | u32::from(masked.0) << 16,
        latency: latency.map_or(default.latency, |latency| latency.0),
        handler: handler.map_or(default.handler, |handler| handler.0),
    })
}
