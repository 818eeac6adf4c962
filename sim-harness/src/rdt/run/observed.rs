//! The environment of a run, and what the ports of the unit show in it.

use crate::device::Environment;
use crate::rdt::environment::{Computer, Program, Setup};
use crate::rdt::records::Recorder;
use lwp_model::rdt::{Inputs, Outputs};

/// RMIDs that the largest unit has.
const RMIDS: usize = 32;

/// Lines that were moved between the L3 cache and memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moved {
    /// Lines that were read.
    pub(super) reads: u64,
    /// Lines of these that belong to memory of this package.
    pub(super) local_reads: u64,
    /// Lines that were written.
    pub(super) writes: u64,
    /// Lines of these that belong to memory of this package.
    pub(super) local_writes: u64,
}

/// What the ports have shown.
#[derive(Clone, Debug)]
pub(super) struct Ports {
    /// By RMID.
    pub(super) moved: [Moved; RMIDS],
    /// Cycle in which the first access was accepted.
    pub(super) begin: Option<u64>,
}

/// An environment whose ports are watched.
#[derive(Debug)]
pub(super) struct Observed<const LP: usize, P> {
    /// The environment.
    pub(super) computer: Computer<LP, P>,
    /// Number of its programs.
    pub(super) programs: usize,
    /// What its ports have shown.
    pub(super) ports: Ports,
}

impl<const LP: usize, P: Program> Observed<LP, P> {
    /// The environment at reset.
    pub(super) fn new(setup: &Setup, programs: Vec<P>, records: Recorder) -> Self {
        let ports = Ports { moved: [Moved::default(); RMIDS], begin: None };
        Self { programs: programs.len(), computer: Computer::new(setup, programs, records), ports }
    }
}

impl<const LP: usize, P: Program> Environment for Observed<LP, P> {
    type Inputs = Inputs<LP>;
    type Outputs = Outputs<LP>;

    #[inline]
    fn cycle(&mut self, out: &Outputs<LP>) -> &Inputs<LP> {
        let Self { computer, ports, .. } = self;
        let cycle = computer.cycles();
        let inputs = computer.cycle(out);
        if out.mem_req && inputs.mem.mem_gnt {
            let moved = &mut ports.moved[usize::from(out.mem_rmid) % RMIDS];
            let (all, local) = if out.mem_write {
                (&mut moved.writes, &mut moved.local_writes)
            } else {
                (&mut moved.reads, &mut moved.local_reads)
            };
            *all += 1;
            *local += u64::from(inputs.mem.mem_local);
        }
        if ports.begin.is_none() && inputs.lp.iter().zip(&out.lp).any(|(lp, out)| lp.req_valid && out.req_ready) {
            ports.begin = Some(cycle);
        }
        inputs
    }

    fn is_over(&self) -> bool {
        self.computer.is_over()
    }

    fn stop(&mut self) {
        self.computer.stop();
    }
}
