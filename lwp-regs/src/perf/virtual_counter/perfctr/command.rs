//! Numbers of the calls on a descriptor.

use super::CallError;
use core::convert::Infallible;

/// A call on the file of a task's counters. The numbers are this crate's; the documents give none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum VirtualCommand {
    /// `PERFCTR_INFO`.
    Info,
    /// `VPERFCTR_CONTROL`, which the study does not name.
    Control,
    /// `VPERFCTR_STOP`.
    Stop,
    /// `VPERFCTR_UNLINK`.
    Unlink,
    /// `VPERFCTR_SAMPLE`.
    Sample,
    /// `VPERFCTR_IRESUME`.
    Iresume,
}

impl VirtualCommand {
    /// All calls, each at the place of its number.
    pub const ALL: [Self; 6] = [Self::Info, Self::Control, Self::Stop, Self::Unlink, Self::Sample, Self::Iresume];
}

impl TryFrom<u32> for VirtualCommand {
    type Error = CallError<Infallible>;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        Self::ALL.get(number as usize).copied().ok_or(CallError::UnknownCommand)
    }
}

/// A call on the device of the global mode, `/dev/perfctr`. The numbers are this crate's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u32)]
pub enum GlobalCommand {
    /// `PERFCTR_INFO`.
    Info,
    /// `GPERFCTR_CONTROL`.
    Control,
    /// `GPERFCTR_READ`.
    Read,
    /// `GPERFCTR_STOP`.
    Stop,
}

impl GlobalCommand {
    /// All calls, each at the place of its number.
    pub const ALL: [Self; 4] = [Self::Info, Self::Control, Self::Read, Self::Stop];
}

impl TryFrom<u32> for GlobalCommand {
    type Error = CallError<Infallible>;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        Self::ALL.get(number as usize).copied().ok_or(CallError::UnknownCommand)
    }
}
