//! Instructions of the system: formats B8, B9, I18, I19, M24, M25, M32 to M37, M42 to M44, M48, F15, F16, X1, X5.

use super::bundle::Unit;
use super::encoding::Encoding;
use super::retired::File;

/// An instruction of this group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Break {
        immediate: u64,
    },
    /// nop, hint, brp, and instructions that only order others, which are executed one after another here.
    Nothing,
    /// A request for a register in the file of the monitoring unit, whose index another register holds.
    FromFile {
        target: u8,
        file: File,
        index: u8,
    },
    ToFile {
        source: u8,
        file: File,
        index: u8,
    },
    FromControl {
        target: u8,
        number: u8,
    },
    ToControl {
        source: u8,
        number: u8,
    },
    Mask {
        change: MaskChange,
        mask: u64,
    },
    ToUserMask {
        source: u8,
    },
    ToLowPsr {
        source: u8,
    },
    FromUserMask {
        target: u8,
    },
    FromPsr {
        target: u8,
    },
    Alloc {
        target: u8,
        sof: u8,
        sol: u8,
        sor: u8,
    },
    Cover,
    /// clrrrb and clrrrb.pr.
    ClearBases {
        predicates_alone: bool,
    },
    Bank {
        upper: bool,
    },
    Epc,
    Rfi,
}

/// The instructions that set or clear bits of the PSR by an immediate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MaskChange {
    Sum,
    Rum,
    Ssm,
    Rsm,
}

/// Returns the instruction of an M unit, or `None` if it is not one of this group.
pub(super) fn decode_m(code: Encoding) -> Option<System> {
    match (code.opcode(), code.field(33, 3)) {
        (0, 0) => masks_and_order(code),
        (1, 0) => register_files(code),
        (1, 6) => Some(System::Alloc { target: code.r1(), sof: code.r2(), sol: code.r3(), sor: code.small(27, 4) }),
        _ => None,
    }
}

fn masks_and_order(code: Encoding) -> Option<System> {
    let mask = code.field(36, 1) << 23 | code.field(31, 2) << 21 | code.field(6, 21);
    let change = match code.field(27, 4) {
        4 => Some(MaskChange::Sum),
        5 => Some(MaskChange::Rum),
        6 => Some(MaskChange::Ssm),
        7 => Some(MaskChange::Rsm),
        _ => None,
    };
    if let Some(change) = change {
        return Some(System::Mask { change, mask });
    }
    // x4 and x2.
    match (code.field(27, 4), code.field(31, 2)) {
        (0, 0) => Some(System::Break { immediate: code.imm21() }),
        // nop.m and hint.m; invala, fwb, mf, mf.a, srlz.d, srlz.i, sync.i.
        (1, 0) | (0, 1..=3) | (2 | 3, 2) | (1, 3) | (3, 3) => Some(System::Nothing),
        _ => None,
    }
}

fn register_files(code: Encoding) -> Option<System> {
    let (r1, r2, r3) = (code.r1(), code.r2(), code.r3());
    let file = |number: u64| match number & 0xf {
        1 => Some(File::Dbr),
        2 => Some(File::Ibr),
        4 => Some(File::Pmc),
        5 => Some(File::Pmd),
        _ => None,
    };
    match code.field(27, 6) {
        number @ 0x00..=0x06 => Some(System::ToFile { source: r2, file: file(number)?, index: r3 }),
        number @ 0x10..=0x16 => Some(System::FromFile { target: r1, file: file(number)?, index: r3 }),
        0x21 => Some(System::FromUserMask { target: r1 }),
        0x24 => Some(System::FromControl { target: r1, number: r3 }),
        0x25 => Some(System::FromPsr { target: r1 }),
        0x29 => Some(System::ToUserMask { source: r2 }),
        0x2c => Some(System::ToControl { source: r2, number: r3 }),
        0x2d => Some(System::ToLowPsr { source: r2 }),
        _ => None,
    }
}

/// Returns the instruction of an I or F unit, or `None` if it is not one of this group.
pub(super) fn decode_i_or_f(code: Encoding, unit: Unit) -> Option<System> {
    // An I unit has bits 35:33 all zero, an F unit bit 33.
    let other = if unit == Unit::I { code.field(33, 3) } else { code.field(33, 1) };
    if code.opcode() != 0 || other != 0 {
        return None;
    }
    match code.field(27, 6) {
        0 => Some(System::Break { immediate: code.imm21() }),
        1 => Some(System::Nothing),
        _ => None,
    }
}

/// Returns the instruction of a B unit, or `None` if it is not one of this group.
pub(super) fn decode_b(code: Encoding) -> Option<System> {
    match (code.opcode(), code.field(27, 6)) {
        (0, 0x00) => Some(System::Break { immediate: code.imm21() }),
        (0, 0x02) => Some(System::Cover),
        (0, 0x04) => Some(System::ClearBases { predicates_alone: false }),
        (0, 0x05) => Some(System::ClearBases { predicates_alone: true }),
        (0, 0x08) => Some(System::Rfi),
        (0, 0x0c) => Some(System::Bank { upper: false }),
        (0, 0x0d) => Some(System::Bank { upper: true }),
        (0, 0x10) => Some(System::Epc),
        // nop.b, hint.b, brp by a register.
        (2, 0 | 1 | 0x10 | 0x11) => Some(System::Nothing),
        // brp.
        (7, _) => Some(System::Nothing),
        _ => None,
    }
}

/// Returns the instruction of an X unit, or `None` if it is not one of this group.
pub(super) fn decode_long(code: Encoding, upper: u64) -> Option<System> {
    if code.opcode() != 0 || code.field(33, 3) != 0 {
        return None;
    }
    match code.field(27, 6) {
        0 => Some(System::Break { immediate: upper << 21 | code.imm21() }),
        1 => Some(System::Nothing),
        _ => None,
    }
}
