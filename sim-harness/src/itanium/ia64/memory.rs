//! Loads, stores, semaphores: the encodings of major opcodes 4 to 7 of an M unit.

use super::encoding::Encoding;

/// How a floating-point register is kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// 4 bytes, IEEE.
    Single,
    /// 8 bytes, IEEE.
    Double,
    /// 8 bytes, the significand.
    Integer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Load {
        target: u8,
    },
    Store {
        source: u8,
    },
    LoadFloat {
        target: u8,
        format: Format,
    },
    StoreFloat {
        source: u8,
        format: Format,
    },
    Exchange {
        target: u8,
        source: u8,
    },
    CompareExchange {
        target: u8,
        source: u8,
    },
    FetchAdd {
        target: u8,
        addend: i64,
    },
    /// lfetch, which has no effect but that on its address register.
    Prefetch,
}

/// What is added to the address register afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Increment {
    None,
    Register(u8),
    Immediate(i64),
}

/// An instruction of this group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) kind: Kind,
    pub(super) size: u8,
    pub(super) address: u8,
    pub(super) increment: Increment,
}

/// Returns the instruction of an M unit, or `None` if it is not one of this group.
pub(super) fn decode(code: Encoding) -> Option<Memory> {
    let (m, x) = (code.bit(36), code.bit(27));
    let (kind, size, increment) = match code.opcode() {
        4 if m && x => None,
        4 if x => semaphore(code).map(|(kind, size)| (kind, size, Increment::None)),
        4 => integer(code, if m { Form::Register } else { Form::Plain }),
        5 => integer(code, Form::Immediate),
        6 if x => None,
        6 => float(code, if m { Form::Register } else { Form::Plain }),
        7 => float(code, Form::Immediate),
        _ => None,
    }?;
    Some(Memory { kind, size, address: code.r3(), increment })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Register,
    Immediate,
}

impl Form {
    fn of_load(self, code: Encoding) -> Increment {
        match self {
            Self::Plain => Increment::None,
            Self::Register => Increment::Register(code.r2()),
            Self::Immediate => Increment::Immediate(code.imm9_load()),
        }
    }

    /// Returns the increment of a store, which has no form with a register.
    fn of_store(self, code: Encoding) -> Option<Increment> {
        match self {
            Self::Plain => Some(Increment::None),
            Self::Register => None,
            Self::Immediate => Some(Increment::Immediate(code.imm9_store())),
        }
    }
}

/// Speculative, advanced and check loads are left out: there are no NaT bits and no ALAT.
fn integer(code: Encoding, form: Form) -> Option<(Kind, u8, Increment)> {
    let x6 = code.small(30, 6);
    let size = if matches!(x6, 0x1b | 0x3b) { 8 } else { 1 << (x6 & 3) };
    match x6 {
        // Plain, .bias, .acq, ld8.fill.
        0x00..=0x03 | 0x10..=0x17 | 0x1b => Some((Kind::Load { target: code.r1() }, size, form.of_load(code))),
        // Plain, .rel, st8.spill.
        0x30..=0x37 | 0x3b => Some((Kind::Store { source: code.r2() }, size, form.of_store(code)?)),
        _ => None,
    }
}

fn semaphore(code: Encoding) -> Option<(Kind, u8)> {
    let (target, source) = (code.r1(), code.r2());
    let x6 = code.small(30, 6);
    let size = 1 << (x6 & 3);
    match x6 {
        0x00..=0x07 => Some((Kind::CompareExchange { target, source }, size)),
        0x08..=0x0b => Some((Kind::Exchange { target, source }, size)),
        0x12 | 0x13 | 0x16 | 0x17 => {
            let magnitude = [16, 8, 4, 1][code.field(13, 2) as usize];
            let addend = if code.bit(15) { -magnitude } else { magnitude };
            Some((Kind::FetchAdd { target, addend }, size))
        }
        _ => None,
    }
}

/// Speculative, advanced, extended, pair and spill forms are left out.
fn float(code: Encoding, form: Form) -> Option<(Kind, u8, Increment)> {
    let x6 = code.small(30, 6);
    let format = [None, Some(Format::Integer), Some(Format::Single), Some(Format::Double)][usize::from(x6 & 3)];
    let size = if format == Some(Format::Single) { 4 } else { 8 };
    match x6 {
        0x01..=0x03 => Some((Kind::LoadFloat { target: code.r1(), format: format? }, size, form.of_load(code))),
        0x31..=0x33 => Some((Kind::StoreFloat { source: code.r2(), format: format? }, size, form.of_store(code)?)),
        0x2c..=0x2f => Some((Kind::Prefetch, 0, form.of_load(code))),
        _ => None,
    }
}
