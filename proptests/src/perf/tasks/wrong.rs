//! Counters that let a driver look as if it had a bug.

use lwp_regs::Refused;
use lwp_regs::perf::virtual_counter::{CounterHardware, CounterSelect, CounterWidth};

/// A bug of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// None.
    None,
    /// A resumption does not read the counter to know where counting begins: it takes the value of the last suspension.
    KeepsStart,
    /// A suspension subtracts without the width of the counter.
    NoWidth,
    /// A resumption does not read the time: it takes that of the last suspension.
    KeepsTime,
    /// A resumption of a counter that interrupts does not preset it.
    NoPreset,
}

impl Bug {
    /// All bugs.
    pub const ALL: [Self; 4] = [Self::KeepsStart, Self::NoWidth, Self::KeepsTime, Self::NoPreset];
}

/// Counters behind which the driver has a bug.
#[derive(Debug)]
pub struct Wrong<H: CounterHardware> {
    hw: H,
    bug: Bug,
    /// Counters that have been enabled and not been read since, and the last count of each that has been read.
    fresh: Vec<H::Counter>,
    last: Vec<(H::Counter, u64)>,
    /// The last time that was read, and whether a counter has been enabled since.
    time: u64,
    begins: bool,
}

impl<H: CounterHardware> Wrong<H> {
    /// Counters with this bug.
    pub const fn new(hw: H, bug: Bug) -> Self {
        Self { hw, bug, fresh: Vec::new(), last: Vec::new(), time: 0, begins: false }
    }
}

impl<H: CounterHardware> CounterHardware for Wrong<H> {
    type Counter = H::Counter;
    type Select = H::Select;
    type Fault = H::Fault;

    fn width(&self) -> CounterWidth {
        if self.bug == Bug::NoWidth { CounterWidth::TSC } else { self.hw.width() }
    }

    fn preset(&self, period: u64) -> Result<u64, Refused> {
        self.hw.preset(period)
    }

    fn tsc(&mut self) -> Result<u64, H::Fault> {
        let now = self.hw.tsc()?;
        if std::mem::take(&mut self.begins) && self.bug == Bug::KeepsTime {
            return Ok(self.time);
        }
        self.time = now;
        Ok(now)
    }

    fn read(&mut self, counter: H::Counter) -> Result<u64, H::Fault> {
        let now = self.hw.read(counter)?;
        let fresh = self.fresh.iter().position(|other| *other == counter).map(|at| self.fresh.swap_remove(at));
        let last = self.last.iter_mut().find(|(other, _)| *other == counter);
        match last {
            Some((_, last)) if fresh.is_some() && self.bug == Bug::KeepsStart => return Ok(*last),
            Some((_, last)) => *last = now,
            None => self.last.push((counter, now)),
        }
        Ok(now)
    }

    fn write_counter(&mut self, counter: H::Counter, value: u64) -> Result<(), H::Fault> {
        // What whoever used the counters before left is above all presets of the cases.
        let is_preset = value < self.hw.width().max() - 40;
        if is_preset && self.bug == Bug::NoPreset { Ok(()) } else { self.hw.write_counter(counter, value) }
    }

    fn write_select(&mut self, counter: H::Counter, select: H::Select) -> Result<(), H::Fault> {
        if select.is_enabled() {
            self.begins = true;
            if !select.interrupts() {
                self.fresh.push(counter);
            }
        }
        self.hw.write_select(counter, select)
    }

    fn clear_overflow(&mut self, counter: H::Counter) -> Result<(), H::Fault> {
        self.hw.clear_overflow(counter)
    }
}
