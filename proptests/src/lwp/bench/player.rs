//! Software, kernel and core of a scenario.

use super::memory::Memory;
use super::places::{BLOCKS, BUFFER, Places};
use super::recording::{Cycle, Recording};
use crate::lwp::scenario::{Argument, MemoryBehaviour, Op, Scenario, Scribble, TailMove};
use lwp_model::lwp::{Config, Control, CtlOp, Inputs, Lwp, Mode, OpMode, Outputs};
use lwp_regs::lwp::offset;

/// A unit that runs a scenario.
#[derive(Debug)]
pub struct Player<const W: usize, const S: usize, const LAT: u32> {
    unit: Lwp<W, S, LAT>,
    /// The memory behind the port.
    pub memory: Memory,
    pub(super) mode: Mode,
    pub(super) polite: bool,
    /// The contexts of the two threads; that of the running thread is stale.
    pub(super) contexts: [[u64; 8]; 2],
    pub(super) thread: usize,
    pub(super) places: Places,
    /// The entry of the miss address buffer that is taken next.
    pub(super) entry: u8,
    entropy: u64,
    recording: Recording<W>,
}

/// Runs a scenario with the model from power-up on.
///
/// # Panics
///
/// Panics if the scenario's straps are illegal, or a polite core waits for ever.
#[must_use]
pub fn play<const W: usize, const S: usize, const LAT: u32>(scenario: &Scenario) -> (Recording<W>, Memory) {
    let mut player = Player::<W, S, LAT>::new(scenario);
    for op in &scenario.ops {
        player.op(op);
    }
    player.finish()
}

impl<const W: usize, const S: usize, const LAT: u32> Player<W, S, LAT> {
    /// Powers up and resets the unit, and boots if the scenario has it.
    ///
    /// # Panics
    ///
    /// Panics if the straps are illegal.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let mut player = Self {
            unit: Lwp::new(scenario.straps).expect("strategies draw legal straps"),
            memory: Memory::new(MemoryBehaviour { fault: 0, ..scenario.memory }, scenario.seed),
            mode: Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 },
            polite: scenario.polite,
            contexts: [[0; 8]; 2],
            thread: 0,
            places: Places::START,
            entry: 0,
            entropy: scenario.seed,
            recording: Recording::default(),
        };
        // The other thread starts with its own block.
        player.contexts[1][0] = BLOCKS[1];
        for (at, block) in scenario.blocks.iter().enumerate() {
            player.memory.write(BLOCKS[at], &block.bytes(BUFFER, S));
        }
        player.reset(2);
        if scenario.boot {
            player.boot(scenario);
        }
        // Page faults begin when a session runs; otherwise few sessions would.
        player.memory.set_behaviour(scenario.memory);
        player
    }

    fn boot(&mut self, scenario: &Scenario) {
        let msr0 = lwp_regs::lwp::LwpMsr0::writable_mask(scenario.straps.available());
        self.request(Control { valid: true, op: CtlOp::WriteMsr0, wdata: msr0, ..Control::default() });
        self.idle(4);
        self.op(&Op::Enter(Mode { cpl: 3, ..self.mode }));
        self.op(&Op::Control(CtlOp::Llwpcb, Argument::Block(0), 0));
        while self.out().stall {
            self.idle(1);
        }
    }

    /// Runs idle cycles at the end, and returns the recording and the memory.
    #[must_use]
    pub fn finish(mut self) -> (Recording<W>, Memory) {
        self.idle(2);
        (self.recording, self.memory)
    }

    /// Runs one operation.
    pub fn op(&mut self, op: &Op) {
        match op {
            Op::Retire(lanes) => self.retire(lanes),
            Op::Partial(lane) => self.partial(lane),
            Op::Miss(lane, wait, abort) => self.miss(lane, *wait, *abort),
            Op::Buffer(buffer) => self.cycle(Inputs { buffer: *buffer, ..Inputs::default() }, true),
            Op::Idle(cycles) => self.idle((*cycles).into()),
            Op::Enter(mode) => self.enter(*mode),
            Op::Excursion(before, mode, away) => self.excursion(*before, *mode, *away),
            Op::Control(op, argument, ds_base) => {
                let wdata = self.argument(*argument);
                let ds_base = (*ds_base).into();
                self.request(Control { valid: true, op: *op, wdata, ds_base, ..Control::default() });
            }
            Op::Context(restore, word, value) => {
                let op = if *restore { CtlOp::Restore } else { CtlOp::Save };
                let wdata = if *word == 0 { self.places.of(*value) } else { *value };
                self.request(Control { valid: true, op, word: *word, wdata, ..Control::default() });
            }
            Op::Switch => self.switch(),
            Op::Smm(power) => self.smm(*power),
            Op::Tail(block, how) => self.move_tail(*block, *how),
            Op::Rewrite(at, block) => {
                self.memory.write(self.places.blocks[usize::from(*at)], &block.bytes(self.places.ring, S));
            }
            Op::Place(what, address) => self.place(*what, *address),
            Op::Scribble(block, what, value) => self.scribble(*block, *what, *value),
            Op::PageOut(page) => {
                let [first, second] = self.places.blocks;
                self.memory.page_out([first, second.wrapping_add(32), self.places.ring][usize::from(*page)]);
            }
            Op::PageIn => self.memory.page_in(),
            Op::AckInterrupt => self.cycle(Inputs { irq_ack: true, ..Inputs::default() }, true),
            Op::AckPageFault => self.cycle(Inputs { pf_ack: true, ..Inputs::default() }, true),
            Op::Reset(cycles) => self.reset((*cycles).into()),
        }
        if self.polite {
            self.take_traps();
        }
    }

    fn argument(&self, argument: Argument) -> u64 {
        match argument {
            Argument::Zero => 0,
            Argument::Block(at) => self.places.blocks[usize::from(at)],
            Argument::Misaligned(at) => self.places.blocks[usize::from(at)].wrapping_add(8),
            Argument::Features(bits) => {
                u64::from(bits & 15) | u64::from(bits >> 4 & 1) << 31 | u64::from(bits >> 7) << 17
            }
            Argument::Wild(value) => value,
        }
    }

    fn move_tail(&mut self, block: u8, how: TailMove) {
        let field = |offset: usize| self.places.blocks[usize::from(block)].wrapping_add(offset as u64);
        let head = self.memory.read32(field(offset::HEAD));
        let tail = self.memory.read32(field(offset::TAIL));
        let size = self.memory.read32(field(offset::SIZE)) & 0x0FFF_FFE0;
        let moved = match how {
            TailMove::Drain => head,
            TailMove::By(records) if size != 0 => tail.wrapping_add(32 * u32::from(records)) % size,
            TailMove::By(_) => tail,
            TailMove::Wild(value) => value,
        };
        self.memory.write(field(offset::TAIL), &moved.to_le_bytes());
    }

    fn scribble(&mut self, block: u8, what: Scribble, value: u32) {
        let at = match what {
            Scribble::Flags => offset::FLAGS,
            Scribble::Size => offset::SIZE,
            Scribble::Head => offset::HEAD,
            Scribble::Slot(slot) => offset::slot(slot.into()),
            Scribble::Counter(slot) => offset::slot(slot.into()) + 4,
        };
        self.memory.write(self.places.blocks[usize::from(block)].wrapping_add(at as u64), &value.to_le_bytes());
    }

    /// Runs cycles in which nothing retires.
    pub fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(Inputs::default(), true);
        }
    }

    pub(super) fn reset(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(Inputs::default(), false);
        }
    }

    pub(super) fn cycle(&mut self, mut inputs: Inputs<W>, rst_n: bool) {
        if !rst_n {
            self.unit.reset();
        }
        inputs.mode = self.mode;
        let out = self.unit.outputs();
        inputs.mem = self.memory.cycle(&out);
        self.entropy = self.entropy.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        inputs.entropy = (self.entropy >> 32) as u32;
        self.recording.cycles.push(Cycle { inputs, rst_n, out, state: *self.unit.state() });
        if rst_n {
            self.unit.step(&inputs);
        }
    }

    /// Returns the unit.
    #[must_use]
    pub fn unit(&self) -> &Lwp<W, S, LAT> {
        &self.unit
    }

    /// Returns the outputs of the unit.
    #[must_use]
    pub fn out(&self) -> Outputs {
        self.unit.outputs()
    }

    pub(super) fn straps(&self) -> &Config {
        self.unit.config()
    }
}
