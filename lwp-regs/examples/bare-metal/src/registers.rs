//! RDMSR, WRMSR and MOV to and from debug registers, as far as nothing happens.

use crate::exceptions::{HANDLER, only};
use crate::serial::say;
use core::arch::asm;
use lwp_regs::access::{DebugBus, DebugRegister, MsrBus, TimeBus};
use lwp_regs::bare_metal::BareMetal;
use lwp_regs::debug::{Breakpoint, BreakpointLimits, BreakpointSet, DebugCaps, Dr6, Dr7, Length, Slot};

const IA32_TSC_AUX: u32 = 0xC000_0103;

pub(crate) fn show(cpu: &mut BareMetal) {
    msrs(cpu);
    debug_registers(cpu);
    aliases(cpu);
}

fn msrs(cpu: &mut BareMetal) {
    // SAFETY: the register is a number for user software, and there is none.
    let Ok(()) = unsafe { cpu.wrmsr(IA32_TSC_AUX, 0x89AB_CDEF) };
    // SAFETY: reading it has no effect.
    let Ok(value) = unsafe { cpu.rdmsr(IA32_TSC_AUX) };
    let Ok((_, aux)) = cpu.rdtscp();
    assert_eq!((value, aux), (0x89AB_CDEF, 0x89AB_CDEF));
    say!("ok: IA32_TSC_AUX reads back, by RDTSCP too");
}

fn debug_registers(cpu: &mut BareMetal) {
    assert_eq!(Dr6::read(cpu), Ok(Dr6::RESET));
    assert_eq!(Dr7::read(cpu), Ok(Dr7::RESET));
    say!("ok: DR6 and DR7 have their reset values");

    let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);
    let mut set = BreakpointSet::new();
    for (slot, length) in Slot::ALL.into_iter().zip([Length::One, Length::Two, Length::Four, Length::Eight]) {
        let place = 0x1234_5600_0000 + 8 * slot.number() as u64;
        set.set(slot, Breakpoint::write(place, length), &limits).expect("a valid breakpoint");
    }
    // SAFETY: there is a handler, and nobody writes there.
    let Ok(()) = unsafe { set.arm(cpu) };
    assert_eq!(BreakpointSet::read(cpu), Ok(set));
    let Ok(_) = Dr7::disarm(cpu);
    say!("ok: breakpoints read back");
}

/// DR4 and DR5 are other names while CR4.DE is 0, and nothing while it is 1.
fn aliases(cpu: &mut BareMetal) {
    set_debugging_extensions(false);
    let pairs = [(DebugRegister::Dr4, DebugRegister::Dr6), (DebugRegister::Dr5, DebugRegister::Dr7)];
    for (alias, register) in pairs {
        assert_eq!(cpu.read_dr(alias), cpu.read_dr(register));
    }
    set_debugging_extensions(true);
    let taken = only(HANDLER.during(|| {
        let after_invalid = HANDLER.after_invalid.as_ptr();
        // SAFETY: #UD is what is expected; the handler goes on at the label.
        unsafe {
            asm!("lea {0}, [rip + 2f]", "mov [{1}], {0}", "mov {0}, dr4", "2:", out(reg) _, in(reg) after_invalid);
        }
    }));
    assert_eq!(taken.vector, 6);
    say!("ok: DR4 and DR5 by CR4.DE");
}

/// Sets CR4.DE, which also decides whether there are I/O breakpoints.
pub(crate) fn set_debugging_extensions(on: bool) {
    let bit = 1 << BreakpointLimits::CR4_DE;
    let mut cr4: u64;
    // SAFETY: reads CR4, which is allowed at level 0.
    unsafe { asm!("mov {}, cr4", out(reg) cr4, options(nomem, nostack, preserves_flags)) };
    cr4 = if on { cr4 | bit } else { cr4 & !bit };
    // SAFETY: changes DE only, which has no effect on memory.
    unsafe { asm!("mov cr4, {}", in(reg) cr4, options(nostack, preserves_flags)) };
}
