//! The session that ends with the profiled work: LWPMSR1 is 0 after a failure at each step.

use crate::stand_in::{CAPS, block};
use lwp_regs::access::{GeneralProtection, SharedFault};
use lwp_regs::fake::FakeMsrs;
use lwp_regs::lwp::driver::{Profiler, RunError, ScopedProfiler};
use lwp_regs::lwp::session::SessionError;
use lwp_regs::lwp::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

const FAULT: GeneralProtection = GeneralProtection::Privilege;

type Fake = FakeMsrs<'static, 1>;

/// LWPMSR1, and nothing else.
fn fake() -> Fake {
    let mut fake = FakeMsrs::new();
    fake.define_number(LwpMsr1::ADDRESS, 0);
    fake
}

fn msr1(fake: &RefCell<&mut Fake>) -> u64 {
    fake.borrow().value(LwpMsr1::ADDRESS).unwrap()
}

/// How the work ends, by what it returns.
type Work<'w> = &'w dyn Fn(
    &mut ScopedProfiler<'_, '_, ByMsr<&RefCell<&mut Fake>>>,
) -> Result<u32, SessionError<SharedFault<GeneralProtection>>>;

/// Runs `work` in a scope, on `fake`, and says how it ended. A session that is still active is stopped by hand.
fn run(fake: &mut Fake, work: Work<'_>) -> String {
    let bus = RefCell::new(fake);
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<8>::new());
    let buffer = buffer.view();
    let idle = Session::new(ByMsr(&bus), &block(&buffer, 10, 0), &mut memory, buffer);
    // SAFETY: nothing but a table is behind the register.
    let ended = match unsafe { Profiler::run(idle, |_| (), |profiler, _| work(profiler)) } {
        Ok(profiled) => format!("value {}", profiled.value),
        Err(RunError::NotStarted(failed)) => format!("not started: {:?}", failed.error),
        Err(RunError::Work { error, .. }) => format!("work: {error:?}"),
        Err(RunError::StillActive { work, failed }) => {
            assert_ne!(msr1(&bus), 0, "it says that the session is active");
            failed.state.stop(|_| ()).unwrap();
            format!("work: {work:?}, end: {:?}", failed.error)
        }
        Err(other) => format!("{other:?}"),
    };
    assert_eq!(msr1(&bus), 0, "{ended}");
    ended
}

// a fault at each access: of the start, of the work and of the end
#[test]
fn msr1_is_0_after_a_fault_at_each_access() {
    let ended = RefCell::new(Vec::new());
    let points = fake().every_fault_point(FAULT, |fake| {
        ended.borrow_mut().push(run(fake, &|profiler| profiler.drain_all(drop).map(|_| 7)));
    });
    let not_started = "not started: Fault(Bus(Privilege))";
    let still_active = "work: Ok(7), end: Bus(Privilege)";
    let expected = [not_started, not_started, "work: Fault(Bus(Privilege))", still_active, still_active, "value 7"];
    assert_eq!((points, ended.into_inner().as_slice()), (5, expected.map(String::from).as_slice()));
}

// what a `?` in the work leaves: a head that is no place in the buffer
#[test]
fn msr1_is_0_after_a_bad_head() {
    let ended = run(&mut fake(), &|profiler| {
        crate::stand_in::poke(profiler.reader().block(), offset::HEAD, 0x21);
        profiler.drain(drop).map(|_| 0).map_err(SessionError::Ring)
    });
    assert!(ended.starts_with("work: Ring("), "{ended}");
}

#[test]
fn msr1_is_0_after_the_work_has_failed_and_after_it_has_panicked() {
    assert_eq!(run(&mut fake(), &|_| Err(SessionError::Fault(SharedFault::Bus(FAULT)))), "work: Fault(Bus(Privilege))");
    let mut fake = fake();
    let ended = catch_unwind(AssertUnwindSafe(|| run(&mut fake, &|_| panic!("the work gives up"))));
    assert!(ended.is_err());
    assert_eq!(fake.value(LwpMsr1::ADDRESS), Some(0));
}

#[test]
fn both_errors_are_returned() {
    let mut fake = fake();
    fake.fail_at(2, FAULT); // the first access of the end
    let ended = run(&mut fake, &|_| Err(SessionError::Block(Lwpcb::new(LwpcbImage::default(), &CAPS).unwrap_err())));
    assert!(ended.starts_with("work: Err(Block(") && ended.ends_with("end: Bus(Privilege)"), "{ended}");
}
