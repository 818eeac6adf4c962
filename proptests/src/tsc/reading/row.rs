//! The outputs in a row of words, as the RTL shows them.

use lwp_model::Unit;
use lwp_model::flat::{Field, Place};
use lwp_model::tsc::{Outputs, Tsc};

/// Reads the outputs of a unit with `LP` logical processors from a row of outputs and registers. The registers are not
/// read.
///
/// # Errors
///
/// Fails if `reg_result` has a code that is not used.
///
/// # Panics
///
/// Panics if the row is too short.
pub fn outputs<const LP: usize>(row: &[u32]) -> Result<Outputs, String>
where
    Tsc<LP>: Unit,
{
    let field = |name: &str| -> u64 {
        let named = |field: &&Field| field.name == name;
        let field = Tsc::<LP>::OUTPUT_FIELDS.iter().find(named);
        field.unwrap_or_else(|| panic!("the unit has no output {name}")).of(row)
    };
    let code = field("reg_result");
    Ok(Outputs {
        reg_done: field("reg_done") != 0,
        reg_result: Place::from_bits(code).ok_or_else(|| format!("reg_result is {code}, which is not used"))?,
        reg_rdata: field("reg_rdata"),
        reg_aux: field("reg_aux") as u32,
    })
}
