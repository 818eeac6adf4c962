//! Board with performance counters and a time-stamp counter.

use crate::core::MachineFault;
use crate::perf::machine::{self, Machine};
use crate::tsc::machine as tsc_machine;
use lwp_model::Moore;
use lwp_model::perf::{Inputs, Outputs};
use lwp_model::retire::OpMode;
use lwp_model::tsc;
use lwp_regs::access::{CounterBus, Cpuid, CpuidRegisters, MsrBus, TimeBus};
use lwp_regs::delivery::{LocalApic, LvtPerformance};

/// Performance counters and a time-stamp counter of the same processor. Both see every cycle.
#[derive(Debug)]
pub struct Board<D, T> {
    perf: Machine<D>,
    tsc: tsc_machine::Machine<T>,
}

/// A board, as the world sees it: a program's cycles and the interrupts. `LANES` instructions can retire in a cycle.
pub trait Bench<const LANES: usize> {
    /// Runs a cycle in which each logical processor shows this; nothing on those without.
    fn cycle(&self, shown: &[Option<&Inputs<1, LANES>>]);

    /// Whether a logical processor has a pending performance interrupt.
    fn is_interrupted(&self, lp: u8) -> bool;

    /// Takes the pending interrupt of a logical processor, in a cycle of its own: its vector.
    fn take_interrupt(&self, lp: u8) -> Option<u8>;

    /// Cycles since reset.
    fn cycles(&self) -> u64;

    /// Logical processors.
    fn processors(&self) -> usize;
}

impl<D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Board<D, T>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    /// A board of two units after reset. CR4.PCE is 1 and CR4.TSD is 0, so that programs can read the counters.
    #[must_use]
    pub fn new(perf: Machine<D>, tsc: tsc_machine::Machine<T>) -> Self {
        perf.set_pce(true);
        tsc.set_tsd(false);
        Self { perf, tsc }
    }

    /// A logical processor, at level 0 in 64-bit mode.
    #[must_use]
    pub const fn core(&self, lp: u8) -> BoardCore<'_, D, T> {
        BoardCore { board: self, lp, op_mode: OpMode::Long64, cpl: 0 }
    }

    /// Sets CR4.PCE from now on.
    pub fn set_pce(&self, pce: bool) {
        self.perf.set_pce(pce);
    }

    /// Gives the units back.
    #[must_use]
    pub fn into_devices(self) -> (D, T) {
        (self.perf.into_device(), self.tsc.into_device())
    }

    /// Lets the unit that has seen fewer cycles catch up, with cycles in which nothing happens.
    fn keep_step(&self) {
        let (perf, tsc) = (self.perf.cycles(), self.tsc.cycles());
        self.tsc.run(perf.saturating_sub(tsc));
        self.perf.run((perf..tsc).map(|_| Inputs::default()));
    }
}

impl<D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Bench<LANES> for Board<D, T>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    fn cycle(&self, shown: &[Option<&Inputs<1, LANES>>]) {
        let mut inputs = Inputs::default();
        for (lp, shown) in shown.iter().enumerate().take(LP) {
            let Some(shown) = shown else { continue };
            (inputs.lp[lp], inputs.lanes[lp]) = (shown.lp[0], shown.lanes[0]);
        }
        self.perf.run([inputs]);
        self.keep_step();
    }

    fn is_interrupted(&self, lp: u8) -> bool {
        self.perf.is_interrupted(lp)
    }

    fn take_interrupt(&self, lp: u8) -> Option<u8> {
        let vector = self.perf.take_interrupt(lp);
        self.keep_step();
        vector
    }

    fn cycles(&self) -> u64 {
        self.perf.cycles()
    }

    fn processors(&self) -> usize {
        LP
    }
}

/// A logical processor of a board, at a level.
#[derive(Debug)]
pub struct BoardCore<'a, D, T> {
    board: &'a Board<D, T>,
    lp: u8,
    op_mode: OpMode,
    cpl: u8,
}

impl<'a, D, T> BoardCore<'a, D, T> {
    /// The same processor in 64-bit mode at this level.
    #[must_use]
    pub fn at(self, cpl: u8) -> Self {
        Self { cpl, ..self }
    }
}

impl<'a, D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> BoardCore<'a, D, T>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    fn perf<R>(&self, access: impl FnOnce(&mut machine::Core<'a, D>) -> R) -> R {
        let result = access(&mut self.board.perf.core(self.lp).at(self.op_mode, self.cpl));
        self.board.keep_step();
        result
    }

    fn tsc<R>(&self, access: impl FnOnce(&mut tsc_machine::Core<'a, T>) -> R) -> R {
        let result = access(&mut self.board.tsc.core(self.lp).at(self.op_mode, self.cpl));
        self.board.keep_step();
        result
    }
}

impl<D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> MsrBus for BoardCore<'_, D, T>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    type Fault = MachineFault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, MachineFault> {
        // SAFETY: passed on to the caller; no register of the board makes hardware access memory.
        self.perf(|core| unsafe { core.rdmsr(address) })
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), MachineFault> {
        // SAFETY: as above.
        self.perf(|core| unsafe { core.wrmsr(address, value) })
    }
}

impl<D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> CounterBus
    for BoardCore<'_, D, T>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    type Fault = MachineFault;

    fn rdpmc(&mut self, selector: u32) -> Result<u64, MachineFault> {
        self.perf(|core| core.rdpmc(selector))
    }
}

impl<D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> TimeBus
    for BoardCore<'_, D, T>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    type Fault = MachineFault;

    fn rdtsc(&mut self) -> Result<u64, MachineFault> {
        self.tsc(TimeBus::rdtsc)
    }

    fn rdtscp(&mut self) -> Result<(u64, u32), MachineFault> {
        self.tsc(TimeBus::rdtscp)
    }
}

impl<D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> LocalApic
    for BoardCore<'_, D, T>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    type Fault = MachineFault;

    fn lvt_performance(&mut self) -> Result<LvtPerformance, MachineFault> {
        self.perf(LocalApic::lvt_performance)
    }

    fn set_lvt_performance(&mut self, entry: LvtPerformance) -> Result<(), MachineFault> {
        self.perf(|core| core.set_lvt_performance(entry))
    }

    fn end_of_interrupt(&mut self) -> Result<(), MachineFault> {
        self.perf(LocalApic::end_of_interrupt)
    }
}

impl<D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Cpuid for BoardCore<'_, D, T>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    fn cpuid(&self, leaf: u32, subleaf: u32) -> CpuidRegisters {
        self.board.perf.core(self.lp).cpuid(leaf, subleaf)
    }
}
