//! Programs that lead to debug exceptions, for the kernel and for the test that expects what the kernel reports. Both include this
//! module, so that they run the same list.

mod directed;
mod generated;
mod handling;
mod line;
mod piece;
pub(crate) mod tasks;

pub(crate) use handling::{Frame, Handler, Policy};
pub(crate) use line::{At, Line};
pub(crate) use piece::{Image, Piece, String};

use lwp_regs::debug::{Condition, Dr7, Enable, Length, Slot};

/// Where a program is placed.
pub(crate) const CODE: u64 = 0x200_0000;
/// Value of RBX: the border of two pages of data.
pub(crate) const MIDDLE: u64 = 0x210_1000;
/// RSP at the beginning of a program. At level 0 the handler of #DB runs below it.
pub(crate) const STACK: u64 = 0x210_F000;
/// Distance of the word with the selector of SS from [`MIDDLE`]; no program writes it.
pub(crate) const SELECTOR_AT: i8 = 0x70;
/// An address in the last 2 GiB that is not mapped.
pub(crate) const UNMAPPED: u64 = 0xFFFF_FFFF_FF00_0000;
/// Address that R15 is repaired to.
pub(crate) const MAPPED: u64 = MIDDLE + 0x40;
/// The first of the ports that programs access; nothing is there.
pub(crate) const PORT: u16 = 0x2E0;
/// Lines that a scenario writes at most: some repeat an exception for ever.
pub(crate) const MOST_LINES: usize = 40;
/// Vectors: the external interrupt, INT that ends a program, INT in a program.
pub(crate) const INTERRUPT: u8 = 32;
pub(crate) const END: u8 = 48;
pub(crate) const SOFTWARE: u8 = 49;

/// Address of the frame for the IRET that follows piece `index`, with room for a handler below it.
pub(crate) const fn frame_address(index: usize) -> u64 {
    0x211_4000 + 0x4000 * index as u64 - 64
}

/// Where a breakpoint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// At the first byte of a piece.
    Code(usize),
    /// At its second byte.
    Inside(usize),
    /// So far from [`MIDDLE`].
    Data(i8),
    /// The n-th word that is pushed, from 1.
    Stack(u8),
    Port(u16),
    Address(u64),
}

/// A breakpoint of a scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub(crate) place: Place,
    pub(crate) condition: Condition,
    pub(crate) length: Length,
    pub(crate) enable: Enable,
}

/// Name of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Directed(&'static str),
    Generated(u32),
}

impl core::fmt::Display for Name {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Directed(name) => f.write_str(name),
            Self::Generated(seed) => write!(f, "generated {seed}"),
        }
    }
}

/// Instructions of a program at most.
const PIECES: usize = 48;

/// A program, and how it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scenario {
    pub(crate) name: Name,
    pieces: [Piece; PIECES],
    count: usize,
    pub(crate) watches: [Option<Watch>; Slot::COUNT],
    /// DR7.GD, and DR6 before the program.
    pub(crate) guarded: bool,
    pub(crate) status: u64,
    /// CR4.DE.
    pub(crate) extensions: bool,
    /// It runs at level 3.
    pub(crate) user: bool,
    /// The image with which it is entered.
    pub(crate) image: Image,
    /// An external interrupt is pending from the beginning.
    pub(crate) interrupt: bool,
    /// Vector 1 has a trap gate, which leaves IF, rather than an interrupt gate.
    pub(crate) trap_gate: bool,
    pub(crate) policy: Policy,
}

impl Scenario {
    pub(crate) const fn new(name: Name) -> Self {
        Self {
            name,
            pieces: [Piece::End; PIECES],
            count: 0,
            watches: [None; Slot::COUNT],
            guarded: false,
            status: 0xFFFF_0FF0,
            extensions: true,
            user: false,
            image: Image { tf: false, rf: false, interrupts: false },
            interrupt: false,
            trap_gate: false,
            policy: Policy::DEFAULT,
        }
    }

    /// A scenario of the list by hand.
    fn by_hand(name: &'static str, pieces: &[Piece]) -> Self {
        let mut scenario = Self::new(Name::Directed(name));
        pieces.iter().for_each(|piece| scenario.push(*piece));
        scenario
    }

    /// Appends a piece; the last one stays END.
    fn push(&mut self, piece: Piece) {
        self.pieces[self.count] = piece;
        self.count += 1;
        assert!(self.count < PIECES, "the program is too long");
    }

    /// Adds a breakpoint in the next register.
    fn watch(mut self, place: Place, condition: Condition, length: Length, enable: Enable) -> Self {
        let free = self.watches.iter().position(Option::is_none).expect("a free register");
        self.watches[free] = Some(Watch { place, condition, length, enable });
        self
    }

    /// Adds an instruction breakpoint at a piece.
    fn stops_at(self, index: usize) -> Self {
        self.watch(Place::Code(index), Condition::Execute, Length::One, Enable::GLOBAL)
    }

    /// The program with END.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces[..=self.count]
    }

    /// Address of piece `index`.
    pub(crate) fn address(&self, index: usize) -> u64 {
        let before = self.pieces.iter().enumerate().take(index);
        CODE + before.map(|(index, piece)| piece.encode(index).as_slice().len() as u64).sum::<u64>()
    }

    /// The piece at an address.
    pub(crate) fn at(&self, address: u64) -> Option<usize> {
        (0..=self.count).find(|index| self.address(*index) == address)
    }

    /// What DR0 to DR3 hold.
    pub(crate) fn addresses(&self) -> [u64; Slot::COUNT] {
        self.watches.map(|watch| match watch.map(|watch| watch.place) {
            None => 0,
            Some(Place::Code(index)) => self.address(index),
            Some(Place::Inside(index)) => self.address(index) + 1,
            Some(Place::Data(at)) => MIDDLE.wrapping_add_signed(at.into()),
            Some(Place::Stack(word)) => STACK - 8 * u64::from(word),
            Some(Place::Port(port)) => port.into(),
            Some(Place::Address(address)) => address,
        })
    }

    /// What DR7 holds.
    pub(crate) fn control(&self) -> Dr7 {
        let mut control = Dr7::RESET.with_gd(self.guarded);
        for (slot, watch) in Slot::ALL.into_iter().zip(self.watches) {
            if let Some(Watch { condition, length, enable, .. }) = watch {
                control = control.with_kind(slot, condition, length).with_enable(slot, enable);
            }
        }
        control
    }
}

/// Calls `visit` with every scenario, in the order in which they run.
pub(crate) fn each(visit: &mut dyn FnMut(&Scenario)) {
    directed::each(visit);
    generated::each(visit);
}
