//! The monitoring registers and the performance counters of one processor, both in use at the same time.

use super::bench::{Answer, Bench, CTR, EVTSEL, NOT_MINE, l3_only, load};
use crate::unit::Perf;
use lwp_model::perf::{self, Lane};
use lwp_model::rdt::{self, LpInputs};
use lwp_model::retire::{RegOp, RegRequest, RegResult};

/// Cycles of a run. An instruction retires in each of them.
const CYCLES: u64 = 28;
/// PerfCtr0 and PerfEvtSel0.
const COUNTER: u32 = 0xC1;
const SELECT: u32 = 0x186;
/// INST_RETIRED at all levels, enabled.
const INSTRUCTIONS: u64 = 0x0043_00C0;
/// Lines that logical processor 0 reads, and the cycle of each request. The line is in the cache five cycles later.
const ACCESSES: [(u64, u64); 3] = [(2, 8), (10, 16), (18, 24)];

/// The requests: cycle, whether the register is a performance counter's, operation, number, value, answer.
const REQUESTS: [(u64, bool, RegOp, u32, u64, u64); 10] = [
    (0, true, RegOp::Wrmsr, SELECT, INSTRUCTIONS, 0),
    (1, false, RegOp::Wrmsr, EVTSEL, 1, 0), // occupancy of RMID 0
    (4, true, RegOp::Rdmsr, COUNTER, 0, 3), // the instructions of cycles 1 to 3
    (5, false, RegOp::Rdmsr, CTR, 0, 0),
    (9, false, RegOp::Rdmsr, CTR, 0, 1),
    (10, true, RegOp::Rdmsr, COUNTER, 0, 9),
    (17, false, RegOp::Rdmsr, CTR, 0, 2),
    (18, true, RegOp::Rdmsr, SELECT, 0, INSTRUCTIONS),
    (25, false, RegOp::Rdmsr, CTR, 0, 3),
    (26, true, RegOp::Rdmsr, COUNTER, 0, 25),
];

/// The registers of both units in each cycle, without the answers, and the answer to each request.
#[derive(Debug, Default, PartialEq, Eq)]
struct Run {
    counters: Vec<String>,
    monitoring: Vec<String>,
    answers: Vec<(Answer, Answer)>,
}

/// The answer to a request of the last cycle.
fn answer(result: RegResult, rdata: u64) -> Answer {
    if result == RegResult::Done { Ok(rdata) } else { Err(result) }
}

/// Lets the units in use run side by side. As on one bus, both get every request to a unit that is in use.
fn run(counters_in_use: bool, monitoring_in_use: bool) -> Run {
    let mut counters = Perf::<2, 4, 3, 2>::new(perf::Config::default()).unwrap();
    let mut bench = Bench::new(l3_only());
    let mut run = Run::default();
    for cycle in 0..CYCLES {
        let due = |(at, of_counters, ..): &&(u64, bool, RegOp, u32, u64, u64)| {
            *at == cycle && if *of_counters { counters_in_use } else { monitoring_in_use }
        };
        let reg = REQUESTS.iter().find(due).map_or(RegRequest::default(), |&(_, _, op, number, wdata, _)| RegRequest {
            valid: true,
            op,
            lp: 0,
            number,
            wdata,
        });
        let mut inputs = perf::Inputs { core_clock: true, reg, ..perf::Inputs::default() };
        if counters_in_use {
            inputs.lanes[0][0] = Lane { valid: true, counts: true, ..Lane::default() };
        }
        counters.step(&inputs);
        let access = ACCESSES.iter().find(|(at, _)| *at == cycle && monitoring_in_use);
        bench.ask_for(0, access.map_or(LpInputs::default(), |(_, line)| load(*line)), reg);
        if reg.valid {
            let (one, other) = (counters.outputs(), bench.unit.outputs());
            assert!(one.reg_done && other.reg_done);
            run.answers.push((answer(one.reg_result, one.reg_rdata), answer(other.reg_result, other.reg_rdata)));
        }
        let of_counters = perf::State { answer: perf::Answer::default(), ..*counters.state() };
        let of_monitoring = rdt::State { answer: rdt::Answer::default(), ..*bench.unit.state() };
        run.counters.push(format!("{of_counters:?}"));
        run.monitoring.push(format!("{of_monitoring:?}"));
    }
    run
}

// RDTM-21: the performance counters and the monitoring pair are used at once, by requests in turn: each unit answers its own, and has in
// every cycle the registers that it has alone
#[test]
fn both_at_once() {
    let (both, counters, monitoring) = (run(true, true), run(true, false), run(false, true));
    let expected = REQUESTS.map(
        |(_, of_counters, .., value)| {
            if of_counters { (Ok(value), NOT_MINE) } else { (NOT_MINE, Ok(value)) }
        },
    );
    assert_eq!(both.answers, expected);
    assert_eq!(both.counters, counters.counters);
    assert_eq!(both.monitoring, monitoring.monitoring);
    // A run alone has the same answers to its own requests.
    let of_one = |of_counters: bool| {
        let kept = REQUESTS.iter().zip(expected).filter(|((_, of, ..), _)| *of == of_counters);
        kept.map(|(_, expected)| expected).collect::<Vec<_>>()
    };
    assert_eq!((counters.answers, monitoring.answers), (of_one(true), of_one(false)));
}
