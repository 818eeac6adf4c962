//! The instructions that a program is made of, and their encodings.
//!
//! | register | holds |
//! |---|---|
//! | RBX | [`MIDDLE`](super::MIDDLE), for every operand in memory |
//! | R8, R9, R12 | 0, to be stored; what is loaded; the value for MOV to DR |
//! | R10 | the selector of SS |
//! | R15 | a readable address, or [`UNMAPPED`](super::UNMAPPED) |

use super::{SELECTOR_AT, UNMAPPED, frame_address};

/// TF, RF and IF of a flags image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) tf: bool,
    pub(crate) rf: bool,
    pub(crate) interrupts: bool,
}

impl Image {
    /// The image: bit 1 is always 1, and IOPL is 3, so that ports and IF are free at level 3.
    pub(crate) const fn bits(self) -> u64 {
        0x3002 | (self.tf as u64) << 8 | (self.interrupts as u64) << 9 | (self.rf as u64) << 16
    }
}

/// A string instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum String {
    Movs,
    Stos,
    Lods,
    Ins,
    Outs,
}

/// An instruction. Widths are in bytes; `at` is the distance from RBX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Nop,
    Load {
        at: i8,
        width: u8,
    },
    Store {
        at: i8,
        width: u8,
    },
    /// OR with 0: one access that reads and writes.
    Modify {
        at: i8,
        width: u8,
    },
    Push,
    Pop,
    In {
        width: u8,
    },
    Out {
        width: u8,
    },
    /// MOV to DX.
    Port(u16),
    /// MOV to RCX.
    Count(u32),
    /// LEA to RSI.
    Source(i8),
    /// LEA to RDI.
    Destination(i8),
    Rep {
        string: String,
        width: u8,
    },
    /// MOV of a register to SS.
    SsRegister,
    /// MOV of the word at [`SELECTOR_AT`] to SS.
    SsMemory,
    PushFlags(Image),
    /// POPF of what `PushFlags` has just pushed.
    PopFlags,
    /// Points RSP to a frame for the IRET that comes next.
    Frame(Image),
    /// IRET to the next instruction.
    Iret,
    /// INT 49.
    Int,
    Int3,
    Int1,
    Ud2,
    /// Makes the address in R15 one that is not mapped.
    Spoil,
    /// Loads from the address in R15.
    Fragile,
    /// MOV from this debug register.
    FromDr(u8),
    /// MOV of the value in R12 to this debug register.
    ToDr(u8),
    /// MOV to R12.
    Value(u64),
    Sti,
    Cli,
    /// JMP to the next instruction.
    Jump,
    /// CALL of the next instruction.
    Call,
    /// INT 48, which ends the program.
    End,
}

/// Bytes of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bytes {
    bytes: [u8; 15],
    count: usize,
}

impl Bytes {
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.count]
    }

    fn and(mut self, bytes: &[u8]) -> Self {
        self.bytes[self.count..self.count + bytes.len()].copy_from_slice(bytes);
        self.count += bytes.len();
        self
    }

    /// An opcode of this width with REX, which is `rex` but for W; `opcode` is that of bytes, the next one that of others.
    fn wide(self, width: u8, rex: u8, opcode: u8) -> Self {
        let size: &[u8] = if width == 2 { &[0x66] } else { &[] };
        let rex = rex | u8::from(width == 8) << 3;
        let prefix: &[u8] = if rex == 0x40 { &[] } else { &[rex] };
        self.and(size).and(prefix).and(&[opcode | u8::from(width > 1)])
    }
}

impl Piece {
    /// Bytes of the instruction as number `index` of its program.
    pub(crate) fn encode(self, index: usize) -> Bytes {
        let start = Bytes::default();
        match self {
            Self::Load { at, width } => start.wide(width, 0x44, 0x8A).and(&[0x4B, at as u8]),
            Self::Store { at, width } => start.wide(width, 0x44, 0x88).and(&[0x43, at as u8]),
            Self::Modify { at, width } => start.wide(width, 0x44, 0x08).and(&[0x43, at as u8]),
            Self::In { width } => start.wide(width, 0x40, 0xEC),
            Self::Out { width } => start.wide(width, 0x40, 0xEE),
            Self::Port(port) => start.and(&[0x66, 0xBA]).and(&port.to_le_bytes()),
            Self::Count(count) => start.and(&[0xB9]).and(&count.to_le_bytes()),
            Self::Source(at) => start.and(&[0x48, 0x8D, 0x73, at as u8]),
            Self::Destination(at) => start.and(&[0x48, 0x8D, 0x7B, at as u8]),
            Self::Rep { string, width } => start.and(&[0xF3]).wide(width, 0x40, string.opcode()),
            Self::SsMemory => start.and(&[0x8E, 0x53, SELECTOR_AT as u8]),
            Self::PushFlags(image) => start.and(&[0x68]).and(&(image.bits() as u32).to_le_bytes()),
            Self::Frame(_) => start.and(&[0x48, 0xC7, 0xC4]).and(&(frame_address(index) as u32).to_le_bytes()),
            Self::Spoil => start.and(&[0x49, 0xC7, 0xC7]).and(&(UNMAPPED as u32).to_le_bytes()),
            Self::FromDr(number) => start.and(&[0x41, 0x0F, 0x21, 0xC1 | number << 3]),
            Self::ToDr(number) => start.and(&[0x41, 0x0F, 0x23, 0xC4 | number << 3]),
            Self::Value(value) => start.and(&[0x49, 0xBC]).and(&value.to_le_bytes()),
            fixed => start.and(fixed.fixed()),
        }
    }

    /// Bytes of an instruction without operands.
    const fn fixed(self) -> &'static [u8] {
        match self {
            Self::Push => &[0x41, 0x50],
            Self::Pop => &[0x41, 0x59],
            Self::SsRegister => &[0x41, 0x8E, 0xD2],
            Self::PopFlags => &[0x9D],
            Self::Iret => &[0x48, 0xCF],
            Self::Int => &[0xCD, 49],
            Self::Int3 => &[0xCC],
            Self::Int1 => &[0xF1],
            Self::Ud2 => &[0x0F, 0x0B],
            Self::Fragile => &[0x4D, 0x8B, 0x0F],
            Self::Sti => &[0xFB],
            Self::Cli => &[0xFA],
            Self::Jump => &[0xEB, 0],
            Self::Call => &[0xE8, 0, 0, 0, 0],
            Self::End => &[0xCD, 48],
            _ => &[0x90],
        }
    }
}

impl String {
    /// Opcode of the instruction for bytes.
    const fn opcode(self) -> u8 {
        match self {
            Self::Movs => 0xA4,
            Self::Stos => 0xAA,
            Self::Lods => 0xAC,
            Self::Ins => 0x6C,
            Self::Outs => 0x6E,
        }
    }

    /// Whether it reads memory at RSI, writes memory at RDI, and accesses the port.
    pub(crate) const fn accesses(self) -> [bool; 3] {
        match self {
            Self::Movs => [true, true, false],
            Self::Stos => [false, true, false],
            Self::Lods => [true, false, false],
            Self::Ins => [false, true, true],
            Self::Outs => [true, false, true],
        }
    }
}
