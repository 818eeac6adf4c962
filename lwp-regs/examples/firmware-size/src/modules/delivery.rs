//! How an overflow gets to its handler: the gate, the local APIC's entry, the interrupt.

use crate::board::{input, input8, output};
use crate::failure::{Failed, OrTell};
use crate::machine::Machine;
use lwp_regs::delivery::{Gate64, Idt, LOCAL_PERFCTR_VECTOR, LocalApic, LvtPerformance, X2Apic, handle_overflow};

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let mut gates = [Gate64::ABSENT; 256];
    let mut idt = Idt::new(&mut gates, input() as u16);
    // SAFETY: the processor does not use this table.
    unsafe { idt.set_intr_gate(LOCAL_PERFCTR_VECTOR, input()) };
    // SAFETY: the processor does not use this table.
    unsafe { idt.set_trap_gate(input8(), input()) };
    // SAFETY: the processor does not use this table.
    unsafe { idt.set_system_gate(input8(), input()) };
    output(idt.gate(input8()).offset());
    let mut apic = X2Apic(machine);
    apic.set_lvt_performance(LvtPerformance::fixed(input8()).or_tell()?).or_tell()?;
    output(handle_overflow(&mut apic, |_| input()).or_tell()?);
    apic.set_lvt_performance(LvtPerformance::nmi().masked()).or_tell()?;
    let entry = LvtPerformance::check_write(LvtPerformance::new(), input(), &()).or_tell()?;
    output(entry.to_xapic());
    Ok(())
}
