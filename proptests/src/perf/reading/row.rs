//! The outputs in a row of words, as the RTL shows them.

use lwp_model::Unit;
use lwp_model::flat::Place;
use lwp_model::perf::{FixedOut, GeneralOut, LpOut, Outputs, Perf};

/// Reads the outputs of a unit from a row of outputs and registers. The registers are not read.
///
/// # Errors
///
/// Fails if `reg_result` has a code that is not used.
///
/// # Panics
///
/// Panics if the row is too short, or if its fields are not the outputs in the order of the ports.
pub fn outputs<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    row: &[u32],
) -> Result<Outputs<LP, GENERAL, FIXED>, String>
where
    Perf<LP, GENERAL, FIXED, LANES>: Unit,
{
    let mut fields = <Perf<LP, GENERAL, FIXED, LANES> as Unit>::OUTPUT_FIELDS.iter();
    let mut next = |name: &str| -> u64 {
        let field = fields.next().expect("a field for each output");
        assert!(field.name.ends_with(name) && !field.name.starts_with("state."), "{} is not {name}", field.name);
        field.of(row)
    };
    let reg_done = next("reg_done") != 0;
    let code = next("reg_result");
    let reg_result = Place::from_bits(code).ok_or_else(|| format!("reg_result is {code}, which is not used"))?;
    let reg_rdata = next("reg_rdata");
    let lp = core::array::from_fn(|_| LpOut {
        irq: next("irq") != 0,
        irq_mode: next("irq_mode") as u8,
        irq_vector: next("irq_vector") as u8,
        lvt_vector: next("lvt_vector") as u8,
        lvt_mode: next("lvt_mode") as u8,
        lvt_mask: next("lvt_mask") != 0,
        pmi: next("pmi") != 0,
    });
    let general = core::array::from_fn(|_| {
        core::array::from_fn(|_| GeneralOut { overflow: next("overflow") != 0, pin: next("pin") != 0 })
    });
    let fixed = core::array::from_fn(|_| core::array::from_fn(|_| FixedOut { overflow: next("overflow") != 0 }));
    Ok(Outputs { reg_done, reg_result, reg_rdata, lp, general, fixed })
}
