//! A processor without time that runs a scenario: the one of the contract, or one that differs from it as QEMU does.

mod delivery;

use super::differences::{Difference, Differences};
use super::list::{At, CODE, Handler, INTERRUPT, Line, Piece, Scenario};
use super::program::{Effect, Shown, State};
use super::watchpoints::{Watchpoints, overlap, range};
use lwp_model::debug::{Lane, LaneKind};
use lwp_model::retire::{Io, Rep};
use lwp_regs::debug::{Condition, Dr7, Slot};

/// A processor in the middle of a scenario.
pub(super) struct Processor<'s> {
    scenario: &'s Scenario,
    differences: Differences,
    state: State,
    rf: bool,
    /// RF as QEMU has it: it is cleared at the end of a block of translated instructions.
    late_rf: bool,
    /// Address of the first instruction of that block.
    block: u64,
    /// The last instruction was a load of SS that holds debug exceptions off.
    shadow: bool,
    /// Breakpoints whose exception waits behind a load of SS.
    held: u8,
    address: [u64; Slot::COUNT],
    dr6: u64,
    dr7: u64,
    watchpoints: Watchpoints,
    handler: Handler,
    lines: Vec<Line>,
    interrupt: bool,
}

/// A debug exception.
#[derive(Clone, Copy, Debug, Default)]
struct Raised {
    /// B0 to B3.
    hits: u8,
    bs: bool,
    bd: bool,
    /// RF as pushed.
    rf: bool,
    /// Breakpoints on data whose exception QEMU raises before the first instruction of the handler.
    late: u8,
}

/// What is reported by a processor with these differences.
pub(super) fn run(scenario: &Scenario, differences: Differences) -> Vec<Line> {
    let mut processor = Processor {
        scenario,
        differences,
        state: State::new(scenario),
        rf: scenario.image.rf,
        late_rf: scenario.image.rf,
        block: CODE,
        shadow: false,
        held: 0,
        address: scenario.addresses(),
        dr6: scenario.status,
        dr7: scenario.control().into_bits(),
        watchpoints: Watchpoints::new(differences),
        handler: Handler::NEW,
        lines: Vec::new(),
        interrupt: scenario.interrupt,
    };
    while !processor.has_ended() {
        processor.step();
    }
    processor.lines
}

impl Processor<'_> {
    fn has_ended(&self) -> bool {
        matches!(self.lines.last(), Some(Line::End { .. } | Line::Limit))
    }

    fn differs(&self, difference: Difference) -> bool {
        self.differences.has(difference)
    }

    fn control(&self) -> Dr7 {
        Dr7::from_bits(self.dr7)
    }

    /// Instruction breakpoints at an address: those that are on, and all that are reported.
    fn fetch(&self, ip: u64) -> [u8; 2] {
        let dr7 = self.control();
        let here = Slot::ALL
            .into_iter()
            .filter(|slot| dr7.condition(*slot) == Condition::Execute && self.address[slot.number()] == ip);
        let all = here.fold(0, |all, slot| all | 1 << slot.number());
        let on = all & dr7.enabled().bits();
        [on, if self.differs(Difference::Off) { all } else { on }]
    }

    /// Breakpoints that I/O hits.
    fn io(&self, io: &Io) -> u8 {
        if !self.scenario.extensions && !self.differs(Difference::IoGate) {
            return 0;
        }
        let dr7 = self.control();
        let ports = (u64::from(io.port), u64::from(io.port) + u64::from(io.ports()) - 1);
        let on = Slot::ALL.into_iter().filter(|slot| {
            let watched = range(self.differences, dr7, *slot, self.address[slot.number()]);
            dr7.enabled().has(*slot) && dr7.condition(*slot) == Condition::Io && overlap(watched, ports)
        });
        on.fold(0, |hits, slot| hits | 1 << slot.number())
    }

    /// A repetition goes on.
    fn repeats(&self) -> bool {
        self.state.continues && !self.differs(Difference::Iterations)
    }

    fn at(&self) -> At {
        self.state.entered.map_or_else(|| At::Code(self.ip() - CODE), At::Entry)
    }

    fn ip(&self) -> u64 {
        self.scenario.address(self.state.index)
    }

    fn piece(&self) -> Piece {
        self.scenario.pieces()[self.state.index]
    }

    fn step(&mut self) {
        let State { interrupts, blocked, .. } = self.state;
        if self.interrupt && interrupts && !blocked {
            self.interrupt = false;
            let rf = self.rf || self.repeats();
            self.other(INTERRUPT, rf);
            return;
        }
        let [on, reported] = self.fetch(self.ip());
        let shadow = self.shadow && !self.differs(Difference::SsFetch);
        if on != 0 && !self.rf && !shadow && !self.repeats() {
            self.watchpoints.forget(0xF);
            self.debug(self.at(), Raised { hits: reported, ..Raised::default() });
            return;
        }
        match self.state.effect(self.scenario) {
            Effect::Faults(vector) => self.fault(vector),
            Effect::Moves(to, number) => self.mov(to, number),
            Effect::Retires(shown) => {
                if shown.lane.debug.kind == LaneKind::Int1 && self.differs(Difference::Int1) {
                    self.fault(6);
                } else {
                    self.retire(shown);
                }
            }
        }
    }

    /// Marks that are reported with a trap of data or a step.
    fn stale(&self) -> u8 {
        if self.differs(Difference::Stale) { self.watchpoints.marked() } else { 0 }
    }

    /// An instruction that retires, and the trap behind it.
    fn retire(&mut self, shown: Shown) {
        let Shown { lane, accesses, io, next } = shown;
        let kind = lane.debug.kind;
        let (before, index) = (self.late_rf, self.state.index);
        let ss_load = lane.flags.ss_load;
        let loads = ss_load && (!self.shadow || self.differs(Difference::SsChain));
        let data = self.watchpoints.hits(&accesses, self.control(), self.address);
        let ports = io.map_or(0, |io| self.io(&io));
        let defers = loads && !self.differs(Difference::SsData);
        let met = self.held | data | ports;
        let sti = self.piece() == Piece::Sti && self.differs(Difference::StiStep);
        let clears = matches!(kind, LaneKind::IntN | LaneKind::Int3);
        let bs = lane.flags.tf && !loads && !clears && !sti;
        let ends = self.ends_block(&lane);
        self.state = self.behind(&lane, next);
        self.late_rf &= !ends;
        if ends {
            self.block = self.ip();
        }
        // QEMU clears RF behind an instruction that began with RF = 1, and with it what an IRET has loaded.
        let loses = before && self.differs(Difference::LateRf);
        self.rf = kind == LaneKind::Iret && lane.debug.rf_image && !loses;
        self.late_rf |= self.rf;
        self.shadow = loads;
        self.held = if defers { met } else { 0 };
        let pushed = self.rf || self.repeats();
        if ports != 0 && self.differs(Difference::IoAlone) {
            self.io_alone(index, ports, data, before);
        } else if kind == LaneKind::Int1 || bs || met != 0 && !defers {
            let hits = if defers { 0 } else { met };
            self.trap(hits, Raised { bs, rf: pushed, ..Raised::default() });
        }
        if let Some(vector) = self.state.entered.filter(|_| !self.has_ended()) {
            self.software(vector, before && self.differs(Difference::LateRf));
        }
    }

    /// The registers behind an instruction. In QEMU RIP still points to a repeated string instruction behind its last iteration, unless there is a
    /// reason to stop between instructions.
    fn behind(&self, lane: &Lane, next: State) -> State {
        let stops = lane.flags.tf || self.state.blocked || self.late_rf || self.single(self.ip());
        if lane.flags.rep == Rep::Last && !stops && self.differs(Difference::LastIteration) {
            next.at_piece(self.state.index)
        } else {
            next
        }
    }

    /// An instruction breakpoint in the page of the program is on, at another address than this: QEMU then stops behind each instruction.
    fn single(&self, ip: u64) -> bool {
        let dr7 = self.control();
        Slot::ALL.into_iter().any(|slot| {
            let address = self.address[slot.number()];
            let here = address & !0xFFF == CODE && address != ip;
            here && dr7.enabled().has(slot) && dr7.condition(slot) == Condition::Execute
        })
    }

    /// QEMU ends a block of translated instructions behind this one.
    fn ends_block(&self, lane: &Lane) -> bool {
        let piece = self.piece();
        let loads = matches!(piece, Piece::PopFlags | Piece::Iret | Piece::SsRegister | Piece::SsMemory);
        let others = matches!(piece, Piece::Sti | Piece::ToDr(_) | Piece::Jump | Piece::Call | Piece::Rep { .. });
        loads || others || lane.flags.tf || self.single(self.block)
    }

    /// The trap of a step, or of data.
    fn trap(&mut self, hits: u8, raised: Raised) {
        let at = self.at();
        let [on, reported] = match at {
            At::Code(offset) => self.fetch(CODE + offset),
            _ => [0; 2],
        };
        let merged = if self.differs(Difference::Merge) { on } else { 0 } | reported & !on;
        let split = raised.bs && hits != 0 && self.differs(Difference::SplitStep);
        let hits = hits | self.stale() | merged;
        self.debug(at, Raised { hits, late: if split { hits } else { 0 }, ..raised });
    }

    /// The trap of I/O as QEMU has it: inside the instruction, without a step, and with what is left of a repetition lost.
    fn io_alone(&mut self, index: usize, hits: u8, data: u8, before: bool) {
        if self.differs(Difference::IoString) {
            self.state.index = index + 1;
            (self.state.begun, self.state.continues) = (false, false);
        }
        let rf = before && self.differs(Difference::LateRf) || self.repeats();
        self.debug(self.at(), Raised { hits, rf, late: data, ..Raised::default() });
    }

    /// A MOV of the program.
    fn mov(&mut self, to: bool, number: u8) {
        let undefined = matches!(number, 4 | 5) && self.scenario.extensions;
        if let Some(vector) = self.scenario.user.then_some(13).or(undefined.then_some(6)) {
            self.fault(vector);
            return;
        }
        if self.control().gd() && !self.differs(Difference::GeneralDetect) {
            self.debug(self.at(), Raised { bd: true, rf: true, ..Raised::default() });
            return;
        }
        if to {
            if number >= 4 && self.state.value >> 32 != 0 {
                self.fault(13);
                return;
            }
            self.write(if matches!(number, 4 | 5) { number + 2 } else { number }, self.state.value);
        }
        self.retire(self.state.plain(self.scenario));
    }

    /// What a MOV writes.
    fn write(&mut self, number: u8, value: u64) {
        let slot = |number: u8| 1 << number;
        match number {
            0..=3 => {
                self.address[usize::from(number)] = value;
                self.watchpoints.forget(slot(number));
            }
            6 => {
                let written = if self.differs(Difference::Dr6Bit12) { 0xF00F } else { 0xE00F };
                self.dr6 = value & written | 0xFFFF_0FF0;
            }
            _ => {
                let written = if self.differs(Difference::Dr7Reserved) { 0xFFFF_FFFF } else { 0xFFFF_23FF };
                let (old, new) = (self.dr7, value & written | 0x400);
                self.dr7 = new;
                let kept = if (old ^ new) >> 8 == 0 {
                    Dr7::from_bits(old).enabled() & Dr7::from_bits(new).enabled()
                } else {
                    Default::default()
                };
                self.watchpoints.forget(!kept.bits());
            }
        }
    }
}
