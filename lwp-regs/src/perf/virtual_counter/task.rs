//! The counters of one task.

use super::{Accumulator, CStatus, Control, CounterHardware, CounterSelect, CounterWidth};

/// One value for the time-stamp counter and one for each counter; 0 for those that are not in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counts<const N: usize> {
    /// Of the time-stamp counter.
    pub tsc: u64,
    /// Of the counters, in the order of the [`Control`].
    pub pmc: [u64; N],
}

/// Counters that look private to a task and 64 bits wide, on hardware that is shared and narrower.
///
/// While the task runs, the hardware counts on from `start`; what it has counted before is in the sums. All counts are
/// taken modulo the counter's width, so a task has to be suspended or sampled before a counter makes a full turn; see
/// [`CounterWidth::check_interval`].
///
/// A counter that interrupts is stopped, with all others of the task, when it has overflowed, and stays so until
/// [`iresume`](Self::iresume). The virtual time-stamp counter goes on.
///
/// Source: perfctr for Linux 2.4, `drivers/perfctr/x86.c`; where it is silent, the item says what is done.
#[derive(Clone, Copy, Debug)]
pub struct TaskCounters<C, S, const N: usize> {
    control: Control<C, S, N>,
    cstatus: CStatus,
    tsc: Accumulator,
    pmc: [Accumulator; N],
    running: bool,
    halted: bool,
}

impl<C: Copy + PartialEq, S: CounterSelect, const N: usize> TaskCounters<C, S, N> {
    /// Counters of a task that does not run: all sums are 0.
    #[must_use]
    pub fn new(control: Control<C, S, N>) -> Self {
        let mut pmc = [Accumulator::default(); N];
        for (pmc, programmed) in pmc.iter_mut().zip(control.counters()) {
            *pmc = Accumulator::new(programmed.preset.unwrap_or(0));
        }
        let cstatus = control.cstatus();
        Self { control, cstatus, tsc: Accumulator::default(), pmc, running: false, halted: false }
    }

    /// What is counted.
    #[must_use]
    #[inline]
    pub const fn control(&self) -> &Control<C, S, N> {
        &self.control
    }

    /// The same in short.
    #[must_use]
    #[inline]
    pub const fn cstatus(&self) -> CStatus {
        self.cstatus
    }

    /// What the hardware showed when counting began, or at the last sample. Of a counter that interrupts, while the task
    /// does not run: what it is to show when counting begins.
    #[must_use]
    pub fn start(&self) -> Counts<N> {
        Counts { tsc: self.tsc.start(), pmc: self.pmc.map(|pmc| pmc.start()) }
    }

    /// What has been counted up to the last suspension or sample. While the task does not run, that is all.
    #[must_use]
    pub fn sums(&self) -> Counts<N> {
        Counts { tsc: self.tsc.sum(), pmc: self.pmc.map(|pmc| pmc.sum()) }
    }

    /// Whether the hardware counts for this task.
    #[must_use]
    #[inline]
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// Whether an overflow has stopped the counters.
    #[must_use]
    #[inline]
    pub const fn is_halted(&self) -> bool {
        self.halted
    }

    /// The task gets the processor: presets the counters that interrupt, then writes what is counted, then reads the
    /// counters to know where counting begins. Nothing happens if it has the processor already.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. The task does not count then, and what had been started is stopped.
    pub fn resume<H>(&mut self, hw: &mut H) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if self.running {
            return Ok(());
        }
        if let Err(fault) = self.begin(hw) {
            let _ = self.stop(hw); // the first fault is the one to report
            return Err(fault);
        }
        self.running = true;
        Ok(())
    }

    /// The task loses the processor: stops its counters, so that they cannot interrupt another task, reads them and adds
    /// what has been counted. Nothing happens if it does not have the processor.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. Nothing has been added; the call may be repeated.
    pub fn suspend<H>(&mut self, hw: &mut H) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if !self.running {
            return Ok(());
        }
        self.stop(hw)?;
        self.accumulate(hw)?;
        self.running = false;
        Ok(())
    }

    /// Adds what has been counted since the last sample, without stopping the counters.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. Nothing has been added.
    pub fn sample<H>(&mut self, hw: &mut H) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if self.running { self.accumulate(hw) } else { Ok(()) }
    }

    /// The counts at this moment: the sums, and while the task runs what has been counted since. Needs no register
    /// write and, with RDPMC and RDTSC allowed to user mode, no system call; the caller makes sure that the task is not
    /// switched meanwhile, or reads again.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn read<H>(&self, hw: &mut H) -> Result<Counts<N>, H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if !self.running {
            return Ok(self.sums());
        }
        let now = self.now(hw)?;
        let width = hw.width();
        let mut counts = self.sums();
        if self.cstatus.has_tsc {
            counts.tsc = self.tsc.read(CounterWidth::TSC, now.tsc);
        }
        let active = self.active();
        for (count, (pmc, now)) in counts.pmc.iter_mut().zip(self.pmc.iter().zip(now.pmc)).take(active) {
            *count = pmc.read(width, now);
        }
        Ok(counts)
    }

    /// The overflow interrupt has come: which counters have overflowed, a bit each in the order of the [`Control`]. If one
    /// has, all counters of the task are stopped until [`iresume`](Self::iresume), and those that have overflowed will
    /// begin a new period then. 0 means that the interrupt was not for this task, which counts on.
    ///
    /// An overflow may come just before the task is suspended, and its interrupt after. So this is to be asked before
    /// [`resume`](Self::resume) as well; for a task that does not run and has no overflow, the hardware is not accessed.
    ///
    /// # Errors
    ///
    /// The fault that an access raised. The task does not count then.
    pub fn overflow<H>(&mut self, hw: &mut H) -> Result<u32, H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if self.halted {
            return Ok(0);
        }
        let running = self.running;
        self.suspend(hw)?;
        let mut overflowed = 0;
        for (i, (programmed, pmc)) in self.control.counters().zip(&mut self.pmc).enumerate() {
            let Some(preset) = programmed.preset else { continue };
            if !hw.width().is_negative(pmc.start()) {
                hw.clear_overflow(programmed.counter)?;
                pmc.restart(preset);
                overflowed |= 1 << i;
            }
        }
        self.halted = overflowed != 0;
        if running {
            self.resume(hw)?;
        }
        Ok(overflowed)
    }

    /// Lets the counters go on after an overflow has been reported. Nothing happens if none has.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn iresume<H>(&mut self, hw: &mut H) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if !self.halted {
            return Ok(());
        }
        let running = self.running;
        self.suspend(hw)?;
        self.halted = false;
        if running { self.resume(hw) } else { Ok(()) }
    }

    /// How many counters are in use and not stopped by an overflow.
    fn active(&self) -> usize {
        if self.halted { 0 } else { usize::from(self.cstatus.counters) }
    }

    fn begin<H>(&mut self, hw: &mut H) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        let active = self.active();
        for (programmed, pmc) in self.control.counters().zip(&mut self.pmc).take(active) {
            if programmed.preset.is_some() {
                if !hw.width().is_negative(pmc.start()) {
                    // An overflow that nobody has asked for. A write may extend the sign of 32 bits; 31 are written as they are.
                    pmc.restart(pmc.start() & 0x7FFF_FFFF);
                }
                hw.disable(programmed.counter)?;
                hw.write_counter(programmed.counter, pmc.start())?;
            }
        }
        for programmed in self.control.counters().take(active) {
            hw.write_select(programmed.counter, programmed.select)?;
        }
        if self.cstatus.has_tsc {
            self.tsc.restart(hw.tsc()?);
        }
        for (programmed, pmc) in self.control.counters().zip(&mut self.pmc).take(active) {
            // One that interrupts counts from its preset; what it counts until here belongs to the task.
            if programmed.preset.is_none() {
                pmc.restart(hw.read(programmed.counter)?);
            }
        }
        Ok(())
    }

    fn stop<H>(&self, hw: &mut H) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        self.control.counters().take(self.active()).try_for_each(|programmed| hw.disable(programmed.counter))
    }

    fn now<H>(&self, hw: &mut H) -> Result<Counts<N>, H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        let mut now = Counts { tsc: 0, pmc: [0; N] };
        if self.cstatus.has_tsc {
            now.tsc = hw.tsc()?;
        }
        for (now, programmed) in now.pmc.iter_mut().zip(self.control.counters()).take(self.active()) {
            *now = hw.read(programmed.counter)?;
        }
        Ok(now)
    }

    fn accumulate<H>(&mut self, hw: &mut H) -> Result<(), H::Fault>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        let now = self.now(hw)?;
        let width = hw.width();
        if self.cstatus.has_tsc {
            self.tsc.sample(CounterWidth::TSC, now.tsc);
        }
        let active = self.active();
        for (pmc, now) in self.pmc.iter_mut().zip(now.pmc).take(active) {
            pmc.sample(width, now);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "task_tests.rs"]
mod tests;
