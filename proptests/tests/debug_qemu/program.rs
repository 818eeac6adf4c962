//! What the instructions of a scenario do, as far as a debug unit sees it.

use super::list::{END, Image, MAPPED, MIDDLE, Piece, SELECTOR_AT, SOFTWARE, STACK, Scenario, UNMAPPED, frame_address};
use lwp_model::debug::{Lane, LaneKind};
use lwp_model::retire::{Access, Branch, BranchKind, Io, Rep, Retired};

/// The registers of a program in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The piece that comes next.
    pub(super) index: usize,
    pub(super) tf: bool,
    /// IF.
    pub(super) interrupts: bool,
    /// STI or a load of SS came before: no interrupt yet.
    pub(super) blocked: bool,
    /// Vector of the software interrupt whose handler comes next.
    pub(super) entered: Option<u8>,
    /// The string instruction has begun, and nothing came between.
    pub(super) begun: bool,
    pub(super) continues: bool,
    /// The address in R15 is not mapped.
    pub(super) spoiled: bool,
    /// R12.
    pub(super) value: u64,
    pushed: Image,
    frame: (u64, Image),
    rsp: u64,
    rcx: u32,
    rsi: u64,
    rdi: u64,
    port: u16,
}

/// What an instruction does.
pub(super) enum Effect {
    Retires(Shown),
    /// It raises the exception with this vector.
    Faults(u8),
    /// MOV to (`true`) or from this debug register.
    Moves(bool, u8),
}

/// An instruction that retires.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) lane: Lane,
    pub(super) accesses: Vec<Access>,
    pub(super) io: Option<Io>,
    /// The registers behind it.
    pub(super) next: State,
}

impl State {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            index: 0,
            tf: scenario.image.tf,
            interrupts: scenario.image.interrupts,
            blocked: false,
            entered: None,
            begun: false,
            continues: false,
            spoiled: false,
            value: 0,
            pushed: Image::default(),
            frame: (0, Image::default()),
            rsp: STACK,
            rcx: 0,
            rsi: MIDDLE,
            rdi: MIDDLE,
            port: 0,
        }
    }

    /// The same before piece `index`.
    pub(super) const fn at_piece(mut self, index: usize) -> Self {
        self.index = index;
        self
    }

    /// An interruption comes before the next instruction.
    pub(super) const fn interrupted(mut self) -> Self {
        (self.continues, self.blocked) = (false, false);
        self
    }

    /// The instruction that comes next.
    pub(super) fn effect(self, scenario: &Scenario) -> Effect {
        match scenario.pieces()[self.index] {
            Piece::Ud2 => Effect::Faults(6),
            Piece::Fragile if self.spoiled => Effect::Faults(14),
            Piece::FromDr(number) => Effect::Moves(false, number),
            Piece::ToDr(number) => Effect::Moves(true, number),
            piece => Effect::Retires(self.shown(scenario, piece)),
        }
    }

    /// The lane of the instruction that comes next, without accesses; the registers behind one that does nothing else.
    pub(super) fn plain(self, scenario: &Scenario) -> Shown {
        let ip = scenario.address(self.index);
        let mut lane = Lane { retired: Retired { valid: true, counts: true, ip }, ..Lane::default() };
        lane.flags.tf = self.tf;
        let next = Self { index: self.index + 1, blocked: false, begun: false, continues: false, ..self };
        Shown { lane, accesses: Vec::new(), io: None, next }
    }

    fn shown(self, scenario: &Scenario, piece: Piece) -> Shown {
        let mut shown = self.plain(scenario);
        let next = &mut shown.next;
        match piece {
            Piece::Port(port) => next.port = port,
            Piece::Count(count) => next.rcx = count,
            Piece::Source(at) => next.rsi = data(at),
            Piece::Destination(at) => next.rdi = data(at),
            Piece::Spoil => next.spoiled = true,
            Piece::Value(value) => next.value = value,
            Piece::Cli => next.interrupts = false,
            Piece::Sti => {
                next.blocked = !self.interrupts;
                next.interrupts = true;
            }
            Piece::SsRegister | Piece::SsMemory => {
                next.blocked = !self.blocked;
                shown.lane.flags.ss_load = true;
            }
            Piece::Frame(image) => {
                next.rsp = frame_address(self.index);
                next.frame = (next.rsp, image);
            }
            Piece::Rep { string, width } => self.iteration(&mut shown, string.accesses(), width),
            _ => self.transfer(&mut shown, scenario, piece),
        }
        self.accesses(&mut shown, piece);
        shown
    }

    /// Instructions that transfer control, or load flags.
    fn transfer(self, shown: &mut Shown, scenario: &Scenario, piece: Piece) {
        let Shown { lane, next, .. } = shown;
        let (kind, branch) = match piece {
            Piece::Jump => (LaneKind::Other, BranchKind::JmpRel),
            Piece::Call => (LaneKind::Other, BranchKind::CallRel),
            Piece::Iret => (LaneKind::Iret, BranchKind::System),
            Piece::Int | Piece::End => (LaneKind::IntN, BranchKind::System),
            Piece::Int3 => (LaneKind::Int3, BranchKind::System),
            Piece::Int1 => (LaneKind::Int1, BranchKind::None),
            _ => (LaneKind::Other, BranchKind::None),
        };
        lane.debug.kind = kind;
        if branch != BranchKind::None {
            let to = scenario.address((self.index + 1).min(scenario.pieces().len() - 1));
            lane.branch = Branch { kind: branch, taken: true, next: to, ..Branch::default() };
        }
        match piece {
            Piece::PopFlags => (next.tf, next.interrupts) = (self.pushed.tf, self.pushed.interrupts),
            Piece::Iret => {
                let (_, image) = self.frame;
                (next.tf, next.interrupts, next.rsp) = (image.tf, image.interrupts, STACK);
                lane.debug.rf_image = image.rf;
            }
            Piece::PushFlags(image) => next.pushed = image,
            Piece::Int => next.entered = Some(SOFTWARE),
            Piece::End => next.entered = Some(END),
            Piece::Int3 => next.entered = Some(3),
            _ => (),
        }
    }

    /// An iteration of a string instruction, or all of one with RCX = 0.
    fn iteration(self, shown: &mut Shown, [reads, writes, ports]: [bool; 3], width: u8) {
        let Shown { lane, accesses, io, next } = shown;
        if self.rcx == 0 {
            return;
        }
        let step = u64::from(width);
        if reads {
            accesses.push(access(true, false, self.rsi, width));
            next.rsi += step;
        }
        if writes {
            accesses.push(access(false, true, self.rdi, width));
            next.rdi += step;
        }
        *io = ports.then_some(Io { valid: true, write: reads, port: self.port, size: width });
        next.rcx = self.rcx - 1;
        let last = next.rcx == 0;
        lane.flags.rep = match (last, self.begun) {
            (true, _) => Rep::Last,
            (false, false) => Rep::First,
            (false, true) => Rep::Further,
        };
        lane.retired.counts = last;
        if !last {
            (next.index, next.begun, next.continues) = (self.index, true, true);
        }
    }

    /// Operands in memory, on the stack and at ports.
    fn accesses(self, shown: &mut Shown, piece: Piece) {
        let Shown { accesses, io, next, .. } = shown;
        let mut show = |read, write, addr, width| accesses.push(access(read, write, addr, width));
        match piece {
            Piece::Load { at, width } => show(true, false, data(at), width),
            Piece::Store { at, width } => show(false, true, data(at), width),
            Piece::Modify { at, width } => show(true, true, data(at), width),
            Piece::SsMemory => show(true, false, data(SELECTOR_AT), 2),
            Piece::Fragile => show(true, false, MAPPED, 8),
            Piece::Push | Piece::PushFlags(_) | Piece::Call => {
                next.rsp = self.rsp - 8;
                show(false, true, next.rsp, 8);
            }
            Piece::Pop | Piece::PopFlags => {
                next.rsp = self.rsp + 8;
                show(true, false, self.rsp, 8);
            }
            Piece::Iret => (0..5).for_each(|word| show(true, false, self.frame.0 + 8 * word, 8)),
            Piece::In { width } | Piece::Out { width } => {
                let write = matches!(piece, Piece::Out { .. });
                *io = Some(Io { valid: true, write, port: self.port, size: width });
            }
            _ => (),
        }
    }
}

const _: () = assert!(UNMAPPED > MAPPED);

fn data(at: i8) -> u64 {
    MIDDLE.wrapping_add_signed(at.into())
}

const fn access(read: bool, write: bool, addr: u64, size: u8) -> Access {
    Access { read, write, addr, size }
}
