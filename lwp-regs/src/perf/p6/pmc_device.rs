//! The character device of the study's proof of concept.

use super::{P6Counters, RdpmcPolicy, SetCounterError};
use crate::access::MsrBus;
use core::fmt;

/// The device `pmc` of the study's proof of concept: two counters of the whole processor, set up by two calls and read by
/// RDPMC in user mode. Its operations are [`open`](Self::open), [`close`](PmcFile::close) and [`ioctl`](PmcFile::ioctl).
///
/// Whoever uses it sees what everybody does, and each call stops both counters for a moment: the enable bit of both is in
/// PerfEvtSel0. Use [`virtual_counter`](crate::perf::virtual_counter) for counters of a task.
///
/// Source: the study of the P6 counters, "PMC Driver".
#[derive(Debug)]
pub struct PmcDevice<B> {
    counters: P6Counters<B>,
}

/// A descriptor of a [`PmcDevice`].
#[derive(Debug)]
pub struct PmcFile<'a, B> {
    counters: &'a mut P6Counters<B>,
}

impl<B: MsrBus> PmcDevice<B> {
    /// Name of the device.
    pub const NAME: &'static str = "pmc";

    /// Loads the driver. Returns it with the value for CR4, in which PCE is 1: RDPMC is allowed at every privilege level,
    /// which the author of the study calls not a good design.
    #[must_use]
    pub const fn load(bus: B, cr4: u64) -> (Self, u64) {
        (Self { counters: P6Counters::new(bus) }, RdpmcPolicy::Everybody.apply(cr4))
    }

    /// Opens the device.
    #[must_use]
    pub const fn open(&mut self) -> PmcFile<'_, B> {
        PmcFile { counters: &mut self.counters }
    }
}

impl<B: MsrBus> PmcFile<'_, B> {
    /// Call number `command`, 0 or 1 for counter 0 or 1: disables the counter, clears it, and writes `argument` to its
    /// event select. Disabling counter 0 stops counter 1 as well until `argument` has been written; if that has no EN,
    /// counter 1 stays stopped. Counter 1 counts while EN of PerfEvtSel0 is 1.
    ///
    /// # Errors
    ///
    /// [`PmcError::UnknownCommand`] for another command, where the study's driver writes a message and reports success;
    /// [`PmcError::SetCounter`], for instance if `argument` has EN for counter 1, where it is reserved.
    pub fn ioctl(&mut self, command: u32, argument: u32) -> Result<(), PmcError<B::Fault>> {
        if command > 1 {
            return Err(PmcError::UnknownCommand(command));
        }
        self.counters.set_counter(command, 0).map_err(PmcError::SetCounter)?;
        self.counters.set_counter(command, argument).map_err(PmcError::SetCounter)
    }

    /// Closes the descriptor. The counters go on.
    pub fn close(self) {}
}

/// Why [`PmcFile::ioctl`] fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PmcError<F> {
    /// The commands are 0 and 1. Nothing was accessed.
    UnknownCommand(u32),
    /// The counter could not be set up; it has been disabled and cleared, unless this failed.
    SetCounter(SetCounterError<F>),
}

impl<F: fmt::Display> fmt::Display for PmcError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(command) => {
                write!(f, "no call {command}; the calls are 0 and 1, one for each counter")
            }
            Self::SetCounter(error) => error.fmt(f),
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for PmcError<F> {}

#[cfg(test)]
mod tests {
    use super::super::test_bus::{Access::*, TestBus};
    use super::*;

    // VPC-61, VPC-65: the device, and the writes of its two calls; another call is an error
    #[test]
    fn two_calls() {
        assert_eq!(PmcDevice::<TestBus>::NAME, "pmc");
        let (mut device, cr4) = PmcDevice::load(TestBus::default(), 0x20);
        assert_eq!(cr4, 0x120);
        let mut file = device.open();
        assert_eq!(file.ioctl(0, 0x0043_00C0), Ok(()));
        assert_eq!(file.ioctl(1, 0x0003_00C4), Ok(()));
        assert_eq!(file.ioctl(2, 0x0043_00C0), Err(PmcError::UnknownCommand(2)));
        file.close();
        let zero = [Wrmsr(0xC1, 0), Wrmsr(0x186, 0), Wrmsr(0xC1, 0), Wrmsr(0x186, 0x0043_00C0)];
        let one = [Wrmsr(0xC2, 0), Wrmsr(0x187, 0), Wrmsr(0xC2, 0), Wrmsr(0x187, 0x0003_00C4)];
        assert_eq!(device.counters.into_bus().trace, [zero, one].concat());
    }
}
