//! Branch records in registers: stack, filter, freeze, branch steps, the last exception.

use crate::board::{input, input8, output};
use crate::failure::{Failed, OrTell};
use crate::machine::Machine;
use lwp_regs::trace::{
    BranchStep, DebugCtl, DebugCtlCaps, FreezeOnPmi, LastException, LbrBranches, LbrFormat, LbrLayout, LbrSelect,
    LbrStack, UntracedDebugCtl,
};

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let (format, caps) = (LbrFormat::from_perf_capabilities(input()), DebugCtlCaps::detect(machine, input()));
    let layout = LbrLayout::for_model(input8(), input8()).or_tell()?;
    let stack = LbrStack::new(layout, format).or_tell()?;
    if let Some(select) = layout.select() {
        select.write_unchecked(machine, LbrSelect::only(LbrBranches::from_bits_truncate(input() as _))).or_tell()?;
    }
    let lbr = UntracedDebugCtl::without_trace(DebugCtl::new().with_lbr(true));
    DebugCtl::modify(machine, DebugCtl::new(), lbr).or_tell()?;
    FreezeOnPmi::BOTH.arm(machine).or_tell()?;
    stack.still(machine, |machine, still| {
        output(still.is_certain());
        for record in stack.newest_first(machine).or_tell()? {
            let record = record.or_tell()?;
            output(record.from);
            output(record.to);
            output(record.mispredicted == Some(true));
        }
        Ok(())
    })
    .or_tell()??;
    output(FreezeOnPmi::lbrs_are_frozen(machine).or_tell()?);
    FreezeOnPmi::thaw_lbrs(machine).or_tell()?;
    stack.clear(machine).or_tell()?;

    output(BranchStep::recording().arm(machine, input()).or_tell()?);
    if let Some(record) = LastException::read(machine).or_tell()?.decode(format) {
        output(record.from);
    }
    output(DebugCtl::check_write(DebugCtl::new(), input(), &caps).or_tell()?.into_bits());
    Ok(())
}
