//! The outputs in a row of words, as the RTL shows them.

use lwp_model::Unit;
use lwp_model::debug::{DebugUnit, Outputs};
use lwp_model::flat::{Field, Place};
use lwp_regs::debug::Slots;

/// Reads the outputs of a unit from a row of outputs and registers. The registers are not read.
///
/// # Errors
///
/// Fails if `reg_result` or `db_class` has a code that is not used.
///
/// # Panics
///
/// Panics if the row is too short.
pub fn outputs<const LANES: usize, const ACCESSES: usize>(row: &[u32]) -> Result<Outputs, String>
where
    DebugUnit<LANES, ACCESSES>: Unit,
{
    let field = |name: &str| -> u64 {
        let named = |field: &&Field| field.name == name;
        let field = <DebugUnit<LANES, ACCESSES> as Unit>::OUTPUT_FIELDS.iter().find(named);
        field.unwrap_or_else(|| panic!("the unit has no output {name}")).of(row)
    };
    let bit = |name: &str| field(name) != 0;
    let unused = |name: &str| format!("{name} is {}, which is not used", field(name));
    Ok(Outputs {
        db_valid: bit("db_valid"),
        db_class: Place::from_bits(field("db_class")).ok_or_else(|| unused("db_class"))?,
        db_b: Slots::from_bits_retain(field("db_b") as u8),
        db_bd: bit("db_bd"),
        db_bs: bit("db_bs"),
        db_bt: bit("db_bt"),
        cut_valid: bit("cut_valid"),
        cut_before: bit("cut_before"),
        cut_lane: field("cut_lane") as u8,
        hold: bit("hold"),
        ask_done: bit("ask_done"),
        frame_valid: bit("frame_valid"),
        frame_rf: bit("frame_rf"),
        reg_ready: bit("reg_ready"),
        reg_done: bit("reg_done"),
        reg_result: Place::from_bits(field("reg_result")).ok_or_else(|| unused("reg_result"))?,
        reg_rdata: field("reg_rdata"),
    })
}
