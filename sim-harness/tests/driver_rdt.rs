//! The functions of `lwp-regs` for Resource Director Technology on three machines: the scripted fake, the model and the Verilated RTL. The
//! model and the RTL give the same, to the cycle.

use lwp_model::Moore;
use lwp_model::rdt::{Config, Inputs, Outputs, Rdt};
use lwp_model::retire::{IntKind, OpMode};
use lwp_regs::access::{Cpuid, MsrBus};
use lwp_regs::fake::{Access, FakeMsrs};
use lwp_regs::rdt::{
    Association, Capacity, CatCaps, Cos, Count, L3, L3Mask, L3Monitoring, L3QosCfg, MbaThrottle, MonitoringEvent,
    NoCount, PqrAssoc, QmCtr, QmEvtsel, RdtCaps, RdtError, Rmid, SmmGuard,
};
use sim_harness::core::MachineFault;
use sim_harness::device::RtlDevice;
use sim_harness::rdt::machine::{Machine, Served};
use sim_harness::rtl::{BuildId, Flavour};
use std::fmt::Debug;

type Small = Rdt<2, 8, 4, 4, 2, 4, 4>;

/// What such a machine is built around.
trait Device: Moore<Inputs = Inputs<2>, Outputs = Outputs<2>> {}

impl<D: Moore<Inputs = Inputs<2>, Outputs = Outputs<2>>> Device for D {}

fn rtl(straps: &Config) -> Machine<RtlDevice<Small>, 2> {
    Machine::of_rtl(BuildId::from_name("rdt_s8w4").unwrap(), Flavour::Traced, straps).unwrap()
}

/// Runs a generic function on the model and on the RTL, fresh from reset, with the same straps. Both give the same, which is the result.
macro_rules! on_both {
    ($straps:expr, $body:expr) => {{
        let straps: Config = $straps;
        let (model, rtl) = (Machine::<Small, 2>::of_model(&straps).unwrap(), rtl(&straps));
        let of_model = ($body(&model), model.cycles());
        let of_rtl = ($body(&rtl), rtl.cycles());
        assert_eq!(of_model, of_rtl, "model and RTL differ");
        assert!(!rtl.into_device().into_rtl().take_assertion(), "an assertion of the RTL failed");
        of_model.0
    }};
}

/// Without an L2 cache every access meets the L3 cache.
fn direct() -> Config {
    Config { l2: false, l2_sets: 0, l2_ways: 0, l2_cat: false, l2_cdp: false, l2_cos: 0, ..Config::default() }
}

/// What CPUID of a machine says.
fn caps(bus: &impl Cpuid) -> (RdtCaps, CatCaps<L3>, L3Monitoring) {
    let caps = RdtCaps::enumerate(bus);
    (caps, caps.allocation.unwrap().l3.unwrap(), caps.monitoring.unwrap().l3.unwrap())
}

fn cos(number: u32, caps: &RdtCaps) -> Cos {
    Cos::new(number, caps).unwrap()
}

fn rmid(number: u32, caps: &RdtCaps) -> Rmid {
    Rmid::new(number, caps).unwrap()
}

/// The numbers of lines in one set of the L3 cache, from 0.
fn line(number: u64) -> u64 {
    number * 8 * 64
}

/// Brings up allocation and monitoring of a logical processor: classes, delay, RMID, a reading. The same code for all machines.
fn bring_up<B, F: Debug + PartialEq>(bus: &mut B) -> (RdtCaps, bool, Count)
where
    B: MsrBus<Fault = F> + Cpuid,
{
    let (caps, l3, monitoring) = caps(bus);
    let [class_0, class_1] = [0, 1].map(|number| cos(number, &caps));
    let capacity = |bits| Capacity::Unified(l3.capacity(bits).unwrap());
    let configured = l3.configure(bus, &[(class_0, capacity(0xE)), (class_1, capacity(0x1))]).unwrap();
    caps.allocation.unwrap().mba.unwrap().program(bus, class_1, 50).unwrap();
    let mut association = Association::read(bus).unwrap();
    let switched = configured.associate(bus, &mut association, rmid(2, &caps), class_1).unwrap();
    (caps, switched, monitoring.read(bus, MonitoringEvent::L3Occupancy, rmid(2, &caps)).unwrap())
}

// RDTM-04, RDTM-12, RDTM-29, RDTA-03, RDTA-06, RDTA-16, RDTA-30, RDTA-31, RDTA-32: the four steps, and a reading
#[test]
fn a_processor_is_brought_up_on_three_machines() {
    fn second<D: Device>(machine: &Machine<D, 2>) -> ((RdtCaps, bool, Count), Vec<Result<u64, MachineFault>>) {
        let mut core = machine.core(1);
        let found = bring_up(&mut core);
        // What the registers hold, of both logical processors.
        let read = |lp: u8, number: u32| {
            // SAFETY: reading a register of the unit has no effect.
            unsafe { machine.core(lp).rdmsr(number) }
        };
        (found, vec![read(1, 0xC8F), read(0, 0xC8F), read(0, 0xC90), read(0, 0xC91), read(0, 0xC92), read(0, 0xD51)])
    }
    let straps = direct();
    let (found, registers) = on_both!(straps, second);
    assert_eq!(registers, [1 << 32 | 2, 0, 0xE, 1, 0xF, 50].map(Ok));
    assert_eq!((found.1, found.2), (true, Count::new(0)));

    let identity = |leaf, subleaf| straps.cpuid(leaf, subleaf);
    let (caps, l3, _) = caps(&identity);
    let mba = caps.allocation.unwrap().mba.unwrap();
    let [class_0, class_1] = [0, 1].map(|number| cos(number, &caps));
    let mask = |class| L3Mask::msr(l3.mask(class).unwrap());
    let throttle = MbaThrottle::msr(mba.throttle(class_1).unwrap());
    let mut fake = FakeMsrs::<16>::new();
    fake.identify_as(&identity).define(PqrAssoc::MSR, PqrAssoc::RESET).define(L3QosCfg::MSR, L3QosCfg::RESET);
    fake.define(mask(class_0), L3Mask::new()).define(mask(class_1), L3Mask::new());
    fake.define(throttle, MbaThrottle::RESET).define(QmEvtsel::MSR, QmEvtsel::RESET);
    fake.define_read_only(QmCtr::MSR, QmCtr::new());
    assert_eq!(bring_up(&mut fake), found, "the same code finds the same on the fake");
    fake.assert_trace(&[
        Access::read(L3QosCfg::MSR),
        Access::write(mask(class_0), L3Mask::new().with_cbm(0xE)),
        Access::write(mask(class_1), L3Mask::new().with_cbm(0x1)),
        Access::write(throttle, MbaThrottle::new().with_delay(50)),
        Access::read(PqrAssoc::MSR),
        Access::write(PqrAssoc::MSR, PqrAssoc::of(rmid(2, &caps), class_1)),
        Access::write(QmEvtsel::MSR, QmEvtsel::from_bits(2 << 32 | 1)),
        Access::read(QmCtr::MSR),
    ]);
}

// RDTM-02, RDTM-10, RDTM-11, RDTM-28, RDTA-02, RDTA-07: what a class may fill, and what its RMID occupies and moves
#[test]
fn a_class_keeps_to_its_ways_and_its_rmid_is_charged() {
    fn body<D: Device>(machine: &Machine<D, 2>) -> (Vec<Served>, Vec<u128>) {
        let mut core = machine.core(0);
        let (caps, _, monitoring) = caps(&core);
        let mut association = Association::read(&mut machine.core(1)).unwrap();
        bring_up(&mut machine.core(1));
        association.switch_to(&mut machine.core(1), rmid(2, &caps), cos(1, &caps)).unwrap();
        let mut other = Association::read(&mut core).unwrap();
        other.switch_to(&mut core, rmid(1, &caps), cos(0, &caps)).unwrap();
        // Three lines of class 0 in three ways; then two of class 1 in one way, which replace each other.
        let list = [(0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (1, 3), (0, 0), (0, 1), (0, 2), (0, 3)];
        let served = list.map(|(lp, number)| machine.access(lp, line(number), number == 4, false));
        let events =
            [MonitoringEvent::L3Occupancy, MonitoringEvent::L3TotalBandwidth, MonitoringEvent::L3LocalBandwidth];
        let mut read =
            |number, event| monitoring.bytes(monitoring.read(&mut core, event, rmid(number, &caps)).unwrap()) / 64;
        let counts = [1, 2].into_iter().flat_map(|number| events.map(|event| read(number, event))).collect();
        (served.to_vec(), counts)
    }
    let (served, counts) = on_both!(direct(), body);
    use Served::{L3, Memory};
    assert_eq!(served, [Memory, Memory, Memory, Memory, Memory, Memory, L3, L3, L3, L3]);
    // RMID 2 has read three lines and written one back.
    assert_eq!(counts, [3, 3, 3, 1, 4, 4]);
}

// RDTM-03, RDTM-07, RDTM-15, RDTM-27: both logical processors with one RMID, memory of two packages, no data for a while
#[test]
fn an_rmid_sums_what_its_threads_do() {
    fn body<D: Device>(machine: &Machine<D, 2>) -> (Vec<u64>, Vec<Result<Count, RdtError<MachineFault>>>) {
        let (caps, _, monitoring) = caps(&machine.core(0));
        machine.set_remote(0x10_0000);
        for lp in 0..2 {
            let mut core = machine.core(lp);
            let mut association = Association::read(&mut core).unwrap();
            assert_eq!(association.switch_to(&mut core, rmid(3, &caps), Cos::DEFAULT), Ok(true));
            assert_eq!(association.switch_to(&mut core, rmid(3, &caps), Cos::DEFAULT), Ok(false));
        }
        for number in 0..3 {
            machine.access(0, line(number), false, false);
            machine.access(1, 0x10_0000 + 64 + line(number), false, false);
        }
        let read = |lp: u8, event| monitoring.read(&mut machine.core(lp), event, rmid(3, &caps));
        let of = |count: Result<Count, _>| count.unwrap().units();
        let counts = vec![
            of(read(0, MonitoringEvent::L3Occupancy)),
            of(read(1, MonitoringEvent::L3TotalBandwidth)),
            of(read(1, MonitoringEvent::L3LocalBandwidth)),
            of(read(0, MonitoringEvent::L3LocalBandwidth)),
        ];
        machine.set_unavailable(true);
        let unavailable = read(0, MonitoringEvent::L3Occupancy);
        machine.set_unavailable(false);
        (counts, vec![unavailable, read(0, MonitoringEvent::L3Occupancy)])
    }
    let (counts, later) = on_both!(direct(), body);
    assert_eq!(counts, [6, 6, 3, 3]);
    assert_eq!(later, [Err(RdtError::NoCount(NoCount::Unavailable)), Ok(Count::new(6))]);
}

// RDTA-10, RDTA-13, RDTA-15, RDTA-18, RDTA-19, RDTA-22, RDTA-27: each class keeps its capacity when CDP comes; then code and data are apart
#[test]
fn code_and_data_are_apart_in_both_caches() {
    fn masks<D: Device>(machine: &Machine<D, 2>, first: u32) -> Vec<u64> {
        // SAFETY: reading a register of the unit has no effect.
        (0..4).map(|n| unsafe { machine.core(0).rdmsr(first + n) }.unwrap()).collect()
    }
    fn body<D: Device>(machine: &Machine<D, 2>) -> (Vec<Vec<u64>>, Vec<Served>) {
        let mut core = machine.core(0);
        let (caps, l3, _) = caps(&core);
        let l2 = caps.allocation.unwrap().l2.unwrap();
        let (class_0, class_1) = (cos(0, &caps), cos(1, &caps));
        let capacity = |bits| Capacity::Unified(l3.capacity(bits).unwrap());
        l3.configure(&mut core, &[(class_0, capacity(0xC)), (class_1, capacity(0x3))]).unwrap();
        l3.enable_cdp(&mut core, class_1).unwrap();
        let mut all = vec![masks(machine, 0xC90)];
        l2.enable_cdp(&mut core, class_1).unwrap();
        let split = |data, code| Capacity::Split { data: l3.capacity(data).unwrap(), code: l3.capacity(code).unwrap() };
        l3.configure(&mut core, &[(class_0, split(0x1, 0xE))]).unwrap();
        let both = Capacity::Split { data: l2.capacity(1).unwrap(), code: l2.capacity(2).unwrap() };
        l2.configure(&mut core, &[(class_0, both)]).unwrap();
        all.extend([masks(machine, 0xC90), masks(machine, 0xD10)]);
        let list = [(0, true), (1, false), (2, false), (0, true), (1, false)];
        let served = list.map(|(number, code)| machine.access(0, line(number), false, code));
        l3.disable_cdp(&mut core).unwrap();
        all.push(masks(machine, 0xC90));
        (all, served.to_vec())
    }
    let (all, served) = on_both!(Config::default(), body);
    let expected = [vec![0xC, 0xC, 3, 3], vec![1, 0xE, 3, 3], vec![1, 2, 3, 3], vec![1, 3, 0xF, 0xF]];
    assert_eq!(all, expected);
    // Two lines of data replace each other; that of code stays, in the L2 cache as well.
    use Served::{L2, Memory};
    assert_eq!(served, [Memory, Memory, Memory, L2, Memory]);
}

// RDTA-05, RDTA-28, RDTA-29, RDTA-33, RDTA-34: a delay slows down what goes to the L3 cache
#[test]
fn a_delay_leaves_a_share_of_the_requests() {
    fn body<D: Device>(machine: &Machine<D, 2>) -> Vec<u64> {
        let mut core = machine.core(0);
        let (caps, ..) = caps(&core);
        let mba = caps.allocation.unwrap().mba.unwrap();
        machine.access(0, 0, false, false);
        let time = |delay: u16| {
            mba.program(&mut machine.core(0), Cos::DEFAULT, delay).unwrap();
            machine.run(100_000 / 8);
            machine.access(0, 0, false, false);
            let before = machine.cycles();
            (0..100).for_each(|_| assert_eq!(machine.access(0, 0, false, false), Served::L3));
            machine.cycles() - before
        };
        let times = [0, 50, 90].map(time).to_vec();
        assert!(mba.program(&mut core, Cos::DEFAULT, 91).is_err());
        times
    }
    // 4 cycles for each; one in 16; one in 80.
    assert_eq!(on_both!(direct(), body), [400, 1600, 8000]);
}

// RDTM-32, RDTM-33, RDTM-34, RDTA-23, RDTA-24: power and SMM
#[test]
fn power_takes_lines_and_smm_takes_care() {
    fn body<D: Device>(machine: &Machine<D, 2>) -> (Vec<u64>, Vec<(u8, u8, bool)>) {
        let mut core = machine.core(0);
        let (caps, _, monitoring) = caps(&core);
        let mut association = Association::read(&mut core).unwrap();
        association.switch_to(&mut core, rmid(1, &caps), cos(1, &caps)).unwrap();
        let read = |event, number| monitoring.read(&mut machine.core(0), event, rmid(number, &caps)).unwrap().units();
        (0..4).for_each(|number| assert_eq!(machine.access(0, line(number), true, false), Served::Memory));
        let mut counts = vec![read(MonitoringEvent::L3Occupancy, 1), read(MonitoringEvent::L3TotalBandwidth, 1)];
        let _ = machine.take_transfers();
        machine.set_power(1, 15);
        counts.extend([read(MonitoringEvent::L3Occupancy, 1), read(MonitoringEvent::L3TotalBandwidth, 1)]);
        let flushed = machine.take_transfers();
        // The handler is charged to the thread, unless it says otherwise.
        machine.interrupt(IntKind::Smi);
        machine.access(0, 64, false, false);
        let guard = SmmGuard::enter(&mut core, rmid(2, &caps), Cos::DEFAULT).unwrap();
        machine.access(0, 128, false, false);
        guard.leave(&mut core).unwrap();
        machine.interrupt(IntKind::Rsm);
        counts.extend([1, 2].map(|number| read(MonitoringEvent::L3Occupancy, number)));
        assert_eq!(Association::read(&mut core).unwrap().current(), PqrAssoc::of(rmid(1, &caps), cos(1, &caps)));
        (counts, flushed)
    }
    let (counts, flushed) = on_both!(direct(), body);
    assert_eq!(counts, [4, 4, 1, 7, 2, 1]);
    assert_eq!(flushed, [(1, 0, true); 3]);
}

/// What the hardware refuses is refused for the same reason that the types refuse it.
#[test]
fn what_the_types_refuse_the_hardware_refuses() {
    fn body<D: Device>(machine: &Machine<D, 2>) -> Vec<bool> {
        let refused = |number: u32, value: u64| {
            // SAFETY: the register makes the processor access no memory.
            let result = unsafe { machine.core(0).wrmsr(number, value) };
            result == Err(MachineFault::GeneralProtection)
        };
        let mut all = vec![
            refused(0xC8F, 4),
            refused(0xC8F, 4 << 32),
            refused(0xC8F, 1 << 10),
            refused(0xC90, 5),
            refused(0xC90, 0),
            refused(0xC90, 0x10),
            refused(0xD50, 91),
            refused(0xC81, 2),
            refused(0xC8E, 0),
            refused(0xC8D, 1 << 8),
            refused(0xC94, 1),
        ];
        let mut user = machine.core(1).at(OpMode::Long64, 3);
        // SAFETY: the same.
        all.push(unsafe { user.rdmsr(0xC8F) } == Err(MachineFault::GeneralProtection));
        all
    }
    assert_eq!(on_both!(Config::default(), body), [true; 12]);
    let identity = |leaf, subleaf| Config::default().cpuid(leaf, subleaf);
    let (caps, l3, _) = caps(&identity);
    assert!(Rmid::new(4, &caps).is_err() && Cos::new(4, &caps).is_err());
    assert!([5, 0, 0x10].into_iter().all(|bits| l3.capacity(bits).is_err()));
}
