//! The table of events: what each event select and unit mask count, and which tags let it pass.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs, Mem, Retire};

type Small = Bench<1, 4>;
type Large = Bench<2, 16>;

/// What each event of a record reads in it.
type Set = fn(&mut Mem);

const KINDS: [(u8, u8, Set); 9] = [
    (0x60, 0, |mem| mem.dtc_miss = true),
    (0x61, 0, |mem| mem.dtlb_miss = true),
    (0x64, 0, |mem| mem.l1d_read = true),
    (0x66, 0, |mem| mem.l1d_miss = true),
    (0x69, 1, |mem| mem.l2_read = true),
    (0x69, 2, |mem| mem.l2_write = true),
    (0x6A, 0, |mem| mem.l2_miss = true),
    (0x6C, 0, |mem| mem.read = true),
    (0x6D, 0, |mem| mem.write = true),
];

/// What the first counter counts of these cycles with this event and unit mask.
fn counted<const B: usize, const E: usize>(bench: &mut Bench<B, E>, es: u8, umask: u8, cycles: &[Inputs<B>]) -> u32 {
    bench.write(PMD, 4, 0);
    bench.write(PMC, 4, pmc(es, umask));
    for cycle in cycles {
        bench.cycle(*cycle);
    }
    bench.counts()[0]
}

/// A unit whose entry 0 has these tags, one kind of instruction for each of the slots.
fn with_tags(pmc8: u8, pmc9: u8) -> Small {
    let mut bench = Small::on(Config::default());
    // Slots of template 0C: M, F, I.
    let of = |tags: u8| NONE | u64::from(tags & 1) << 63 | u64::from(tags >> 1 & 1) << 61 | u64::from(tags >> 2) << 62;
    bench.write(PMC, 8, of(pmc8));
    bench.write(PMC, 9, of(pmc9));
    bench.bring(0, 0, 0x0C, [0; 3]);
    assert_eq!(bench.tag(0), (1, pmc8, pmc9));
    bench
}

// ITA-08, ITA-13, ITA-24, ITA-25: 08H, by all tags, slots and unit masks
#[test]
fn retired_instructions() {
    for tags in 0..64_u8 {
        let (pmc8, pmc9) = (tags & 7, tags >> 3);
        let mut bench = with_tags(pmc8, pmc9);
        for mask in 0..8_u8 {
            let of = |tag: u8| (tag & mask).count_ones();
            let expected = |umask| match umask {
                0 | 3 => of(pmc8),
                2 => of(pmc9),
                _ => 0,
            };
            for umask in 0..16 {
                let found = counted(&mut bench, RETIRED, umask, &[retiring(retire(0, mask))]);
                assert_eq!(found, expected(umask), "{pmc8:03b}, {pmc9:03b}, slots {mask:03b}, umask {umask}");
            }
        }
    }
}

// ITA-13, ITA-25: 0DH, all unit masks
#[test]
fn branches() {
    let mut bench = with_tags(0b101, 0);
    for pattern in 0..512_u32 {
        let [slots, branch, taken] = [0, 3, 6].map(|at| (pattern >> at & 7) as u8);
        for umask in 0..16_u8 {
            let shown = retiring(Retire { branch, taken, ..retire(0, slots) });
            let mut expected = 0;
            for s in 0..3 {
                let is = |mask: u8| mask >> s & 1 == 1;
                let passes = is(0b101) && is(slots);
                expected += u32::from(passes && is(taken) && is(umask));
                expected += u32::from(passes && is(branch) && !is(taken) && umask & 8 != 0);
            }
            let found = counted(&mut bench, BRANCHES, umask, &[shown]);
            assert_eq!(found, expected, "{slots:03b} {branch:03b} {taken:03b}, umask {umask:04b}");
        }
    }
}

// ITA-25: 31H counts what retires with a predicate of 0 and has Tag(PMC[8])
#[test]
fn squashed_instructions() {
    let mut bench = with_tags(0b011, 0b111);
    for (slots, off, expected) in [(7, 7, 2), (7, 4, 0), (7, 1, 1), (2, 7, 1), (4, 7, 0), (7, 0, 0)] {
        for umask in [0, 15] {
            let shown = retiring(Retire { off, ..retire(0, slots) });
            assert_eq!(counted(&mut bench, SQUASHED, umask, &[shown]), expected, "{slots:03b} {off:03b}");
        }
    }
}

// An instruction whose predicate is 0 retires
#[test]
fn predicated_off() {
    let mut bench = Small::tagged(Config::default());
    let shown = retiring(Retire { off: 0b010, ..retire(0, 0b111) });
    assert_eq!(counted(&mut bench, RETIRED, 0, &[shown]), 3);
    assert_eq!(counted(&mut bench, SQUASHED, 0, &[shown]), 1);
}

// ITA-25: 12H has no tags and no unit mask; it counts in every cycle with the clock
#[test]
fn clocks() {
    let mut bench = with_tags(0, 0);
    let [clock, none] = [true, false].map(|core_clock| Inputs { core_clock, ..Inputs::default() });
    let interrupted = Inputs { int_valid: true, ..clock };
    assert_eq!(counted(&mut bench, CYCLES, 0, &[clock, none, clock, interrupted]), 3);
    assert_eq!(counted(&mut bench, CYCLES, 15, &[clock, none, clock]), 2);
    bench.stays.psr_is = true;
    assert_eq!(counted(&mut bench, CYCLES, 0, &[clock]), 1);
}

// ITA-16, ITA-21: 15H counts in IA-32 code, without tags; there 08H and 31H count nothing
#[test]
fn ia32_instructions() {
    let mut bench = with_tags(0, 0);
    let mut shown = Inputs { ia32: 3, ..retiring(Retire { off: 7, branch: 7, taken: 7, ..retire(0, 0b111) }) };
    assert_eq!(counted(&mut bench, IA32, 0, &[shown]), 0);
    bench.stays.psr_is = true;
    for umask in [0, 15] {
        assert_eq!(counted(&mut bench, IA32, umask, &[shown]), 3);
    }
    shown.ia32 = 2;
    assert_eq!(counted(&mut bench, IA32, 0, &[shown]), 2);
    let mut bench = with_tags(7, 7);
    bench.stays.psr_is = true;
    for (es, umask) in [(RETIRED, 0), (RETIRED, 3), (RETIRED, 2), (SQUASHED, 0), (BRANCHES, 15)] {
        assert_eq!(counted(&mut bench, es, umask, &[shown]), 0, "{es:x}");
    }
    shown.int_valid = true;
    assert_eq!(counted(&mut bench, IA32, 0, &[shown]), 0);
}

// ITA-10, ITA-21: in IA-32 code records pass, whatever tag the entry has; as a tag nothing is counted
#[test]
fn records_in_ia32_code() {
    let mut bench = with_tags(0, 0);
    let shown = [recording(Mem { read: true, ..record(0, 0, 0) })];
    assert_eq!(counted(&mut bench, LOADS, 0, &shown), 0);
    bench.stays.psr_is = true;
    assert_eq!(counted(&mut bench, LOADS, 0, &shown), 1);
}

// ITA-13, ITA-26: events of records: each reads its own bit
#[test]
fn records() {
    let mut bench = Small::tagged(Config::default());
    for (kind, (es, umask, _)) in KINDS.iter().enumerate() {
        for (shown, (.., set)) in KINDS.iter().enumerate() {
            let mut mem = record(0, 0, 0);
            set(&mut mem);
            let found = counted(&mut bench, *es, *umask, &[recording(mem)]);
            assert_eq!(found, u32::from(kind == shown), "{es:x} and event {shown}");
            mem.valid = false;
            assert_eq!(counted(&mut bench, *es, *umask, &[recording(mem)]), 0);
        }
    }
}

// ITA-13: 63H counts a semaphore instruction once; 69H counts by both bits of its unit mask
#[test]
fn kinds_in_one_record() {
    let mut bench = Small::tagged(Config::default());
    let mem = |read, write| recording(Mem { read, write, l2_read: read, l2_write: write, ..record(0, 0, 0) });
    for (read, write, references, l2) in [
        (false, false, 0, [0, 0, 0, 0]),
        (true, false, 1, [0, 1, 0, 1]),
        (false, true, 1, [0, 0, 1, 1]),
        (true, true, 1, [0, 1, 1, 2]),
    ] {
        assert_eq!(counted(&mut bench, REFERENCES, 0, &[mem(read, write)]), references);
        for umask in 0..16_u8 {
            let expected = l2[usize::from(umask & 3)];
            assert_eq!(counted(&mut bench, 0x69, umask, &[mem(read, write)]), expected, "umask {umask}");
        }
    }
}

// ITA-26: the tag is that of the record's slot, where 3 acts as 2, and of its entry
#[test]
fn slots_of_records() {
    for tags in 0..8_u8 {
        let mut bench = with_tags(tags, !tags & 7);
        for slot in 0..4_u8 {
            let shown = recording(Mem { read: true, ..record(0, slot, 0) });
            let expected = tags >> slot.min(2) & 1;
            assert_eq!(counted(&mut bench, LOADS, 0, &[shown]), u32::from(expected), "{tags:03b}, slot {slot}");
            let other = recording(Mem { read: true, ..record(1, slot, 0) });
            assert_eq!(counted(&mut bench, LOADS, 0, &[other]), 0);
        }
    }
}

// Codes that are not in the table count nothing, and a field without a slot is ignored
#[test]
fn other_codes() {
    let mut bench = Small::tagged(Config::default());
    let mut shown = retiring(Retire { off: 5, branch: 6, taken: 2, ..retire(0, 0b111) });
    (shown.core_clock, shown.ia32) = (true, 3);
    for (.., set) in KINDS {
        set(&mut shown.mem[0]);
    }
    shown.mem[0].valid = true;
    let found: Vec<u8> = (0..0x80).filter(|es| counted(&mut bench, *es, 3, &[shown]) != 0).collect();
    assert_eq!(found, [0x08, 0x0D, 0x12, 0x31, 0x60, 0x61, 0x63, 0x64, 0x66, 0x69, 0x6A, 0x6C, 0x6D]);
    shown.retire[0].valid = false;
    for (es, umask) in [(RETIRED, 0), (BRANCHES, 15), (SQUASHED, 0)] {
        assert_eq!(counted(&mut bench, es, umask, &[shown]), 0);
    }
}

// Slots without a kind retire with the tags miss
#[test]
fn slots_without_a_kind() {
    let mut bench = Small::on(Config::default());
    bench.bring(0, 0, 0x06, [NOP; 3]);
    for umask in [0, 2, 3] {
        assert_eq!(counted(&mut bench, RETIRED, umask, &[retiring(retire(0, 0b111))]), 0);
    }
}

// ITA-40: up to six in a cycle, of two bundles, and in every counter
#[test]
fn two_bundles() {
    let mut bench = Large::tagged(Config::default());
    for (c, value) in [pmc(RETIRED, 0), pmc(BRANCHES, 0b1111), pmc(SQUASHED, 0), pmc(LOADS, 0)].iter().enumerate() {
        bench.write(PMC, 4 + c as u8, *value);
    }
    let bundle = |id| Retire { off: 0b011, branch: 0b110, taken: 0b100, ..retire(id, 0b111) };
    let mem = |p: u8| Mem { read: true, ..record(3 * p, p, 0) };
    bench.cycle(Inputs { retire: [bundle(7), bundle(8)], mem: [mem(0), mem(1)], ..Inputs::default() });
    assert_eq!(bench.counts(), [6, 4, 4, 2]);
    bench.write(PMC, 7, pmc(BRANCHES, 0b0100));
    let last = Retire { branch: 0b111, taken: 0b111, ..retire(9, 0b111) };
    bench.cycle(Inputs { retire: [bundle(7), last], ..Inputs::default() });
    assert_eq!(bench.counts(), [12, 4 + 2 + 3, 6, 4]);
}

// In a cycle with an interruption nothing retires, but records count
#[test]
fn a_cycle_with_an_interruption() {
    let mut bench = Small::tagged(Config::default());
    let mut shown = Inputs { int_valid: true, ..retiring(retire(0, 0b111)) };
    shown.mem[0] = Mem { read: true, ..record(0, 0, 0) };
    assert_eq!(counted(&mut bench, RETIRED, 0, &[shown]), 0);
    assert_eq!(counted(&mut bench, LOADS, 0, &[shown]), 1);
}
