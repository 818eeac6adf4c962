//! What stands for a parameter, and values that the list of the API does not tell how to make.

use crate::{Draw, below, draw};
use lwp_regs::access::{
    CounterBus, Cpuid, CpuidRegisters, DebugBus, DebugFault, DebugRegister, GeneralProtection, LwpInstructions, MsrBus,
    TimeBus,
};
use lwp_regs::delivery::{LocalApic, LvtPerformance};
use lwp_regs::itanium::{ItaniumBus, PmcBus};
use lwp_regs::lwp::LwpContextPort;
use lwp_regs::perf::p6::overflow::{OverflowPlatform, OverflowVector};
use lwp_regs::trace::{BtsRecord, PebsRecord, PmiHandler};
use std::convert::Infallible;

/// A machine whose registers read as anything, and where any access may fault.
#[derive(Clone, Copy, Debug)]
pub struct Bus;

/// A value, or a fault in one of eight accesses.
fn any<T: Draw, F>(fault: F) -> Result<T, F> {
    if below(8) == 0 { Err(fault) } else { draw().ok_or(fault) }
}

const GP: GeneralProtection = GeneralProtection::NoSuchRegister;

impl MsrBus for Bus {
    type Fault = GeneralProtection;

    unsafe fn rdmsr(&mut self, _: u32) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    unsafe fn wrmsr(&mut self, _: u32, _: u64) -> Result<(), GeneralProtection> {
        any(GP)
    }
}

impl CounterBus for Bus {
    type Fault = GeneralProtection;

    fn rdpmc(&mut self, _: u32) -> Result<u64, GeneralProtection> {
        any(GP)
    }
}

impl TimeBus for Bus {
    type Fault = GeneralProtection;

    fn rdtsc(&mut self) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    fn rdtscp(&mut self) -> Result<(u64, u32), GeneralProtection> {
        any(GP)
    }
}

impl DebugBus for Bus {
    type Fault = DebugFault;

    fn read_dr(&mut self, _: DebugRegister) -> Result<u64, DebugFault> {
        any(DebugFault::GeneralDetect)
    }

    unsafe fn write_dr(&mut self, _: DebugRegister, _: u64) -> Result<(), DebugFault> {
        any(DebugFault::GeneralDetect)
    }
}

impl LocalApic for Bus {
    type Fault = GeneralProtection;

    fn lvt_performance(&mut self) -> Result<LvtPerformance, GeneralProtection> {
        any(GP)
    }

    fn set_lvt_performance(&mut self, _: LvtPerformance) -> Result<(), GeneralProtection> {
        any(GP)
    }

    fn end_of_interrupt(&mut self) -> Result<(), GeneralProtection> {
        any(GP)
    }
}

impl PmcBus for Bus {
    type Fault = GeneralProtection;

    fn read_pmc(&mut self, _: u8) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    fn write_pmc(&mut self, _: u8, _: u64) -> Result<(), GeneralProtection> {
        any(GP)
    }

    fn read_pmd(&mut self, _: u8) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    fn write_pmd(&mut self, _: u8, _: u64) -> Result<(), GeneralProtection> {
        any(GP)
    }
}

impl ItaniumBus for Bus {
    fn read_ibr(&mut self, _: u8) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    fn write_ibr(&mut self, _: u8, _: u64) -> Result<(), GeneralProtection> {
        any(GP)
    }

    fn read_dbr(&mut self, _: u8) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    fn write_dbr(&mut self, _: u8, _: u64) -> Result<(), GeneralProtection> {
        any(GP)
    }

    fn read_dcr(&mut self) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    fn write_dcr(&mut self, _: u64) -> Result<(), GeneralProtection> {
        any(GP)
    }

    fn read_psr(&mut self) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    fn write_psr(&mut self, _: u64) -> Result<(), GeneralProtection> {
        any(GP)
    }
}

impl LwpContextPort for Bus {
    type Fault = GeneralProtection;

    unsafe fn save_word(&mut self, _: u8) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    unsafe fn restore_word(&mut self, _: u8, _: u64) -> Result<(), GeneralProtection> {
        any(GP)
    }
}

impl LwpInstructions for Bus {
    type Fault = GeneralProtection;

    unsafe fn llwpcb(&mut self, _: u64) -> Result<u64, GeneralProtection> {
        any(GP)
    }

    unsafe fn slwpcb(&mut self) -> Result<u64, GeneralProtection> {
        any(GP)
    }
}

impl OverflowPlatform for Bus {
    type Fault = GeneralProtection;

    fn provide_vector(&mut self) -> Result<OverflowVector, GeneralProtection> {
        any(GP)
    }

    fn install_stub(&mut self, _: OverflowVector) -> Result<(), GeneralProtection> {
        any(GP)
    }

    fn initialise_lvt(&mut self, _: OverflowVector) -> Result<(), GeneralProtection> {
        any(GP)
    }

    fn install_driver(&mut self, _: OverflowVector) -> Result<(), GeneralProtection> {
        any(GP)
    }
}

impl Draw for Bus {
    fn draw() -> Option<Self> {
        Some(Self)
    }
}

/// A processor that answers every leaf with anything.
#[derive(Clone, Copy, Debug)]
pub struct Leaves;

impl Cpuid for Leaves {
    fn cpuid(&self, leaf: u32, _: u32) -> CpuidRegisters {
        let any = [(); 4].map(|()| draw().unwrap_or(0));
        match (leaf, below(4)) {
            (0, 0) => [0x20, 0x6874_7541, 0x444D_4163, 0x6974_6E65],
            (0, _) => [0x20, 0x756E_6547, 0x6C65_746E, 0x4965_6E69],
            (0x8000_0000, _) => [0x8000_0028, any[1], any[2], any[3]],
            _ => any,
        }
    }
}

impl Draw for Leaves {
    fn draw() -> Option<Self> {
        Some(Self)
    }
}

/// A handler that does nothing.
#[derive(Clone, Copy, Debug)]
pub struct Sink;

impl PmiHandler for Sink {
    fn branch(&mut self, _: BtsRecord) {}
    fn precise(&mut self, _: PebsRecord) {}
    fn counters(&mut self, _: u64) {}
}

impl Draw for Sink {
    fn draw() -> Option<Self> {
        Some(Self)
    }
}

/// A machine that cannot fault.
#[derive(Clone, Copy, Debug)]
pub struct Sure;

impl MsrBus for Sure {
    type Fault = Infallible;

    unsafe fn rdmsr(&mut self, _: u32) -> Result<u64, Infallible> {
        Ok(draw().unwrap_or(0))
    }

    unsafe fn wrmsr(&mut self, _: u32, _: u64) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Draw for Sure {
    fn draw() -> Option<Self> {
        Some(Self)
    }
}
