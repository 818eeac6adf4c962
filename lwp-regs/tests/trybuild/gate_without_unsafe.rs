// A gate is where the processor jumps to; an address is not a handler.
use lwp_regs::delivery::{Gate64, Idt};

fn install(idt: &mut Idt<'_, Gate64>, address: u64) {
    idt.set_intr_gate(0xEE, address);
    idt.set_trap_gate(13, address);
    idt.set_system_gate(0x80, address);
}

fn main() {}
