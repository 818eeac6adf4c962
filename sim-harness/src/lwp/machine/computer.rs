//! The machine: a core in a cell, so that a session, a scheduler and a test can share it.

use super::cpu::Cpu;
use super::fault::MachineFault;
use super::identity::Identity;
use super::program::{Program, Stop};
use crate::lwp::device::RtlDevice;
use crate::lwp::flat::pack_straps;
use crate::rtl::{BuildId, Flavour, Rtl};
use lwp_model::Moore;
use lwp_model::lwp::{Config, ConfigError, Inputs, Lane, Lwp, Outputs};
use std::cell::{RefCell, RefMut};
use std::fmt;
use std::ops::Range;

/// A computer with one core of `W` retire lanes, whose LWP is `D`. See the [module](super).
///
/// `&Machine` implements the traits of `lwp-regs`, so that a driver's system side and its sessions can use it at the
/// same time, as they share a processor.
pub struct Machine<const W: usize, D>(RefCell<Cpu<W, D>>);

impl<const W: usize, const S: usize, const LAT: u32> Machine<W, Lwp<W, S, LAT>> {
    /// Creates a machine that contains the model, just reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another.
    pub fn of_model(straps: &Config) -> Result<Self, ConfigError> {
        let identity = Identity::new(straps, S as u8, LAT as u8);
        Ok(Self(RefCell::new(Cpu::new(Lwp::new(*straps)?, identity, straps.irq_delay))))
    }
}

impl<const W: usize> Machine<W, RtlDevice<W>> {
    /// Creates a machine that contains a build of the RTL, just reset.
    ///
    /// # Errors
    /// [`ConfigError`] if the straps contradict one another.
    ///
    /// # Panics
    /// If the build is of another unit, or has another number of retire lanes.
    pub fn of_rtl(build: BuildId, flavour: Flavour, straps: &Config) -> Result<Self, ConfigError> {
        straps.validate()?;
        let size = |name| build.parameter(name).unwrap_or_else(|| panic!("{} has no {name}", build.name())) as u8;
        let identity = Identity::new(straps, size("EventSlots"), size("LatencyBits"));
        let device = RtlDevice::new(Rtl::new(build, flavour, &pack_straps(straps)));
        Ok(Self(RefCell::new(Cpu::new(device, identity, straps.irq_delay))))
    }
}

impl<const W: usize, D: Moore<Inputs = Inputs<W>, Outputs = Outputs>> Machine<W, D> {
    /// Maps a region: the unit accesses these linear addresses in the memory of this program. An access to any other
    /// address page-faults.
    ///
    /// [`Session::regions`](lwp_regs::lwp::Session::regions) returns the regions that a session needs.
    ///
    /// # Safety
    ///
    /// Until the region is [unmapped](Self::unmap) or the machine is dropped, its bytes are valid for reads and writes,
    /// their provenance has been exposed (as the views of `lwp-regs` do), and software accesses them only through
    /// volatile or atomic accesses, or while the machine does not run.
    pub unsafe fn map(&self, region: Range<u64>) {
        // SAFETY: the caller upholds the same conditions.
        unsafe { self.cpu().memory.map(region) }
    }

    /// Unmaps a region that was mapped with the same bounds.
    pub fn unmap(&self, region: &Range<u64>) {
        self.cpu().memory.unmap(region);
    }

    /// Runs a program in ring 3 until it has ended or the kernel has to act. To continue, run the same program again.
    ///
    /// # Errors
    /// [`MachineFault::Stuck`] if the unit hangs.
    pub fn run<I: Iterator<Item = Lane>>(&self, program: &mut Program<I>) -> Result<Stop, MachineFault> {
        self.cpu().run(program)
    }

    /// Sets the pace: from now on at most `lanes` instructions retire in one cycle (1 to `W`), and consecutive groups
    /// are at least `cycles` cycles apart.
    pub fn set_pace(&self, lanes: usize, cycles: u64) {
        let mut cpu = self.cpu();
        (cpu.lanes, cpu.pace) = (lanes.clamp(1, W), cycles.max(1));
    }

    /// Sets the latency of memory: from now on the response arrives this many cycles after the grant; at least 1.
    pub fn set_latency(&self, cycles: u32) {
        self.cpu().port.latency = cycles;
    }

    /// Makes the access to memory with this [number](Self::accesses) page-fault, although it is mapped.
    pub fn fail_access(&self, number: u64) {
        self.cpu().port.fails = Some(number);
    }

    /// Returns the number of accesses to memory that the unit has made since reset, including failed ones. It is also
    /// the number of the next access.
    #[must_use]
    pub fn accesses(&self) -> u64 {
        self.cpu().port.accesses
    }

    /// Returns the number of cycles since reset.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.cpu().cycles
    }

    /// Returns the device; for RTL, its waves and its assertions can then be read.
    #[must_use]
    pub fn into_device(self) -> D {
        self.0.into_inner().device
    }

    /// Borrows the core. The borrow lasts for one call only, and nothing calls back, so that it always succeeds.
    pub(super) fn cpu(&self) -> RefMut<'_, Cpu<W, D>> {
        self.0.borrow_mut()
    }
}

impl<const W: usize, D> fmt::Debug for Machine<W, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("lanes", &W).finish_non_exhaustive()
    }
}
