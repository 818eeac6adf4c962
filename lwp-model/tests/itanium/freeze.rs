//! PMC\[0\] and the interrupt.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs};

type Small = Bench<1, 4>;

/// `fr`, `overflow`, `irq`.
fn freeze(bench: &Small) -> (bool, u8, bool) {
    let of = bench.state().freeze;
    assert_eq!(of.irq, bench.out().irq);
    (of.fr, of.overflow, of.irq)
}

/// A unit whose counters of these bits overflow with the next instruction; `oi` by the other mask.
fn full(straps: Config, full: u8, oi: u8) -> Small {
    let mut bench = Small::tagged(straps);
    for c in 0..4 {
        bench.write(PMD, 4 + c, if full >> c & 1 == 1 { 0xFFFF_FFFF } else { 0 });
    }
    for c in 0..4 {
        bench.write(PMC, 4 + c, pmc(RETIRED, 0) | if oi >> c & 1 == 1 { OI } else { 0 });
    }
    bench
}

// ITA-17, ITA-20: which overflow freezes and interrupts, for all counters and both straps
#[test]
fn overflows() {
    for case in 0..256_u32 {
        let (over, oi) = (case as u8 & 15, (case >> 4) as u8);
        for freeze_always in [false, true] {
            let mut bench = full(Config { freeze_always, ..Config::default() }, over, oi);
            bench.run(1);
            let noted = if freeze_always { over } else { over & oi };
            assert_eq!(freeze(&bench), (noted != 0, noted, over & oi != 0), "{over:04b}, oi {oi:04b}");
            let counts = bench.counts();
            assert_eq!(counts, core::array::from_fn(|c| if over >> c & 1 == 1 { 0 } else { 1 }), "that cycle counts");
            bench.run(1);
            let moved = bench.counts() != counts;
            assert_eq!(moved, noted == 0, "the next one counts unless frozen");
        }
    }
}

// ITA-18: software freezes and thaws
#[test]
fn by_software() {
    let mut bench = Small::new(Config::default());
    assert_eq!(freeze(&bench), (true, 0, false), "after reset");
    bench.bring(0, 0, 0, [NOP; 3]);
    bench.rfi(UP);
    bench.write(PMC, 4, pmc(RETIRED, 0));
    for (pmc0, counts) in [(1, 0), (0, 3), (1, 3), (0, 6)] {
        bench.write(PMC, 0, pmc0);
        bench.run(3);
        assert_eq!((bench.counts()[0], bench.read(PMC, 0)), (counts, pmc0));
    }
    let mut inputs = writing(PMC, 0, 1);
    inputs.retire[0] = retire(0, 0b111);
    bench.cycle(inputs);
    assert_eq!(bench.counts()[0], 9, "the cycle of the write counts");
    let mut inputs = writing(PMC, 0, 0);
    inputs.retire[0] = retire(0, 0b111);
    bench.cycle(inputs);
    assert_eq!(bench.counts()[0], 9, "it does not");
}

// ITA-20: fr is bit 0, overflow is bits 7:4; no interrupt by a write
#[test]
fn bits_of_pmc0() {
    let mut bench = Small::on(Config::default());
    for bit in 0..64 {
        bench.write(PMC, 0, 1 << bit);
        let overflow = if (4..8).contains(&bit) { 1 << (bit - 4) } else { 0 };
        assert_eq!(freeze(&bench), (bit == 0, overflow, false), "bit {bit}");
        assert_eq!(bench.read(PMC, 0), if bit == 0 || overflow != 0 { 1 << bit } else { 0 });
    }
}

// ITA-17, ITA-18: an overflow in the cycle of a write stays noted; bits of other counters are as written
#[test]
fn an_overflow_in_the_cycle_of_a_write() {
    for (pmc0, expected) in [(0x00, (true, 0b0010, true)), (0xC0, (true, 0b1110, true)), (0xFF, (true, 0b1111, true))] {
        let mut bench = full(Config::default(), 0b0010, 0b0010);
        let mut inputs = writing(PMC, 0, pmc0);
        inputs.retire[0] = retire(0, 1);
        bench.cycle(inputs);
        assert_eq!(freeze(&bench), expected, "{pmc0:x}");
    }
    let mut bench = full(Config::default(), 0b0010, 0);
    let mut inputs = writing(PMC, 0, 0x40);
    inputs.retire[0] = retire(0, 1);
    bench.cycle(inputs);
    assert_eq!(freeze(&bench), (false, 0b0100, false), "without oi the write alone");
}

// The interrupt stays until it is acknowledged; a write of PMC[0] or of a PMD does not withdraw it
#[test]
fn the_interrupt() {
    let mut bench = full(Config::default(), 1, 1);
    bench.run(1);
    bench.write(PMC, 0, 0);
    bench.write(PMD, 4, 0);
    assert_eq!(freeze(&bench), (false, 0, true));
    bench.interrupt();
    assert!(freeze(&bench).2, "an interruption acknowledges nothing");
    bench.cycle(Inputs { irq_ack: true, ..Inputs::default() });
    assert_eq!(freeze(&bench), (false, 0, false));
    bench.cycle(Inputs { irq_ack: true, ..Inputs::default() });
    assert!(!freeze(&bench).2);
}

// A new overflow in the cycle of the acknowledgement is requested
#[test]
fn an_overflow_with_an_acknowledgement() {
    let mut bench = full(Config::default(), 1, 1);
    let mut inputs = Inputs { irq_ack: true, ..Inputs::default() };
    inputs.retire[0] = retire(0, 1);
    bench.cycle(inputs);
    assert_eq!(freeze(&bench), (true, 1, true));
}

// fr and overflow fall only by a write
#[test]
fn it_stays_frozen() {
    let mut bench = full(Config::default(), 4, 4);
    bench.run(1);
    for inputs in [
        Inputs { irq_ack: true, ..Inputs::default() },
        Inputs { int_valid: true, ..Inputs::default() },
        Inputs { core_clock: true, ..retiring(retire(0, 7)) },
        writing(PMD, 6, 0),
        writing(PMC, 6, 0),
    ] {
        bench.cycle(inputs);
        let (fr, overflow, _) = freeze(&bench);
        assert_eq!((fr, overflow), (true, 4));
    }
}
