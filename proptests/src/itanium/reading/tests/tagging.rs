//! Ranges, opcodes and tags, by hand.

use super::bench::{
    ADD, ALL_LEVELS, Bench, CLOOP, CYCLES, DBR, IBR, LOADS, ONLY_CLOOP, PMC, PMD, TAGGED_8, TAGGED_9, default, event,
};
use lwp_model::itanium::{Mem, Retire};

/// A mask of breakpoint registers for all levels: a range of 2 to the power of `log` bytes.
const fn mask(log: u32) -> u64 {
    15 << 56 | !0 >> 8 & !0 << log
}

/// Lets counter 0 count tagged instructions, and both checks be off.
fn tagged(bench: &mut Bench) {
    bench.select(0, ALL_LEVELS | TAGGED_8);
    bench.select(1, ALL_LEVELS | TAGGED_9);
}

fn counts(bench: &mut Bench) -> [u64; 2] {
    let counts = [bench.count(0), bench.count(1)];
    bench.write(PMD + 4, 0);
    bench.write(PMD + 5, 0);
    counts
}

// ITA-02, ITA-29: with ta = 0 what is in the range of the IBRs counts.
#[test]
fn a_range_of_instructions() {
    default(|bench| {
        tagged(bench);
        bench.write(IBR, 0x4000);
        bench.write(IBR + 1, mask(5));
        bench.write(IBR + 6, 0xE000_0000_0000_8000);
        bench.write(IBR + 7, mask(12));
        for (addr, ta, tagged) in [
            (0x4000, 0, 3),
            (0x401F, 0, 3),
            (0x4020, 0, 0),
            (0x3FF0, 0, 0),
            (0x4020, 1, 3),
            (0xE000_0000_0000_8FF0, 0, 3),
            (0x8000, 0, 0),
        ] {
            bench.write(PMC + 13, ta);
            bench.run(addr);
            assert_eq!(counts(bench), [tagged; 2], "{addr:#x}");
        }
    });
}

#[test]
fn a_range_has_levels() {
    default(|bench| {
        tagged(bench);
        bench.write(PMC + 13, 0);
        bench.write(IBR, 0x4000);
        bench.write(IBR + 1, mask(5) & !(15 << 56) | 8 << 56);
        bench.run(0x4000);
        assert_eq!(counts(bench), [0; 2]);
        bench.enter(3, false);
        bench.run(0x4000);
        bench.enter(0, false);
        assert_eq!(counts(bench), [3; 2]);
    });
}

// ITA-03: the tag of the fetch is carried.
#[test]
fn the_range_is_checked_at_the_fetch() {
    default(|bench| {
        tagged(bench);
        bench.write(IBR, 0x4000);
        bench.write(IBR + 1, mask(5));
        for (before, after, count) in [(0, 1, 0), (1, 0, 3)] {
            bench.write(PMC + 13, before);
            bench.cycle(|inputs| (inputs.fetch[0].valid, inputs.fetch[0].addr) = (true, 0x8000));
            bench.write(PMC + 13, after);
            bench.issue(0, 0, [ADD; 3]);
            bench.retire(0, 7);
            assert_eq!(counts(bench), [count; 2]);
        }
    });
}

// ITA-06, ITA-07, ITA-08: each matcher has its own value and mask, and both are counted.
#[test]
fn opcodes_are_matched_at_the_issue() {
    default(|bench| {
        tagged(bench);
        bench.write(PMC + 8, ONLY_CLOOP);
        bench.bundle(0, 0x4000, 0x10, [ADD, ADD, CLOOP]);
        bench.write(PMC + 8, u64::MAX);
        bench.retire(0, 7);
        assert_eq!(counts(bench), [1, 3]);
        bench.write(PMC + 9, ONLY_CLOOP);
        bench.bundle(0, 0x4000, 0x16, [CLOOP, CLOOP ^ 1 << 6, CLOOP ^ 1 << 20]);
        bench.retire(0, 7);
        assert_eq!(counts(bench), [3, 2]);
        // The same bits in a slot of another kind.
        bench.bundle(0, 0x4000, 0, [CLOOP; 3]);
        bench.retire(0, 7);
        assert_eq!(counts(bench), [3, 0]);
    });
}

/// The kind of each slot, as bits m, i, f, b.
const KINDS: [(u8, [u64; 3]); 10] = [
    (0x00, [8, 4, 4]),
    (0x09, [8, 8, 4]),
    (0x0A, [8, 8, 4]),
    (0x0C, [8, 2, 4]),
    (0x0F, [8, 8, 2]),
    (0x11, [8, 4, 1]),
    (0x12, [8, 1, 1]),
    (0x17, [1, 1, 1]),
    (0x18, [8, 8, 1]),
    (0x1D, [8, 2, 1]),
];

#[test]
fn templates_give_each_slot_a_kind() {
    default(|bench| {
        tagged(bench);
        for (template, kinds) in KINDS {
            for kind in [1, 2, 4, 8] {
                bench.write(PMC + 8, !0 >> 4 | kind << 60);
                bench.bundle(1, 0x4000, template, [ADD, CLOOP, 0]);
                let hits: u64 = kinds.iter().filter(|other| **other == kind).count() as u64;
                bench.retire(1, 7);
                assert_eq!(counts(bench), [hits, 3], "template {template:#x}, kind {kind}");
            }
        }
    });
}

// ITA-22, ITA-23, ITA-24: both tags are range and opcode.
#[test]
fn a_tag_is_range_and_opcode() {
    default(|bench| {
        tagged(bench);
        bench.write(PMC + 13, 0);
        bench.write(PMC + 8, ONLY_CLOOP);
        bench.write(IBR, 0x4000);
        bench.write(IBR + 1, mask(5));
        for (addr, counted) in [(0x4010, [1, 3]), (0x8000, [0, 0])] {
            bench.bundle(2, addr, 0x10, [ADD, ADD, CLOOP]);
            bench.retire(2, 7);
            assert_eq!(counts(bench), counted);
        }
    });
}

// ITA-25: Tag(PMC[8]) qualifies downstream events, Tag(PMC[9]) nothing else.
#[test]
fn pmc8_qualifies_downstream_events() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | LOADS);
        bench.select(1, ALL_LEVELS | event(0x0D, 4));
        let mut play = |pmc8, pmc9| {
            bench.write(PMC + 8, pmc8);
            bench.write(PMC + 9, pmc9);
            bench.bundle(0, 0x4000, 0x10, [ADD, ADD, CLOOP]);
            bench.cycle(|inputs| {
                inputs.retire[0] = Retire { valid: true, id: 0, slots: 7, off: 0, branch: 4, taken: 4 };
            });
            bench.load(0x1000);
            counts(bench)
        };
        assert_eq!(play(u64::MAX, u64::MAX), [1, 1]);
        assert_eq!(play(u64::MAX, 0), [1, 1]);
        assert_eq!(play(ONLY_CLOOP, u64::MAX), [0, 1]);
        assert_eq!(play(0, u64::MAX), [0, 0]);
    });
}

// ITA-11, ITA-26, ITA-31, ITA-35: with pt = 0 memory events of the range of the DBRs count. ITA-12: others are not filtered.
#[test]
fn a_range_of_data() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | LOADS);
        bench.select(1, ALL_LEVELS | TAGGED_9);
        bench.select(2, ALL_LEVELS | CYCLES);
        bench.write(DBR + 2, 0x1000);
        bench.write(DBR + 3, mask(3));
        bench.bundle(0, 0x4000, 0, [ADD; 3]);
        for (addr, pt, hits) in
            [(0x1000, 0, 1), (0x1007, 0, 1), (0x1008, 0, 0), (1 << 60 | 0x1000, 0, 0), (0x1008, 1, 1)]
        {
            bench.write(PMC + 11, pt << 28);
            bench.load(addr);
            bench.retire(0, 1);
            assert_eq!(counts(bench), [hits, 1], "{addr:#x}");
        }
        bench.write(PMC + 11, 0);
        bench.cycle(|inputs| inputs.core_clock = true);
        assert_eq!(bench.count(2), 1);
    });
}

// ITA-26: a memory event needs both tags.
#[test]
fn a_memory_event_needs_both_tags() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | event(0x66, 0));
        bench.select(1, ALL_LEVELS | event(0x60, 0));
        bench.write(PMC + 8, ONLY_CLOOP);
        bench.write(PMC + 11, 0);
        bench.write(DBR, 0x1000);
        bench.write(DBR + 1, mask(3));
        bench.bundle(0, 0x4000, 0x16, [CLOOP, ADD, CLOOP]);
        for (slot, addr, hits) in [(0, 0x1000, 1), (1, 0x1000, 0), (2, 0x1000, 1), (3, 0x1000, 1), (0, 0x2000, 0)] {
            bench.access(Mem { slot, addr, l1d_miss: true, dtc_miss: true, ..Mem::default() });
            assert_eq!(counts(bench), [hits; 2]);
        }
    });
}

// ITA-05, ITA-10, ITA-21: for IA-32 code instruction range and opcode constrain nothing.
#[test]
fn instructions_of_ia32_are_not_constrained() {
    default(|bench| {
        bench.select(0, ALL_LEVELS | LOADS);
        bench.select(1, ALL_LEVELS | LOADS | 2 << 24);
        bench.write(PMC + 13, 0);
        bench.write(PMC + 8, 0);
        bench.bundle(0, 0x4000, 0, [ADD; 3]);
        bench.load(0x1000);
        bench.enter(0, true);
        bench.load(0x1000);
        bench.enter(0, false);
        assert_eq!(counts(bench), [1, 0]);
    });
}

// ITA-13: a unit mask selects among occurrences.
#[test]
fn unit_masks_filter() {
    default(|bench| {
        for (counter, event) in [event(0x69, 1), event(0x69, 2), event(0x0D, 1), event(0x0D, 8)].into_iter().enumerate()
        {
            bench.select(counter as u32, ALL_LEVELS | event);
        }
        bench.bundle(0, 0x4000, 0x16, [CLOOP; 3]);
        for (l2_read, l2_write) in [(true, false), (false, true), (true, false)] {
            bench.access(Mem { l2_read, l2_write, ..Mem::default() });
        }
        for taken in [1, 2, 4, 0] {
            let retire = Retire { valid: true, id: 0, slots: 7, off: 0, branch: taken | 4, taken };
            bench.cycle(|inputs| inputs.retire[0] = retire);
        }
        assert_eq!([0, 1, 2, 3].map(|counter| bench.count(counter)), [2, 1, 1, 3]);
    });
}
