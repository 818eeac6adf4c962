//! The outputs in a row of words, as the RTL shows them.

use lwp_model::Unit;
use lwp_model::flat::{Field, Place};
use lwp_model::itanium::Outputs;

/// Reads the outputs of a unit `U` from a row of outputs and registers. The registers are not read.
///
/// # Errors
///
/// Fails if `reg_result` has a code that is not used.
///
/// # Panics
///
/// Panics if the row is too short.
pub fn outputs<U: Unit>(row: &[u32]) -> Result<Outputs, String> {
    let field = |name: &str| -> u64 {
        let named = |field: &&Field| field.name == name;
        U::OUTPUT_FIELDS.iter().find(named).unwrap_or_else(|| panic!("the unit has no output {name}")).of(row)
    };
    let bit = |name: &str| field(name) != 0;
    let code = field("reg_result");
    Ok(Outputs {
        irq: bit("irq"),
        pin: field("pin") as u8,
        psr_up: bit("psr_up"),
        psr_sp: bit("psr_sp"),
        psr_pp: bit("psr_pp"),
        iear_on: bit("iear_on"),
        dear_on: bit("dear_on"),
        btb_on: bit("btb_on"),
        reg_done: bit("reg_done"),
        reg_result: Place::from_bits(code).ok_or_else(|| format!("reg_result is {code}, which is not used"))?,
        reg_rdata: field("reg_rdata"),
    })
}
