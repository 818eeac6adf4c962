//! Opcode matching: kinds of the slots, the bits that are compared, and when.

use super::bench::*;
use lwp_model::itanium::Config;
use lwp_regs::itanium::{Instruction, Pmc89, SlotType};

type Small = Bench<1, 4>;

const KINDS: [(char, u64); 4] = [('M', 1 << 63), ('I', 1 << 62), ('F', 1 << 61), ('B', 1 << 60)];

/// Slots of a bundle that PMC\[8\] and PMC\[9\] match with these values.
fn tags(bench: &mut Small, pmc8: u64, pmc9: u64, template: u8, slots: [u64; 3]) -> (u8, u8) {
    bench.write(PMC, 8, pmc8);
    bench.write(PMC, 9, pmc9);
    bench.bring(0, 0, template, slots);
    let (_, first, second) = bench.tag(0);
    (first, second)
}

/// Kinds of the slots, as matchers of a single kind find them; a slot that none finds is a dash.
fn kinds(bench: &mut Small, template: u8, slots: [u64; 3]) -> String {
    let found = KINDS.map(|(kind, bit)| (kind, tags(bench, NONE | bit, NONE | bit, template, slots)));
    (0..3)
        .map(|s| {
            let mut of = found.iter().filter(|(_, (first, second))| {
                assert_eq!(first, second);
                first >> s & 1 == 1
            });
            let kind = of.next().map_or('-', |(kind, _)| *kind);
            assert!(of.next().is_none(), "one kind for a slot");
            kind
        })
        .collect()
}

// ITA-06, ITA-07: all 32 templates
#[test]
fn kinds_of_all_templates() {
    let expected = [
        "MII", "MII", "MII", "MII", "M-I", "M-I", "---", "---", "MMI", "MMI", "MMI", "MMI", "MFI", "MFI", "MMF", "MMF",
        "MIB", "MIB", "MBB", "MBB", "---", "---", "BBB", "BBB", "MMB", "MMB", "---", "---", "MFB", "MFB", "---", "---",
    ];
    let mut bench = Small::on(Config::default());
    for (template, expected) in (0..).zip(expected) {
        assert_eq!(kinds(&mut bench, template, [0; 3]), expected, "template {template:02X}");
    }
}

// ITA-07: a long instruction is of the kind of its unit: major opcodes 0 to 7 I, 8 to F B
#[test]
fn long_instructions() {
    let mut bench = Small::on(Config::default());
    for major in 0..16_u64 {
        let kind = if major < 8 { "M-I" } else { "M-B" };
        assert_eq!(kinds(&mut bench, 0x04, [1 << 40, 1 << 40, major << 37]), kind, "opcode {major:X}");
        assert_eq!(kinds(&mut bench, 0x05, [0, 0, major << 37]), kind, "opcode {major:X}");
    }
    assert_eq!(tags(&mut bench, u64::MAX, u64::MAX, 0x04, [NOP; 3]), (0b101, 0b101), "slot 1 is no instruction");
}

// ITA-06, ITA-07: bits {40:27} and {12:0} are compared unless they are masked, in both matchers by themselves
#[test]
fn each_bit_matters_unless_masked() {
    let mut bench = Small::on(Config::default());
    for encoding in [0, 0x1FF_FFFF_FFFF, 0x0AA_5555_1357] {
        let instruction = Instruction { slot: SlotType::F, encoding };
        let exact = Pmc89::for_instruction(instruction, u64::MAX).into_bits();
        for bit in 0..41 {
            let masked = Pmc89::for_instruction(instruction, !(1 << bit)).into_bits();
            let compared = !(13..27).contains(&bit);
            let slots = [0, encoding ^ 1 << bit, 0];
            let expected = (if compared { 0 } else { 0b010 }, 0b010);
            assert_eq!(tags(&mut bench, exact, masked, 0x0C, slots), expected, "bit {bit}");
            let (first, second) = tags(&mut bench, masked, exact, 0x0C, slots);
            assert_eq!((second, first), expected, "bit {bit}, the other way round");
        }
    }
}

// ITA-30: all ones match every instruction
#[test]
fn all_ones() {
    let mut bench = Small::on(Config::default());
    for template in [0x00, 0x08, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x1C] {
        for bit in 0..41 {
            assert_eq!(tags(&mut bench, u64::MAX, 0, template, [1 << bit; 3]).0, 0b111);
        }
    }
}

// ITA-22, ITA-23: a tag is the range and the opcode, for each matcher
#[test]
fn range_and_opcode() {
    for in_range in [false, true] {
        for matched in 0..4_u64 {
            let mut bench = Small::on(Config::default());
            bench.write(PMC, 13, in_range.into());
            let of = |j: u64| if matched >> j & 1 == 1 { ANY } else { NONE };
            let expected = |j: u64| if in_range && matched >> j & 1 == 1 { 0b111 } else { 0 };
            assert_eq!(tags(&mut bench, of(0), of(1), 0, [NOP; 3]), (expected(0), expected(1)));
        }
    }
}

// ITA-07: the opcode is looked at when the bundle is issued
#[test]
fn what_is_written_behind_the_issue() {
    let mut bench = Small::on(Config::default());
    bench.write(PMC, 8, NONE);
    bench.fetch(fetch(0, 0));
    let mut inputs = writing(PMC, 8, ANY);
    inputs.issue[0] = issue(0, 0, [NOP; 3]);
    bench.cycle(inputs);
    assert_eq!(bench.tag(0), (1, 0, 0b111), "in the cycle of the issue");
    bench.fetch(fetch(0, 0));
    bench.issue(issue(0, 0, [NOP; 3]));
    bench.write(PMC, 8, NONE);
    bench.write(PMC, 9, NONE);
    assert_eq!(bench.tag(0), (1, 0b111, 0b111));
}

// ITA-10, ITA-21, ITA-55: no opcode match while IA-32 code runs: an issue is ignored
#[test]
fn no_opcodes_in_ia32_code() {
    let mut bench = Small::on(Config::default());
    bench.fetch(fetch(0, 0));
    bench.stays.psr_is = true;
    bench.issue(issue(0, 0, [NOP; 3]));
    assert_eq!(bench.tag(0), (1, 0, 0));
    bench.stays.psr_is = false;
    bench.issue(issue(0, 0, [NOP; 3]));
    assert_eq!(bench.tag(0), (1, 0b111, 0b111));
}

// ITA-09: a histogram by kind, use of a predicate register, and a block found by its tagged nop
#[test]
fn histograms() {
    let mut bench = Small::on(Config::default());
    // Predicate p6 in bits 5:0, all else masked; nop.i with immediate 7 in bits 12:6.
    let p6 = Pmc89::for_instruction(Instruction { slot: SlotType::M, encoding: 6 }, 0x3F);
    let p6 = p6.with_slot(SlotType::I).with_slot(SlotType::B);
    let tagged = Pmc89::for_instruction(Instruction { slot: SlotType::I, encoding: NOP | 7 << 6 }, u64::MAX);
    let program = [(0x10, [6, NOP | 7 << 6, 6]), (0x00, [NOP, 6, NOP]), (0x10, [6, NOP | 8 << 6, 0])];
    let mut count = |pmc8: u64| {
        bench.write(PMC, 8, pmc8);
        bench.write(PMD, 4, 0);
        bench.write(PMC, 4, pmc(RETIRED, 3));
        for (template, slots) in program {
            bench.bring(0, 0x1000, template, slots);
            bench.retire(retire(0, 0b111));
        }
        bench.counts()[0]
    };
    assert_eq!(KINDS.map(|(_, bit)| count(NONE | bit)), [3, 4, 0, 2]);
    assert_eq!(count(p6.into_bits()), 4);
    assert_eq!(count(tagged.into_bits()), 1);
}
