//! Ways that lose power.

use super::super::plain::{L2, L3, Straps};
use super::bench::{Bench, Hit, Kind, L3_MASK, back, l3_alone, line, read, straps};

/// Four lines in the four ways of a set, of which 2 and 3 are written.
fn full(straps: &Straps) -> Bench {
    let mut b = Bench::new(straps);
    b.runs(0, 1, 0).unwrap();
    for (n, kind) in [Kind::Read, Kind::Read, Kind::Write, Kind::Write].into_iter().enumerate() {
        b.access(0, kind, line(n as u64), Hit::None, &[read(n as u64, 1, 0)]).unwrap();
    }
    b
}

/// Asks for two ways of the L3 cache; the walk begins.
fn shrinking(straps: &Straps) -> Bench {
    let mut b = full(straps);
    b.input.power[L3] = 2;
    b.cycle().unwrap();
    (b.out.on[L3], b.out.walking) = (2, true);
    b.cycle().unwrap();
    b
}

#[test]
fn written_lines_are_written_back() {
    let mut b = shrinking(&l3_alone());
    let mut wrong = b.clone();
    b.transfer(back(3, 1)).unwrap();
    b.transfer(back(2, 1)).unwrap();
    b.out.walking = false;
    b.cycle().unwrap();
    b.counts(1, 1, 2).unwrap();
    b.counts(2, 1, 6).unwrap();
    assert!(wrong.clone().transfer(back(3, 0)).is_err());
    assert!(wrong.clone().transfer(back(1, 1)).is_err());
    wrong.transfer(back(3, 1)).unwrap();
    assert!(wrong.clone().transfer(back(3, 1)).is_err());
    wrong.out.walking = false;
    assert!(wrong.cycle().is_err());
    // Masks are ignored: class 0 has way 3 alone, and fills ways 0 and 1.
    b.writes(0, L3_MASK, 0b1000).unwrap();
    b.access(0, Kind::Read, line(4), Hit::None, &[read(4, 1, 0)]).unwrap();
    b.access(0, Kind::Read, line(1), Hit::L3, &[]).unwrap();
    b.access(0, Kind::Read, line(5), Hit::None, &[read(5, 1, 0)]).unwrap();
    b.access(0, Kind::Read, line(1), Hit::L3, &[]).unwrap();
    assert!(b.clone().access(0, Kind::Read, line(4), Hit::L3, &[]).is_err());
    // Ways come back empty.
    b.input.power[L3] = 4;
    b.cycle().unwrap();
    b.out.on[L3] = 4;
    b.counts(1, 1, 2).unwrap();
    b.access(0, Kind::Read, line(2), Hit::None, &[read(2, 1, 0)]).unwrap();
    b.access(0, Kind::Read, line(1), Hit::L3, &[]).unwrap();
    assert!(b.access(0, Kind::Read, line(3), Hit::L3, &[]).is_err());
}

#[test]
fn ways_with_lines_are_emptied_first() {
    let mut b = full(&l3_alone());
    b.input.power[L3] = 3;
    b.cycle().unwrap();
    b.out.on[L3] = 3;
    let mut walks = b.clone();
    assert!(b.cycle().is_err());
    walks.out.walking = true;
    walks.cycle().unwrap();
    // Not as many ways as were asked for.
    walks.out.on[L3] = 2;
    assert!(walks.cycle().is_err());
}

#[test]
fn an_access_meanwhile_decides_what_has_left() {
    // Line 2 is written: it hits until it is written back.
    let mut b = shrinking(&l3_alone());
    let mut gone = b.clone();
    b.access(0, Kind::Read, line(2), Hit::L3, &[]).unwrap();
    gone.transfer(back(2, 1)).unwrap();
    assert!(gone.clone().access(0, Kind::Read, line(2), Hit::L3, &[]).is_err());
    gone.access(0, Kind::Read, line(2), Hit::None, &[read(2, 1, 0)]).unwrap();
    for b in [&mut b, &mut gone] {
        b.counts(1, 1, 3).unwrap();
        assert!(b.clone().counts(1, 1, 6).is_err());
        assert!(b.clone().counts(1, 1, 1).is_err());
    }
}

#[test]
fn the_l2_cache_follows() {
    // Lines 2 and 3 are in the L2 cache, and leave it with the L3 cache.
    let mut b = shrinking(&straps());
    b.transfer(back(2, 1)).unwrap();
    b.transfer(back(3, 1)).unwrap();
    b.out.walking = false;
    b.cycle().unwrap();
    assert!(b.clone().access(0, Kind::Read, line(3), Hit::L2, &[]).is_err());
    b.access(0, Kind::Read, line(3), Hit::None, &[read(3, 1, 0)]).unwrap();
    // The L2 cache alone loses power: what was written stays in the L3 cache, and memory sees nothing.
    let mut b = full(&straps());
    b.input.power[L2] = 0;
    b.cycle().unwrap();
    (b.out.on[L2], b.out.walking) = (0, true);
    b.cycle().unwrap();
    assert!(b.clone().transfer(back(3, 1)).is_err());
    b.out.walking = false;
    b.cycle().unwrap();
    b.access(0, Kind::Read, line(3), Hit::L3, &[]).unwrap();
    b.access(0, Kind::Read, line(3), Hit::L3, &[]).unwrap();
}

#[test]
fn power_follows_in_the_end() {
    let mut b = full(&l3_alone());
    b.input.power[L3] = 3;
    assert!(b.idle(2000).is_err());
    let mut b = shrinking(&l3_alone());
    assert!(b.idle(2000).is_err());
}
