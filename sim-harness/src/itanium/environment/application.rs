//! The IA-32 application: a trace that retires.

use super::memory::Hierarchy;
use super::setup::Setup;
use crate::core::{Feeder, Instructions, RetirePort};
use crate::traces::{Retired, TraceError};
use lwp_model::itanium::{Inputs, MEM_PORTS, Mem};
use lwp_model::retire::{Access, Mode, OpMode};

/// IA-32 instructions that can retire in a cycle: each may have a memory record.
const LANES: usize = MEM_PORTS;
/// PSR.cpl of an application.
const USER: u8 = 3;

/// A trace that retires as an IA-32 application, at privilege level 3.
#[derive(Debug)]
pub(super) struct Application<I> {
    feeder: Feeder<I>,
    memory: Hierarchy,
    retired: u64,
    psr: u64,
}

impl<I: Instructions> Application<I> {
    pub(super) fn new(setup: &Setup, instructions: I) -> Self {
        let feeder = Feeder::new(instructions, OpMode::Protected, setup.lanes.min(LANES), setup.spacing);
        Self { feeder, memory: Hierarchy::new(), retired: 0, psr: setup.psr }
    }

    pub(super) const fn retired(&self) -> u64 {
        self.retired
    }

    pub(super) const fn instructions(&self) -> &I {
        self.feeder.instructions()
    }

    pub(super) fn into_instructions(self) -> I {
        self.feeder.into_instructions()
    }

    pub(super) fn take_failure(&mut self) -> Option<TraceError> {
        self.feeder.take_failure()
    }

    pub(super) const fn has_ended(&self) -> bool {
        self.feeder.has_ended()
    }

    pub(super) const fn stop(&mut self) {
        self.feeder.stop(false);
    }

    /// Returns the privilege level of the application.
    pub(super) const fn cpl(&self) -> u8 {
        USER
    }

    /// Returns the PSR that an interruption saves, as far as monitoring goes by it. No IA-32 instruction changes these bits: they are what
    /// the application was started with.
    pub(super) const fn psr(&self) -> u64 {
        self.psr
    }

    /// Retires what fits into a cycle.
    #[inline]
    pub(super) fn cycle<const BUNDLES: usize>(&mut self, now: u64, inputs: &mut Inputs<BUNDLES>) {
        let Self { feeder, memory, retired, .. } = self;
        if feeder.is_due(now) {
            let Inputs { ia32, mem, .. } = inputs;
            feeder.cycle(now, &mut Port { ia32, mem, memory, retired });
        }
    }
}

/// What retirement changes.
struct Port<'a> {
    ia32: &'a mut u8,
    mem: &'a mut [Mem; MEM_PORTS],
    memory: &'a mut Hierarchy,
    retired: &'a mut u64,
}

impl RetirePort for Port<'_> {
    const MISSED_LOADS: bool = false;
    const ACCESSES: bool = true;
    const IO: bool = false;
    const INTERRUPTIONS: bool = false;
    const CS_BASE: bool = false;
    const ACCESS_PORTS: usize = 1;

    /// An application runs at one level.
    #[inline]
    fn is_in(&self, _mode: Mode) -> bool {
        true
    }

    fn enter(&mut self, _mode: Mode) {}

    #[inline]
    fn retire(&mut self, _lane: usize, _retired: &Retired) -> bool {
        *self.retired += 1;
        *self.ia32 += 1;
        true
    }

    #[inline]
    fn show_access(&mut self, lane: usize, _port: usize, Access { read, write, addr, .. }: Access) {
        self.mem[lane] = self.memory.access(addr, read, write);
    }
}
