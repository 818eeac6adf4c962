//! Histograms: lists of patterns of instructions, each of which an opcode matcher can have.

use crate::itanium::ia64::{Image, Unit};
use clap::ValueEnum;
use lwp_regs::itanium::{Instruction, Pmc89, SlotType};

/// What is counted for each value of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Histogram {
    /// Instructions by kind of slot: M, I, F, B
    Kinds,
    /// How often a general register is the target of an addition, a logical operation or a load
    Registers,
    /// How often a block runs that begins with `nop.i NUMBER`, by number, 1 to 127
    Blocks,
}

/// A row of a histogram: the sum of some patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) patterns: Vec<Pmc89>,
}

/// Bits 40:37: the major opcode.
const OPCODE: u64 = 0xF << 37;
/// Bits 12:6: the target of most instructions, and the low part of the immediate of a nop.
const LOW: u64 = 0x7F << 6;
/// Bits 40:33 and 32:27 and 5:0 of `nop.i` without a predicate: opcode, x3, the sign of the immediate, x6, qp. Bits 26:13 are not compared.
const NOP: u64 = 0x3FFF << 27 | 0x3F;
const NOP_I: u64 = 0x000_0800_0000;

impl Histogram {
    /// The title for people.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Kinds => "instructions by kind of slot",
            Self::Registers => "general registers that additions, logical operations and loads write",
            Self::Blocks => "blocks that begin with `nop.i NUMBER`",
        }
    }

    /// The name in JSON.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Kinds => "kinds",
            Self::Registers => "registers",
            Self::Blocks => "blocks",
        }
    }

    /// Returns the rows of a program: only what is in its code is counted.
    pub(super) fn rows(self, image: &Image) -> Vec<Row> {
        match self {
            Self::Kinds => kinds(),
            Self::Registers => registers(image),
            Self::Blocks => blocks(image),
        }
    }
}

fn kinds() -> Vec<Row> {
    let any = |slot| Pmc89::for_instruction(Instruction { slot, encoding: 0 }, 0);
    [("M", SlotType::M), ("I", SlotType::I), ("F", SlotType::F), ("B", SlotType::B)]
        .map(|(name, slot)| Row { name: name.to_owned(), patterns: vec![any(slot)] })
        .to_vec()
}

fn registers(image: &Image) -> Vec<Row> {
    let mut used = [false; 128];
    for (unit, raw) in instructions(image) {
        let target = (raw >> 6 & 0x7F) as usize;
        used[target] |= patterns_of(target as u64).iter().any(|pattern| fits(*pattern, unit, raw));
    }
    let row = |target: usize| Row { name: format!("r{target}"), patterns: patterns_of(target as u64) };
    (0..used.len()).filter(|&target| used[target]).map(row).collect()
}

/// Additions and logical operations with registers or a short immediate (opcode 8) or a long one (opcode 9), in slots of both kinds, and
/// loads: without an increment or with one in a register (opcode 4, x is 0), or with an immediate increment (opcode 5).
fn patterns_of(target: u64) -> Vec<Pmc89> {
    let integer = |opcode: u64| {
        let encoding = opcode << 37 | target << 6;
        Pmc89::for_instruction(Instruction { slot: SlotType::M, encoding }, OPCODE | LOW).with_slot(SlotType::I)
    };
    // x6 of a load is below 30H: bits 35:34 are 00, 01 or 10, two patterns. 30H to 3FH are stores.
    let load = |opcode: u64, x: u64, x6: u64, care: u64| {
        let encoding = opcode << 37 | x6 << 30 | target << 6;
        Pmc89::for_instruction(Instruction { slot: SlotType::M, encoding }, OPCODE | x | care << 30 | LOW)
    };
    let x = 1 << 27;
    vec![
        integer(8),
        integer(9),
        load(4, x, 0, 0x20),
        load(4, x, 0x20, 0x30),
        load(5, 0, 0, 0x20),
        load(5, 0, 0x20, 0x30),
    ]
}

fn blocks(image: &Image) -> Vec<Row> {
    let mut used = [false; 128];
    for (unit, raw) in instructions(image) {
        if unit == Unit::I && raw & NOP == NOP_I && raw >> 13 & 0x3FFF == 0 {
            used[(raw >> 6 & 0x7F) as usize] = true;
        }
    }
    let pattern = |number: usize| {
        let encoding = NOP_I | (number as u64) << 6;
        Pmc89::for_instruction(Instruction { slot: SlotType::I, encoding }, NOP | LOW)
    };
    let row = |number: usize| Row { name: number.to_string(), patterns: vec![pattern(number)] };
    (1..used.len()).filter(|&number| used[number]).map(row).collect()
}

/// The instructions of all bundles in the code of a program.
fn instructions(image: &Image) -> impl Iterator<Item = (Unit, u64)> + '_ {
    let code = image.segments().iter().filter(|segment| segment.executable);
    let bundles = code.flat_map(move |segment| {
        let addresses = (segment.start.next_multiple_of(16)..segment.end()).step_by(16);
        addresses.filter_map(move |addr| image.bundle(addr).ok())
    });
    bundles.flat_map(|bundle| {
        let units = bundle.units().into_iter().flatten();
        units.zip(bundle.slots).collect::<Vec<_>>()
    })
}

/// Whether a pattern fits an instruction.
fn fits(pattern: Pmc89, unit: Unit, encoding: u64) -> bool {
    let slot = match unit {
        Unit::M => SlotType::M,
        Unit::I => SlotType::I,
        Unit::F => SlotType::F,
        Unit::B => SlotType::B,
        Unit::L | Unit::X => return false,
    };
    pattern.matches(Instruction { slot, encoding })
}
