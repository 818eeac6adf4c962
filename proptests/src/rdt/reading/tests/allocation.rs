//! Masks, CDP and the L2 cache.

use super::super::plain::{L2, L3, Straps, Transfer};
use super::bench::{Bench, Hit, Kind, L2_MASK, L3_MASK, L3_QOS_CFG, back, l3_alone, line, read, straps};

#[test]
fn a_class_fills_only_its_ways_and_hits_all() {
    let mut b = Bench::new(&l3_alone());
    b.runs(1, 2, 1).unwrap();
    b.writes(0, L3_MASK + 1, 0b1000).unwrap();
    b.access(0, Kind::Read, line(0), Hit::None, &[read(0, 0, 0)]).unwrap();
    b.access(1, Kind::Write, line(1), Hit::None, &[read(1, 2, 1)]).unwrap();
    // Two ways are free, but not for class 1: it replaces its own line.
    let mut wrong = b.clone();
    b.access(1, Kind::Read, line(2), Hit::None, &[back(1, 2), read(2, 2, 1)]).unwrap();
    assert!(wrong.access(1, Kind::Read, line(2), Hit::None, &[read(2, 2, 1)]).is_err());
    b.access(1, Kind::Read, line(0), Hit::L3, &[]).unwrap();
    b.access(1, Kind::Read, line(3), Hit::None, &[read(3, 2, 1)]).unwrap();
    assert!(b.clone().access(0, Kind::Read, line(2), Hit::L3, &[]).is_err());
    // Class 0 may fill all ways.
    b.access(0, Kind::Read, line(4), Hit::None, &[read(4, 0, 0)]).unwrap();
    b.access(0, Kind::Read, line(5), Hit::None, &[read(5, 0, 0)]).unwrap();
    b.counts(1, 0, 3).unwrap();
    b.counts(1, 2, 1).unwrap();
    assert_eq!(b.core.coverage.masked_l3, 3);
}

#[test]
fn a_mask_that_changes_meanwhile_leaves_both() {
    let mut b = Bench::new(&l3_alone());
    b.writes(0, L3_MASK, 0b1).unwrap();
    b.access(0, Kind::Write, line(0), Hit::None, &[read(0, 0, 0)]).unwrap();
    b.accept(0, Kind::Read, line(1)).unwrap();
    b.writes(0, L3_MASK, 0b10).unwrap();
    let mut late = b.clone();
    b.transfer(back(0, 0)).unwrap();
    b.transfer(read(1, 0, 0)).unwrap();
    b.done(0, Hit::None).unwrap();
    late.transfer(read(1, 0, 0)).unwrap();
    late.done(0, Hit::None).unwrap();
    assert_eq!((b.core.coverage.ambiguous, late.core.coverage.ambiguous), (1, 1));
    // Then it is decided.
    b.access(0, Kind::Read, line(0), Hit::None, &[read(0, 0, 0)]).unwrap();
    late.access(0, Kind::Read, line(0), Hit::L3, &[]).unwrap();
    // A mask that changed before the request, or after memory was asked, leaves one.
    let mut b = Bench::new(&l3_alone());
    b.writes(0, L3_MASK, 0b1).unwrap();
    b.access(0, Kind::Write, line(0), Hit::None, &[read(0, 0, 0)]).unwrap();
    b.writes(0, L3_MASK, 0b10).unwrap();
    assert!(b.clone().access(0, Kind::Read, line(1), Hit::None, &[back(0, 0), read(1, 0, 0)]).is_err());
    b.access(0, Kind::Write, line(1), Hit::None, &[read(1, 0, 0)]).unwrap();
    b.accept(0, Kind::Read, line(2)).unwrap();
    b.transfer(back(1, 0)).unwrap();
    b.writes(0, L3_MASK, 0b100).unwrap();
    b.transfer(read(2, 0, 0)).unwrap();
    b.done(0, Hit::None).unwrap();
    assert_eq!(b.core.coverage.ambiguous, 0);
}

#[test]
fn code_and_data_have_masks_of_their_own_with_cdp() {
    let mut b = Bench::new(&l3_alone());
    b.writes(0, L3_QOS_CFG, 1).unwrap();
    b.runs(0, 1, 1).unwrap();
    // Class 1: data in mask 2, code in mask 3.
    b.writes(0, L3_MASK + 2, 0b0001).unwrap();
    b.writes(0, L3_MASK + 3, 0b0010).unwrap();
    b.access(0, Kind::Read, line(0), Hit::None, &[read(0, 1, 1)]).unwrap();
    b.access(0, Kind::Code, line(1), Hit::None, &[read(1, 1, 1)]).unwrap();
    b.access(0, Kind::Write, line(2), Hit::None, &[read(2, 1, 1)]).unwrap();
    assert!(b.clone().access(0, Kind::Code, line(0), Hit::L3, &[]).is_err());
    b.access(0, Kind::Code, line(1), Hit::L3, &[]).unwrap();
    b.access(0, Kind::Code, line(3), Hit::None, &[read(3, 1, 1)]).unwrap();
    b.access(0, Kind::Read, line(1), Hit::None, &[back(2, 1), read(1, 1, 1)]).unwrap();
    // RDTA-14: the upper half of the classes still exists for the other resources, and is not limited here.
    b.runs(0, 1, 2).unwrap();
    b.access(0, Kind::Read, line(5), Hit::None, &[read(5, 1, 2)]).unwrap();
    b.access(0, Kind::Read, line(6), Hit::None, &[read(6, 1, 2)]).unwrap();
    b.counts(1, 1, 4).unwrap();
}

#[test]
fn an_empty_mask_of_amd_passes_the_caches() {
    let mut b = Bench::new(&Straps { amd: true, ..straps() });
    b.access(0, Kind::Read, line(0), Hit::None, &[read(0, 0, 0)]).unwrap();
    b.writes(0, L3_MASK, 0).unwrap();
    b.access(0, Kind::Read, line(1), Hit::None, &[read(1, 0, 0)]).unwrap();
    b.access(0, Kind::Read, line(1), Hit::None, &[read(1, 0, 0)]).unwrap();
    // A write goes to memory, and nothing is read.
    b.access(0, Kind::Write, line(1), Hit::None, &[back(1, 0)]).unwrap();
    assert!(b.clone().access(0, Kind::Write, line(1), Hit::None, &[read(1, 0, 0)]).is_err());
    b.access(0, Kind::Write, line(0), Hit::L2, &[]).unwrap();
    b.counts(1, 0, 1).unwrap();
    b.counts(2, 0, 4).unwrap();
    // An empty mask of the L2 cache alone.
    b.writes(0, L3_MASK, 0b1).unwrap();
    b.writes(0, L2_MASK, 0).unwrap();
    b.access(0, Kind::Read, line(1), Hit::None, &[back(0, 0), read(1, 0, 0)]).unwrap();
    b.access(0, Kind::Read, line(1), Hit::L3, &[]).unwrap();
}

#[test]
fn the_l2_cache_holds_what_the_l3_cache_holds() {
    let mut b = Bench::new(&straps());
    // The L3 cache has one way for class 0: what leaves it leaves the L2 cache.
    b.writes(0, L3_MASK, 0b1).unwrap();
    b.access(0, Kind::Read, line(0), Hit::None, &[read(0, 0, 0)]).unwrap();
    b.access(0, Kind::Write, line(0), Hit::L2, &[]).unwrap();
    b.access(0, Kind::Read, line(1), Hit::None, &[back(0, 0), read(1, 0, 0)]).unwrap();
    assert!(b.clone().access(0, Kind::Read, line(0), Hit::L2, &[]).is_err());
    b.access(0, Kind::Read, line(1), Hit::L2, &[]).unwrap();
    assert!(b.clone().access(0, Kind::Read, line(1), Hit::L3, &[]).is_err());
    // A line that leaves the L2 cache stays in the L3 cache.
    let mut b = Bench::new(&straps());
    for n in 0..3 {
        b.access(0, Kind::Write, line(n), Hit::None, &[read(n, 0, 0)]).unwrap();
    }
    b.access(0, Kind::Read, line(0), Hit::L3, &[]).unwrap();
    b.access(0, Kind::Read, line(2), Hit::L2, &[]).unwrap();
    // A mask of the L2 cache: line 0 is in way 1, line 2 in way 0, where line 1 replaces it.
    b.writes(0, L2_MASK, 0b01).unwrap();
    b.access(0, Kind::Read, line(1), Hit::L3, &[]).unwrap();
    b.access(0, Kind::Read, line(0), Hit::L2, &[]).unwrap();
    assert!(b.clone().access(0, Kind::Read, line(2), Hit::L2, &[]).is_err());
    b.access(0, Kind::Read, line(2), Hit::L3, &[]).unwrap();
}

#[test]
fn a_choice_is_made_once() {
    // Does a hit of the L2 cache use the line of the L3 cache? Line 0 is the oldest in the L3 cache, or line 1.
    let run = |b: &mut Bench, base: u64, victim: u64| {
        let line = |n: u64| base + line(n);
        let read = |n: u64| Transfer { addr: base + super::bench::line(n), ..read(0, 0, 0) };
        for n in 0..2 {
            b.access(0, Kind::Write, line(n), Hit::None, &[read(n)])?;
        }
        b.access(0, Kind::Write, line(0), Hit::L2, &[])?;
        b.writes(0, L3_MASK, 0b11)?;
        let out = Transfer { addr: line(victim), ..back(0, 0) };
        b.access(0, Kind::Read, line(2), Hit::None, &[out, read(2)])?;
        b.writes(0, L3_MASK, 0b1111)
    };
    for victim in [0, 1] {
        let mut b = Bench::new(&straps());
        run(&mut b, 0, victim).unwrap();
        run(&mut b.clone(), 64, victim).unwrap();
        assert!(run(&mut b, 64, 1 - victim).is_err());
        b = Bench::new(&straps());
        run(&mut b, 0, victim).unwrap();
        b.core.reset();
        assert!(run(&mut b, 0, 1 - victim).is_err(), "reset forgets the choice");
    }
    assert_eq!((L3, L2), (0, 1));
}
