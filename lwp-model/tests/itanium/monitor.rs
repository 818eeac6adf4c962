//! When a monitor is on: freeze, process, level, instruction set.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs, IsmOrder, Mem, UpOnInterruption};

type Small = Bench<1, 4>;

const PRINTED: Config =
    Config { ism_order: IsmOrder::Printed, up_on_interruption: UpOnInterruption::Kept, freeze_always: false };

/// A unit whose seven monitors have these bits, and whose counters count the clock.
fn monitors(straps: Config, bits: u64) -> Small {
    let mut bench = Small::on(straps);
    for c in 4..8 {
        bench.write(PMC, c, u64::from(CYCLES) << 8 | bits);
    }
    for index in 10..13 {
        bench.write(PMC, index, bits);
    }
    bench
}

/// Which monitors are on in a cycle: PMC\[4\] to PMC\[7\], PMC\[10\], PMC\[11\], PMC\[12\].
fn on(bench: &mut Small) -> [bool; 7] {
    let before = bench.counts();
    let out = bench.cycle(Inputs { core_clock: true, ..Inputs::default() });
    let after = bench.counts();
    core::array::from_fn(|at| match at {
        0..4 => after[at] != before[at],
        4 => out.iear_on,
        5 => out.dear_on,
        _ => out.btb_on,
    })
}

// ITA-14, ITA-43, ITA-44: all masks at all levels, in all monitors
#[test]
fn levels() {
    for plm in 0..16 {
        let mut bench = monitors(Config::default(), plm);
        for cpl in 0..4 {
            bench.stays.cpl = cpl;
            assert_eq!(on(&mut bench), [plm >> cpl & 1 == 1; 7], "{plm:04b} at {cpl}");
        }
    }
}

// ITA-14: user and system together are both
#[test]
fn parts_of_a_count() {
    let mut bench = Small::tagged(Config::default());
    for (c, plm) in [(4, 0b1000), (5, 0b0001), (6, 0b1001), (7, 0b0110)] {
        bench.write(PMC, c, at_levels(RETIRED, 0, plm));
    }
    for (cpl, number) in [(3, 3), (0, 2), (3, 1), (1, 3), (2, 2), (0, 3)] {
        bench.stays.cpl = cpl;
        bench.run(number);
    }
    assert_eq!(bench.counts(), [4, 5, 9, 5]);
}

// ITA-42, ITA-45, ITA-46, ITA-47: PSR.up for pm = 0, PSR.pp for pm = 1, in all monitors
#[test]
fn processes() {
    for psr in [0, UP, PP, UP | PP] {
        let mut user = monitors(Config::default(), 1);
        user.rfi(psr);
        assert_eq!(on(&mut user), [psr & UP != 0; 7]);
        let mut system = monitors(Config::default(), 1 | PM);
        system.rfi(psr);
        assert_eq!(on(&mut system), [psr & PP != 0; 7]);
    }
}

// ITA-15, ITA-16, ITA-54, ITA-55: the instruction set, in both orders of the bits; PMC[12] has no ism
#[test]
fn instruction_sets() {
    for (straps, ia64_only, ia32_only) in [(Config::default(), IA64_ONLY, IA32_ONLY), (PRINTED, IA32_ONLY, IA64_ONLY)] {
        for (ism, expected) in
            [(0, [true, true]), (ia64_only, [true, false]), (ia32_only, [false, true]), (3 << 24, [false, false])]
        {
            let mut bench = monitors(straps, 1 | ism);
            for (psr_is, expected) in [false, true].into_iter().zip(expected) {
                bench.stays.psr_is = psr_is;
                let (on, e) = (on(&mut bench), expected);
                assert_eq!(on, [e, e, e, e, e, e, !psr_is], "{straps:?}, ism {ism:x}, psr_is {psr_is}");
            }
        }
    }
}

// ITA-56: with IA-64 only, events of IA-32 code do not corrupt a count that a range confines
#[test]
fn ia64_only() {
    for (straps, ism, expected) in
        [(Config::default(), IA64_ONLY, 1), (Config::default(), 0, 2), (PRINTED, IA32_ONLY, 1), (PRINTED, IA64_ONLY, 1)]
    {
        // Bundle 0 is in the range 1000H to 1FFFH, bundle 1 is not.
        let mut bench = Small::on(straps);
        bench.write(PMC, 13, 0);
        bench.write(IBR, 0, 0x1000);
        bench.write(IBR, 1, compares(u64::MAX << 12, 1));
        bench.bring(0, 0x1FF0, 0, [NOP; 3]);
        bench.bring(1, 0x2000, 0, [NOP; 3]);
        bench.write(PMC, 4, pmc(LOADS, 0) | ism);
        let [inside, outside] = [0, 1].map(|id| Mem { read: true, ..record(id, 0, 0) });
        bench.mem(outside);
        assert_eq!(bench.counts()[0], 0, "out of the range");
        bench.mem(inside);
        let ia64 = bench.counts()[0];
        bench.stays.psr_is = true;
        bench.mem(inside);
        assert_eq!(bench.counts()[0], expected);
        assert_eq!(ia64, u32::from((straps, ism) != (PRINTED, IA64_ONLY)), "IA-32 only there");
    }
}

// ITA-18: frozen, no monitor is on; overflow bits alone stop nothing
#[test]
fn frozen() {
    let mut bench = monitors(Config::default(), 1);
    for (pmc0, expected) in [(1, false), (0, true), (0xF0, true), (0xF1, false)] {
        bench.write(PMC, 0, pmc0);
        assert_eq!(on(&mut bench), [expected; 7], "{pmc0:x}");
    }
}

// ITA-54, ITA-55: the outputs say so of the last cycle, and each goes by its own register
#[test]
fn address_registers() {
    for (index, expected) in [(10, [true, false, false]), (11, [false, true, false]), (12, [false, false, true])] {
        let mut bench = Small::on(Config::default());
        bench.write(PMC, index, 1);
        assert_eq!(on(&mut bench)[4..], expected);
        bench.stays.cpl = 1;
        assert_eq!(on(&mut bench)[4..], [false; 3]);
    }
    let mut bench = Small::on(Config::default());
    bench.write(PMC, 10, 1 | IA32_ONLY);
    bench.write(PMC, 11, 1 | IA64_ONLY);
    assert_eq!(on(&mut bench)[4..], [false, true, false]);
    bench.stays.psr_is = true;
    assert_eq!(on(&mut bench)[4..], [true, false, false]);
    let mut bench = Small::on(Config::default());
    let out = bench.cycle(writing(PMC, 10, 1));
    assert!(!out.iear_on, "the cycle of the write goes by the old value");
    assert!(bench.idle().iear_on);
}

/// Whether a load counts with these seven qualifiers: range, opcode, data range, unit mask, level, instruction set, no freeze.
fn load_counts([range, opcode, data, umask, level, set, thawed]: [bool; 7]) -> bool {
    let mut bench = Small::on(Config::default());
    bench.write(PMC, 13, 0);
    bench.write(IBR, 0, 0x1000);
    bench.write(IBR, 1, compares(u64::MAX << 12, 1));
    bench.write(PMC, 8, 0x8000_4000_0000_0000 | 0x3FFF << 16);
    bench.write(PMC, 11, 0);
    bench.write(DBR, 0, 0x8000);
    bench.write(DBR, 1, compares(u64::MAX << 12, 0b0011));
    bench.bring(0, if range { 0x1ABC } else { 0x2ABC }, 0, [if opcode { NOP } else { NOP | 1 }, NOP, NOP]);
    bench.write(PMC, 4, pmc(0x69, 0b01) | if set { IA64_ONLY } else { IA32_ONLY });
    bench.write(PMC, 0, u64::from(!thawed));
    bench.stays.cpl = u8::from(!level);
    bench.mem(Mem { l2_read: umask, l2_write: !umask, ..record(0, 0, if data { 0x8ABC } else { 0x9ABC }) });
    bench.counts()[0] == 1
}

// ITA-01, ITA-27, ITA-40: all of the seven together, and no other of the 2^7
#[test]
fn all_qualifiers_together() {
    for case in 0..128_u32 {
        let qualifiers = core::array::from_fn(|bit| case >> bit & 1 == 1);
        assert_eq!(load_counts(qualifiers), case == 127, "{case:07b}");
    }
}

// ITA-27, ITA-44: level and process are those of the cycle of the event, not of the instruction
#[test]
fn the_moment_of_the_event() {
    let mut bench = Small::tagged(Config::default());
    bench.write(PMC, 4, at_levels(LOADS, 0, 0b1000));
    bench.stays.cpl = 3;
    bench.run(3);
    bench.stays.cpl = 0;
    bench.mem(Mem { read: true, ..record(0, 0, 0) });
    assert_eq!(bench.counts()[0], 0);
    bench.stays.cpl = 3;
    bench.mem(Mem { read: true, ..record(0, 0, 0) });
    assert_eq!(bench.counts()[0], 1);
}
