//! Computer with a time-stamp counter, for the functions of `lwp-regs` that access one.
//!
//! [`Machine`] is a board: clocks, pins and a unit, which is the model or the Verilated RTL. [`Core`] is one of its logical processors
//! and implements [`MsrBus`], [`TimeBus`] and [`Cpuid`]: an instruction takes two cycles, the one of its request and the one of the
//! answer.

use crate::core::MachineFault;
use crate::device::RtlDevice;
use crate::rtl::{BuildId, Flavour, Rtl};
use lwp_model::retire::{OpMode, Processor, RegOp, RegRequest};
use lwp_model::tsc::{Config, ConfigError, Inputs, Outputs, Tsc};
use lwp_model::{Moore, Unit};
use lwp_regs::access::{Cpuid, CpuidRegisters, MsrBus, TimeBus};
use std::cell::RefCell;
use std::fmt;

/// Board and unit. Shared by the cores, as a processor is by its threads.
pub struct Machine<D>(RefCell<Board<D>>);

/// What is on the board.
struct Board<D> {
    device: D,
    straps: Config,
    /// Cycles since reset.
    cycles: u64,
    /// The pins; ticks apart.
    pins: Processor,
    /// Cycles from one tick of the crystal to the next.
    crystal: u64,
    /// Cycles from one tick of the bus clock to the next.
    bus: u64,
    /// CR4.TSD.
    tsd: bool,
}

impl<const LP: usize> Machine<Tsc<LP>> {
    /// Returns a machine with the model, after reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another.
    pub fn of_model(straps: &Config) -> Result<Self, ConfigError> {
        Ok(Self::new(Tsc::new(*straps)?, straps))
    }
}

impl<U: Unit<Config = Config, Inputs = Inputs, Outputs = Outputs, Error = ConfigError>> Machine<RtlDevice<U>> {
    /// Returns a machine with a build of the RTL, after reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another.
    ///
    /// # Panics
    /// If the build is of another unit or size.
    pub fn of_rtl(build: BuildId, flavour: Flavour, straps: &Config) -> Result<Self, ConfigError> {
        straps.validate()?;
        Ok(Self::new(RtlDevice::new(Rtl::of::<U>(build, flavour, straps)), straps))
    }
}

impl<D: Moore<Inputs = Inputs, Outputs = Outputs>> Machine<D> {
    /// Returns a machine around a unit that has these straps, after reset. Both clocks tick in every cycle, and the core clock is as
    /// fast as the bus clock.
    #[must_use]
    pub fn new(device: D, straps: &Config) -> Self {
        let pins = Processor { core_ratio: 2, ..Processor::default() };
        Self(RefCell::new(Board { device, straps: *straps, cycles: 0, pins, crystal: 1, bus: 1, tsd: false }))
    }

    /// A logical processor, at level 0 in 64-bit mode.
    #[must_use]
    pub fn core(&self, lp: u8) -> Core<'_, D> {
        Core { machine: self, lp, cpl: 0, op_mode: OpMode::Long64 }
    }

    /// Sets the pins and the ratio from now on. The ticks in it are ignored.
    pub fn set_pins(&self, pins: Processor) {
        self.0.borrow_mut().pins = pins;
    }

    /// From now on the crystal ticks every `crystal` cycles and the bus clock every `bus` cycles; at least 1.
    pub fn set_clocks(&self, crystal: u64, bus: u64) {
        let mut board = self.0.borrow_mut();
        (board.crystal, board.bus) = (crystal.max(1), bus.max(1));
    }

    /// Sets CR4.TSD of all logical processors from now on.
    pub fn set_tsd(&self, tsd: bool) {
        self.0.borrow_mut().tsd = tsd;
    }

    /// Lets cycles go by in which nothing is asked.
    pub fn run(&self, cycles: u64) {
        let mut board = self.0.borrow_mut();
        (0..cycles).for_each(|_| board.cycle(&Inputs::default()));
    }

    /// Cycles since reset.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.0.borrow().cycles
    }

    /// Gives the unit back; of RTL, for its waves and its assertions.
    #[must_use]
    pub fn into_device(self) -> D {
        self.0.into_inner().device
    }
}

impl<D: Moore<Inputs = Inputs, Outputs = Outputs>> Board<D> {
    /// One cycle with this mode and request.
    fn cycle(&mut self, asked: &Inputs) {
        let tick = |every: u64| self.cycles.is_multiple_of(every);
        let processor = Processor { bus_tick: tick(self.bus), crystal_tick: tick(self.crystal), ..self.pins };
        self.device.step(&Inputs { processor, tsd: self.tsd, ..*asked });
        self.cycles += 1;
    }
}

impl<D> fmt::Debug for Machine<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").finish_non_exhaustive()
    }
}

/// A logical processor at a level.
#[derive(Debug)]
pub struct Core<'a, D> {
    machine: &'a Machine<D>,
    lp: u8,
    cpl: u8,
    op_mode: OpMode,
}

impl<D: Moore<Inputs = Inputs, Outputs = Outputs>> Core<'_, D> {
    /// The same processor in this mode at this level.
    #[must_use]
    pub fn at(self, op_mode: OpMode, cpl: u8) -> Self {
        Self { op_mode, cpl, ..self }
    }

    /// Executes an instruction: EDX:EAX and ECX.
    fn execute(&mut self, op: RegOp, number: u32, wdata: u64) -> Result<(u64, u32), MachineFault> {
        let mut board = self.machine.0.borrow_mut();
        let reg = RegRequest { valid: true, op, lp: self.lp, number, wdata };
        board.cycle(&Inputs { cpl: self.cpl, op_mode: self.op_mode, reg, ..Inputs::default() });
        let out = board.device.outputs();
        board.cycle(&Inputs::default());
        MachineFault::of_answer(out.reg_done, out.reg_result).map(|()| (out.reg_rdata, out.reg_aux))
    }
}

impl<D: Moore<Inputs = Inputs, Outputs = Outputs>> MsrBus for Core<'_, D> {
    type Fault = MachineFault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, MachineFault> {
        self.execute(RegOp::Rdmsr, address, 0).map(|(value, _)| value)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), MachineFault> {
        self.execute(RegOp::Wrmsr, address, value).map(drop)
    }
}

impl<D: Moore<Inputs = Inputs, Outputs = Outputs>> TimeBus for Core<'_, D> {
    type Fault = MachineFault;

    fn rdtsc(&mut self) -> Result<u64, MachineFault> {
        self.execute(RegOp::Rdtsc, 0, 0).map(|(time, _)| time)
    }

    fn rdtscp(&mut self) -> Result<(u64, u32), MachineFault> {
        self.execute(RegOp::Rdtscp, 0, 0)
    }
}

impl<D> Cpuid for Core<'_, D> {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        self.machine.0.borrow().straps.cpuid(None).cpuid(leaf, subleaf)
    }
}
