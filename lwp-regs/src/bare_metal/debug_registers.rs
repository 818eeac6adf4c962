//! MOV to and from debug registers.
#![allow(unsafe_code)] // executes the instructions

use super::BareMetal;
use crate::access::{DebugBus, DebugRegister};
use core::arch::asm;
use core::convert::Infallible;

/// The register is part of the opcode, so there is one instruction for each. They leave the flags undefined, hence no
/// `preserves_flags`; and they are not `nomem`, so that an access to memory stays on its side of them: before or after
/// a breakpoint is armed, before or after its hit is looked for.
macro_rules! mov_from {
    ($dr:literal) => {{
        let value: u64;
        // SAFETY: privileged code, as `new` asks for. Reading changes nothing but DR7.GD, whose #DB is the system's.
        unsafe {
            asm!(concat!("mov {}, ", $dr), out(reg) value, options(nostack));
        }
        value
    }};
}

/// See [`mov_from`].
macro_rules! mov_to {
    ($dr:literal, $value:expr) => {{
        let value: u64 = $value;
        // SAFETY: privileged code, as `new` asks for; the caller has a #DB handler for what it arms.
        unsafe {
            asm!(concat!("mov ", $dr, ", {}"), in(reg) value, options(nostack));
        }
    }};
}

/// Source: Intel SDM volume 2, "MOV - Move to/from Debug Registers".
impl DebugBus for BareMetal {
    type Fault = Infallible;

    #[inline]
    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, Infallible> {
        Ok(match register {
            DebugRegister::Dr0 => mov_from!("dr0"),
            DebugRegister::Dr1 => mov_from!("dr1"),
            DebugRegister::Dr2 => mov_from!("dr2"),
            DebugRegister::Dr3 => mov_from!("dr3"),
            DebugRegister::Dr4 => mov_from!("dr4"),
            DebugRegister::Dr5 => mov_from!("dr5"),
            DebugRegister::Dr6 => mov_from!("dr6"),
            DebugRegister::Dr7 => mov_from!("dr7"),
        })
    }

    #[inline]
    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), Infallible> {
        match register {
            DebugRegister::Dr0 => mov_to!("dr0", value),
            DebugRegister::Dr1 => mov_to!("dr1", value),
            DebugRegister::Dr2 => mov_to!("dr2", value),
            DebugRegister::Dr3 => mov_to!("dr3", value),
            DebugRegister::Dr4 => mov_to!("dr4", value),
            DebugRegister::Dr5 => mov_to!("dr5", value),
            DebugRegister::Dr6 => mov_to!("dr6", value),
            DebugRegister::Dr7 => mov_to!("dr7", value),
        }
        Ok(())
    }
}
