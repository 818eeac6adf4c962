//! The fake itself under test: what it says must be true, or tests of drivers show nothing.

extern crate std;

use super::{Access, FakeMsrs, TraceOverflow};
use crate::access::{CounterBus, Cpuid, GeneralProtection, MsrBus, TimeBus};
use crate::lwp::{EdxLayout, LwpCaps, LwpMsr0};
use crate::refused::Rule;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::string::String;

const MSR: crate::msr::Msr<LwpMsr0> = LwpMsr0::MSR;
const NUMBER: u32 = 0xC000_0105;
const ON: LwpMsr0 = LwpMsr0::from_bits(0x3);

/// Without the DCache-miss event.
fn caps() -> LwpCaps {
    LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 0xF], EdxLayout::AsPrinted).unwrap()
}

/// With what words `run` panics.
fn panics(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("no panic");
    *panic.downcast::<String>().expect("a formatted message")
}

#[allow(unsafe_code)] // the registers are variables
fn wrmsr<const N: usize>(cpu: &mut FakeMsrs<'_, N>, number: u32, value: u64) -> Result<(), GeneralProtection> {
    // SAFETY: no hardware is behind them.
    unsafe { cpu.wrmsr(number, value) }
}

#[test]
fn registers_are_kept_apart() {
    let mut cpu = FakeMsrs::<2>::new();
    cpu.define(MSR, ON).define_number(0x10, 7);
    assert_eq!(MSR.read(&mut cpu), Ok(ON));
    assert_eq!(wrmsr(&mut cpu, 0x10, u64::MAX), Ok(()), "no rule");
    assert_eq!((cpu.value(NUMBER), cpu.value(0x10), cpu.value(0x11)), (Some(3), Some(u64::MAX), None));
    cpu.set(MSR, LwpMsr0::RESET);
    assert_eq!(cpu.get(MSR), LwpMsr0::RESET);
    assert_eq!(cpu.accesses(), 2, "the test's own looks are no accesses");
}

#[test]
fn what_is_not_there_faults() {
    let mut cpu = FakeMsrs::<1>::new();
    assert_eq!(MSR.read(&mut cpu), Err(GeneralProtection::NoSuchRegister));
    assert_eq!(MSR.write_unchecked(&mut cpu, ON), Err(GeneralProtection::NoSuchRegister));
    cpu.define(MSR, ON).remove(NUMBER);
    assert_eq!(MSR.read(&mut cpu), Err(GeneralProtection::NoSuchRegister));
    cpu.assert_trace(&[Access::read(MSR), Access::write(MSR, ON), Access::Rdmsr(NUMBER)]);
}

#[test]
fn a_checked_register_takes_what_the_processor_takes() {
    let caps = caps();
    let mut cpu = FakeMsrs::<1>::new();
    cpu.define_checked(MSR, LwpMsr0::RESET, &caps);
    assert_eq!(MSR.write_unchecked(&mut cpu, ON), Ok(()));
    let fault = GeneralProtection::refused("LWPMSR0", 0x8, Rule::NotAvailable("the feature in CPUID EDX"));
    assert_eq!(MSR.write_unchecked(&mut cpu, LwpMsr0::from_bits(0x9)), Err(fault));
    assert_eq!(cpu.get(MSR), ON, "nothing has changed");
    cpu.set(MSR, LwpMsr0::from_bits(u64::MAX));
    assert_eq!(cpu.value(NUMBER), Some(u64::MAX), "the test may do what the hardware would not");
}

#[test]
fn a_read_only_register_refuses_writes() {
    let mut cpu = FakeMsrs::<1>::new();
    cpu.define_read_only(MSR, ON);
    let fault = GeneralProtection::refused("LWPMSR0", 0, Rule::ReadOnly);
    assert_eq!(MSR.write_unchecked(&mut cpu, LwpMsr0::RESET), Err(fault));
    assert_eq!(MSR.read(&mut cpu), Ok(ON));
}

#[test]
fn one_access_fails_and_has_no_effect() {
    let mut cpu = FakeMsrs::<1>::new();
    cpu.define(MSR, LwpMsr0::RESET).fail_at(1, GeneralProtection::Privilege);
    assert_eq!(MSR.update_unchecked(&mut cpu, |_| ON), Err(GeneralProtection::Privilege), "the read, 0, went well");
    assert_eq!((cpu.get(MSR), cpu.failed()), (LwpMsr0::RESET, Some(Access::Wrmsr(NUMBER, 0x3))));
    assert_eq!(MSR.update_unchecked(&mut cpu, |_| ON), Ok(()), "2 and 3");
    assert_eq!((cpu.get(MSR), cpu.failed()), (ON, Some(Access::Wrmsr(NUMBER, 0x3))));
}

#[test]
fn every_access_from_one_on_fails() {
    let mut cpu = FakeMsrs::<1>::new();
    cpu.define(MSR, ON).fail_from(1, GeneralProtection::NotEnabled);
    assert_eq!(MSR.read(&mut cpu), Ok(ON));
    for _ in 0..3 {
        assert_eq!(MSR.write_unchecked(&mut cpu, ON), Err(GeneralProtection::NotEnabled));
    }
    cpu.heal();
    assert_eq!(MSR.read(&mut cpu), Ok(ON));
}

#[test]
fn each_access_to_a_number_fails() {
    let mut cpu = FakeMsrs::<2>::new();
    cpu.define(MSR, ON).define_number(0x10, 7).fail_number(NUMBER, GeneralProtection::Privilege);
    assert_eq!(MSR.read(&mut cpu), Err(GeneralProtection::Privilege));
    assert_eq!(MSR.write_unchecked(&mut cpu, ON), Err(GeneralProtection::Privilege));
    assert_eq!(wrmsr(&mut cpu, 0x10, 8), Ok(()));
    cpu.heal();
    assert_eq!(MSR.read(&mut cpu), Ok(ON));
}

#[test]
fn every_fault_point_is_one_access_on_the_same_ground() {
    let mut cpu = FakeMsrs::<1>::new();
    cpu.define(MSR, LwpMsr0::RESET);
    assert_eq!(MSR.read(&mut cpu), Ok(LwpMsr0::RESET), "does not shift the indices");
    let mut failed = [None; 4];
    let mut runs = 0;
    let points = cpu.every_fault_point(GeneralProtection::Privilege, |cpu| {
        assert_eq!((cpu.get(MSR), cpu.accesses()), (LwpMsr0::RESET, 0), "a fresh copy");
        let result = MSR.update_unchecked(cpu, |_| ON).and_then(|()| MSR.read(cpu).map(drop));
        assert_eq!(result.is_err(), cpu.failed().is_some());
        failed[runs] = cpu.failed();
        runs += 1;
    });
    let accesses = [Some(Access::Rdmsr(NUMBER)), Some(Access::Wrmsr(NUMBER, 0x3)), Some(Access::Rdmsr(NUMBER)), None];
    assert_eq!((points, runs, failed), (3, 4, accesses));
    assert_eq!(cpu.get(MSR), LwpMsr0::RESET);
}

#[test]
fn a_trace_that_overflows_says_so() {
    let mut cpu = FakeMsrs::<1, GeneralProtection, 2>::default();
    cpu.define(MSR, ON);
    for _ in 0..2 {
        assert!(MSR.read(&mut cpu).is_ok());
    }
    assert_eq!(cpu.trace(), Ok(&[Access::read(MSR); 2][..]));
    assert!(MSR.read(&mut cpu).is_ok());
    assert_eq!(cpu.trace(), Err(TraceOverflow { room: 2, made: 3 }));
    let text = panics(|| cpu.assert_trace(&[Access::read(MSR); 2]));
    assert_eq!(text, "3 accesses, but the trace has room for 2; give the fake a larger one, or forget_trace() before");
    cpu.forget_trace();
    cpu.assert_trace(&[]);
}

#[test]
fn messages_say_what_and_where() {
    let mut cpu = FakeMsrs::<1>::new();
    cpu.define(MSR, ON);
    assert!(MSR.read(&mut cpu).is_ok());
    let differs = panics(|| cpu.assert_trace(&[Access::write(MSR, ON)]));
    assert_eq!(differs, "access 0 of 1: expected wrmsr 0xc0000105, 0x3 (LWPMSR0), got rdmsr 0xc0000105 (LWPMSR0)");
    let missing = panics(|| cpu.assert_trace(&[Access::read(MSR), Access::Rdtsc]));
    assert_eq!(missing, "access 1 of 1: expected rdtsc, got nothing");
    let more = panics(|| cpu.assert_trace(&[]));
    assert_eq!(more, "access 0 of 1: expected nothing, got rdmsr 0xc0000105 (LWPMSR0)");
    let full = panics(|| {
        let _ = FakeMsrs::<0>::new().define(MSR, ON);
    });
    assert_eq!(full, "no room for LWPMSR0 (0xc0000105): this fake holds 0 registers; make it FakeMsrs::<1>");
    let absent = panics(|| {
        let _ = FakeMsrs::<0>::new().get(MSR);
    });
    assert_eq!(absent, "register 0xc0000105 is not defined in this fake; call define() first");
}

#[test]
fn counters_are_registers_by_another_name() {
    let mut cpu = FakeMsrs::<1>::new();
    cpu.define_number(0x309, 5).define_counter(1 << 30, 0x309);
    assert_eq!(cpu.rdpmc(1 << 30), Ok(5));
    cpu.set_value(0x309, 6);
    assert_eq!(cpu.rdpmc(1 << 30), Ok(6));
    assert_eq!(cpu.rdpmc(0), Err(GeneralProtection::NoSuchRegister));
    cpu.assert_trace(&[Access::Rdpmc(1 << 30), Access::Rdpmc(1 << 30), Access::Rdpmc(0)]);
}

#[test]
fn time_goes_on_with_each_look() {
    let mut cpu = FakeMsrs::<0>::new();
    cpu.set_time(u64::MAX, 2).set_tsc_aux(3);
    cpu.fail_at(1, GeneralProtection::Privilege);
    assert_eq!(cpu.rdtsc(), Ok(u64::MAX));
    assert_eq!(cpu.rdtsc(), Err(GeneralProtection::Privilege), "CR4.TSD");
    assert_eq!(cpu.rdtscp(), Ok((1, 3)));
    cpu.assert_trace(&[Access::Rdtsc, Access::Rdtsc, Access::Rdtscp]);
}

#[test]
fn cpuid_is_a_table_of_the_test() {
    let dump = |leaf: u32, _: u32| if leaf == 0 { [0xA, 0, 0, 0] } else { [leaf; 4] };
    let mut cpu = FakeMsrs::<0>::new();
    assert_eq!(cpu.cpuid(0, 0), [0; 4]);
    cpu.identify_as(&dump);
    assert_eq!((cpu.leaf(0xA, 0), cpu.leaf(0xB, 0)), (Some([0xA; 4]), None));
    assert_eq!(cpu.accesses(), 0);
}
