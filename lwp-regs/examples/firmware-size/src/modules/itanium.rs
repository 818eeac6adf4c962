//! Event qualification of the Itanium: plans, filters, the handler of an overflow. Its registers are words of the board.

use crate::board::{flag, input, input8, input32, output, word};
use crate::failure::{Failed, OrTell, tell};
use crate::machine::Machine;
use lwp_regs::bits::U7;
use lwp_regs::itanium::{
    Counter, Dcr, Depth, Frozen, Instruction, Ism, MonitorPlan, Pmc45, Pmc89, PmcBus, PmcFault, Pmd, Psr,
    QualificationMode, Ranges, Scope, SlotType, TagRegisters,
};

/// The two register files.
struct Files;

impl PmcBus for Files {
    type Fault = PmcFault;

    fn read_pmc(&mut self, index: u8) -> Result<u64, PmcFault> {
        // SAFETY: the board has the file here.
        Ok(unsafe { word(64 + usize::from(index)).read_volatile() })
    }

    fn write_pmc(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        // SAFETY: as above.
        unsafe { word(64 + usize::from(index)).write_volatile(value) };
        Ok(())
    }

    fn read_pmd(&mut self, index: u8) -> Result<u64, PmcFault> {
        // SAFETY: as above.
        Ok(unsafe { word(96 + usize::from(index)).read_volatile() })
    }

    fn write_pmd(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        // SAFETY: as above.
        unsafe { word(96 + usize::from(index)).write_volatile(value) };
        Ok(())
    }
}

pub fn run(_machine: &mut Machine) -> Result<(), Failed> {
    let scope = if flag() { Scope::SingleProcess } else { Scope::SystemWide };
    let plan = MonitorPlan::new(scope, if flag() { Depth::User } else { Depth::UserAndKernel });
    let pmc = Pmc45::new().with_es(U7::masked(input8())).with_monitor(plan.monitor(Ism::Ia64Only));
    let instruction = Instruction { slot: SlotType::M, encoding: input() };
    let filter = Pmc89::for_instruction(instruction, input());
    let mode = if flag() { QualificationMode::Opcode(filter) } else { QualificationMode::of(filter, input().into(), input().into()) };
    mode.ism_warnings(&[(4, pmc.monitor())]).for_each(|warning| output(warning.index));
    mode.apply(&mut Files).or_tell()?;
    Counter::Four.write(&mut Files, Pmd::of(input32())).or_tell()?;
    Pmc45::PMC4.write(&mut Files, pmc).or_tell()?;
    let psr = plan.psr(Psr::from_bits(input()), flag());
    output(psr.into_bits());
    output(plan.dcr(Dcr::from_bits(input())).into_bits());

    let registers = TagRegisters { pmc8: filter, pmc9: filter, pmc11: input().into(), pmc13: input().into() };
    let tags = registers.tags(psr, instruction, Ranges { in_ibr: flag(), in_dbr: Some(flag()) });
    output(tags.pmc8.is_hit() && tags.dbr.passes());

    let frozen = Frozen::freeze(Files).map_err(|(_, fault)| tell(&fault))?;
    let mut saved = frozen.save().map_err(|(_, fault)| tell(&fault))?;
    output(saved.snapshot().count(Counter::Four).count());
    saved.load(Counter::Four, Pmd::of(input32())).or_tell()?;
    saved.thaw().map_err(|(_, fault)| tell(&fault))?;
    Ok(())
}
