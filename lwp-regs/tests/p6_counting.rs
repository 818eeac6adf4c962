//! Counting while a program runs: the sequence of accesses, against a processor that counts while the program is there.
#![allow(unsafe_code)] // implements the bus, whose accesses are unsafe

use lwp_regs::access::{CounterBus, MsrBus};
use lwp_regs::perf::p6::event::{FLOPS, INST_RETIRED, MUL};
use lwp_regs::perf::p6::*;
use std::cell::RefCell;
use std::convert::Infallible;
use std::process::Command;

/// The driver behind `/dev/pmc`: notes what it is told.
struct Driver<'a>(&'a RefCell<Vec<String>>);

impl MsrBus for Driver<'_> {
    type Fault = Infallible;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Infallible> {
        self.0.borrow_mut().push(format!("rdmsr {address:x}"));
        Ok(0)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Infallible> {
        self.0.borrow_mut().push(format!("wrmsr {address:x} {value:x}"));
        Ok(())
    }
}

/// RDPMC of user mode.
struct User<'a>(&'a RefCell<Vec<String>>);

impl CounterBus for User<'_> {
    type Fault = &'static str;

    fn rdpmc(&mut self, selector: u32) -> Result<u64, &'static str> {
        self.0.borrow_mut().push(format!("rdpmc {selector}"));
        Ok([1_000, 14][selector as usize])
    }
}

// MET-05: both events with USR and OS, and EN, which only PerfEvtSel0 has; MET-06: a child runs the program, the parent
// waits for it and then reads both counters with RDPMC
#[test]
fn a_program_is_counted_from_before_its_start_to_after_its_end() {
    let order = RefCell::new(Vec::new());
    let run = Run::pair(EventSelect::new(&INST_RETIRED), EventSelect::new(&MUL)).unwrap();
    let setup = run.setup(P6Model::PentiumIII).unwrap();
    let program = || {
        let ended = Command::new(std::env::current_exe().unwrap()).arg("--list").output();
        order.borrow_mut().push("program".into());
        ended.unwrap().status.success()
    };
    let counted = P6Counters::new(Driver(&order)).count(&setup, &mut User(&order), program);
    assert_eq!(counted, Ok(Counted { result: true, counts: [1_000, 14] }));
    let expected = [
        "wrmsr 186 2e",
        "wrmsr c1 0",
        "wrmsr c2 0",
        "wrmsr 187 30012",
        "wrmsr 186 4300c0",
        "program",
        "rdpmc 0",
        "rdpmc 1",
    ];
    assert_eq!(*order.borrow(), expected);
}

#[test]
fn counts_are_since_the_start_even_from_a_preset_counter() {
    let order = RefCell::new(Vec::new());
    let run = Run::pair(EventSelect::new(&FLOPS), EventSelect::new(&INST_RETIRED)).unwrap();
    let before = PerfCtr::preset(SamplePeriod::new(500).unwrap());
    let setup = run.setup(P6Model::PentiumPro).unwrap().starting_at(Counter::Counter0, before);
    let counted = P6Counters::new(Driver(&order)).count(&setup, &mut User(&order), || ());
    assert_eq!(counted, Ok(Counted { result: (), counts: [1_500, 14] }));
}

#[test]
fn user_mode_that_may_not_read_is_told() {
    struct Forbidden;
    impl CounterBus for Forbidden {
        type Fault = &'static str;
        fn rdpmc(&mut self, _: u32) -> Result<u64, &'static str> {
            Err("#GP(0)")
        }
    }
    let order = RefCell::new(Vec::new());
    let run = Run::pair(EventSelect::new(&FLOPS), EventSelect::new(&INST_RETIRED)).unwrap();
    let setup = run.setup(P6Model::PentiumPro).unwrap();
    let error = P6Counters::new(Driver(&order)).count(&setup, &mut Forbidden, || ()).unwrap_err();
    assert_eq!(error, CountError::Read("#GP(0)"));
    assert_eq!(error.to_string(), "the counters could not be read: #GP(0); is RDPMC allowed here?");
}
