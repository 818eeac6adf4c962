//! Delays.

use super::super::plain::{Delays, L2, Level, Straps, Transfer};
use super::bench::{Bench, Checked, Hit, Kind, THROTTLE, back, line, straps};

fn with(linear: bool, core: bool) -> Straps {
    Straps { delays: Some(Delays { highest: 3, most: 90, linear, core, period: 8 }), ..straps() }
}

/// Reads `n` lines without a mask, so many cycles apart.
fn run(b: &mut Bench, lp: usize, n: u64, apart: u64) -> Checked {
    for at in 0..n {
        let addr = 64 * (at + 1);
        b.accept(lp, Kind::Read, addr)?;
        // From the acceptance of one to that of the next: transfer 3, completion 1.
        b.idle(apart - 5)?;
        b.transfer(Transfer { write: false, addr, rmid: 0, cos: 0 })?;
        b.done(lp, Hit::None)?;
    }
    Ok(())
}

fn delayed(straps: &Straps, delay: u64) -> Bench {
    let mut b = Bench::new(straps);
    b.writes(0, THROTTLE, delay).unwrap();
    // Whatever follows reset is over.
    b.idle(100).unwrap();
    b
}

#[test]
fn linear_delays_are_percent() {
    // 75 percent leave one request in 32 cycles.
    run(&mut delayed(&with(true, false), 75), 0, 20, 32).unwrap();
    assert!(run(&mut delayed(&with(true, false), 75), 0, 20, 28).is_err());
    run(&mut delayed(&with(true, false), 0), 0, 20, 6).unwrap();
}

#[test]
fn other_delays_are_cycles() {
    // 31 is rounded down to 16: one request in 24 cycles.
    run(&mut delayed(&with(false, false), 31), 0, 20, 24).unwrap();
    assert!(run(&mut delayed(&with(false, false), 31), 0, 20, 21).is_err());
    assert!(run(&mut delayed(&with(false, false), 32), 0, 20, 24).is_err());
}

#[test]
fn no_two_come_at_once() {
    // A request that comes late leaves no credit for more than one.
    let mut b = delayed(&with(true, false), 75);
    let one = |b: &mut Bench, addr: u64| {
        b.access(0, Kind::Read, addr, Hit::None, &[Transfer { write: false, addr, rmid: 0, cos: 0 }])
    };
    one(&mut b, 64).unwrap();
    b.idle(500).unwrap();
    one(&mut b, 128).unwrap();
    let mut later = b.clone();
    later.idle(32).unwrap();
    one(&mut later, 192).unwrap();
    assert!(one(&mut b, 192).unwrap_err().contains("2 accesses to the L3 cache"));
}

#[test]
fn hits_of_the_l2_cache_cost_nothing() {
    let mut b = delayed(&with(true, false), 90);
    run(&mut b, 0, 1, 6).unwrap();
    for _ in 0..50 {
        b.access(0, Kind::Read, 64, Hit::L2, &[]).unwrap();
    }
}

#[test]
fn nobody_waits_longer_than_the_delay() {
    let mut b = delayed(&with(true, false), 75);
    b.accept(0, Kind::Read, line(0)).unwrap();
    b.clone().idle(32 + 35).unwrap();
    assert!(b.idle(32 + 45).is_err());
    // Before it is accepted too.
    let mut b = delayed(&with(true, false), 0);
    b.input.lp[0].valid = true;
    b.out.lp[0].ready = false;
    b.clone().idle(35).unwrap();
    assert!(b.idle(45).is_err());
    // An access in progress, without a delay.
    let mut b = delayed(&with(true, false), 0);
    b.accept(0, Kind::Read, line(0)).unwrap();
    assert!(b.idle(45).is_err());
    // With others it takes its turn.
    let mut b = delayed(&with(true, false), 0);
    b.accept(1, Kind::Read, line(1)).unwrap();
    b.idle(30).unwrap();
    b.access(0, Kind::Read, 64, Hit::None, &[Transfer { addr: 64, ..Transfer::default() }]).unwrap();
    let more = |b: &mut Bench| (0..100).try_for_each(|_| b.access(0, Kind::Read, 64, Hit::L2, &[]));
    assert!(more(&mut b).is_err());
}

#[test]
fn the_largest_delay_of_a_core() {
    for core in [false, true] {
        let mut b = Bench::new(&with(true, core));
        b.runs(1, 0, 2).unwrap();
        b.writes(0, THROTTLE + 2, 75).unwrap();
        b.idle(2).unwrap();
        assert_eq!(run(&mut b, 0, 20, 10).is_err(), core);
    }
}

#[test]
fn a_delay_counts_from_its_write_on() {
    let mut b = delayed(&with(true, false), 75);
    run(&mut b, 0, 5, 32).unwrap();
    b.writes(0, THROTTLE, 0).unwrap();
    let mut straps = with(true, false);
    straps.levels[L2] = Level::default();
    let mut b = delayed(&straps, 75);
    run(&mut b, 0, 2, 32).unwrap();
    b.writes(0, THROTTLE, 10).unwrap();
    b.idle(2).unwrap();
    for _ in 0..20 {
        b.access(0, Kind::Read, 64, Hit::L3, &[]).unwrap();
        b.idle(8).unwrap();
    }
    // A write past the caches is an access too; write-backs are not.
    assert_eq!(back(0, 0).cos, 0);
}
