//! Computer with branch records, for the functions of `lwp-regs` that set them up and read them.
//!
//! [`Machine`] is a core, a local APIC and a unit, which is the model or the Verilated RTL. The unit accesses the memory of this program, in
//! the regions that were [mapped](Machine::map): the records that it stores are read where it has written them. `&Machine` implements
//! [`MsrBus`] and [`LocalApic`]. An access runs at level 0 and waits until the unit is ready for it; [`retire`](Machine::retire) shows
//! instructions at level 3 and waits while the unit stalls.

use crate::core::{HostMemory, MachineFault};
use crate::device::RtlDevice;
use crate::rtl::{BuildId, Flavour, Rtl};
use lwp_model::retire::{IntKind, Interruption, MemAnswer, Mode, OpMode, RegOp, RegRequest};
use lwp_model::trace::{Config, ConfigError, Inputs, Lane, Outputs, Precise, TraceUnit};
use lwp_model::{Moore, Unit};
use lwp_regs::access::MsrBus;
use lwp_regs::delivery::{LocalApic, LvtPerformance};
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

/// Cycles after which a unit that is not ready is given up.
const PATIENCE: u32 = 100_000;

/// Core, local APIC and unit. Shared, as a processor is by the drivers that run on it.
pub struct Machine<D, const LANES: usize>(RefCell<Computer<D>>);

/// What the unit has shown since reset, other than answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Messages on the bus: source, destination, predicted.
    pub messages: Vec<(u64, u64, bool)>,
    /// Records that are in memory.
    pub stored: u64,
    /// Records that were dropped.
    pub lost: u64,
    /// Interrupts that a buffer has asked for.
    pub requests: u64,
    /// Cycles in which the unit stalled the core.
    pub stalled: u64,
}

/// The state of a machine.
struct Computer<D> {
    device: D,
    memory: HostMemory,
    /// What memory answers in the next cycle.
    answer: Option<MemAnswer>,
    cpl: u8,
    /// The local APIC's entry, and whether it has an interrupt for the core.
    entry: LvtPerformance,
    due: bool,
    /// Counter 0, which counts instructions at level 3; it has overflowed in the last cycle.
    counter: Option<u64>,
    overflowed: bool,
    /// The processor's registers, as PEBS numbers them.
    registers: [u64; 32],
    cycles: u64,
    seen: Seen,
}

impl<const LANES: usize, const ENTRIES: usize> Machine<TraceUnit<LANES, ENTRIES>, LANES> {
    /// Returns a machine with the model, after reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    pub fn of_model(straps: &Config) -> Result<Self, ConfigError> {
        Ok(Self::new(TraceUnit::new(*straps)?))
    }
}

impl<U: Unit<Config = Config, Inputs = Inputs<LANES>, Outputs = Outputs, Error = ConfigError>, const LANES: usize>
    Machine<RtlDevice<U>, LANES>
{
    /// Returns a machine with a build of the RTL, after reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another or the sizes.
    ///
    /// # Panics
    /// If the build is of another unit or size.
    pub fn of_rtl(build: BuildId, flavour: Flavour, straps: &Config) -> Result<Self, ConfigError> {
        U::new(*straps)?;
        Ok(Self::new(RtlDevice::new(Rtl::of::<U>(build, flavour, straps))))
    }
}

impl<D, const LANES: usize> Machine<D, LANES> {
    fn new(device: D) -> Self {
        Self(RefCell::new(Computer {
            device,
            memory: HostMemory::default(),
            answer: None,
            cpl: 0,
            entry: LvtPerformance::new().masked(),
            due: false,
            counter: None,
            overflowed: false,
            registers: [0; 32],
            cycles: 0,
            seen: Seen::default(),
        }))
    }

    /// Maps a region: the unit accesses these linear addresses in the memory of this program. An access to any other address page-faults.
    ///
    /// # Safety
    ///
    /// Until the machine is dropped, the region's bytes are valid for reads and writes, their provenance has been exposed (as the views of
    /// `lwp-regs` do), and software accesses them only through volatile or atomic accesses, or while the machine does not run.
    pub unsafe fn map(&self, region: Range<u64>) {
        // SAFETY: the caller upholds the same conditions.
        unsafe { self.0.borrow_mut().memory.map(region) }
    }

    /// Sets counter 0, which from now on counts instructions.
    pub fn set_counter(&self, value: u64) {
        self.0.borrow_mut().counter = Some(value);
    }

    /// Counter 0.
    #[must_use]
    pub fn counter(&self) -> Option<u64> {
        self.0.borrow().counter
    }

    /// Sets a register of the processor, as PEBS numbers them.
    ///
    /// # Panics
    /// If there is no such number.
    pub fn set_register(&self, number: usize, value: u64) {
        self.0.borrow_mut().registers[number] = value;
    }

    /// Cycles since reset.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.0.borrow().cycles
    }

    /// What the unit has shown.
    #[must_use]
    pub fn seen(&self) -> Seen {
        self.0.borrow().seen.clone()
    }

    /// Gives the unit back; of RTL, for its waves and its assertions.
    #[must_use]
    pub fn into_device(self) -> D {
        self.0.into_inner().device
    }
}

impl<D: Moore<Inputs = Inputs<LANES>, Outputs = Outputs>, const LANES: usize> Machine<D, LANES> {
    /// Retires a group of up to `LANES` instructions at level 3, behind which the instruction at `behind` comes.
    ///
    /// # Panics
    /// If the unit stalls for ever.
    pub fn retire(&self, group: &[Lane], behind: u64) {
        let mut computer = self.0.borrow_mut();
        computer.enter(3);
        computer.wait(|out| !out.stall).expect("the unit stalls for ever");
        let mut inputs = Inputs { far_long: true, ..Inputs::default() };
        inputs.lanes[..group.len()].copy_from_slice(group);
        computer.registers[1] = behind;
        let events = group.iter().filter(|lane| lane.retired.valid && lane.retired.counts).count();
        computer.cycle(inputs, events as u64);
    }

    /// Runs idle cycles until the unit has nothing to store.
    ///
    /// # Panics
    /// If it never has.
    pub fn settle(&self) {
        let mut computer = self.0.borrow_mut();
        computer.cycle(Inputs::default(), 0);
        computer.wait(|out| out.reg_ready).expect("the unit is never at rest");
        // Pulses of the last record.
        computer.cycle(Inputs::default(), 0);
    }

    /// Delivers the performance interrupt if there is one, before the instruction at `from`, with its handler at `to`: its vector. The
    /// local APIC masks its entry; the core is at level 0.
    ///
    /// # Panics
    /// If the unit stalls for ever.
    pub fn take_interrupt(&self, from: u64, to: u64) -> Option<u8> {
        let mut computer = self.0.borrow_mut();
        if !computer.due {
            return None;
        }
        computer.due = false;
        let vector = computer.entry.vector();
        computer.entry = computer.entry.masked();
        computer.wait(|out| !out.stall).expect("the unit stalls for ever");
        let int = Interruption { valid: true, kind: IntKind::Interrupt, vector, from, to };
        computer.cycle(Inputs { int, far_long: true, ..Inputs::default() }, 0);
        computer.enter(0);
        Some(vector)
    }

    /// RDMSR by a program at level 3.
    ///
    /// # Errors
    /// The fault that it raises.
    pub fn rdmsr_of_user(&self, number: u32) -> Result<u64, MachineFault> {
        self.access(3, RegOp::Rdmsr, number, 0)
    }

    fn access(&self, level: u8, op: RegOp, number: u32, wdata: u64) -> Result<u64, MachineFault> {
        let mut computer = self.0.borrow_mut();
        computer.enter(level);
        computer.wait(|out| out.reg_ready)?;
        let reg = RegRequest { valid: true, op, lp: 0, number, wdata };
        computer.cycle(Inputs { reg, ..Inputs::default() }, 0);
        let Outputs { reg_done, reg_result, reg_rdata, .. } = computer.device.outputs();
        computer.cycle(Inputs::default(), 0);
        MachineFault::of_answer(reg_done, reg_result).map(|()| reg_rdata)
    }
}

impl<D> Computer<D> {
    /// One cycle with these inputs, in which `events` precise events occur; memory, bus, counter and local APIC do their part.
    fn cycle<const LANES: usize>(&mut self, inputs: Inputs<LANES>, events: u64)
    where
        D: Moore<Inputs = Inputs<LANES>, Outputs = Outputs>,
    {
        let out = self.device.outputs();
        if out.btm_valid {
            self.seen.messages.push((out.btm_from, out.btm_to, out.btm_predicted));
        }
        self.seen.stored += u64::from(out.stored);
        self.seen.lost += u64::from(out.lost);
        self.seen.requests += u64::from(out.ds_pmi);
        self.seen.stalled += u64::from(out.stall);
        self.due |= out.ds_pmi && !self.entry.mask() && self.entry.delivers();
        if out.reload_valid {
            self.counter = Some(out.reload_value);
        }
        let mem = self.answer.take().unwrap_or_else(|| {
            let mut gnt = false;
            if out.mem.req {
                let read = self.memory.access(&out.mem);
                let (err, rdata) = (read.is_none(), read.unwrap_or(0));
                self.answer = Some(MemAnswer { rvalid: true, err, rdata, ..MemAnswer::default() });
                gnt = true;
            }
            MemAnswer { gnt, ..MemAnswer::default() }
        });
        let pebs = Precise {
            overflow: u8::from(self.overflowed),
            event: u8::from(events > 0 && self.counter.is_some()),
            state_value: self.registers[usize::from(out.state_index)],
        };
        let mode = Mode { cpl: self.cpl, smm: false, op_mode: OpMode::Long64 };
        self.device.step(&Inputs { mode, core_clock: true, btm_ready: true, mem, pebs, ..inputs });
        self.cycles += 1;
        // The next cycle shows what overflows in this one.
        self.overflowed = false;
        if let Some(value) = self.counter {
            let (value, overflowed) = value.overflowing_add(events);
            (self.counter, self.overflowed) = (Some(value), overflowed);
        }
    }

    /// Changes the level, in a cycle of its own.
    fn enter<const LANES: usize>(&mut self, cpl: u8)
    where
        D: Moore<Inputs = Inputs<LANES>, Outputs = Outputs>,
    {
        if self.cpl != cpl {
            self.cpl = cpl;
            self.cycle(Inputs::default(), 0);
        }
    }

    /// Runs idle cycles until the outputs are as asked for.
    fn wait<const LANES: usize>(&mut self, until: impl Fn(&Outputs) -> bool) -> Result<(), MachineFault>
    where
        D: Moore<Inputs = Inputs<LANES>, Outputs = Outputs>,
    {
        for _ in 0..PATIENCE {
            if until(&self.device.outputs()) {
                return Ok(());
            }
            self.cycle(Inputs::default(), 0);
        }
        Err(MachineFault::Broken)
    }
}

impl<D: Moore<Inputs = Inputs<LANES>, Outputs = Outputs>, const LANES: usize> MsrBus for &Machine<D, LANES> {
    type Fault = MachineFault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, MachineFault> {
        self.access(0, RegOp::Rdmsr, address, 0)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), MachineFault> {
        self.access(0, RegOp::Wrmsr, address, value).map(drop)
    }
}

/// The local APIC in memory, which is the machine's: the unit has none.
impl<D, const LANES: usize> LocalApic for &Machine<D, LANES> {
    type Fault = MachineFault;

    fn lvt_performance(&mut self) -> Result<LvtPerformance, MachineFault> {
        Ok(self.0.borrow().entry)
    }

    fn set_lvt_performance(&mut self, entry: LvtPerformance) -> Result<(), MachineFault> {
        self.0.borrow_mut().entry = entry;
        Ok(())
    }

    fn end_of_interrupt(&mut self) -> Result<(), MachineFault> {
        Ok(())
    }
}

impl<D, const LANES: usize> fmt::Debug for Machine<D, LANES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").finish_non_exhaustive()
    }
}
