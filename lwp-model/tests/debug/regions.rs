//! Transactions: a core whose regions commit, are aborted, and roll back.

use super::bench::Bench;
use super::core::{Core, Does, Ended};
use lwp_model::debug::Config;
use lwp_regs::debug::{BREAKPOINT_VECTOR, Breakpoint, DEBUG_VECTOR, Enable, Length, Slot};

const DB: Ended = Ended::Delivered(DEBUG_VECTOR);
const FALLBACK: u64 = 0x9000;
const RTM: u64 = 1 << 11;
const GD: u64 = 1 << 13;

/// A region that writes 1 to 6000H and executes `inside`; both flags of advanced debugging. The condition is one of this breakpoint.
fn core(inside: Does, breakpoint: Breakpoint, dr7: u64, rtm_debug: bool) -> Core {
    let bench = Bench::armed(Config::default(), &[(Slot::Dr1, breakpoint)], dr7);
    let program =
        [Does::Nothing, Does::Begin(FALLBACK), Does::Store(0x6000, 1), inside, Does::Store(0x6004, 2), Does::End];
    let mut core = Core::new(bench, &program);
    core.bench.stays.rtm_debug = rtm_debug;
    core
}

fn nowhere() -> Breakpoint {
    Breakpoint { enable: Enable::empty(), ..Breakpoint::execute(0) }
}

// DBG-78: a region without a condition becomes visible at once, at XEND; a step of XEND is an ordinary one
#[test]
fn a_region_commits() {
    for advanced in [false, true] {
        let mut core = core(Does::Nothing, nowhere(), RTM, advanced);
        for _ in 0..5 {
            assert_eq!((core.step(), core.memory.len()), (Ended::Executed, 0));
        }
        core.tf = true;
        assert_eq!((core.step(), core.memory.len()), (DB, 2));
        assert_eq!((core.frame().ip, core.status()), (0x1018, 0xFFFF_4FF0));
    }
}

/// Conditions inside a region: the instruction at 100CH, its breakpoint, DR7, TF, what DR6 reports besides RTM.
fn conditions() -> [(Does, Breakpoint, u64, bool, u64); 8] {
    let write = Breakpoint::write(0x5000, Length::Four);
    [
        (Does::Nothing, Breakpoint::execute(0x100C), 0, false, 0x2),
        (Does::Store(0x5000, 1), write, 0, false, 0x2),
        (Does::Out(0x80), Breakpoint::io(0x80, Length::One), 0, false, 0x2),
        (Does::Nothing, nowhere(), 0, true, 0x4000),
        (Does::ReadDr(0), nowhere(), GD, false, 0x2000),
        (Does::Int1, nowhere(), 0, false, 0),
        (Does::Int(BREAKPOINT_VECTOR), nowhere(), 0, false, 0),
        (Does::Switch { ip: 0x8000, t_flag: true, tf: false, rf: false }, nowhere(), 0, false, 0x8000),
    ]
}

// DBG-23, DBG-79, DBG-80, DCTL-15: without both flags any condition discards what the region wrote and goes on at the fallback address, with
// EAX[4], without a vector, and with DR6 and GD as they were
#[test]
fn an_abort() {
    for (inside, breakpoint, dr7, tf, _) in conditions() {
        for (rtm, rtm_debug) in [(0, false), (RTM, false), (0, true)] {
            let mut core = core(inside, breakpoint, dr7 | rtm, rtm_debug);
            (0..3).for_each(|_| assert_eq!(core.step(), Ended::Executed));
            core.tf = tf;
            assert_eq!(core.step(), Ended::Aborted, "{inside:?}");
            assert_eq!((core.ip, core.eax, core.stack.len(), core.memory.len()), (FALLBACK, 0x10, 0, 0), "{inside:?}");
            let registers = core.bench.unit.state().registers;
            assert_eq!((core.bench.dr6(), registers.dr7.gd), (0xFFFF_0FF0, dr7 == GD), "{inside:?}");
            // Nothing of it comes later.
            core.tf = false;
            assert_eq!([(); 3].map(|()| core.step()), [Ended::Executed; 3]);
        }
    }
}

// DBG-16, DBG-23, DBG-79, DBG-81, DBG-82, DCTL-15: with both flags #DB at XBEGIN, with RTM clear; what the region wrote is gone. INT3 does the
// same
#[test]
fn a_rollback() {
    for (inside, breakpoint, dr7, tf, causes) in conditions() {
        let mut core = core(inside, breakpoint, dr7 | RTM, true);
        (0..3).for_each(|_| assert_eq!(core.step(), Ended::Executed));
        core.tf = tf;
        assert_eq!(core.step(), DB, "{inside:?}");
        assert_eq!((core.frame().ip, core.eax, core.memory.len()), (0x1004, 0, 0), "{inside:?}");
        assert_eq!(core.status(), 0xFFFE_0FF0 | causes, "{inside:?}");
    }
}

// DBG-16: every other #DB sets RTM again
#[test]
fn rtm_is_set_again() {
    let mut core = core(Does::Int1, nowhere(), RTM, true);
    assert_eq!((core.run(), core.bench.dr6()), (DB, 0xFFFE_0FF0));
    (core.ip, core.tf) = (0xA000, true);
    assert_eq!((core.step(), core.bench.dr6()), (DB, 0xFFFF_4FF0));
}

// DBG-79: what an aborted region had held of its accesses is lost, and so are its flags
#[test]
fn what_a_region_held() {
    let mut core = core(Does::LoadSs(0x5000), Breakpoint::read_write(0x5000, Length::One), RTM, true);
    (0..4).for_each(|_| assert_eq!(core.step(), Ended::Executed));
    assert!(core.bench.out().hold);
    // Another processor writes what the region reads.
    let mut abort = super::bench::at(FALLBACK);
    abort.transaction.tx_abort = true;
    let out = core.bench.group(&[abort]);
    assert!(!out.hold && !out.db_valid && !core.bench.unit.state().flags.shadow);
    assert!(!core.bench.group(&[super::bench::at(FALLBACK)]).db_valid);
}
