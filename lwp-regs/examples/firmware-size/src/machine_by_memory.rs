//! The processor as a management controller reaches it: by words in memory, one for the number of a register, one for
//! its content, and one that says whether the access faulted.

use crate::board::word;
use lwp_regs::access::{
    CounterBus, Cpuid, CpuidRegisters, DebugBus, DebugRegister, GeneralProtection, MsrBus, TimeBus,
};

/// What an access yields that fails.
pub type Fault = GeneralProtection;

/// Every way to the registers.
#[derive(Clone, Copy, Debug)]
pub struct Machine;

/// The processor behind the words.
pub fn machine() -> Machine {
    Machine
}

/// Which instruction the words stand for.
#[derive(Clone, Copy)]
enum Command {
    Rdmsr = 0x100,
    Wrmsr = 0x200,
    Rdpmc = 0x300,
    Rdtsc = 0x400,
    ReadDr = 0x500,
    WriteDr = 0x600,
    Cpuid = 0x700,
}

impl Machine {
    /// Has an access done: what it reads, or that it faulted.
    fn access(command: Command, number: u32, value: u64) -> Result<u64, Fault> {
        let [port, content, status] = [2, 3, 4].map(word);
        // SAFETY: the controller has this word.
        unsafe { content.write_volatile(value) };
        // SAFETY: as above; this one starts the access.
        unsafe { port.write_volatile((command as u64) << 32 | u64::from(number)) };
        // SAFETY: as above.
        if unsafe { status.read_volatile() } != 0 {
            return Err(GeneralProtection::NoSuchRegister);
        }
        // SAFETY: as above.
        Ok(unsafe { content.read_volatile() })
    }
}

impl MsrBus for Machine {
    type Fault = Fault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Fault> {
        Self::access(Command::Rdmsr, address, 0)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Fault> {
        Self::access(Command::Wrmsr, address, value).map(drop)
    }
}

impl CounterBus for Machine {
    type Fault = Fault;

    fn rdpmc(&mut self, selector: u32) -> Result<u64, Fault> {
        Self::access(Command::Rdpmc, selector, 0)
    }
}

impl TimeBus for Machine {
    type Fault = Fault;

    fn rdtsc(&mut self) -> Result<u64, Fault> {
        Self::access(Command::Rdtsc, 0, 0)
    }

    fn rdtscp(&mut self) -> Result<(u64, u32), Fault> {
        let now = Self::access(Command::Rdtsc, 1, 0)?;
        Ok((now, Self::access(Command::Rdtsc, 2, 0)? as u32))
    }
}

impl DebugBus for Machine {
    type Fault = Fault;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, Fault> {
        Self::access(Command::ReadDr, register as u32, 0)
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), Fault> {
        Self::access(Command::WriteDr, register as u32, value).map(drop)
    }
}

impl Cpuid for Machine {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        [0, 1, 2, 3]
            .map(|register| Self::access(Command::Cpuid, leaf, u64::from(subleaf) << 2 | register).unwrap_or(0) as u32)
    }
}
