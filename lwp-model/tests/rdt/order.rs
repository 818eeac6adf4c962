//! Which access is next, and how it waits.

use super::bench::{Bench, Found, L3_MASK, Large, in_from, l3_only, load, out_to, read, store, write};
use lwp_model::rdt::{Config, Inputs, LpInputs, Memory, Step};

// Round robin: the first that is ready behind the one that was chosen last
#[test]
fn two_take_turns() {
    let mut bench = Bench::new(l3_only());
    bench.accesses(0, &[load(8), load(9)]);
    bench.idle();
    let mut ends = Vec::new();
    for cycle in 0..31 {
        let done = bench.unit.outputs().lp.map(|lp| lp.done);
        assert_ne!(done, [true; 2]);
        ends.extend((0..2).filter(|&lp| done[lp]).map(|lp| (cycle, lp)));
        bench.cycle([load(8), load(9)]);
    }
    // Logical processor 0 was the last one; an access of two takes three cycles, since the next is chosen where the last one ends.
    assert_eq!(ends[..4], [(4, 1), (7, 0), (10, 1), (13, 0)]);
    assert_eq!(ends.len(), 9);
}

#[test]
fn four_take_turns() {
    let mut bench = Large::new(l3_only());
    bench.access(3, load(8));
    bench.idle();
    let ends = |bench: &mut Large, requests: [LpInputs; 4]| {
        let mut ends = Vec::new();
        while ends.len() < 8 {
            bench.cycle(requests);
            ends.extend((0..4).filter(|&lp| bench.unit.outputs().lp[lp].done));
        }
        ends
    };
    assert_eq!(ends(&mut bench, [load(8); 4]), [0, 1, 2, 3, 0, 1, 2, 3]);
    bench.pass(20);
    bench.access(1, load(8));
    bench.idle();
    let three = [load(8), load(8), LpInputs::default(), load(8)];
    assert_eq!(ends(&mut bench, three), [3, 0, 1, 3, 0, 1, 3, 0]);
}

// RDT-16: look-ups of the L2 cache and of the L3 cache are chosen one by one
#[test]
fn turns_of_both_caches() {
    let mut bench = Bench::new(Config::default());
    bench.access(1, load(9));
    bench.cycle([load(8), load(9)]);
    let turns: Vec<(Step, u8)> = (0..24)
        .map(|_| {
            bench.idle();
            (bench.step(), bench.unit.state().job.turn)
        })
        .filter(|(step, _)| matches!(step, Step::L2Read | Step::L3Read))
        .collect();
    // The hit of logical processor 1 comes between the two look-ups of logical processor 0.
    assert_eq!(turns, [(Step::L2Read, 0), (Step::L2Read, 1), (Step::L3Read, 0)]);
}

// An access is complete for one cycle, in which the next one may be accepted; what is asked before is not
#[test]
fn one_access_of_a_logical_processor() {
    let mut bench = Bench::new(l3_only());
    bench.cycle([load(8), LpInputs::default()]);
    while !bench.unit.outputs().lp[0].done {
        assert!(!bench.unit.outputs().lp[0].req_ready);
        assert!(bench.unit.outputs().lp[1].req_ready);
        bench.cycle([store(16), LpInputs::default()]);
    }
    assert!(bench.unit.outputs().lp[0].req_ready);
    bench.idle();
    assert!(!bench.unit.outputs().lp[0].done);
    bench.pass(10);
    assert_eq!((bench.moved.as_slice(), bench.l3_lines(0)), ([in_from(8, 0)].as_slice(), [8, 0, 0, 0]));
}

// Memory may take its time: a request stays as it is until it is granted, and is charged when it is granted
#[test]
fn memory_is_late() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK, 1);
    bench.assign(0, 1, 0);
    bench.access(0, store(8));
    bench.assign(0, 2, 0);
    bench.late = 3;
    bench.cycle([load(16), LpInputs::default()]);
    let (none, back, fill) = ((false, false, 0, 0), (true, true, 8 << 6, 1), (true, false, 16 << 6, 2));
    let rows = [
        (Step::Idle, 1, none, (1, 0)),
        (Step::L3Read, 1, none, (1, 0)),
        (Step::L3Look, 1, none, (1, 0)),
        (Step::WriteBack, 4, back, (1, 0)),
        (Step::Evict, 1, none, (2, 0)),
        (Step::MemRequest, 4, fill, (2, 0)),
        (Step::MemWait, 4, none, (2, 1)),
        (Step::L3Fill, 1, none, (2, 1)),
        (Step::Idle, 1, none, (2, 1)),
    ];
    for (step, cycles, mem, totals) in rows {
        for cycle in 0..cycles {
            let out = bench.unit.outputs();
            assert_eq!(bench.step(), step, "{cycle}");
            assert_eq!((out.mem_req, out.mem_write, out.mem_addr, out.mem_rmid), mem, "{step:?}, {cycle}");
            assert_eq!((bench.counts(1).1, bench.counts(2).1), totals, "{step:?}, {cycle}");
            bench.idle();
        }
    }
    assert_eq!(bench.moved, [in_from(8, 1), out_to(8, 1), in_from(16, 2)]);
}

// A grant without a request, and a line that nobody waits for, are nothing
#[test]
fn memory_that_nobody_asked() {
    let mut bench = Bench::new(l3_only());
    let mem = Memory { mem_gnt: true, mem_local: true, mem_rvalid: true };
    let power = bench.power;
    bench.cycle([load(8), LpInputs::default()]);
    for step in [Step::Idle, Step::L3Read, Step::L3Look] {
        assert_eq!(bench.step(), step);
        bench.unit.step(&Inputs { mem, power, ..Inputs::default() });
    }
    // In the cycle of the request: no grant, but a line.
    assert_eq!(bench.step(), Step::MemRequest);
    bench.unit.step(&Inputs { mem: Memory { mem_gnt: false, ..mem }, power, ..Inputs::default() });
    assert_eq!((bench.step(), bench.counts(0)), (Step::MemRequest, (0, 0, 0)));
    // In the cycle of the wait: a grant, but no line.
    bench.idle();
    bench.unit.step(&Inputs { mem: Memory { mem_rvalid: false, ..mem }, power, ..Inputs::default() });
    assert_eq!((bench.step(), bench.counts(0)), (Step::MemWait, (0, 1, 1)));
    assert_eq!((bench.wait(0), bench.counts(0)), (Found::Nowhere, (1, 1, 1)));
}

// Bytes of a line are one line, of 16 bytes to 256; the address of a request to memory is that of the line
#[test]
fn bytes_of_a_line() {
    for line in 4..=8 {
        let mut bench = Bench::new(Config { line, ..l3_only() });
        let first = 0xF_FFFF_FFFF_FC00;
        bench.cycle([read(first + 3), LpInputs::default()]);
        while !bench.unit.outputs().mem_req {
            bench.idle();
        }
        assert_eq!(bench.unit.outputs().mem_addr, first);
        bench.wait(0);
        let bytes = 1 << line;
        assert_eq!(bench.access(0, read(first + bytes - 1)), Found::L3);
        assert_eq!(bench.access(0, write(first + bytes)), Found::Nowhere);
        assert_eq!(bench.access(0, read(first + 2 * bytes - 1)), Found::L3);
    }
}

// Sets in use: 2^`l3_sets` and 2^`l2_sets` of those that are built
#[test]
fn sets_in_use() {
    let mut bench = Bench::new(Config { l3_sets: 1, l2_sets: 0, ..Config::default() });
    bench.accesses(0, &[load(8), load(11), load(12), load(15), load(18)]);
    assert_eq!([0, 1, 2].map(|set| bench.l3_lines(set)), [[8, 12, 18, 0], [11, 15, 0, 0], [0; 4]]);
    assert_eq!([0, 1].map(|set| bench.l2_lines(set)), [[18, 15], [0; 2]]);
}
