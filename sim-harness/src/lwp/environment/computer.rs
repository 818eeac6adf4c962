//! The core around the unit: one cycle of everything.

use super::consumer::{Consumer, RecordSink};
use super::failure::LwpFailure;
use super::operation::Progress;
use super::retire::RetireStage;
use super::script::{Answers, Phase, QUIET, Script};
use super::setup::Setup;
use super::stats::Stats;
use super::switch::Switch;
use crate::core::draws::Draws;
use crate::core::handler::{Handler, Step};
use crate::core::{Fed, GuestMemory, Instructions, MemoryPort};
use crate::traces::TraceError;
use lwp_model::lwp::{self, Buffer, Control, Entropy, Inputs, Memory, Mode, Outputs};
use lwp_model::retire::{MemCmd, MemRequest};

/// Cycles without any progress after which a run is given up, on top of what spacing and latency account for.
const PATIENCE: u64 = 1_000_000;

/// Why a handler runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// A store or the deferred initialisation page-faulted, which the core takes as a trap.
    PageFaultTrap,
    /// The threshold interrupt.
    Interrupt,
    /// LLWPCB or SLWPCB raised #PF; the core executes it again afterwards.
    OperationFault,
}

/// The environment of a unit with `W` retire lanes.
///
/// Call [`cycle`](Self::cycle) with the outputs of each cycle from reset on, and give the unit what it returns, until
/// [`is_over`](Self::is_over).
#[derive(Debug)]
pub struct Computer<const W: usize, I, R> {
    inputs: Inputs<W>,
    memory: GuestMemory,
    port: MemoryPort,
    retire: RetireStage<W, I>,
    handler: Handler<Mode, Cause>,
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
    /// Cycle of the last progress, and how long to wait for the next.
    progress: u64,
    patience: u64,
    failure: Option<LwpFailure>,
}

/// What is left of an environment.
#[derive(Debug)]
pub struct Remains<I, R> {
    /// Where the instructions came from.
    pub instructions: I,
    /// Where the records went.
    pub records: R,
    /// The memory of the process.
    pub memory: GuestMemory,
}

impl<const W: usize, I: Instructions, R: RecordSink> Computer<W, I, R> {
    /// The environment at reset, with the control block in its memory. The buffer is zero.
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
            retire: RetireStage::new(instructions, setup),
            handler: Handler::new(),
            consumer: Consumer::new(setup.drain, setup.block(), records),
            script: Script::new(setup.msr0, setup.lwpcb, setup.start),
            stats: Stats::default(),
            entropy: (setup.straps.entropy == Entropy::Port).then(|| Draws::new(setup.memory.seed, 4)),
            quiet: QUIET + u32::from(setup.straps.irq_delay),
            switch_due: every,
            switch_every: every,
            switched: 0,
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
            self.retire.cut(out.cut_lane, &self.inputs, &mut self.stats);
        }
        self.clear();
        if self.retire.follows() {
            self.retire.follow(&mut self.inputs, out);
        }
        let answer = self.port.cycle(&mem_request(out), &mut self.memory);
        self.inputs.mem = Memory { gnt: answer.gnt, rvalid: answer.rvalid, err: answer.err, rdata: answer.rdata };
        match self.handler.cycle() {
            Some(step) => self.handle(step),
            None if self.takes_exception(out) => {}
            None => self.advance(out),
        }
        self.retire.end(&mut self.inputs);
        self.stats.cycles += 1;
        if self.stats.cycles - self.progress > self.patience {
            self.give_up();
        }
        &self.inputs
    }

    /// Ends the trace at the next instruction; the run goes on to its orderly end.
    pub fn stop(&mut self) {
        self.retire.stop();
    }

    /// Whether the run has come to its end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.script.phase, Phase::Over)
    }

    /// Why the run was given up, if it was.
    #[must_use]
    pub fn failure(&self) -> Option<&LwpFailure> {
        self.failure.as_ref()
    }

    /// Why the trace could not be read to its end, if so. Can be asked once.
    pub fn take_trace_failure(&mut self) -> Option<TraceError> {
        self.retire.take_failure()
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
        self.retire.instructions()
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
            instructions: self.retire.into_instructions(),
            records: self.consumer.into_sink(),
            memory: self.memory,
        }
    }

    /// Takes back what the last cycle showed; the mode stays.
    #[inline]
    fn clear(&mut self) {
        self.retire.begin(&mut self.inputs);
        if self.retire.follows() {
            self.inputs.buffer = Buffer::default();
        }
        if let Some(entropy) = &mut self.entropy {
            self.inputs.entropy = entropy.word();
        }
        self.inputs.ctl = Control::default();
        self.inputs.pf_ack = false;
        self.inputs.irq_ack = false;
    }

    fn handle(&mut self, step: Step<Mode, Cause>) {
        match step {
            Step::Work(Cause::Interrupt) => self.consumer.interrupt(&mut self.memory),
            // The page that comes in is there already: which access faults is drawn anew for each.
            Step::Work(Cause::PageFaultTrap | Cause::OperationFault) | Step::Busy => {}
            Step::Return(interrupted) => self.inputs.mode = interrupted,
        }
    }

    /// The core takes an exception.
    fn enter(&mut self, cause: Cause) {
        self.handler.enter(cause, self.inputs.mode);
        self.inputs.mode.cpl = 0;
    }

    /// Takes a trap or an interrupt if one is requested and the core may take it, or waits until it may leave ring 3 for an
    /// interrupt. SMM masks both.
    #[inline]
    fn takes_exception(&mut self, out: &Outputs) -> bool {
        let wanted = out.pf_valid || out.irq;
        if !wanted || self.inputs.mode.smm || self.script.masks() {
            return false;
        }
        let between = !out.stall && self.retire.at_boundary();
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
            self.enter(Cause::Interrupt);
        }
        between
    }

    #[cold]
    fn take_trap(&mut self, out: &Outputs) {
        if out.pf_abort {
            self.retire.undo(&mut self.stats);
        }
        self.retire.interrupt();
        self.inputs.pf_ack = true;
        self.stats.page_faults += 1;
        self.enter(Cause::PageFaultTrap);
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
        if self.retire.follows() {
            self.retire.begin_loads(&mut self.inputs, out);
        }
        if out.stall || (self.stats.cycles >= self.switch_due && self.switches_out(out)) {
            return;
        }
        match self.retire.cycle(self.stats.cycles, out, &mut self.inputs, &mut self.stats) {
            Fed::Nothing => {}
            Fed::Progress => {
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
        if mode.smm || !self.retire.at_boundary() || self.progress <= self.switched {
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
        let busy = moved || out.stall || out.drain || out.pf_valid || out.irq || out.mem_req || self.port.is_busy();
        let Phase::Settle(quiet) = &mut self.script.phase else { return };
        *quiet = if busy { 0 } else { *quiet + 1 };
        if *quiet == self.quiet {
            self.progress = self.stats.cycles;
            self.script.settled();
        }
    }

    fn operate(&mut self, progress: Result<Progress, LwpFailure>) {
        match progress {
            Ok(Progress::Waiting) => return,
            Ok(Progress::PageFault) => {
                self.stats.page_faults += 1;
                self.enter(Cause::OperationFault);
            }
            Ok(Progress::Over(answer)) => self.script.answered(answer),
            Err(failure) => self.fail(failure),
        }
        self.progress = self.stats.cycles;
    }

    #[cold]
    fn give_up(&mut self) {
        if !self.is_over() {
            self.fail(LwpFailure::Stuck { cycles: self.patience, waiting_for: self.script.waiting_for() });
        }
    }

    fn fail(&mut self, failure: LwpFailure) {
        self.failure = Some(failure);
        self.script.phase = Phase::Over;
    }
}

/// Returns what the unit asks of memory.
#[inline]
pub(crate) const fn mem_request(out: &Outputs) -> MemRequest {
    let cmd = match out.mem_cmd {
        lwp::MemCmd::Read => MemCmd::Read,
        lwp::MemCmd::Write => MemCmd::Write,
        lwp::MemCmd::Probe => MemCmd::Probe,
    };
    MemRequest { req: out.mem_req, cmd, be: out.mem_be, addr: out.mem_addr, wdata: out.mem_wdata }
}

#[cfg(test)]
mod tests;
