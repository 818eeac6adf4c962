//! The global mode: counters of each processor, whatever runs on it.

use super::{CallError, Info, Options};
use crate::perf::virtual_counter::{Control, CounterHardware, CounterSelect, Counts, TaskCounters};

/// What a processor is to count in the global mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuControl<C, S, const N: usize> {
    /// Number of the processor.
    pub cpu: usize,
    /// What it counts.
    pub control: Control<C, S, N>,
}

/// What `GPERFCTR_READ` returns of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuState<C, S, const N: usize> {
    /// What it counts; nothing if it is not active.
    pub control: Control<C, S, N>,
    /// What it has counted up to the last sample.
    pub sum: Counts<N>,
}

/// Memory of the user cannot be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BadAddress;

/// The memory of a user that calls `GPERFCTR_READ`.
pub trait UserStates<C, S, const N: usize> {
    /// Reads for how many processors there is room.
    ///
    /// # Errors
    ///
    /// [`BadAddress`] if the memory cannot be read.
    fn requested(&mut self) -> Result<usize, BadAddress>;

    /// Writes the state of processor `cpu`.
    ///
    /// # Errors
    ///
    /// [`BadAddress`] if the memory cannot be written.
    fn put(&mut self, cpu: usize, state: &CpuState<C, S, N>) -> Result<(), BadAddress>;
}

/// The counters of a processor.
#[derive(Debug)]
struct Cpu<C, S, const N: usize> {
    counters: TaskCounters<C, S, N>,
    /// What the counters showed before.
    before: [u64; N],
}

/// The driver of the global mode, for up to `CPUS` processors with up to `N` counters each.
///
/// `hw` in its calls are the counters of all processors, in the order of their numbers. The system sees to it that each is
/// accessed on its own processor.
#[derive(Debug)]
pub struct Global<C, S, const N: usize, const CPUS: usize> {
    options: Options,
    info: Option<Info>,
    cpus: [Option<Cpu<C, S, N>>; CPUS],
    interval: u64,
}

impl<C: Copy + PartialEq, S: CounterSelect, const N: usize, const CPUS: usize> Global<C, S, N, CPUS> {
    /// A driver of which no processor is active; without `info` it has not been initialised.
    #[must_use]
    pub const fn new(options: Options, info: Option<Info>) -> Self {
        Self { options, info, cpus: [const { None }; CPUS], interval: 0 }
    }

    /// `PERFCTR_INFO`.
    ///
    /// # Errors
    ///
    /// [`CallError::NoDevice`].
    pub const fn info<F>(&self) -> Result<Info, CallError<F>> {
        match self.info {
            Some(info) if self.options.global => Ok(info),
            _ => Err(CallError::NoDevice),
        }
    }

    /// `GPERFCTR_CONTROL`: each processor of `controls` counts from now on, with all sums 0. `interval` is the time between
    /// two calls of [`tick`](Self::tick), in the unit of the system's timer; 0 is no timer. Returns how many processors are
    /// active.
    ///
    /// # Errors
    ///
    /// [`CallError::NoDevice`], [`CallError::Busy`] if a processor is active already, [`CallError::NoSuchCpu`],
    /// [`CallError::CpuTwice`] before anything is done; a fault, after which none is active.
    pub fn control<H>(
        &mut self,
        hw: &mut [H],
        controls: &[CpuControl<C, S, N>],
        interval: u64,
    ) -> Result<usize, CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.info::<H::Fault>()?;
        if self.active() > 0 {
            return Err(CallError::Busy);
        }
        if controls.iter().any(|of| of.cpu >= CPUS.min(hw.len())) {
            return Err(CallError::NoSuchCpu);
        }
        if controls.iter().enumerate().any(|(at, of)| controls[..at].iter().any(|other| other.cpu == of.cpu)) {
            return Err(CallError::CpuTwice);
        }
        for of in controls {
            if let Err(fault) = self.start(&mut hw[of.cpu], of) {
                let _ = self.stop(hw); // the first fault is the one to report
                return Err(CallError::Fault(fault));
            }
        }
        self.interval = interval;
        Ok(self.active())
    }

    fn start<H>(&mut self, hw: &mut H, of: &CpuControl<C, S, N>) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        let mut before = [0; N];
        for (before, programmed) in before.iter_mut().zip(of.control.counters()) {
            *before = hw.read(programmed.counter)?;
        }
        let mut counters = TaskCounters::new(of.control);
        counters.resume(hw)?;
        self.cpus[of.cpu] = Some(Cpu { counters, before });
        Ok(())
    }

    /// The interval of the sampling timer, if one is active.
    #[must_use]
    pub const fn timer(&self) -> Option<u64> {
        if self.interval == 0 { None } else { Some(self.interval) }
    }

    /// How many processors are active.
    #[must_use]
    pub fn active(&self) -> usize {
        self.cpus.iter().flatten().count()
    }

    /// The sampling timer has run down: samples all processors.
    ///
    /// # Errors
    ///
    /// A fault. The processors after that one have not been sampled.
    pub fn tick<H>(&mut self, hw: &mut [H]) -> Result<(), CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        for (cpu, hw) in self.cpus.iter_mut().zip(hw) {
            if let Some(cpu) = cpu {
                cpu.counters.sample(hw).map_err(CallError::Fault)?;
            }
        }
        Ok(())
    }

    /// The state of processor `cpu`: control and sums of one sample.
    #[must_use]
    pub fn state(&self, cpu: usize) -> CpuState<C, S, N> {
        let idle = CpuState { control: Control::new(), sum: Counts { tsc: 0, pmc: [0; N] } };
        let cpu = self.cpus.get(cpu).and_then(Option::as_ref);
        cpu.map_or(idle, |cpu| CpuState { control: *cpu.counters.control(), sum: cpu.counters.sums() })
    }

    /// `GPERFCTR_READ`: writes the states of as many processors as the user asks for and as there are. Without a timer all
    /// processors are sampled first. Returns how many are active.
    ///
    /// # Errors
    ///
    /// [`CallError::NoDevice`], [`CallError::BadAddress`], a fault.
    pub fn read<H>(&mut self, hw: &mut [H], user: &mut impl UserStates<C, S, N>) -> Result<usize, CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.info::<H::Fault>()?;
        let requested = user.requested().map_err(|BadAddress| CallError::BadAddress)?;
        if self.timer().is_none() {
            self.tick(hw)?;
        }
        for cpu in 0..requested.min(hw.len()) {
            user.put(cpu, &self.state(cpu)).map_err(|BadAddress| CallError::BadAddress)?;
        }
        Ok(self.active())
    }

    /// `GPERFCTR_STOP`: ends the timer, stops the counters, and gives each the value that it had before
    /// [`control`](Self::control), as far as a write of the processor can. The sums are lost.
    ///
    /// # Errors
    ///
    /// [`CallError::NoDevice`]; a fault, after which the other processors have been stopped all the same.
    pub fn stop<H>(&mut self, hw: &mut [H]) -> Result<(), CallError<H::Fault>>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.info::<H::Fault>()?;
        self.interval = 0;
        let mut result = Ok(());
        for (cpu, hw) in self.cpus.iter_mut().zip(hw) {
            if let Some(mut cpu) = cpu.take() {
                result = result.and(cpu.end(hw).map_err(CallError::Fault));
            }
        }
        result
    }
}

impl<C: Copy + PartialEq, S: CounterSelect, const N: usize> Cpu<C, S, N> {
    fn end<H>(&mut self, hw: &mut H) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.counters.suspend(hw)?;
        let restore = self.counters.control().counters().zip(self.before);
        restore.into_iter().try_for_each(|(programmed, before)| hw.write_counter(programmed.counter, before))
    }
}
