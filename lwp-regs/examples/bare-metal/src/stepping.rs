//! Single steps and INT3.

use crate::exceptions::{HANDLER, only};
use crate::serial::say;
use core::arch::asm;
use lwp_regs::bare_metal::BareMetal;
use lwp_regs::debug::{Dr6, ExceptionClass};

pub(crate) fn show(cpu: &mut BareMetal) {
    steps();
    int3(cpu);
}

fn steps() {
    let (mut first, mut last) = (0_u64, 0_u64);
    let step_until = HANDLER.step_until.as_ptr();
    let taken = HANDLER.during(|| {
        // SAFETY: sets TF; the handler clears it when it comes to the second label.
        unsafe {
            asm!(
                "lea {last}, [rip + 3f]",
                "mov [{step_until}], {last}",
                "lea {first}, [rip + 2f]",
                "pushfq",
                "or qword ptr [rsp], 0x100",
                "popfq",
                "2: nop",
                "nop",
                "nop",
                "3: nop",
                first = out(reg) first,
                last = out(reg) last,
                step_until = in(reg) step_until,
            );
        }
    });
    let mut next = first + 1; // not after POPF, which sets TF, but after the NOP that follows it
    for one in taken {
        let debug = one.debug.expect("a #DB");
        assert!(debug.status().bs() && debug.hits().is_empty());
        assert_eq!((one.rip, debug.class()), (next, ExceptionClass::Trap));
        assert!(one.flags.tf() && !one.flags_inside.tf(), "TF is saved, and clear in the handler");
        next += 1;
    }
    assert_eq!(next, last + 1, "three steps");
    say!("ok: single steps");
}

fn int3(cpu: &mut BareMetal) {
    let mut after = 0_u64;
    let taken = only(HANDLER.during(|| {
        // SAFETY: the handler of #BP goes on behind it.
        unsafe { asm!("int3", "2: lea {}, [rip + 2b]", out(reg) after) };
    }));
    assert_eq!((taken.vector, taken.rip), (3, after));
    assert_eq!(Dr6::read(cpu), Ok(Dr6::RESET), "#BP says nothing in DR6");
    say!("ok: INT3 is #BP, and a trap");
}
