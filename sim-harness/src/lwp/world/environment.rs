//! The core around the unit: one cycle of everything.

use super::consumer::{Consumer, RecordSink};
use super::draws::Draws;
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
use super::switch::Switch;
use crate::trace::TraceError;
use lwp_model::lwp::{Buffer, Control, Entropy, Inputs, Lane, Mode, Outputs};

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
    feeder: Feeder<W, I>,
    handler: Handler,
    consumer: Consumer<R>,
    script: Script,
    stats: Stats,
    /// Random words for the unit, if it takes them from its port.
    entropy: Option<Draws>,
    /// Cycles without memory traffic after which nothing can be in flight.
    quiet: u32,
    /// First cycle in which the program may be switched out, and cycles from one switch to the next.
    switch_due: u64,
    switch_every: u64,
    /// Cycle of the last switch.
    switched: u64,
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
        memory.write(setup.block(), &block);
        let every = setup.switch_every.map_or(u64::MAX, |every| every.max(1));
        let slowest = u64::from(setup.memory.latency.0.max(setup.memory.latency.1));
        Self {
            inputs: Inputs::default(),
            memory,
            port: MemoryPort::new(&setup.memory),
            feeder: Feeder::new(instructions, setup),
            handler: Handler::default(),
            consumer: Consumer::new(setup.drain, setup.block(), records),
            script: Script::new(setup.msr0, setup.lwpcb, setup.start),
            stats: Stats::default(),
            entropy: (setup.straps.entropy == Entropy::Port).then(|| Draws::new(setup.memory.seed, 4)),
            quiet: QUIET + u32::from(setup.straps.irq_delay),
            switch_due: every,
            switch_every: every,
            switched: 0,
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
        if out.cut_valid {
            self.feeder.cut(out.cut_lane, &self.inputs, &mut self.stats);
        }
        self.clear();
        if self.feeder.follows() {
            self.feeder.follow(&mut self.inputs, out);
        }
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
        if self.feeder.follows() {
            self.inputs.buffer = Buffer::default();
        }
        if let Some(entropy) = &mut self.entropy {
            self.inputs.entropy = entropy.word();
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

    /// Takes a trap or an interrupt if one is requested and the core may take it, or waits until it may leave ring 3 for an
    /// interrupt. SMM masks both.
    #[inline]
    fn takes_exception(&mut self, out: &Outputs) -> bool {
        let wanted = out.pf_valid || out.irq;
        if !wanted || self.inputs.mode.smm || self.script.masks() {
            return false;
        }
        let between = !out.stall && self.feeder.at_boundary();
        // Not counted as progress: a request that never goes away must not keep a run alive.
        if out.pf_valid {
            // A stall that the trap alone can end is no reason to wait; an operation of the core's own is.
            let taken = between || (out.stall && !self.script.operates());
            if taken {
                self.take_trap(out);
            }
            return taken;
        }
        if between && !(out.drain && self.inputs.mode.ring3()) {
            self.inputs.irq_ack = true;
            self.stats.interrupts += 1;
            self.handler.enter(Cause::Interrupt, &mut self.inputs.mode);
        }
        between
    }

    #[cold]
    fn take_trap(&mut self, out: &Outputs) {
        if out.pf_abort {
            self.feeder.undo(&mut self.stats);
        }
        self.feeder.interrupt();
        self.inputs.pf_ack = true;
        self.stats.page_faults += 1;
        self.handler.enter(Cause::PageFaultTrap, &mut self.inputs.mode);
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
            Phase::Switch(switch) => match switch.cycle(out, &mut self.inputs) {
                Ok(false) => {}
                Ok(true) => self.switched_back(),
                Err(failure) => self.fail(failure),
            },
            Phase::Over => {}
        }
    }

    #[inline]
    fn run_program(&mut self, out: &Outputs) {
        self.consumer.cycle(&mut self.memory);
        if self.feeder.follows() {
            self.feeder.begin_loads(&mut self.inputs, out);
        }
        if out.stall || (self.stats.cycles >= self.switch_due && self.switches_out(out)) {
            return;
        }
        match self.feeder.cycle(self.stats.cycles, out, &mut self.inputs, &mut self.stats) {
            Fed::Nothing => {}
            Fed::Progress => {
                self.lanes_used = true;
                self.progress = self.stats.cycles;
            }
            Fed::End => self.script.phase = Phase::Settle(0),
        }
    }

    /// The kernel switches the program out, or waits until it may. An instruction retires between two switches, lest they
    /// keep it from running at all.
    #[cold]
    fn switches_out(&mut self, out: &Outputs) -> bool {
        let mode = self.inputs.mode;
        if mode.smm || !self.feeder.at_boundary() || self.progress <= self.switched {
            return false;
        }
        if !(out.drain && mode.ring3()) {
            self.inputs.mode.cpl = 0;
            self.script.phase = Phase::Switch(Switch::new(mode));
        }
        true
    }

    #[cold]
    fn switched_back(&mut self) {
        self.script.phase = Phase::Program;
        self.stats.switches += 1;
        self.switched = self.stats.cycles;
        self.switch_due = self.stats.cycles.saturating_add(self.switch_every);
    }

    fn settle(&mut self, out: &Outputs) {
        self.consumer.cycle(&mut self.memory);
        let user = Mode { cpl: 3, smm: false, ..self.inputs.mode };
        let moved = self.inputs.mode != user;
        self.inputs.mode = user;
        let busy = moved || out.stall || out.drain || out.pf_valid || out.irq || self.port.is_used(out);
        let Phase::Settle(quiet) = &mut self.script.phase else { return };
        *quiet = if busy { 0 } else { *quiet + 1 };
        if *quiet == self.quiet {
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
mod tests;
