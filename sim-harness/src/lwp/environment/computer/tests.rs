//! The environment around outputs that a test makes up.

use super::*;
use crate::core::ReplayList;
use crate::traces::Retired;

fn computer() -> Computer<1, ReplayList, Vec<lwp_regs::lwp::EventRecord>> {
    let setup = Setup::for_tests();
    let list = vec![Retired { ip: 1, cpl: 3, ..Retired::default() }];
    Computer::new(&setup, ReplayList::new(list, u64::MAX), Vec::new())
}

fn stuck_with(out: Outputs) -> bool {
    let mut computer = computer();
    // Both operations of the beginning are answered at once.
    for cycle in 0..10 {
        computer.cycle(&Outputs { rsp_valid: cycle > 0, ..Outputs::default() });
    }
    for _ in 0..PATIENCE + 1000 {
        computer.cycle(&out);
    }
    computer.is_over() && matches!(computer.failure(), Some(LwpFailure::Stuck { .. }))
}

#[test]
fn a_unit_that_hangs_ends_the_run() {
    assert!(!stuck_with(Outputs::default()), "instructions retire");
    assert!(stuck_with(Outputs { stall: true, ..Outputs::default() }));
    assert!(stuck_with(Outputs { irq: true, ..Outputs::default() }), "an interrupt that is never taken back");
    assert!(stuck_with(Outputs { pf_valid: true, ..Outputs::default() }));
}

#[test]
fn nothing_happens_after_the_end() {
    let mut computer = computer();
    computer.stop();
    for _ in 0..100 {
        computer.cycle(&Outputs { rsp_valid: true, ..Outputs::default() });
    }
    assert!(computer.is_over());
    let after = *computer.cycle(&Outputs { irq: true, pf_valid: true, ..Outputs::default() });
    assert_eq!(after, Inputs { mode: after.mode, ..Inputs::default() });
}

/// An environment whose program runs: both operations of the beginning are answered at once.
fn running() -> Computer<1, ReplayList, Vec<lwp_regs::lwp::EventRecord>> {
    let mut computer = computer();
    for cycle in 0..10 {
        computer.cycle(&Outputs { rsp_valid: cycle > 0, ..Outputs::default() });
    }
    computer
}

#[test]
fn a_trap_ends_a_stall_but_no_operation() {
    let trap = Outputs { stall: true, pf_valid: true, ..Outputs::default() };
    let mut program = running();
    assert!(program.cycle(&trap).pf_ack && program.stats().page_faults == 1);
    assert_eq!(program.cycle(&Outputs::default()).mode.cpl, 0);
    // An interrupt waits for the end of the stall.
    let interrupt = Outputs { stall: true, irq: true, ..Outputs::default() };
    assert!(!running().cycle(&interrupt).irq_ack);
    // The first operation has been accepted and is not answered yet.
    let mut operating = computer();
    while !operating.cycle(&Outputs::default()).ctl.valid {}
    assert!((0..100).all(|_| !operating.cycle(&trap).pf_ack));
}

#[test]
fn an_interrupt_waits_for_the_drain_and_so_does_the_program() {
    let mut computer = running();
    let draining = Outputs { drain: true, irq: true, ..Outputs::default() };
    let before = computer.stats().instructions;
    for _ in 0..100 {
        let inputs = computer.cycle(&draining);
        assert!(!inputs.irq_ack && inputs.mode.cpl == 3 && !inputs.lanes[0].valid);
    }
    assert_eq!(computer.stats().instructions, before, "it retires nothing and waits");
    assert!(computer.cycle(&Outputs { irq: true, ..Outputs::default() }).irq_ack);
    // A page fault ends the wait.
    let trap = Outputs { pf_valid: true, irq: true, ..Outputs::default() };
    assert!(running().cycle(&trap).pf_ack);
}
