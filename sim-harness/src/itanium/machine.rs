//! Computer with the unit, for the functions of `lwp-regs` that access one.
//!
//! [`Machine`] is a processor: the unit, which is the model or the Verilated RTL, and what it is shown. [`Core`] is a program at a
//! privilege level and implements [`ItaniumBus`]: an instruction takes two cycles, the one of its request and the one of the answer.

pub use super::ia64::File;

use crate::device::RtlDevice;
use crate::rtl::{BuildId, Flavour, Rtl};
use lwp_model::itanium::{Config, Inputs, Itanium, Outputs, RegOp, RegRequest, RegResult};
use lwp_model::{Moore, Unit};
use lwp_regs::bits::U2;
use lwp_regs::itanium::{ItaniumBus, PmcBus, PmcFault, Psr};
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;

impl File {
    /// Returns the number of a request for register `index` of the file.
    #[must_use]
    pub const fn number(self, index: u8) -> u32 {
        let file = match self {
            Self::Pmc => 0,
            Self::Pmd => 1,
            Self::Ibr => 2,
            Self::Dbr => 3,
            Self::Cr => 4,
        };
        file << 8 | index as u32
    }
}

/// Processor: the unit and the cycles that it has run.
pub struct Machine<D>(RefCell<Board<D>>);

struct Board<D> {
    device: D,
    /// Cycles since reset.
    cycles: u64,
}

impl<const BUNDLES: usize, const ENTRIES: usize> Machine<Itanium<BUNDLES, ENTRIES>> {
    /// Returns a machine with the model, after reset.
    #[must_use]
    pub fn of_model(straps: Config) -> Self {
        Self::new(Itanium::new(straps).unwrap_or_else(|error| match error {}))
    }
}

impl<const BUNDLES: usize, U> Machine<RtlDevice<U>>
where
    U: Unit<Config = Config, Inputs = Inputs<BUNDLES>, Outputs = Outputs, Error = Infallible>,
{
    /// Returns a machine with a build of the RTL, after reset.
    ///
    /// # Panics
    ///
    /// If the build is of another unit or size.
    #[must_use]
    pub fn of_rtl(build: BuildId, flavour: Flavour, straps: &Config) -> Self {
        Self::new(RtlDevice::new(Rtl::of::<U>(build, flavour, straps)))
    }
}

impl<const BUNDLES: usize, D: Moore<Inputs = Inputs<BUNDLES>, Outputs = Outputs>> Machine<D> {
    /// Returns a machine around a unit after reset.
    #[must_use]
    pub fn new(device: D) -> Self {
        Self(RefCell::new(Board { device, cycles: 0 }))
    }

    /// Returns a program at privilege level 0.
    #[must_use]
    pub fn core(&self) -> Core<'_, D> {
        Core { machine: self, cpl: 0 }
    }

    /// Runs one cycle in which the core shows this.
    pub fn show(&self, inputs: &Inputs<BUNDLES>) {
        let mut board = self.0.borrow_mut();
        board.device.step(inputs);
        board.cycles += 1;
    }

    /// Returns what the unit shows now.
    #[must_use]
    pub fn outputs(&self) -> Outputs {
        self.0.borrow().device.outputs()
    }

    /// Returns the number of cycles since reset.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.0.borrow().cycles
    }

    /// Returns the unit; of RTL, for its waves and its assertions.
    #[must_use]
    pub fn into_device(self) -> D {
        self.0.into_inner().device
    }
}

impl<D> fmt::Debug for Machine<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").finish_non_exhaustive()
    }
}

/// Program at a privilege level.
#[derive(Debug)]
pub struct Core<'a, D> {
    machine: &'a Machine<D>,
    cpl: u8,
}

impl<const BUNDLES: usize, D: Moore<Inputs = Inputs<BUNDLES>, Outputs = Outputs>> Core<'_, D> {
    /// Returns the same program at this level.
    #[must_use]
    pub fn at(self, cpl: u8) -> Self {
        Self { cpl, ..self }
    }

    /// Executes an instruction that the unit answers.
    ///
    /// # Errors
    ///
    /// The fault of the instruction.
    ///
    /// # Panics
    ///
    /// If the unit does not answer, or not as its contract says.
    pub fn execute(&mut self, op: RegOp, number: u32, wdata: u64) -> Result<u64, PmcFault> {
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        self.machine.show(&Inputs { cpl: self.cpl, reg, ..Inputs::default() });
        let out = self.machine.outputs();
        self.machine.show(&Inputs { cpl: self.cpl, ..Inputs::default() });
        assert!(out.reg_done, "the unit does not answer");
        match out.reg_result {
            RegResult::Done => Ok(out.reg_rdata),
            RegResult::PrivilegedOperation => Err(PmcFault::PrivilegedOperation),
            RegResult::ReservedRegister => Err(PmcFault::ReservedRegister(number as u8)),
            other => panic!("the unit answers {other:?}"),
        }
    }

    /// Reads a register: mov r = file\[index\].
    ///
    /// # Errors
    ///
    /// The fault of the instruction.
    pub fn read(&mut self, file: File, index: u8) -> Result<u64, PmcFault> {
        self.execute(RegOp::ReadFile, file.number(index), 0)
    }

    /// Writes a register: mov file\[index\] = r.
    ///
    /// # Errors
    ///
    /// The fault of the instruction.
    pub fn write(&mut self, file: File, index: u8, value: u64) -> Result<(), PmcFault> {
        self.execute(RegOp::WriteFile, file.number(index), value).map(drop)
    }
}

impl<const BUNDLES: usize, D: Moore<Inputs = Inputs<BUNDLES>, Outputs = Outputs>> PmcBus for Core<'_, D> {
    type Fault = PmcFault;

    fn read_pmc(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.read(File::Pmc, index)
    }

    fn write_pmc(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.write(File::Pmc, index, value)
    }

    fn read_pmd(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.read(File::Pmd, index)
    }

    fn write_pmd(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.write(File::Pmd, index, value)
    }
}

impl<const BUNDLES: usize, D: Moore<Inputs = Inputs<BUNDLES>, Outputs = Outputs>> ItaniumBus for Core<'_, D> {
    fn read_ibr(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.read(File::Ibr, index)
    }

    fn write_ibr(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.write(File::Ibr, index, value)
    }

    fn read_dbr(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.read(File::Dbr, index)
    }

    fn write_dbr(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.write(File::Dbr, index, value)
    }

    fn read_dcr(&mut self) -> Result<u64, PmcFault> {
        self.read(File::Cr, 0)
    }

    fn write_dcr(&mut self, value: u64) -> Result<(), PmcFault> {
        self.write(File::Cr, 0, value)
    }

    /// Reads what the unit has of the PSR from its outputs, and the level; the core has the other bits.
    fn read_psr(&mut self) -> Result<u64, PmcFault> {
        if self.cpl != 0 {
            return Err(PmcFault::PrivilegedOperation);
        }
        let Outputs { psr_up, psr_sp, psr_pp, .. } = self.machine.outputs();
        let psr = Psr::new().with_up(psr_up).with_sp(psr_sp).with_pp(psr_pp).with_cpl(U2::masked(self.cpl));
        Ok(psr.into_bits())
    }

    fn write_psr(&mut self, value: u64) -> Result<(), PmcFault> {
        self.execute(RegOp::WritePsrL, 0, value).map(drop)
    }
}
