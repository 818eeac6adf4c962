//! What a program does, instruction by instruction: the lanes that a core shows, and what interrupts it.

use super::instruction::{Instruction, SELECTOR, Text, address};
use super::program::Program;
use crate::memory::{ABSENT, CODE, PAGE, STACK};
use lwp_model::debug::{Lane, LaneKind};
use lwp_model::retire::{Access, Branch, BranchKind, Rep};

/// Pages that may be absent.
const PAGES: usize = ((ABSENT.end - ABSENT.start) / PAGE) as usize;

/// An instruction that ends in the operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Software {
    /// INT1 has retired: the unit raises #DB.
    Int1,
    /// INT3 has entered its handler.
    Int3,
    /// A system call.
    System,
}

/// A fault that software sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// #UD.
    Undefined,
    /// #GP.
    Protection,
}

/// What comes next.
#[derive(Clone, Debug)]
pub(super) enum Next {
    /// The program has ended.
    End,
    /// The instruction raises #PF for this page, which the system then provides.
    PageFault(usize),
    /// The instruction raises a fault.
    Fault(Fault),
    /// The instruction, or an iteration of it, retires.
    Retires(Box<Retires>),
}

/// An instruction that retires.
#[derive(Clone, Debug)]
pub(super) struct Retires {
    /// Its lane, without addresses of accesses.
    pub(super) lane: Lane,
    /// Its accesses.
    pub(super) accesses: Vec<Access>,
    /// The state behind it.
    pub(super) behind: Computer,
    pub(super) software: Option<Software>,
}

/// Bytes of a selector's slot on the stack that an instruction accesses: all of them, or the selector alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selectors {
    /// IRETQ reads of CS and of SS.
    pub iret: u8,
    /// PUSH SS writes, in 32-bit code.
    pub push: u8,
    /// POP SS reads, in 32-bit code.
    pub pop: u8,
}

impl Selectors {
    /// Whole slots.
    pub const WHOLE: Self = Self { iret: 8, push: 4, pop: 4 };
}

/// Registers of the program, as far as they decide what it does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Computer {
    /// The next instruction.
    at: usize,
    /// An iteration of the string instruction has retired.
    started: bool,
    tf: bool,
    stack: u64,
    count: u8,
    source: u64,
    destination: u64,
    /// RF and TF of the image on the stack.
    image: (bool, bool),
    present: [bool; PAGES],
    selectors: Selectors,
}

impl Computer {
    /// Returns the state before the first instruction.
    pub(super) const fn new(selectors: Selectors) -> Self {
        Self {
            selectors,
            at: 0,
            started: false,
            tf: false,
            stack: STACK,
            count: 0,
            source: 0,
            destination: 0,
            image: (false, false),
            present: [false; PAGES],
        }
    }

    /// Number of the next instruction.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// ECX.
    pub(super) const fn count(&self) -> u32 {
        self.count as u32
    }

    /// Whether the next lane continues a string instruction.
    pub(super) const fn continues(&self) -> bool {
        self.started
    }

    /// Provides a page.
    pub(super) const fn provide(&mut self, page: usize) {
        self.present[page] = true;
    }

    /// Passes over the next instruction.
    pub(super) const fn pass(&mut self) {
        self.at += 1;
    }

    /// Returns what the next instruction does. `stepped`: its TF is 1 because of the debugger.
    pub(super) fn next(&self, program: &Program, stepped: bool) -> Next {
        let Some(&instruction) = program.instructions.get(self.at) else { return Next::End };
        match instruction {
            Instruction::Undefined => return Next::Fault(Fault::Undefined),
            Instruction::Halt => return Next::Fault(Fault::Protection),
            _ => {}
        }
        let accesses = self.accesses(instruction, program.wide);
        if let Some(page) = accesses.iter().find_map(|access| self.absent(access)) {
            return Next::PageFault(page);
        }
        let mut behind = *self;
        behind.at += 1;
        let mut lane = Lane::default();
        lane.retired.valid = true;
        lane.retired.ip = CODE + program.offset(self.at);
        lane.flags.tf = self.tf || stepped;
        let software = behind.executes(instruction, program.wide, &mut lane);
        lane.retired.counts = lane.flags.rep.counts();
        if lane.branch.taken {
            lane.branch.next = CODE + program.offset(behind.at);
        }
        Next::Retires(Box::new(Retires { lane, accesses, behind, software }))
    }

    /// Carries out an instruction; `self` is already behind it.
    fn executes(&mut self, instruction: Instruction, wide: bool, lane: &mut Lane) -> Option<Software> {
        let word = word(wide);
        let at = self.at - 1;
        let branch = |kind| Branch { kind, taken: true, ..Branch::default() };
        match instruction {
            Instruction::Push | Instruction::PushSs | Instruction::PushSaved | Instruction::PushCode => {
                self.stack -= word;
            }
            Instruction::Pop => self.stack += word,
            Instruction::PopSs => {
                self.stack += word;
                lane.flags.ss_load = true;
            }
            Instruction::LoadSs | Instruction::LoadSsFrom => lane.flags.ss_load = true,
            Instruction::Call(over) => {
                (self.stack, self.at) = (self.stack - word, at + usize::from(over));
                lane.branch = branch(BranchKind::CallRel);
            }
            Instruction::Return => {
                (self.stack, self.at) = (self.stack + word, at - 1);
                lane.branch = branch(BranchKind::Ret);
            }
            Instruction::Jump(over) => {
                self.at = at + usize::from(over);
                lane.branch = branch(BranchKind::JmpRel);
            }
            Instruction::PushFlags => (self.stack, self.image) = (self.stack - word, (false, self.tf)),
            Instruction::SetTrap => self.image.1 = true,
            Instruction::ClearTrap => self.image.1 = false,
            Instruction::PopFlags => (self.stack, self.tf) = (self.stack + word, self.image.1),
            Instruction::PushImage(rf, tf) => (self.stack, self.image) = (self.stack - word, (rf, tf)),
            Instruction::Return64 => {
                // SS, RSP, RFLAGS, CS and RIP; RSP is what it was before all of them.
                (self.stack, self.tf) = (self.stack + 5 * word, self.image.1);
                (lane.debug.kind, lane.debug.rf_image) = (LaneKind::Iret, self.image.0);
                lane.branch = branch(BranchKind::System);
            }
            Instruction::Count(count) => self.count = count,
            Instruction::Source(at) => self.source = address(at),
            Instruction::Destination(at) => self.destination = address(at),
            Instruction::Repeat(text, size) => lane.flags.rep = self.iterates(text, size, at),
            Instruction::Int1 => return self.ends(lane, LaneKind::Int1, Software::Int1),
            Instruction::Int3 => return self.ends(lane, LaneKind::Int3, Software::Int3),
            Instruction::System => return self.ends(lane, LaneKind::IntN, Software::System),
            _ => {}
        }
        None
    }

    fn ends(&self, lane: &mut Lane, kind: LaneKind, software: Software) -> Option<Software> {
        lane.debug.kind = kind;
        if kind != LaneKind::Int1 {
            lane.branch = Branch { kind: BranchKind::System, taken: true, ..Branch::default() };
        }
        Some(software)
    }

    /// An iteration of the string instruction `at`, or the whole of one without iterations.
    fn iterates(&mut self, text: Text, size: u8, at: usize) -> Rep {
        if self.count == 0 {
            return Rep::None;
        }
        self.count -= 1;
        if text != Text::Fill {
            self.source += u64::from(size);
        }
        if text != Text::Read {
            self.destination += u64::from(size);
        }
        let rep = match (self.count, self.started) {
            (0, _) => Rep::Last,
            (_, false) => Rep::First,
            (_, true) => Rep::Further,
        };
        self.started = rep != Rep::Last;
        if self.started {
            self.at = at;
        }
        rep
    }

    /// Returns what an instruction accesses.
    fn accesses(&self, instruction: Instruction, wide: bool) -> Vec<Access> {
        let word = word(wide) as u8;
        let read = |addr, size| Access { read: true, write: false, addr, size };
        let write = |addr, size| Access { read: false, write: true, addr, size };
        let both = |addr, size| Access { read: true, write: true, addr, size };
        match instruction {
            Instruction::Load(size, at) => vec![read(address(at), size)],
            Instruction::Store(size, at) => vec![write(address(at), size)],
            Instruction::Add(size, at) => vec![both(address(at), size)],
            Instruction::Exchange(at) | Instruction::CompareExchange(at) => vec![both(address(at), 4)],
            Instruction::LoadSsFrom => vec![read(address(SELECTOR), 2)],
            Instruction::SetTrap | Instruction::ClearTrap => vec![both(self.stack, 4)],
            Instruction::Pop | Instruction::PopFlags | Instruction::Return => vec![read(self.stack, word)],
            Instruction::PopSs => vec![read(self.stack, self.selectors.pop)],
            Instruction::PushSs => vec![write(self.stack - u64::from(word), self.selectors.push)],
            Instruction::Push
            | Instruction::PushSaved
            | Instruction::PushFlags
            | Instruction::PushImage(..)
            | Instruction::PushCode
            | Instruction::Call(_) => vec![write(self.stack - u64::from(word), word)],
            // RIP, CS, RFLAGS, RSP and SS.
            Instruction::Return64 => {
                let selector = self.selectors.iret;
                let sizes = [8, selector, 8, 8, selector].into_iter();
                (0..).zip(sizes).map(|(at, size)| read(self.stack + 8 * at, size)).collect()
            }
            Instruction::Repeat(_, _) if self.count == 0 => Vec::new(),
            Instruction::Repeat(Text::Fill, size) => vec![write(self.destination, size)],
            Instruction::Repeat(Text::Read, size) => vec![read(self.source, size)],
            Instruction::Repeat(Text::Copy, size) => vec![read(self.source, size), write(self.destination, size)],
            _ => Vec::new(),
        }
    }

    /// Returns the first absent page that an access touches.
    fn absent(&self, access: &Access) -> Option<usize> {
        let last = access.addr + u64::from(access.size) - 1;
        [access.addr, last].into_iter().filter(|addr| ABSENT.contains(addr)).find_map(|addr| {
            let page = ((addr - ABSENT.start) / PAGE) as usize;
            (!self.present[page]).then_some(page)
        })
    }
}

/// Bytes of a push.
const fn word(wide: bool) -> u64 {
    if wide { 8 } else { 4 }
}
