//! The core around the unit: one cycle of everything.

use super::consumer::{Consumer, RecordSink};
use super::failure::WorldFailure;
use super::feeder::{Fed, Feeder};
use super::handler::{Cause, Handler, Step};
use super::instructions::Instructions;
use super::memory::GuestMemory;
use super::operation::Progress;
use super::port::MemoryPort;
use super::script::{Answers, Phase, QUIET, Script};
use super::setup::Setup;
use super::stats::Stats;
use crate::trace::TraceError;
use lwp_model::lwp::{Control, Inputs, Lane, Mode, Outputs};

/// Cycles without any progress after which a run is given up, on top of what spacing and latency account for.
const PATIENCE: u64 = 1_000_000;

/// The environment of a unit with `W` retire lanes.
///
/// Call [`cycle`](Self::cycle) with the outputs of each cycle from reset on, and give the unit what it returns, until
/// [`is_over`](Self::is_over).
#[derive(Debug)]
pub struct World<const W: usize, I, R> {
    inputs: Inputs<W>,
    memory: GuestMemory,
    port: MemoryPort,
    feeder: Feeder<I>,
    handler: Handler,
    consumer: Consumer<R>,
    script: Script,
    stats: Stats,
    /// The lanes hold something that has to be cleared.
    lanes_used: bool,
    /// Cycle of the last progress, and how long to wait for the next.
    progress: u64,
    patience: u64,
    failure: Option<WorldFailure>,
}

/// What is left of a world.
#[derive(Debug)]
pub struct Remains<I, R> {
    /// Where the instructions came from.
    pub instructions: I,
    /// Where the records went.
    pub records: R,
    /// The memory of the process.
    pub memory: GuestMemory,
}

impl<const W: usize, I: Instructions, R: RecordSink> World<W, I, R> {
    /// The world at reset, with the control block in its memory. The buffer is zero.
    #[must_use]
    pub fn new(setup: &Setup, instructions: I, records: R) -> Self {
        let mut memory = GuestMemory::new();
        let mut block = vec![0; setup.lwpcb_bytes()];
        setup.image.write_bytes(setup.slots, &mut block);
        memory.write(setup.lwpcb, &block);
        let slowest = u64::from(setup.memory.latency.0.max(setup.memory.latency.1));
        Self {
            inputs: Inputs::default(),
            memory,
            port: MemoryPort::new(&setup.memory),
            feeder: Feeder::new(instructions, setup.lanes.min(W), setup.cpi, setup.latency_bits),
            handler: Handler::default(),
            consumer: Consumer::new(setup.drain, setup.lwpcb, records),
            script: Script::new(setup.msr0, setup.lwpcb),
            stats: Stats::default(),
            lanes_used: false,
            progress: 0,
            // An operation makes up to 40 accesses before it answers.
            patience: PATIENCE.saturating_add(setup.cpi).saturating_add(64 * slowest),
            failure: None,
        }
    }

    /// One cycle: what the unit sees while it shows `out`. After the end nothing happens any more.
    #[inline]
    pub fn cycle(&mut self, out: &Outputs) -> &Inputs<W> {
        self.clear();
        self.inputs.mem = self.port.cycle(out, &mut self.memory);
        match self.handler.cycle(&mut self.inputs.mode) {
            Some(step) => self.handle(step),
            None if self.takes_exception(out) => {}
            None => self.advance(out),
        }
        self.stats.cycles += 1;
        if self.stats.cycles - self.progress > self.patience {
            self.give_up();
        }
        &self.inputs
    }

    /// Ends the trace at the next instruction; the run goes on to its orderly end.
    pub fn stop(&mut self) {
        self.feeder.stop();
    }

    /// Whether the run has come to its end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.script.phase, Phase::Over)
    }

    /// Why the run was given up, if it was.
    #[must_use]
    pub fn failure(&self) -> Option<&WorldFailure> {
        self.failure.as_ref()
    }

    /// Why the trace could not be read to its end, if so. Can be asked once.
    pub fn take_trace_failure(&mut self) -> Option<TraceError> {
        self.feeder.take_failure()
    }

    /// The numbers so far.
    #[must_use]
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// What the operations of the script answered so far.
    #[must_use]
    pub fn answers(&self) -> Answers {
        self.script.answers
    }

    /// The memory of the process.
    #[must_use]
    pub fn memory(&self) -> &GuestMemory {
        &self.memory
    }

    /// Where the instructions come from.
    #[must_use]
    pub fn instructions(&self) -> &I {
        self.feeder.instructions()
    }

    /// Where the records go.
    #[must_use]
    pub fn records(&self) -> &R {
        self.consumer.sink()
    }

    /// Gives the sink the records that are still in the ring, which stays as it is, and hands everything back.
    #[must_use]
    pub fn finish(mut self) -> Remains<I, R> {
        self.consumer.take_rest(&mut self.memory);
        Remains {
            instructions: self.feeder.into_instructions(),
            records: self.consumer.into_sink(),
            memory: self.memory,
        }
    }

    /// Takes back what the last cycle showed; the mode stays.
    #[inline]
    fn clear(&mut self) {
        if self.lanes_used {
            self.inputs.lanes = [Lane::default(); W];
            self.lanes_used = false;
        }
        self.inputs.partial = false;
        self.inputs.ctl = Control::default();
        self.inputs.pf_ack = false;
        self.inputs.irq_ack = false;
    }

    fn handle(&mut self, step: Step) {
        match step {
            Step::Work(Cause::Interrupt) => self.consumer.interrupt(&mut self.memory),
            // The page that comes in is there already: which access faults is drawn anew for each.
            Step::Work(Cause::PageFaultTrap | Cause::OperationFault) | Step::Busy | Step::Returned => {}
        }
    }

    /// Takes a trap or an interrupt if one is requested and the core is between two instructions. While the unit stalls,
    /// an operation is being executed, and SMM masks both.
    #[inline]
    fn takes_exception(&mut self, out: &Outputs) -> bool {
        let wanted = out.pf_valid || out.irq;
        if !wanted || out.stall || self.inputs.mode.smm || !self.feeder.at_boundary() || self.is_over() {
            return false;
        }
        // Not counted as progress: a request that never goes away must not keep a run alive.
        if out.pf_valid {
            self.inputs.pf_ack = true;
            self.stats.page_faults += 1;
            self.handler.enter(Cause::PageFaultTrap, &mut self.inputs.mode);
        } else {
            self.inputs.irq_ack = true;
            self.stats.interrupts += 1;
            self.handler.enter(Cause::Interrupt, &mut self.inputs.mode);
        }
        true
    }

    /// A cycle of the script.
    #[inline]
    fn advance(&mut self, out: &Outputs) {
        match &mut self.script.phase {
            Phase::Program => self.run_program(out),
            Phase::Settle(_) => self.settle(out),
            Phase::Enable(operation) | Phase::Start(operation) | Phase::Stop(operation) => {
                let progress = operation.cycle(out, &mut self.inputs);
                self.operate(progress);
            }
            Phase::Over => {}
        }
    }

    #[inline]
    fn run_program(&mut self, out: &Outputs) {
        self.consumer.cycle(&mut self.memory);
        if out.stall {
            return;
        }
        match self.feeder.cycle(self.stats.cycles, &mut self.inputs, &mut self.stats) {
            Fed::Nothing => {}
            Fed::Progress => {
                self.lanes_used = true;
                self.progress = self.stats.cycles;
            }
            Fed::End => self.script.phase = Phase::Settle(0),
        }
    }

    fn settle(&mut self, out: &Outputs) {
        self.consumer.cycle(&mut self.memory);
        let user = Mode { cpl: 3, smm: false, ..self.inputs.mode };
        let moved = self.inputs.mode != user;
        self.inputs.mode = user;
        let busy = moved || out.stall || out.pf_valid || out.irq || self.port.is_used(out);
        let Phase::Settle(quiet) = &mut self.script.phase else { return };
        *quiet = if busy { 0 } else { *quiet + 1 };
        if *quiet == QUIET {
            self.progress = self.stats.cycles;
            self.script.settled();
        }
    }

    fn operate(&mut self, progress: Result<Progress, WorldFailure>) {
        match progress {
            Ok(Progress::Waiting) => return,
            Ok(Progress::PageFault) => {
                self.stats.page_faults += 1;
                self.handler.enter(Cause::OperationFault, &mut self.inputs.mode);
            }
            Ok(Progress::Over(answer)) => self.script.answered(answer),
            Err(failure) => self.fail(failure),
        }
        self.progress = self.stats.cycles;
    }

    #[cold]
    fn give_up(&mut self) {
        if !self.is_over() {
            self.fail(WorldFailure::Stuck { cycles: self.patience, waiting_for: self.script.waiting_for() });
        }
    }

    fn fail(&mut self, failure: WorldFailure) {
        self.failure = Some(failure);
        self.script.phase = Phase::Over;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::world::{Drain, MemoryTiming, ReplayList};
    use crate::trace::Retired;
    use lwp_regs::lwp::LwpcbImage;

    /// A world around outputs that a test makes up.
    fn world() -> World<1, ReplayList, Vec<lwp_regs::lwp::EventRecord>> {
        let setup = Setup {
            lwpcb: 0x1000,
            image: LwpcbImage::zeroed(),
            slots: 8,
            msr0: 1,
            drain: Drain::Never,
            memory: MemoryTiming::default(),
            lanes: 1,
            cpi: 1,
            latency_bits: 31,
        };
        let list = vec![Retired { ip: 1, cpl: 3, ..Retired::default() }];
        World::new(&setup, ReplayList::new(list, u64::MAX), Vec::new())
    }

    fn stuck_with(out: Outputs) -> bool {
        let mut world = world();
        // Both operations of the beginning are answered at once.
        for cycle in 0..10 {
            world.cycle(&Outputs { rsp_valid: cycle > 0, ..Outputs::default() });
        }
        for _ in 0..PATIENCE + 1000 {
            world.cycle(&out);
        }
        world.is_over() && matches!(world.failure(), Some(WorldFailure::Stuck { .. }))
    }

    #[test]
    fn a_unit_that_hangs_ends_the_run() {
        assert!(!stuck_with(Outputs::default()), "instructions retire");
        assert!(stuck_with(Outputs { stall: true, ..Outputs::default() }));
        assert!(stuck_with(Outputs { irq: true, ..Outputs::default() }), "an interrupt that is never taken back");
        assert!(stuck_with(Outputs { pf_valid: true, ..Outputs::default() }));
    }

    #[test]
    fn nothing_happens_after_the_end() {
        let mut world = world();
        world.stop();
        for _ in 0..100 {
            world.cycle(&Outputs { rsp_valid: true, ..Outputs::default() });
        }
        assert!(world.is_over());
        let after = *world.cycle(&Outputs { irq: true, pf_valid: true, ..Outputs::default() });
        assert_eq!(after, Inputs { mode: after.mode, ..Inputs::default() });
    }
}
