//! Computer with performance counters, for the functions of `lwp-regs` that access them.
//!
//! [`Machine`] is a board: clocks, a program, and a unit, which is the model or the Verilated RTL. [`Core`] is one of its logical
//! processors and implements [`MsrBus`], [`CounterBus`], [`Cpuid`] and [`LocalApic`]: an access takes two cycles, the one of its request
//! and the one of the answer, in which the clocks go on and nothing retires.

use crate::core::MachineFault;
use crate::device::RtlDevice;
use crate::rtl::{BuildId, Flavour, Rtl};
use lwp_model::perf::{Apic, Config, ConfigError, Inputs, Outputs, Perf, Personality, X2apic};
use lwp_model::retire::{OpMode, RegOp, RegRequest};
use lwp_model::{Moore, Unit};
use lwp_regs::access::{CounterBus, Cpuid, CpuidRegisters, MsrBus};
use lwp_regs::bits::U3;
use lwp_regs::delivery::{LocalApic, LvtPerformance};
use lwp_regs::perf::p6::P6Model;
use std::cell::RefCell;
use std::fmt;

/// Number of the x2APIC's end-of-interrupt register, which is not a register of the unit.
const END_OF_INTERRUPT: u32 = 0x80B;

/// Board and unit. Shared by the cores, as a processor is by its threads.
pub struct Machine<D>(RefCell<Board<D>>);

/// What is on the board.
struct Board<D> {
    device: D,
    straps: Config,
    /// Cycles since reset.
    cycles: u64,
    /// CR4.PCE.
    pce: bool,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>
    Machine<Perf<LP, GENERAL, FIXED, LANES>>
{
    /// Returns a machine with the model, after reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    pub fn of_model(straps: &Config) -> Result<Self, ConfigError> {
        Ok(Self::new(Perf::new(*straps)?, straps))
    }
}

impl<U: Unit<Config = Config, Error = ConfigError>> Machine<RtlDevice<U>> {
    /// Returns a machine with a build of the RTL, after reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    ///
    /// # Panics
    /// If the build is of another unit or size.
    pub fn of_rtl(build: BuildId, flavour: Flavour, straps: &Config) -> Result<Self, ConfigError> {
        U::new(*straps)?;
        Ok(Self::new(RtlDevice::new(Rtl::of::<U>(build, flavour, straps)), straps))
    }
}

impl<D> Machine<D> {
    /// Returns a machine around a unit that has these straps, after reset.
    #[must_use]
    pub fn new(device: D, straps: &Config) -> Self {
        Self(RefCell::new(Board { device, straps: *straps, cycles: 0, pce: false }))
    }

    /// A logical processor, at level 0 in 64-bit mode.
    #[must_use]
    pub const fn core(&self, lp: u8) -> Core<'_, D> {
        Core { machine: self, lp, cpl: 0, op_mode: OpMode::Long64 }
    }

    /// Sets CR4.PCE of all logical processors from now on.
    pub fn set_pce(&self, pce: bool) {
        self.0.borrow_mut().pce = pce;
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

impl<D, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Machine<D>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    /// Runs a program: what the processor shows in each cycle. Clocks tick in every cycle, and the levels are those of the program.
    pub fn run(&self, program: impl IntoIterator<Item = Inputs<LP, LANES>>) {
        let mut board = self.0.borrow_mut();
        program.into_iter().for_each(|inputs| board.cycle(&inputs));
    }

    /// Runs a program until a logical processor is interrupted; returns the cycles that it took. What is left of it does not run.
    pub fn run_until_interrupt(&self, lp: u8, program: impl IntoIterator<Item = Inputs<LP, LANES>>) -> Option<u64> {
        let mut board = self.0.borrow_mut();
        let first = board.cycles;
        for inputs in program {
            board.cycle(&inputs);
            if board.device.outputs().lp[usize::from(lp)].irq {
                return Some(board.cycles - first);
            }
        }
        None
    }

    /// Whether a logical processor has a pending interrupt.
    pub fn is_interrupted(&self, lp: u8) -> bool {
        self.0.borrow().device.outputs().lp[usize::from(lp)].irq
    }

    /// Takes the pending interrupt of a logical processor: its vector, in the cycle of the acknowledgement.
    pub fn take_interrupt(&self, lp: u8) -> Option<u8> {
        let mut board = self.0.borrow_mut();
        let shown = board.device.outputs().lp[usize::from(lp)];
        if !shown.irq {
            return None;
        }
        let mut inputs = Inputs::default();
        inputs.lp[usize::from(lp)].irq_ack = true;
        board.cycle(&inputs);
        Some(shown.irq_vector)
    }
}

impl<D, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Board<D>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    fn cycle(&mut self, shown: &Inputs<LP, LANES>) {
        let mut inputs = Inputs { core_clock: true, bus_tick: true, core_ratio: 2, ..*shown };
        inputs.lp.iter_mut().for_each(|lp| lp.pce = self.pce);
        self.device.step(&inputs);
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

impl<D> Core<'_, D> {
    /// The same processor in this mode at this level.
    #[must_use]
    pub fn at(self, op_mode: OpMode, cpl: u8) -> Self {
        Self { op_mode, cpl, ..self }
    }
}

impl<D, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Core<'_, D>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    /// A cycle in which the processor is at its level.
    fn inputs(&self) -> Inputs<LP, LANES> {
        let mut inputs = Inputs::default();
        let lp = &mut inputs.lp[usize::from(self.lp)];
        (lp.cpl, lp.op_mode) = (self.cpl, self.op_mode);
        inputs
    }

    /// Executes an instruction: EDX:EAX.
    fn execute(&mut self, op: RegOp, number: u32, wdata: u64) -> Result<u64, MachineFault> {
        let mut board = self.machine.0.borrow_mut();
        let reg = RegRequest { valid: true, op, lp: self.lp, number, wdata };
        board.cycle(&Inputs { reg, ..self.inputs() });
        let out = board.device.outputs();
        board.cycle(&self.inputs());
        MachineFault::of_answer(out.reg_done, out.reg_result).map(|()| out.reg_rdata)
    }
}

impl<D, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> MsrBus for Core<'_, D>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    type Fault = MachineFault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, MachineFault> {
        self.execute(RegOp::Rdmsr, address, 0)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), MachineFault> {
        let x2apic = self.machine.0.borrow().straps.x2apic == X2apic::Msr;
        if x2apic && address == END_OF_INTERRUPT {
            // The board's local APIC answers for its other registers.
            self.machine.run([self.inputs(), self.inputs()]);
            return Ok(());
        }
        self.execute(RegOp::Wrmsr, address, value).map(drop)
    }
}

impl<D, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> CounterBus for Core<'_, D>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    type Fault = MachineFault;

    fn rdpmc(&mut self, selector: u32) -> Result<u64, MachineFault> {
        self.execute(RegOp::Rdpmc, selector, 0)
    }
}

/// The local APIC in memory. An x2APIC is [`X2Apic`](lwp_regs::delivery::X2Apic) of the core.
impl<D, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> LocalApic for Core<'_, D>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    type Fault = MachineFault;

    fn lvt_performance(&mut self) -> Result<LvtPerformance, MachineFault> {
        let shown = self.machine.0.borrow().device.outputs().lp[usize::from(self.lp)];
        self.machine.run([self.inputs()]);
        Ok(LvtPerformance::new()
            .with_vector(shown.lvt_vector)
            .with_delivery_mode(U3::masked(shown.lvt_mode))
            .with_send_pending(shown.irq)
            .with_mask(shown.lvt_mask))
    }

    fn set_lvt_performance(&mut self, entry: LvtPerformance) -> Result<(), MachineFault> {
        let apic = Apic { write: true, lp: self.lp, wdata: entry.to_xapic() };
        self.machine.run([Inputs { apic, ..self.inputs() }]);
        Ok(())
    }

    fn end_of_interrupt(&mut self) -> Result<(), MachineFault> {
        self.machine.run([self.inputs()]);
        Ok(())
    }
}

impl<D> Cpuid for Core<'_, D> {
    fn cpuid(&self, leaf: u32, _subleaf: u32) -> CpuidRegisters {
        let straps = self.machine.0.borrow().straps;
        match leaf {
            0 => [0x0A, u32::from_le_bytes(*b"Genu"), u32::from_le_bytes(*b"ntel"), u32::from_le_bytes(*b"ineI")],
            1 => [signature(&straps), 0, u32::from(straps.pdcm) << 15, 0],
            0x0A => straps.cpuid(),
            _ => [0; 4],
        }
    }
}

/// EAX of CPUID leaf 1: a processor of the P6 family, or one that came later.
fn signature(straps: &Config) -> u32 {
    match (straps.personality, straps.p6_model) {
        (Personality::P6, P6Model::PentiumPro) => 0x610,
        (Personality::P6, P6Model::PentiumII) => 0x630,
        (Personality::P6, P6Model::PentiumIII) => 0x670,
        (Personality::P6, P6Model::PentiumM) => 0x690,
        _ => 0x0001_06A0,
    }
}
