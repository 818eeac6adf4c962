//! Computer with debug registers, for the functions of `lwp-regs` that access them.
//!
//! [`Machine`] is a core and a unit, which is the model or the Verilated RTL. It implements [`DebugBus`]: a MOV takes three cycles, in which the
//! core asks, makes the request, and has the answer. [`execute`](Machine::execute) retires an instruction, or delivers the #DB that
//! the unit raises before or behind it.

use crate::core::MachineFault;
use crate::device::RtlDevice;
use crate::rtl::{BuildId, Flavour, Rtl};
use lwp_model::debug::{Ask, Config, ConfigError, DbClass, DebugUnit, Inputs, Interrupted, Lane, Outputs};
use lwp_model::retire::{IntKind, Io, Mode, OpMode, RegOp, RegRequest, RegResult};
use lwp_model::{Moore, Unit};
use lwp_regs::access::{DebugBus, DebugRegister};
use std::fmt;

/// A core that retires one instruction in a cycle, and a unit.
pub struct Machine<D, const LANES: usize> {
    device: D,
    mode: Mode,
    /// CR4.DE.
    de: bool,
    /// Cycles since reset.
    cycles: u64,
}

/// A debug exception, as its handler finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Class of the exception.
    pub class: DbClass,
    /// RF of the image that was pushed.
    pub rf: bool,
}

impl<const LANES: usize, const ACCESSES: usize> Machine<DebugUnit<LANES, ACCESSES>, LANES> {
    /// Returns a machine with the model, after reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another.
    pub fn of_model(straps: &Config) -> Result<Self, ConfigError> {
        Ok(Self::new(DebugUnit::new(*straps)?))
    }
}

impl<U: Unit<Config = Config, Inputs = Inputs<LANES>, Outputs = Outputs, Error = ConfigError>, const LANES: usize>
    Machine<RtlDevice<U>, LANES>
{
    /// Returns a machine with a build of the RTL, after reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another.
    ///
    /// # Panics
    /// If the build is of another unit or size.
    pub fn of_rtl(build: BuildId, flavour: Flavour, straps: &Config) -> Result<Self, ConfigError> {
        straps.validate()?;
        Ok(Self::new(RtlDevice::new(Rtl::of::<U>(build, flavour, straps))))
    }
}

impl<D: Moore<Inputs = Inputs<LANES>, Outputs = Outputs>, const LANES: usize> Machine<D, LANES> {
    /// At level 0 in 64-bit mode, with CR4.DE.
    fn new(device: D) -> Self {
        Self { device, mode: Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 }, de: true, cycles: 0 }
    }

    /// Changes privilege level and operating mode.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// Changes CR4.DE.
    pub fn set_de(&mut self, de: bool) {
        self.de = de;
    }

    /// Cycles since reset.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Gives the unit back; of RTL, for its waves and its assertions.
    #[must_use]
    pub fn into_device(self) -> D {
        self.device
    }

    /// Executes an instruction with this I/O. If the unit raises #DB, it is delivered; of a fault the instruction has not been executed.
    pub fn execute(&mut self, lane: &Lane, io: Io) -> Option<Delivered> {
        let mut inputs = Inputs { io, ..Inputs::default() };
        inputs.lanes[0] = *lane;
        self.cycle(inputs);
        self.deliver(lane.retired.ip)
    }

    /// Delivers the pending #DB, if there is one, before the instruction at `from`.
    pub fn deliver(&mut self, from: u64) -> Option<Delivered> {
        let Outputs { db_valid, db_class: class, .. } = self.device.outputs();
        if !db_valid {
            return None;
        }
        let trap = class == DbClass::Trap;
        let int = Interrupted { valid: true, kind: IntKind::Exception, from, trap, ..Interrupted::default() };
        self.cycle(Inputs { db_ack: true, int, ..Inputs::default() });
        Some(Delivered { class, rf: self.device.outputs().frame_rf })
    }

    /// One cycle with these inputs, in the present mode.
    fn cycle(&mut self, inputs: Inputs<LANES>) {
        self.device.step(&Inputs { mode: self.mode, de: self.de, ..inputs });
        self.cycles += 1;
    }

    /// A MOV, asked for before.
    fn access(&mut self, op: RegOp, register: DebugRegister, wdata: u64) -> Result<u64, DebugException> {
        self.cycle(Inputs { ask: Ask { valid: true, ..Ask::default() }, ..Inputs::default() });
        let reg = RegRequest { valid: true, op, lp: 0, number: register as u32, wdata };
        self.cycle(Inputs { reg, ..Inputs::default() });
        let out = self.device.outputs();
        if out.reg_done && out.reg_result == RegResult::Debug {
            return Err(DebugException::Pending);
        }
        MachineFault::of_answer(out.reg_done, out.reg_result).map_err(DebugException::Fault)?;
        Ok(out.reg_rdata)
    }
}

/// What a MOV to or from a debug register raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugException {
    /// #DB by general detect, which is pending.
    Pending,
    /// Another exception.
    Fault(MachineFault),
}

#[allow(unsafe_code)] // stands for MOV to DR of a modelled processor
impl<D: Moore<Inputs = Inputs<LANES>, Outputs = Outputs>, const LANES: usize> DebugBus for Machine<D, LANES> {
    type Fault = DebugException;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, DebugException> {
        self.access(RegOp::ReadDr, register, 0)
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), DebugException> {
        self.access(RegOp::WriteDr, register, value).map(drop)
    }
}

impl<D, const LANES: usize> fmt::Debug for Machine<D, LANES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("mode", &self.mode).finish_non_exhaustive()
    }
}
