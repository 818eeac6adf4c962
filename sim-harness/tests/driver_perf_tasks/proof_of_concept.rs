//! The study's device with two calls, whose counters belong to everybody.

use super::{BRANCHES, INSTRUCTIONS, P6Device, Time, cycle, on_both};
use lwp_regs::perf::p6::{Counter, P6Counters, PerfEvtSel0, PmcDevice, PmcError, RdpmcPolicy, SetCounterError, rdpmc};
use sim_harness::core::MachineFault;
use sim_harness::perf::tasks::{Bench, Board};

fn run<D: P6Device, T: Time>(board: &Board<D, T>, cycles: u64) {
    let shown = cycle(1, true);
    (0..cycles).for_each(|_| board.cycle(&[Some(&shown)]));
}

fn shown<D: P6Device, T: Time>(board: &Board<D, T>) -> [u64; 2] {
    Counter::ALL.map(|counter| rdpmc(&mut board.core(0), counter).unwrap())
}

/// EN is reserved in PerfEvtSel1.
const COUNTER_1: u32 = (BRANCHES & !(1 << 22)) as u32;

/// What the counters showed, and what the calls returned.
type Seen = (Vec<[u64; 2]>, Vec<Result<(), PmcError<MachineFault>>>);

// VPC-61: open, two calls, close. VPC-65: a call disables, clears and programs its counter; another number is an error.
// VPC-66: call 1 alone starts nothing, and call 0 stops counter 1 until it has written EN
#[test]
fn two_calls_set_up_two_counters() {
    fn counts<D: P6Device, T: Time>(board: &Board<D, T>) -> Seen {
        let mut seen = Vec::new();
        let (mut device, _) = PmcDevice::load(board.core(0), 0);
        let mut file = device.open();
        let mut results = vec![file.ioctl(1, COUNTER_1)];
        run(board, 5);
        seen.push(shown(board)); // no EN yet
        results.push(file.ioctl(0, INSTRUCTIONS as u32));
        run(board, 5);
        seen.push(shown(board));
        results.push(file.ioctl(0, INSTRUCTIONS as u32)); // clears its own counter alone
        run(board, 3);
        seen.push(shown(board));
        results.push(file.ioctl(0, (INSTRUCTIONS & !(1 << 22)) as u32)); // without EN both stand
        run(board, 3);
        seen.push(shown(board));
        results.push(file.ioctl(2, 0));
        results.push(file.ioctl(1, BRANCHES as u32));
        file.close();
        (seen, results)
    }
    let (seen, results) = on_both!(P6, counts);
    assert_eq!(seen, [[0, 0], [5, 5], [3, 8], [0, 8]]);
    assert_eq!(results[..4], [Ok(()); 4]);
    assert_eq!(results[4], Err(PmcError::UnknownCommand(2)));
    assert!(matches!(results[5], Err(PmcError::SetCounter(SetCounterError::WouldFault(_)))), "EN in PerfEvtSel1");
}

// VPC-62: after loading RDPMC works in user mode. VPC-63, VPC-64: a counter is cleared, then selected; only 0 and 1 exist
#[test]
fn loading_allows_rdpmc_everywhere() {
    fn read<D: P6Device, T: Time>(board: &Board<D, T>) -> (Vec<Result<u64, MachineFault>>, [u64; 2], bool) {
        let mut read = Vec::new();
        for policy in [0, PmcDevice::load(board.core(0), 0).1] {
            board.set_pce(RdpmcPolicy::of(policy) == RdpmcPolicy::Everybody);
            read.push(rdpmc(&mut board.core(0).at(3), Counter::Counter0));
        }
        let mut counters = P6Counters::new(board.core(0));
        counters.set_counter(0, INSTRUCTIONS as u32).unwrap();
        counters.set_counter(1, COUNTER_1).unwrap();
        run(board, 4);
        counters.pmc_clear(Counter::Counter1).unwrap();
        let no_third = counters.set_counter(2, PerfEvtSel0::NOTHING.into_bits() as u32).is_err();
        (read, shown(board), no_third)
    }
    let fault = Err(MachineFault::GeneralProtection);
    assert_eq!(on_both!(P6, read), (vec![fault, Ok(0)], [4, 0], true));
}
