//! The examples of the chapter Timing, row by row.

use super::bench::{Bench, L3_MASK, PQR_ASSOC, THROTTLE, l3_only, read, write};
use lwp_model::rdt::{Config, LpInputs, Step};

// RDTM-02, RDTM-03, RDTM-17: the line is charged to the RMID of the access, and the request to memory carries it
#[test]
fn the_first_access_and_the_second() {
    let mut bench = Bench::new(Config::default());
    bench.wrmsr(0, PQR_ASSOC, 1);
    let steps = [
        (Step::Idle, 0, (0, 0, 0)),
        (Step::Idle, 1, (0, 0, 0)),
        (Step::L2Read, 1, (0, 0, 0)),
        (Step::L2Look, 1, (0, 0, 0)),
        (Step::Idle, 2, (0, 0, 0)),
        (Step::L3Read, 2, (0, 0, 0)),
        (Step::L3Look, 2, (0, 0, 0)),
        (Step::MemRequest, 2, (0, 0, 0)),
        (Step::MemWait, 2, (0, 1, 1)),
        (Step::L3Fill, 2, (0, 1, 1)),
        (Step::L2Fetch, 2, (1, 1, 1)),
        (Step::L2Fill, 2, (1, 1, 1)),
        (Step::Idle, 0, (1, 1, 1)),
        (Step::Idle, 1, (1, 1, 1)),
        (Step::L2Read, 1, (1, 1, 1)),
        (Step::L2Look, 1, (1, 1, 1)),
        (Step::Idle, 0, (1, 1, 1)),
    ];
    for (row, (step, stage, counts)) in (1..).zip(steps) {
        let out = bench.unit.outputs();
        assert_eq!(
            (bench.step(), bench.unit.state().lp[0].stage as u8, bench.counts(1)),
            (step, stage, counts),
            "{row}"
        );
        assert_eq!(out.lp[0].req_ready, stage == 0, "{row}");
        assert_eq!((out.lp[0].done, out.lp[0].l2_hit, out.lp[0].l3_hit), (row == 13 || row == 17, row == 17, false));
        let mem = if row == 8 { (true, false, 0x1000, 1) } else { (false, false, 0, 0) };
        assert_eq!((out.mem_req, out.mem_write, out.mem_addr, out.mem_rmid), mem, "{row}");
        let asks = if row == 1 || row == 13 { read(0x1000) } else { LpInputs::default() };
        bench.cycle([asks, LpInputs::default()]);
    }
}

// RDTA-08: the mask of the class chooses the victim; its write-back is charged to the RMID of the line
#[test]
fn a_victim_that_was_written() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, PQR_ASSOC, 1);
    bench.wrmsr(1, PQR_ASSOC, 2);
    bench.wrmsr(0, L3_MASK, 1);
    bench.access(0, write(0x1000));
    let none = (false, false, 0, 0);
    let rows = [
        (Step::Idle, none, (1, 1), (0, 0)),
        (Step::Idle, none, (1, 1), (0, 0)),
        (Step::L3Read, none, (1, 1), (0, 0)),
        (Step::L3Look, none, (1, 1), (0, 0)),
        (Step::WriteBack, (true, true, 0x1000, 1), (1, 1), (0, 0)),
        (Step::Evict, none, (1, 2), (0, 0)),
        (Step::MemRequest, (true, false, 0x2000, 2), (0, 2), (0, 0)),
        (Step::MemWait, none, (0, 2), (0, 1)),
        (Step::L3Fill, none, (0, 2), (0, 1)),
        (Step::Idle, none, (0, 2), (1, 1)),
    ];
    for (row, (step, mem, first, second)) in (1..).zip(rows) {
        let out = bench.unit.outputs();
        assert_eq!(bench.step(), step, "{row}");
        assert_eq!((out.mem_req, out.mem_write, out.mem_addr, out.mem_rmid), mem, "{row}");
        let counts = |rmid| (bench.counts(rmid).0, bench.counts(rmid).1);
        assert_eq!((counts(1), counts(2)), (first, second), "{row}");
        let asks = if row == 1 { read(0x2000) } else { LpInputs::default() };
        bench.cycle([LpInputs::default(), asks]);
    }
}

// RDTA-28: one access in 16 cycles
#[test]
fn a_delay_of_50_percent() {
    let mut bench = Bench::new(l3_only());
    bench.access(0, read(0x1000));
    bench.wrmsr(0, PQR_ASSOC, 1 << 32);
    bench.wrmsr(0, THROTTLE + 1, 50);
    bench.access(0, read(0x1000));
    (0..20).for_each(|_| bench.idle());
    let mut rows = [(0, Step::Idle, 0); 19];
    for row in &mut rows {
        let state = bench.unit.state();
        *row = (state.lp[0].stage as u8, state.job.step, state.lp[0].credit);
        bench.cycle([read(0x1000), LpInputs::default()]);
    }
    let first = [(0, Step::Idle, 800), (2, Step::Idle, 800), (2, Step::L3Read, 50), (2, Step::L3Look, 100)];
    assert_eq!(rows[..4], first);
    assert_eq!(rows[4..7], [(0, Step::Idle, 150), (2, Step::Idle, 200), (2, Step::Idle, 250)]);
    assert_eq!(rows[16..], [(2, Step::Idle, 750), (2, Step::Idle, 800), (2, Step::L3Read, 50)]);
}

// RDTM-32: occupancy falls, and the write-back is bandwidth of the line's RMID
#[test]
fn half_of_the_cache_loses_its_power() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, PQR_ASSOC, 1);
    bench.wrmsr(0, L3_MASK, 4);
    bench.access(0, write(0x1040));
    bench.power.l3_power = 2;
    let rows = [
        (Step::Idle, 0, 4, (1, 1)),
        (Step::L3WalkRead, 0, 2, (1, 1)),
        (Step::L3Walk, 0, 2, (1, 1)),
        (Step::L3WalkRead, 1, 2, (1, 1)),
        (Step::L3Walk, 1, 2, (1, 1)),
        (Step::WriteBack, 1, 2, (1, 1)),
        (Step::Evict, 1, 2, (1, 2)),
        (Step::L3WalkRead, 1, 2, (0, 2)),
        (Step::L3Walk, 1, 2, (0, 2)),
        (Step::L3WalkRead, 2, 2, (0, 2)),
    ];
    for (row, expected) in (1..).zip(rows) {
        let state = bench.unit.state();
        let counts = (bench.counts(1).0, bench.counts(1).1);
        assert_eq!((bench.step(), state.job.set, state.power.l3_on, counts), expected, "{row}");
        assert_eq!(bench.unit.outputs().walking, row > 1, "{row}");
        bench.idle();
    }
    // Cycle 11 to 22.
    (11..22).for_each(|_| bench.idle());
    assert_eq!((bench.step(), bench.unit.state().job.set, bench.unit.outputs().walking), (Step::Idle, 0, false));
    bench.power.l3_power = 4;
    bench.idle();
    assert_eq!(bench.unit.outputs().l3_on, 4);
    assert!(bench.unit.l3_words().iter().all(|word| word.line.iter().all(|way| !way.valid)));
}
