//! Threshold, count, overflow, pin.

use super::bench::*;
use lwp_model::itanium::{Config, Inputs, Mem};

type Small = Bench<1, 4>;
type Large = Bench<2, 16>;

// ITA-40: more than T events count as one; the thresholds of the last two counters have two bits
#[test]
fn thresholds() {
    for t in 0..8 {
        let mut bench = Large::tagged(Config::default());
        for c in 4..8 {
            bench.write(PMC, c, pmc(RETIRED, 0) | threshold(t));
        }
        for n in 0..=6_u8 {
            let before = bench.counts();
            let retire = [retire(0, slots(n.min(3))), retire(1, slots(n.saturating_sub(3)))];
            bench.cycle(Inputs { retire, ..Inputs::default() });
            let amount = |t: u64| if t == 0 { u32::from(n) } else { u32::from(u64::from(n) > t) };
            let expected = [t, t, t & 3, t & 3].map(amount);
            assert_eq!(core::array::from_fn(|c| bench.counts()[c] - before[c]), expected, "{n} events, threshold {t}");
        }
    }
}

// ITA-41: a pair is PMC[4 + c] and PMD[4 + c]
#[test]
fn pairs() {
    for c in 0..4_u8 {
        let mut bench = Small::tagged(Config::default());
        bench.write(PMC, 4 + c, pmc(RETIRED, 0));
        bench.run(3);
        assert_eq!(bench.counts(), core::array::from_fn(|other| if other == usize::from(c) { 3 } else { 0 }));
        assert_eq!(bench.read(PMD, 4 + c), 3);
    }
}

// ITA-41: 32 bits, and what is above it when it is read
#[test]
fn it_wraps_around() {
    let mut bench = Small::tagged(Config::default());
    bench.write(PMC, 4, pmc(RETIRED, 0));
    for (before, number, after, read) in [
        (0x7FFF_FFFF, 1, 0x8000_0000, 0xFFFF_FFFF_8000_0000),
        (0xFFFF_FFFD, 2, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF),
        (0xFFFF_FFFF, 1, 0, 0),
        (0xFFFF_FFFE, 3, 1, 1),
    ] {
        bench.write(PMD, 4, before | 0x1234_5678 << 32);
        bench.run(number);
        assert_eq!((bench.counts()[0], bench.read(PMD, 4)), (after, read));
        assert_eq!(bench.state().freeze.overflow, 0, "without oi");
    }
}

// The pin is a pulse in the cycle behind an overflow, with ev, whatever oi is
#[test]
fn pins() {
    for (bits, expected) in [(EV, true), (EV | OI, true), (0, false), (OI, false)] {
        for c in 0..4_u8 {
            let mut bench = Small::tagged(Config::default());
            bench.write(PMD, 4 + c, 0xFFFF_FFFE);
            bench.write(PMC, 4 + c, pmc(RETIRED, 0) | bits);
            let pins = [1, 1, 1].map(|number| bench.run(number).pin);
            assert_eq!(pins, [0, u8::from(expected) << c, 0], "counter {c}, {bits:x}");
        }
    }
}

// Several pins at once
#[test]
fn several_pins() {
    let mut bench = Small::tagged(Config::default());
    for c in [4, 6, 7] {
        bench.write(PMD, c, 0xFFFF_FFFF);
        bench.write(PMC, c, pmc(RETIRED, 0) | EV);
    }
    assert_eq!((bench.run(1).pin, bench.run(1).pin), (0b1101, 0));
}

// A written count wins; overflow and pin are those of the old count
#[test]
fn a_count_that_is_written() {
    let mut bench = Small::tagged(Config::default());
    bench.write(PMC, 4, pmc(RETIRED, 0) | EV | OI);
    bench.write(PMC, 5, pmc(RETIRED, 0));
    bench.write(PMD, 4, 0xFFFF_FFFF);
    let mut inputs = writing(PMD, 4, 100);
    inputs.retire[0] = retire(0, 0b111);
    let out = bench.cycle(inputs);
    assert_eq!((bench.counts(), out.pin, out.irq), ([100, 3, 0, 0], 1, true));
    assert_eq!((bench.state().freeze.fr, bench.state().freeze.overflow), (true, 1));
}

// PMC[i] counts from the cycle behind its write, and the cycle of the write counts by the old value
#[test]
fn a_control_register_that_is_written() {
    let mut bench = Small::tagged(Config::default());
    let mut both = |request: Inputs<1>, irq| {
        let mut inputs = request;
        inputs.retire[0] = retire(0, 0b111);
        inputs.mem[0] = Mem { read: true, ..record(0, 0, 0) };
        assert_eq!(bench.cycle(inputs).irq, irq);
        bench.counts()[0]
    };
    assert_eq!(both(writing(PMC, 4, pmc(RETIRED, 0)), false), 0);
    assert_eq!(both(writing(PMC, 4, pmc(LOADS, 0) | EV), false), 3);
    assert_eq!(both(Inputs::default(), false), 4);
    assert_eq!(both(writing(PMD, 4, 0xFFFF_FFFF), false), 0xFFFF_FFFF);
    assert_eq!(both(writing(PMC, 4, pmc(LOADS, 0) | OI), false), 0);
    assert_eq!(bench.out().pin, 1, "the old ev");
    assert_eq!(bench.state().freeze.overflow, 0, "the old oi");
}
