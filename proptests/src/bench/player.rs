//! Software, kernel and core of a scenario.

use super::memory::Memory;
use super::recording::{Cycle, Recording};
use crate::scenario::{Argument, MemoryBehaviour, Op, Scenario, TailMove};
use lwp_model::lwp::{Control, CtlOp, Inputs, Lane, Lwp, Mode, OpMode};
use lwp_regs::lwp::offset;

/// Where the two blocks live; the second crosses a page.
pub const BLOCKS: [u64; 2] = [0x1_0000, 0x3_0FE0];
/// Where the ring buffer lives.
pub const BUFFER: u64 = 0x2_0000;
/// How long a polite core waits for the unit before the property fails.
const PATIENCE: usize = 20_000;

/// A unit under a scenario.
#[derive(Debug)]
pub struct Player<const W: usize, const S: usize, const LAT: u32> {
    unit: Lwp<W, S, LAT>,
    /// The memory behind the port.
    pub memory: Memory,
    mode: Mode,
    polite: bool,
    recording: Recording<W>,
}

/// Plays a scenario against the model from power-up on.
///
/// # Panics
///
/// If the scenario's straps are illegal, or a polite core waits for ever.
#[must_use]
pub fn play<const W: usize, const S: usize, const LAT: u32>(scenario: &Scenario) -> (Recording<W>, Memory) {
    let mut player = Player::<W, S, LAT>::new(scenario);
    for op in &scenario.ops {
        player.op(op);
    }
    player.finish()
}

impl<const W: usize, const S: usize, const LAT: u32> Player<W, S, LAT> {
    /// Powers up, resets, and boots if the scenario says so.
    ///
    /// # Panics
    ///
    /// If the straps are illegal.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let mut player = Self {
            unit: Lwp::new(scenario.straps).expect("strategies draw legal straps"),
            memory: Memory::new(MemoryBehaviour { fault: 0, ..scenario.memory }, scenario.seed),
            mode: Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 },
            polite: scenario.polite,
            recording: Recording::default(),
        };
        for (at, block) in scenario.blocks.iter().enumerate() {
            player.memory.write(BLOCKS[at], &block.bytes(BUFFER, S));
        }
        player.reset(2);
        if scenario.boot {
            player.boot(scenario);
        }
        // Page faults begin once a session runs; otherwise few would.
        player.memory.set_behaviour(scenario.memory);
        player
    }

    fn boot(&mut self, scenario: &Scenario) {
        let msr0 = lwp_regs::lwp::LwpMsr0::writable_mask(scenario.straps.available());
        self.request(Control { valid: true, op: CtlOp::WriteMsr0, wdata: msr0, ds_base: 0 });
        self.idle(4);
        self.op(&Op::Enter(Mode { cpl: 3, ..self.mode }));
        self.op(&Op::Control(CtlOp::Llwpcb, Argument::Block(0), 0));
        while self.unit.outputs().stall {
            self.idle(1);
        }
    }

    /// Leaves the unit alone until it has come to rest, and ends.
    #[must_use]
    pub fn finish(mut self) -> (Recording<W>, Memory) {
        self.idle(2);
        (self.recording, self.memory)
    }

    /// Plays one operation.
    pub fn op(&mut self, op: &Op) {
        match op {
            Op::Retire(lanes) => self.retire(lanes, false),
            Op::Partial(lane) => self.retire(core::slice::from_ref(lane), true),
            Op::Idle(cycles) => self.idle((*cycles).into()),
            Op::Enter(mode) => self.enter(*mode),
            Op::Excursion(before, mode, away) => self.excursion(*before, *mode, *away),
            Op::Control(op, argument, ds_base) => {
                let wdata = self.argument(*argument);
                self.request(Control { valid: true, op: *op, wdata, ds_base: (*ds_base).into() });
            }
            Op::Tail(block, how) => self.move_tail(*block, *how),
            Op::Rewrite(at, block) => self.memory.write(BLOCKS[usize::from(*at)], &block.bytes(BUFFER, S)),
            Op::PageOut(page) => self.memory.page_out([BLOCKS[0], BLOCKS[1] + 32, BUFFER][usize::from(*page)]),
            Op::PageIn => self.memory.page_in(),
            Op::AckInterrupt => self.cycle(Inputs { irq_ack: true, ..Inputs::default() }, true),
            Op::AckPageFault => self.cycle(Inputs { pf_ack: true, ..Inputs::default() }, true),
            Op::Reset(cycles) => self.reset((*cycles).into()),
        }
        if self.polite {
            self.take_traps();
        }
    }

    fn retire(&mut self, lanes: &[Lane], partial: bool) {
        if self.polite {
            self.wait_for_stall();
        }
        let mut inputs = Inputs { partial, ..Inputs::default() };
        for (input, lane) in inputs.lanes.iter_mut().zip(lanes) {
            *input = *lane;
            for load in &mut input.loads {
                load.latency = load.latency.min((1 << LAT) - 16);
            }
        }
        self.cycle(inputs, true);
    }

    fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        if self.polite {
            self.idle(1);
        }
    }

    fn excursion(&mut self, before: u8, mode: Mode, away: u8) {
        let home = self.mode;
        self.idle(before.into());
        self.enter(mode);
        self.idle(away.into());
        self.enter(home);
    }

    fn request(&mut self, ctl: Control) {
        if self.polite {
            self.wait_for_stall();
        }
        self.cycle(Inputs { ctl, ..Inputs::default() }, true);
        if self.polite {
            self.wait_for_stall();
        }
    }

    /// A polite core takes traps and interrupts at once: it goes to the kernel, which pages in, and comes back.
    fn take_traps(&mut self) {
        let out = self.unit.outputs();
        if out.pf_valid || out.irq {
            let mode = self.mode;
            self.enter(Mode { cpl: 0, ..mode });
            self.cycle(Inputs { pf_ack: out.pf_valid, irq_ack: out.irq, ..Inputs::default() }, true);
            self.memory.page_in();
            self.enter(mode);
        }
    }

    fn wait_for_stall(&mut self) {
        for _ in 0..PATIENCE {
            if !self.unit.outputs().stall {
                return;
            }
            self.idle(1);
        }
        panic!("the unit stalls for ever");
    }

    fn argument(&self, argument: Argument) -> u64 {
        match argument {
            Argument::Zero => 0,
            Argument::Block(at) => BLOCKS[usize::from(at)],
            Argument::Misaligned(at) => BLOCKS[usize::from(at)] + 8,
            Argument::Features(bits) => {
                u64::from(bits & 15) | u64::from(bits >> 4 & 1) << 31 | u64::from(bits >> 7) << 17
            }
            Argument::Wild(value) => value,
        }
    }

    fn move_tail(&mut self, block: u8, how: TailMove) {
        let at = BLOCKS[usize::from(block)];
        let head = self.memory.read32(at + offset::HEAD as u64);
        let tail = self.memory.read32(at + offset::TAIL as u64);
        let size = self.memory.read32(at + offset::SIZE as u64) & 0x0FFF_FFE0;
        let moved = match how {
            TailMove::Drain => head,
            TailMove::By(records) if size != 0 => tail.wrapping_add(32 * u32::from(records)) % size,
            TailMove::By(_) => tail,
            TailMove::Wild(value) => value,
        };
        self.memory.write(at + offset::TAIL as u64, &moved.to_le_bytes());
    }

    /// Cycles in which nothing retires.
    pub fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(Inputs::default(), true);
        }
    }

    fn reset(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.cycle(Inputs::default(), false);
        }
    }

    fn cycle(&mut self, mut inputs: Inputs<W>, rst_n: bool) {
        if !rst_n {
            self.unit.reset();
        }
        inputs.mode = self.mode;
        inputs.mem = self.memory.cycle(&self.unit.outputs());
        self.recording.cycles.push(Cycle { inputs, rst_n, state: *self.unit.state() });
        if rst_n {
            self.unit.step(&inputs);
        }
    }

    /// The unit.
    #[must_use]
    pub fn unit(&self) -> &Lwp<W, S, LAT> {
        &self.unit
    }
}
