//! The outputs in a row of words, as the RTL shows them.

use lwp_model::Unit;
use lwp_model::flat::{Field, Place};
use lwp_model::rdt::{LpOutputs, Outputs};

/// Reads the outputs of a unit `U` with `LPS` logical processors from a row of outputs and registers. The registers are not read.
///
/// # Errors
///
/// Fails if `reg_result` has a code that is not used.
///
/// # Panics
///
/// Panics if the row is too short.
pub fn outputs<U: Unit, const LPS: usize>(row: &[u32]) -> Result<Outputs<LPS>, String> {
    let field = |name: &str| -> u64 {
        let named = |field: &&Field| field.name == name;
        U::OUTPUT_FIELDS.iter().find(named).unwrap_or_else(|| panic!("the unit has no output {name}")).of(row)
    };
    let bit = |name: &str| field(name) != 0;
    let lp = |at: usize| {
        let bit = |name: &str| bit(&format!("lp[{at}].{name}"));
        LpOutputs { req_ready: bit("req_ready"), done: bit("done"), l2_hit: bit("l2_hit"), l3_hit: bit("l3_hit") }
    };
    let code = field("reg_result");
    Ok(Outputs {
        lp: std::array::from_fn(lp),
        mem_req: bit("mem_req"),
        mem_write: bit("mem_write"),
        mem_addr: field("mem_addr"),
        mem_rmid: field("mem_rmid") as u8,
        mem_cos: field("mem_cos") as u8,
        l3_on: field("l3_on") as u8,
        l2_on: field("l2_on") as u8,
        walking: bit("walking"),
        reg_done: bit("reg_done"),
        reg_result: Place::from_bits(code).ok_or_else(|| format!("reg_result is {code}, which is not used"))?,
        reg_rdata: field("reg_rdata"),
    })
}
