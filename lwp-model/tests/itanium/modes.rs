//! The modes of Table 6-3, and the eighth: what counts with the values of `QualificationMode` in the unit's registers.

use super::bench::*;
use lwp_model::itanium::{Config, Mem};
use lwp_regs::itanium::{Instruction, Pmc89, QualificationMode, SlotType};

type Small = Bench<1, 4>;

/// nop.m with immediate 0.
const OPCODE: Pmc89 = Pmc89::for_instruction(Instruction { slot: SlotType::M, encoding: NOP }, u64::MAX);

/// Bits of the eight situations in which the load of an instruction counts, and those in which its retirement does: bit 0 of a situation is
/// that its bundle is in the range, bit 1 that it matches, bit 2 that the load is in the data range.
fn counted(mode: QualificationMode, ism: u64, plm: u64) -> (u8, u8) {
    let mut bench = Small::on(Config::default());
    for (file, addr) in [(IBR, 0x1000), (DBR, 0x8000)] {
        bench.write(file, 0, addr);
        bench.write(file, 1, compares(u64::MAX << 12, 0xF));
    }
    mode.apply(&mut bench).unwrap();
    bench.write(PMC, 4, at_levels(LOADS, 0, plm) | ism);
    bench.write(PMC, 5, at_levels(RETIRED, 0, plm) | ism);
    let mut masks = (0, 0);
    for situation in 0..8_u8 {
        let [in_range, matches, in_data] = [0, 1, 2].map(|bit| situation >> bit & 1 == 1);
        let before = bench.counts();
        let slot0 = if matches { NOP } else { NOP | 1 << 6 };
        bench.bring(0, if in_range { 0x1FF0 } else { 0x2000 }, 0, [slot0, 0, 0]);
        let mut inputs = retiring(retire(0, 0b001));
        inputs.mem[0] = Mem { read: true, ..record(0, 0, if in_data { 0x8FF8 } else { 0x9000 }) };
        bench.cycle(inputs);
        let after = bench.counts();
        masks.0 |= ((after[0] - before[0]) as u8) << situation;
        masks.1 |= ((after[1] - before[1]) as u8) << situation;
    }
    masks
}

const RANGE: u8 = 0b1010_1010;
const MATCH: u8 = 0b1100_1100;
const DATA: u8 = 0b1111_0000;

// ITA-32
#[test]
fn unconstrained() {
    assert_eq!(counted(QualificationMode::Unconstrained, 0, 1), (0xFF, 0xFF));
}

// ITA-33, ITA-29
#[test]
fn instruction_range() {
    assert_eq!(counted(QualificationMode::InstructionRange, 0, 1), (RANGE, RANGE));
}

// ITA-34
#[test]
fn opcode() {
    assert_eq!(counted(QualificationMode::Opcode(OPCODE), 0, 1), (MATCH, MATCH));
}

// ITA-35, ITA-31
#[test]
fn data_range() {
    assert_eq!(counted(QualificationMode::DataRange, 0, 1), (DATA, 0xFF));
}

// ITA-36
#[test]
fn instruction_range_and_opcode() {
    assert_eq!(counted(QualificationMode::InstructionRangeAndOpcode(OPCODE), 0, 1), (RANGE & MATCH, RANGE & MATCH));
}

// ITA-37
#[test]
fn instruction_and_data_range() {
    assert_eq!(counted(QualificationMode::InstructionAndDataRange, 0, 1), (RANGE & DATA, RANGE));
}

// ITA-38
#[test]
fn opcode_and_data_range() {
    assert_eq!(counted(QualificationMode::OpcodeAndDataRange(OPCODE), 0, 1), (MATCH & DATA, MATCH));
}

// ITA-39: all three, as the figure draws it
#[test]
fn all_three() {
    let found = counted(QualificationMode::AllThreeUnlisted(OPCODE), 0, 1);
    assert_eq!(found, (RANGE & MATCH & DATA, RANGE & MATCH));
}

// ITA-27, ITA-28: level and instruction set filter in every mode
#[test]
fn level_and_instruction_set_in_every_mode() {
    for mode in [
        QualificationMode::Unconstrained,
        QualificationMode::InstructionRange,
        QualificationMode::Opcode(OPCODE),
        QualificationMode::DataRange,
        QualificationMode::InstructionRangeAndOpcode(OPCODE),
        QualificationMode::InstructionAndDataRange,
        QualificationMode::OpcodeAndDataRange(OPCODE),
        QualificationMode::AllThreeUnlisted(OPCODE),
    ] {
        assert_eq!(counted(mode, IA64_ONLY, 1), counted(mode, 0, 0xF));
        assert_eq!(counted(mode, IA32_ONLY, 1), (0, 0));
        assert_eq!(counted(mode, 0, 0b1110), (0, 0));
    }
}
