//! The LWP driver of `lwp-regs` on the model and on the Verilated RTL: what the system finds, allows and forbids.

use crate::driver_support::*;
use lwp_model::lwp::{Config, Lwp};
use lwp_regs::access::{Cpuid, MsrBus};
use lwp_regs::lwp::driver::{Failed, NotEnabled, NotFound, Policy, Processor, find};
use lwp_regs::lwp::*;
use sim_harness::lwp::machine::{Machine, MachineFault};
use sim_harness::rtl::{BuildId, Flavour};

fn msr0<D: Device>(mut machine: &Machine<4, D>) -> Result<u64, MachineFault> {
    LwpMsr0::MSR.read(&mut machine).map(LwpMsr0::into_bits)
}

// LWP-OVR-06, LWP-MSR0-11, LWP-CPU-04: found by CPUID, whose EAX follows LWPMSR0
#[test]
fn lwp_is_found_enabled_and_disabled() {
    fn up_and_down<D: Device>(machine: &Machine<4, D>) -> (LwpCaps, [u32; 3], u64) {
        let eax = || machine.cpuid(0x8000_001C, 0)[0];
        let (caps, off) = (caps(machine), eax());
        // SAFETY: nothing interrupts in this test.
        let handler = unsafe { ThresholdHandler::installed() };
        let policy = Policy::new().require(Features::IRE).want(Features::BRE).interrupt(handler);
        let processor = Processor::enable(machine, &caps, &policy).unwrap();
        let on = eax();
        assert_eq!(processor.features().features(), Features::IRE | Features::BRE | Features::INT);
        assert!(processor.disable().is_ok());
        (caps, [off, on, eax()], msr0(machine).unwrap())
    }
    let (caps, eax, value) = on_both!(Config::default(), up_and_down);
    assert_eq!((caps.max_events, caps.lwpcb_size, caps.cache_max), (8, 104, 31));
    assert_eq!((eax, value), ([0, 0x8000_0007, 0], 0));
    assert_eq!(caps, *Lwp::<4, 8, 31>::new(Config::default()).unwrap().caps());
}

// Another size: one lane, three slots, latencies of 10 bits.
#[test]
fn a_small_build_says_that_it_is_small() {
    let straps = Config::default();
    let model = Machine::<1, Lwp<1, 3, 10>>::of_model(&straps).unwrap();
    let rtl = Machine::<1, _>::of_rtl(BuildId::from_name("lwp_w1").unwrap(), Flavour::Fast, &straps).unwrap();
    for leaf in [0x8000_0000, 0x8000_0001, 0x8000_001C, 0x8000_001D, 0] {
        assert_eq!(model.cpuid(leaf, 0), rtl.cpuid(leaf, 0), "{leaf:#x}");
    }
    let caps = find(&rtl, PresenceBit::PROJECT, EdxLayout::AsPrinted).unwrap();
    assert_eq!((caps.max_events, caps.lwpcb_size, caps.cache_max), (3, 64, 10));
}

// LWP-MSR0-09, LWP-MSR0-10: what the processor lacks
#[test]
fn what_the_processor_lacks_is_refused() {
    fn refused<D: Device>(machine: &Machine<4, D>) -> u64 {
        let caps = caps(machine);
        assert_eq!(caps.available.features(), Features::IRE | Features::BRE);
        let before = machine.cycles();
        let missing = Processor::enable(machine, &caps, &Policy::new().require(Features::DME)).unwrap_err();
        assert_eq!(missing.error, NotEnabled::Policy(EnableError::NotAvailable(Features::DME)));
        // SAFETY: nothing interrupts in this test.
        let handler = unsafe { ThresholdHandler::installed() };
        let interrupt = Policy::new().interrupt(handler).require(Features::INT);
        let missing = Processor::enable(machine, &caps, &interrupt).unwrap_err();
        assert_eq!(missing.error, NotEnabled::Policy(EnableError::NotAvailable(Features::INT)));
        assert_eq!(machine.cycles(), before, "nothing has been tried");
        // A driver that is wrong about the processor gets the fault.
        let wrong = {
            let mut made = caps;
            made.available = AvailableFeatures::new(Features::all());
            made
        };
        let fault = Processor::enable(machine, &wrong, &Policy::new().require(Features::DME)).unwrap_err();
        assert_eq!(fault.error, NotEnabled::Fault(MachineFault::GeneralProtection));
        msr0(machine).unwrap()
    }
    assert_eq!(on_both!(Config { avail_dme: false, avail_int: false, ..Config::default() }, refused), 0);
}

// LWP-MSR0-02, LWP-CPU-01
#[test]
fn without_lwp_nothing_is_found() {
    fn absent<D: Device>(machine: &Machine<4, D>) -> (NotFound, NotEnabled<MachineFault>) {
        let found = find(machine, PresenceBit::PROJECT, EdxLayout::AsPrinted);
        let caps = Config::default().caps(8, 31);
        let Failed { state: mut bus, error } = Processor::enable(machine, &caps, &Policy::new()).unwrap_err();
        // SAFETY: there is no such register, says CPUID.
        assert_eq!(unsafe { bus.rdmsr(LwpMsr1::ADDRESS) }, Err(MachineFault::GeneralProtection));
        (found.unwrap_err(), error)
    }
    let outcome = on_both!(Config { present: false, ..Config::default() }, absent);
    assert_eq!(outcome, (NotFound::Absent, NotEnabled::Fault(MachineFault::GeneralProtection)));
}

#[test]
fn what_is_in_use_is_left_alone() {
    fn twice<D: Device>(machine: &Machine<4, D>) -> (NotEnabled<MachineFault>, u64) {
        let _processor = enabled(machine);
        let again = Processor::enable(machine, &caps(machine), &Policy::new()).unwrap_err();
        (again.error, msr0(machine).unwrap())
    }
    let (error, value) = on_both!(Config::default(), twice);
    assert_eq!((error, value), (NotEnabled::InUse(LwpMsr0::from_bits(0x8000_000F)), 0x8000_000F));
}

// LWP-MSR1-05: no other registers, and LWPMSR1 only while LWP is enabled
#[test]
fn other_accesses_fault() {
    fn faults<D: Device>(mut machine: &Machine<4, D>) -> [Result<u64, MachineFault>; 4] {
        // SAFETY: no block is named.
        let mut rdmsr = |number| unsafe { machine.rdmsr(number) };
        let (tsc, pointer) = (rdmsr(0x10), rdmsr(LwpMsr1::ADDRESS));
        let _processor = enabled(machine);
        // SAFETY: as above.
        let enabled = unsafe { machine.rdmsr(LwpMsr1::ADDRESS) };
        // SAFETY: the address is misaligned, so nothing is started.
        let misaligned = unsafe { machine.wrmsr(LwpMsr1::ADDRESS, 0x1008) };
        [tsc, pointer, enabled, misaligned.map(|()| 0)]
    }
    let gp = Err(MachineFault::GeneralProtection);
    assert_eq!(on_both!(Config::default(), faults), [gp, gp, Ok(0), gp]);
}
