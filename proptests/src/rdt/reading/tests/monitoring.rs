//! Occupancy and bandwidth.

use super::super::plain::{In, L3, Straps, Transfer};
use super::super::registers::{ERROR, UNAVAILABLE};
use super::bench::{Bench, CTR, EVTSEL, Hit, Kind, NONE, back, l3_alone, line, read, straps};

/// Two threads with an RMID each fill lines, one of them written.
fn filled(straps: &Straps) -> Bench {
    let mut b = Bench::new(straps);
    b.runs(0, 1, 0).unwrap();
    b.runs(1, 2, 0).unwrap();
    b.access(0, Kind::Write, line(0) + 5, Hit::None, &[read(0, 1, 0)]).unwrap();
    b.access(0, Kind::Read, line(1), Hit::None, &[read(1, 1, 0)]).unwrap();
    b.access(1, Kind::Read, line(2), Hit::None, &[read(2, 2, 0)]).unwrap();
    b.access(1, Kind::Code, line(3), Hit::None, &[read(3, 2, 0)]).unwrap();
    b
}

#[test]
fn lines_belong_to_the_rmid_that_filled_them() {
    let mut b = filled(&l3_alone());
    for (rmid, lines) in [(0, 0), (1, 2), (2, 2), (3, 0)] {
        b.counts(1, rmid, lines).unwrap();
        b.counts(2, rmid, lines).unwrap();
        b.counts(3, rmid, lines / 2).unwrap();
        assert!(b.clone().counts(1, rmid, lines + 1).is_err());
        assert!(b.clone().counts(2, rmid, lines + 1).is_err());
        assert!(b.clone().counts(3, rmid, lines + 1).is_err());
    }
    // RDT-02: a hit by another RMID changes nothing.
    b.access(1, Kind::Read, line(1), Hit::L3, &[]).unwrap();
    b.counts(1, 1, 2).unwrap();
    // The longest unused line leaves: line 0, which is written back for the RMID of the line.
    let mut wrong = b.clone();
    b.access(1, Kind::Read, line(4), Hit::None, &[back(0, 1), read(4, 2, 0)]).unwrap();
    b.counts(1, 1, 1).unwrap();
    b.counts(1, 2, 3).unwrap();
    b.counts(2, 1, 3).unwrap();
    b.counts(2, 2, 3).unwrap();
    assert!(wrong.clone().access(1, Kind::Read, line(4), Hit::None, &[back(0, 2), read(4, 2, 0)]).is_err());
    assert!(wrong.clone().access(1, Kind::Read, line(4), Hit::None, &[back(1, 1), read(4, 2, 0)]).is_err());
    assert!(wrong.clone().access(1, Kind::Read, line(4), Hit::None, &[read(4, 2, 0)]).is_err());
    assert!(wrong.clone().access(1, Kind::Read, line(4), Hit::None, &[back(0, 1), read(4, 2, 1)]).is_err());
    assert!(wrong.clone().access(1, Kind::Read, line(4), Hit::None, &[back(0, 1)]).is_err());
    assert!(wrong.clone().access(1, Kind::Read, line(4), Hit::L3, &[]).is_err());
    assert!(wrong.clone().access(0, Kind::Read, line(4), Hit::None, &[back(0, 1), read(4, 2, 0)]).is_err());
    assert!(wrong.clone().access(1, Kind::Read, line(4) + 64, Hit::None, &[back(0, 1), read(4, 2, 0)]).is_err());
    // Lines that were only read are not written back, nor in another order of use.
    assert!(wrong.access(1, Kind::Read, line(0), Hit::None, &[read(0, 2, 0)]).is_err());
}

#[test]
fn a_thread_that_gets_another_rmid_is_charged_from_then_on() {
    let mut b = Bench::new(&l3_alone());
    b.runs(0, 1, 0).unwrap();
    // The write that is made in the cycle of a request, or after it, comes too late for it.
    b.accept(0, Kind::Read, line(0)).unwrap();
    b.runs(0, 2, 3).unwrap();
    let mut wrong = b.clone();
    b.transfer(read(0, 1, 0)).unwrap();
    b.done(0, Hit::None).unwrap();
    assert!(wrong.transfer(read(0, 2, 3)).and_then(|()| wrong.done(0, Hit::None)).is_err());
    b.access(0, Kind::Read, line(1), Hit::None, &[read(1, 2, 3)]).unwrap();
    b.counts(1, 1, 1).unwrap();
    b.counts(1, 2, 1).unwrap();
}

#[test]
fn an_occupancy_that_is_read_during_an_access_is_of_before_or_after() {
    let mut b = filled(&l3_alone());
    b.writes(0, EVTSEL, 1 << 32 | 1).unwrap();
    b.accept(1, Kind::Read, line(4)).unwrap();
    b.reads(0, CTR, 2).unwrap();
    b.transfer(back(0, 1)).unwrap();
    let mut again = b.clone();
    b.reads(0, CTR, 1).unwrap();
    again.reads(0, CTR, 3).unwrap();
    for (b, right) in [(&mut b, true), (&mut again, false)] {
        b.transfer(read(4, 2, 0)).unwrap();
        assert_eq!(b.done(1, Hit::None).is_ok(), right);
    }
    // Once the line has left, it is not back.
    let mut back_again = filled(&l3_alone());
    back_again.writes(0, EVTSEL, 1 << 32 | 1).unwrap();
    back_again.accept(1, Kind::Read, line(4)).unwrap();
    back_again.reads(0, CTR, 1).unwrap();
    back_again.reads(0, CTR, 2).unwrap();
    back_again.transfer(back(0, 1)).unwrap();
    back_again.transfer(read(4, 2, 0)).unwrap();
    assert!(back_again.done(1, Hit::None).is_err());
}

#[test]
fn units_and_width() {
    let straps = Straps { scale: 1, width: 24, start: (1 << 25) - 3, ..l3_alone() };
    let mut b = filled(&straps);
    // 2^25 - 3 + 2 lines are 2^24 - 1 units, rounded down.
    b.counts(2, 1, (1 << 24) - 1).unwrap();
    b.counts(1, 1, 1).unwrap();
    b.access(0, Kind::Read, 64, Hit::None, &[Transfer { addr: 64, ..read(0, 1, 0) }]).unwrap();
    b.counts(2, 1, 0).unwrap();
    b.counts(1, 1, 1).unwrap();
    assert!(b.counts(1, 1, 2).is_err());
    let mut b = filled(&Straps { write_backs: false, ..l3_alone() });
    b.access(0, Kind::Read, line(4), Hit::None, &[back(0, 1), read(4, 1, 0)]).unwrap();
    b.counts(2, 1, 3).unwrap();
}

#[test]
fn error_and_unavailable() {
    let mut b = filled(&Straps { monitored: 1, events: 5, settle: 3, ..l3_alone() });
    b.writes(0, EVTSEL, 1 << 32 | 1).unwrap();
    // The write was two cycles ago: the third cycle after it has no data, the fourth has.
    let mut early = b.clone();
    early.core.now -= 1;
    assert!(early.reads(0, CTR, 2).is_err());
    b.reads(0, CTR, UNAVAILABLE).unwrap();
    b.reads(0, CTR, 2).unwrap();
    b.input.unavailable = true;
    b.reads(0, CTR, UNAVAILABLE).unwrap();
    assert!(b.clone().reads(0, CTR, UNAVAILABLE | 2).is_err());
    // Another logical processor has its own selection: no event. Error hides Unavailable.
    b.reads(1, CTR, ERROR).unwrap();
    assert!(b.clone().reads(1, CTR, UNAVAILABLE).is_err());
    b.input.unavailable = false;
    b.idle(4).unwrap();
    b.reads(0, CTR, 2).unwrap();
    for wrong in [2_u64 << 32 | 1, 1 << 32 | 2, 1 << 32 | 4, 1 << 32] {
        b.writes(0, EVTSEL, wrong).unwrap();
        b.reads(0, CTR, ERROR).unwrap();
    }
}

#[test]
fn one_selection_for_all() {
    let mut b = filled(&Straps { package: true, ..l3_alone() });
    b.writes(1, EVTSEL, 2 << 32 | 1).unwrap();
    b.reads(0, EVTSEL, 2 << 32 | 1).unwrap();
    b.reads(0, CTR, 2).unwrap();
}

#[test]
fn an_smi_changes_nothing() {
    let mut b = filled(&l3_alone());
    b.input.smi = true;
    b.cycle().unwrap();
    b.input.smi = false;
    b.access(0, Kind::Read, line(5), Hit::None, &[back(0, 1), read(5, 1, 0)]).unwrap();
    assert_eq!(b.core.coverage.smis, 1);
}

#[test]
fn nothing_is_held_after_reset() {
    let mut b = filled(&straps());
    b.core.reset();
    let mut wrong = b.clone();
    b.counts(1, 1, 0).unwrap();
    b.counts(2, 1, 0).unwrap();
    b.access(0, Kind::Read, line(0), Hit::None, &[read(0, 0, 0)]).unwrap();
    assert!(wrong.access(0, Kind::Read, line(0), Hit::L3, &[]).is_err());
}

#[test]
fn outputs_have_their_shape() {
    let b = filled(&l3_alone());
    let wrong = |change: fn(&mut Bench)| {
        let mut b = b.clone();
        change(&mut b);
        b.cycle().is_err()
    };
    assert!(!wrong(|_| ()));
    assert!(wrong(|b| b.out.lp[0].done = true));
    assert!(wrong(|b| b.out.lp[0].l2_hit = true));
    assert!(wrong(|b| b.out.lp[0].l3_hit = true));
    assert!(wrong(|b| b.out.mem.addr = 64));
    assert!(wrong(|b| b.out.reg_done = true));
    assert!(wrong(|b| b.out.reg_rdata = 1));
    assert!(wrong(|b| b.out.on[L3] = 3));
    assert!(wrong(|b| b.out.walking = true));
    assert!(wrong(|b| b.out.lp[2] = super::super::plain::Told { done: true, ..NONE }));
    assert!(wrong(|b| (b.out.mem_req, b.input) = (true, In { gnt: true, ..b.input })));
    // A request to memory stays as it is until it is taken, and only one line is read at a time.
    let mut b = b;
    b.accept(0, Kind::Read, line(4)).unwrap();
    (b.out.mem_req, b.out.mem) = (true, back(0, 1));
    b.cycle().unwrap();
    let mut other = b.clone();
    other.out.mem = read(4, 1, 0);
    assert!(other.cycle().is_err());
    b.input.gnt = true;
    b.cycle().unwrap();
    b.out.mem = read(4, 1, 0);
    b.cycle().unwrap();
    assert!(b.cycle().is_err());
}
