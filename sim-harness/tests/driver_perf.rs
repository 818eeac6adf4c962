//! The functions of `lwp-regs` for performance counters on three machines: the scripted fake, the model and the Verilated RTL. The model
//! and the RTL give the same, to the cycle.

use lwp_model::Moore;
use lwp_model::perf::{Config, Inputs, Line, Outputs, Perf, Personality, X2apic};
use lwp_model::retire::{BranchKind, OpMode};
use lwp_regs::access::{CounterBus, Cpuid, GeneralProtection, MsrBus};
use lwp_regs::delivery::{LocalApic, LvtPerformance, X2Apic, handle_overflow};
use lwp_regs::fake::{Access, FakeMsrs};
use lwp_regs::perf::Levels;
use lwp_regs::perf::architectural::{
    ArchitecturalEvent, FixedControl, Ia32FixedCtr, Ia32FixedCtrCtrl, Ia32PerfEvtSel, Ia32PerfGlobalCtrl,
    Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus, Ia32Pmc, PerfEvtSelBuilder, PerfmonCaps,
};
use lwp_regs::perf::p6::overflow::{
    Interrupted, OverflowPlatform, OverflowSampler, OverflowSetup, OverflowVector, SampleRecord,
};
use lwp_regs::perf::p6::{
    Counter, EventSelect, P6Counters, P6Model, PerfCtr, PerfEvtSel0, PerfEvtSel1, Run, SamplePeriod, event, rdpmc,
};
use sim_harness::core::MachineFault;
use sim_harness::device::RtlDevice;
use sim_harness::perf::machine::{Core, Machine};
use sim_harness::rtl::{BuildId, Flavour};

type P6 = Perf<1, 2, 0, 4>;
type Architectural = Perf<2, 4, 3, 2>;

/// What a P6 machine is built around.
trait P6Device: Moore<Inputs = Inputs<1, 4>, Outputs = Outputs<1, 2, 0>> {}
impl<D: Moore<Inputs = Inputs<1, 4>, Outputs = Outputs<1, 2, 0>>> P6Device for D {}

/// What an architectural machine is built around.
trait Device: Moore<Inputs = Inputs<2, 2>, Outputs = Outputs<2, 4, 3>> {}
impl<D: Moore<Inputs = Inputs<2, 2>, Outputs = Outputs<2, 4, 3>>> Device for D {}

/// Runs a generic function on the model and on the RTL, fresh from reset, with the same straps. Both give the same, which is the result.
macro_rules! on_both {
    ($unit:ty, $build:literal, $straps:expr, $body:expr) => {{
        let straps: Config = $straps;
        let model = Machine::<$unit>::of_model(&straps).unwrap();
        let build = BuildId::from_name($build).unwrap();
        let rtl = Machine::<RtlDevice<$unit>>::of_rtl(build, Flavour::Traced, &straps).unwrap();
        let of_model = ($body(&model), model.cycles());
        let of_rtl = ($body(&rtl), rtl.cycles());
        assert_eq!(of_model, of_rtl, "model and RTL differ");
        assert!(!rtl.into_device().into_rtl().take_assertion(), "an assertion of the RTL failed");
        of_model.0
    }};
}

/// A cycle at level 3 in which the first logical processor retires so many instructions, the first of them a taken branch.
fn user<const LP: usize, const LANES: usize>(instructions: usize) -> Inputs<LP, LANES> {
    let mut inputs = Inputs::default();
    (inputs.lp[0].cpl, inputs.lp[0].op_mode) = (3, OpMode::Long64);
    for lane in &mut inputs.lanes[0][..instructions] {
        (lane.valid, lane.counts) = (true, true);
    }
    (inputs.lanes[0][0].branch_kind, inputs.lanes[0][0].branch_taken) = (BranchKind::Cond, true);
    inputs
}

/// What the counters of a P6 counted of a program: an event and a duration; and what counter 0 counted while counter 1 stood.
#[derive(Debug, PartialEq, Eq)]
struct Pair {
    model: P6Model,
    counts: [u64; 2],
    after: [u64; 2],
}

/// Counts two events while `work` runs, then stops counter 1 and lets it run again. The same code for all machines.
fn count_pair<B, F: std::fmt::Debug>(bus: &mut B, mut work: impl FnMut(&mut B)) -> Pair
where
    B: MsrBus<Fault = F> + CounterBus<Fault = F> + Cpuid,
{
    let model = P6Model::detect(bus).unwrap();
    let instructions = EventSelect::new(&event::INST_RETIRED).levels(Levels::User);
    let stalls = EventSelect::new(&event::IFU_MEM_STALL).levels(Levels::User);
    let setup = Run::pair(instructions, stalls).unwrap().setup(model).unwrap();
    let both = |bus: &mut B| [Counter::Counter0, Counter::Counter1].map(|counter| rdpmc(bus, counter).unwrap());
    P6Counters::new(&mut *bus).start(&setup).unwrap();
    work(bus);
    let counts = both(bus);
    P6Counters::new(&mut *bus).stop_counter1().unwrap();
    work(bus);
    let after = both(bus);
    P6Counters::new(&mut *bus).stop().unwrap();
    Pair { model, counts, after }
}

/// Ten cycles with three instructions each, in four of which instruction fetch stalls.
fn program() -> impl Iterator<Item = Inputs<1, 4>> {
    (0..10).map(|cycle| {
        let mut inputs = user(3);
        inputs.lp[0].events.set(Line::IfuMemStall, u8::from(cycle < 4));
        inputs
    })
}

/// A Pentium III as CPUID shows it.
struct PentiumIII;

impl Cpuid for PentiumIII {
    fn cpuid(&self, leaf: u32, _: u32) -> [u32; 4] {
        match leaf {
            0 => [2, u32::from_le_bytes(*b"Genu"), u32::from_le_bytes(*b"ntel"), u32::from_le_bytes(*b"ineI")],
            1 => [0x670, 0, 0, 0],
            _ => [0; 4],
        }
    }
}

// P6-10, P6-33: each counter holds the count of the event that its select names, or of cycles; clearing PerfEvtSel1 stops counter 1 alone
#[test]
fn two_events_are_counted_on_three_machines() {
    fn counted<D: P6Device>(machine: &Machine<D>) -> Pair {
        count_pair(&mut machine.core(0), |_| machine.run(program()))
    }
    let found = on_both!(P6, "perf_c2", Config::default(), counted);
    assert_eq!(found, Pair { model: P6Model::PentiumIII, counts: [30, 4], after: [60, 4] });

    let mut fake = FakeMsrs::<4>::new();
    let [counter0, counter1] = Counter::ALL.map(PerfCtr::msr);
    fake.define(PerfEvtSel0::MSR, PerfEvtSel0::new()).define(PerfEvtSel1::MSR, PerfEvtSel1::new());
    fake.define(counter0, PerfCtr::new()).define(counter1, PerfCtr::new());
    fake.define_counter(0, counter0.address()).define_counter(1, counter1.address()).identify_as(&PentiumIII);
    let mut runs = 0;
    let of_fake = count_pair(&mut fake, |fake| {
        runs += 1;
        fake.set(counter0, PerfCtr::from_bits(30 * runs));
        fake.set(counter1, PerfCtr::from_bits(4));
    });
    assert_eq!(of_fake, found, "the same code finds the same on the fake");
    let (select0, select1) = (PerfEvtSel0::from_bits(0x0041_00C0), PerfEvtSel1::from_bits(0x0001_0086));
    fake.assert_trace(&[
        Access::write(PerfEvtSel0::MSR, PerfEvtSel0::NOTHING),
        Access::write(counter0, PerfCtr::new()),
        Access::write(counter1, PerfCtr::new()),
        Access::write(PerfEvtSel1::MSR, select1),
        Access::write(PerfEvtSel0::MSR, select0),
        Access::Rdpmc(0),
        Access::Rdpmc(1),
        Access::write(PerfEvtSel1::MSR, PerfEvtSel1::NOTHING),
        Access::Rdpmc(0),
        Access::Rdpmc(1),
        Access::write(PerfEvtSel0::MSR, PerfEvtSel0::new()),
        Access::write(PerfEvtSel1::MSR, PerfEvtSel1::new()),
    ]);
}

/// A system with a local APIC, whose first free vector is 41H. It notes the gates that it installs.
struct System<A> {
    apic: A,
    gates: Vec<(&'static str, u8)>,
}

impl<A: LocalApic> OverflowPlatform for System<A> {
    type Fault = A::Fault;

    fn provide_vector(&mut self) -> Result<OverflowVector, A::Fault> {
        Ok(OverflowVector::new(0x41).unwrap())
    }

    fn initialise_lvt(&mut self, vector: OverflowVector) -> Result<(), A::Fault> {
        self.apic.set_lvt_performance(LvtPerformance::fixed(vector.number()).unwrap())
    }

    fn install_stub(&mut self, vector: OverflowVector) -> Result<(), A::Fault> {
        self.gates.push(("stub", vector.number()));
        Ok(())
    }

    fn install_driver(&mut self, vector: OverflowVector) -> Result<(), A::Fault> {
        self.gates.push(("driver", vector.number()));
        Ok(())
    }
}

/// What a sampling driver saw: cycles to each interrupt, its vector, and what the handler saved.
type Sampled = Vec<(u64, u8, SampleRecord)>;

/// Samples every 100th instruction three times, by interrupt. A handler begins two cycles after its interrupt.
fn sample<D: P6Device>(machine: &Machine<D>) -> Sampled {
    let mut system = System { apic: machine.core(0), gates: Vec::new() };
    let handler = OverflowSetup::provide_vector(&mut system).unwrap();
    let handler = handler.initialise_lvt(&mut system).unwrap().install_stub(&mut system).unwrap();
    let handler = handler.install_driver(&mut system).unwrap();
    assert_eq!(system.gates, [("stub", 0x41), ("driver", 0x41)]);
    let sampler = OverflowSampler::new(Counter::Counter0, SamplePeriod::new(100).unwrap());
    let select = EventSelect::new(&event::INST_RETIRED).levels(Levels::User).interrupt(&handler);
    let run = Run { counter0: Some(select), counter1: None };
    let setup = run.setup(P6Model::PentiumIII).unwrap().starting_at(Counter::Counter0, sampler.initial());
    P6Counters::new(machine.core(0)).start(&setup).unwrap();
    let mut apic = machine.core(0);
    let samples = (0..3).map(|_| {
        let cycles = machine.run_until_interrupt(0, std::iter::repeat_with(|| user(3))).unwrap();
        machine.run([user(3)]);
        let vector = machine.take_interrupt(0).unwrap();
        let at = Interrupted { eip: 0x0804_8000, cs: 0x23, tss: 0x60 };
        let handled = |_: &mut Core<'_, D>| sampler.on_overflow(&mut machine.core(0), at, ()).unwrap();
        (cycles, vector, handle_overflow(&mut apic, handled).unwrap().unwrap())
    });
    let samples = samples.collect();
    P6Counters::new(machine.core(0)).stop().unwrap();
    samples
}

// P6-33, P6-46, P6-49, P6-50: the counter overflows after its period, the entry's vector is delivered, and the handler finds what was counted since
#[test]
fn a_p6_samples_by_interrupt() {
    let straps = Config { mask_on_delivery: true, ..Config::default() };
    let samples = on_both!(P6, "perf_c2", straps, sample);
    // 33 cycles count 99 instructions; the 34th overflows to 2, and the cycle before the handler counts three more.
    for (cycles, vector, record) in samples {
        assert_eq!((cycles, vector, record.late_by()), (34, 0x41, 5));
        assert_eq!(record.overflowed, Counter::Counter0);
    }
}

/// What a driver of the architectural counters found: what the processor has, what was counted, and how it was told of the overflow.
#[derive(Debug, PartialEq, Eq)]
struct Profiled {
    caps: PerfmonCaps,
    /// Instructions since the overflow by RDPMC and by RDMSR, unhalted core cycles by RDPMC.
    counts: [u64; 3],
    overflowed: bool,
    status: [Ia32PerfGlobalStatus; 2],
}

/// Counts instructions to an overflow after 50 on general counter 0, and core cycles on fixed counter 1; `work` runs to the interrupt. The
/// same code for all machines.
fn profile<B, F: std::fmt::Debug>(bus: &mut B, mut work: impl FnMut(&mut B)) -> Profiled
where
    B: MsrBus<Fault = F> + CounterBus<Fault = F> + Cpuid,
{
    let caps = PerfmonCaps::detect(bus).unwrap();
    let (counter, cycles) = (caps.counter(0).unwrap(), caps.fixed(1).unwrap());
    X2Apic(&mut *bus).set_lvt_performance(LvtPerformance::fixed(0x42).unwrap()).unwrap();
    // SAFETY: the machines of these tests have no interrupt table that an interrupt could miss.
    let handler = unsafe { lwp_regs::perf::OverflowHandler::installed() };
    let select = PerfEvtSelBuilder::new(&caps, ArchitecturalEvent::Instructions).levels(Levels::User);
    let select = select.interrupt(&handler).build(counter).unwrap();
    let control = Ia32FixedCtrCtrl::new().with_counter(cycles, FixedControl::new().with_user(true));
    let enables = Ia32PerfGlobalCtrl::new().with_counter(counter, true).with_fixed_counter(cycles, true);
    Ia32PerfGlobalCtrl::MSR.write_unchecked(bus, Ia32PerfGlobalCtrl::new()).unwrap();
    counter.counter().write_unchecked(bus, Ia32Pmc::overflow_after(50).unwrap()).unwrap();
    counter.select().write_unchecked(bus, select).unwrap();
    Ia32FixedCtrCtrl::MSR.write_unchecked(bus, control).unwrap();
    cycles.counter().write_unchecked(bus, Ia32FixedCtr::new()).unwrap();
    Ia32PerfGlobalCtrl::MSR.write_unchecked(bus, enables).unwrap();
    work(bus);
    let (found, status) = handle_overflow(&mut X2Apic(&mut *bus), |apic| {
        let bus = &mut *apic.0;
        let before = Ia32PerfGlobalStatus::MSR.read(bus).unwrap();
        let counts = [
            bus.rdpmc(counter.rdpmc_selector()).unwrap(),
            counter.counter().read(bus).unwrap().value(),
            bus.rdpmc(cycles.rdpmc_selector()).unwrap(),
        ];
        Ia32PerfGlobalOvfCtrl::MSR.write_unchecked(bus, Ia32PerfGlobalOvfCtrl::acknowledge(before)).unwrap();
        (counts, [before, Ia32PerfGlobalStatus::MSR.read(bus).unwrap()])
    })
    .unwrap();
    Ia32PerfGlobalCtrl::MSR.write_unchecked(bus, Ia32PerfGlobalCtrl::new()).unwrap();
    Profiled { caps, counts: found, overflowed: status[0].overflowed(counter), status }
}

fn version_3() -> Config {
    Config {
        personality: Personality::Version3,
        counters: 4,
        width: 48,
        fixed: 3,
        fixed_width: 48,
        x2apic: X2apic::Msr,
        ..Config::default()
    }
}

// APM-11, APM-28, APM-38: counters by CPUID 0AH; enables, status and its clearing by the global registers; a fixed counter by bit 30 of ECX
#[test]
fn counters_of_version_3_profile_on_three_machines() {
    fn profiled<D: Device>(machine: &Machine<D>) -> Profiled {
        profile(&mut machine.core(0), |_| {
            // 25 cycles of two instructions.
            assert_eq!(machine.run_until_interrupt(0, std::iter::repeat_with(|| user(2))), Some(25));
            machine.run([user(2)]);
            assert_eq!(machine.take_interrupt(0), Some(0x42));
        })
    }
    let found = on_both!(Architectural, "perf_c4", version_3(), profiled);
    assert_eq!((found.caps.version, found.caps.counters, found.caps.fixed_counters), (3, 4, 3));
    assert_eq!((found.counts, found.overflowed), ([2, 2, 26], true));
    assert_eq!(found.status, [1, 0].map(Ia32PerfGlobalStatus::from_bits));

    let (identity, counter) =
        (Machine::<Architectural>::of_model(&version_3()).unwrap(), found.caps.counter(0).unwrap());
    let (identity, cycles) = (identity.core(0), found.caps.fixed(1).unwrap());
    let (pmc, fixed) = (counter.counter(), cycles.counter());
    let mut fake = FakeMsrs::<9>::new();
    fake.define(pmc, Ia32Pmc::new()).define(counter.select(), Ia32PerfEvtSel::new());
    fake.define(fixed, Ia32FixedCtr::new()).define(Ia32FixedCtrCtrl::MSR, Ia32FixedCtrCtrl::new());
    fake.define(Ia32PerfGlobalCtrl::MSR, Ia32PerfGlobalCtrl::new());
    fake.define(Ia32PerfGlobalStatus::MSR, Ia32PerfGlobalStatus::new());
    fake.define(Ia32PerfGlobalOvfCtrl::MSR, Ia32PerfGlobalOvfCtrl::new());
    fake.define(LvtPerformance::MSR, LvtPerformance::new()).define_number(0x80B, 0);
    fake.define_counter(0, pmc.address()).define_counter(1 << 30 | 1, fixed.address()).identify_as(&identity);
    let of_fake = profile(&mut fake, |fake| {
        fake.set(Ia32PerfGlobalStatus::MSR, Ia32PerfGlobalStatus::from_bits(1));
        fake.set(pmc, Ia32Pmc::from_bits(2));
        fake.set(fixed, Ia32FixedCtr::from_bits(26));
    });
    // Nothing clears the status of a register that only holds what was written; the rest is the same.
    assert_eq!(of_fake, Profiled { status: [1, 1].map(Ia32PerfGlobalStatus::from_bits), ..found });
    let writes = |access: &&Access| matches!(access, Access::Wrmsr(..));
    let order: Vec<Access> = fake.trace().unwrap().iter().filter(writes).copied().collect();
    let numbers: Vec<u32> =
        order.iter().map(|access| if let Access::Wrmsr(number, _) = access { *number } else { 0 }).collect();
    assert_eq!(numbers, [0x834, 0x38F, 0xC1, 0x186, 0x38D, 0x30A, 0x38F, 0x80B, 0x390, 0x38F]);
    assert_eq!(order[8], Access::Wrmsr(0x390, 1), "what is acknowledged is what had overflowed");
}

// P6-07, P6-08, P6-34: faults are those of the instructions
#[test]
fn faults_are_values() {
    fn faults<D: P6Device>(machine: &Machine<D>) -> Vec<Result<u64, MachineFault>> {
        let user = || machine.core(0).at(OpMode::Long64, 3);
        let mut all = vec![machine.core(0).rdpmc(0), user().rdpmc(0)];
        machine.set_pce(true);
        all.extend([user().rdpmc(0), user().rdpmc(2), machine.core(0).at(OpMode::Virtual8086, 0).rdpmc(1)]);
        all.push(PerfEvtSel0::MSR.read(&mut user()).map(PerfEvtSel0::into_bits));
        // EN of PerfEvtSel1 is reserved.
        let enabled = PerfEvtSel1::from_bits(1 << 22);
        all.push(PerfEvtSel1::MSR.write_unchecked(&mut machine.core(0), enabled).map(|()| 0));
        // No global control in a P6.
        all.push(Ia32PerfGlobalCtrl::MSR.read(&mut machine.core(0)).map(Ia32PerfGlobalCtrl::into_bits));
        all
    }
    let refused = Err(MachineFault::GeneralProtection);
    let found = on_both!(P6, "perf_c2", Config::default(), faults);
    assert_eq!(found, [Ok(0), refused, Ok(0), refused, Ok(0), refused, refused, refused]);

    let mut fake = FakeMsrs::<1>::new();
    assert_eq!(fake.rdpmc(0), Err(GeneralProtection::NoSuchRegister), "the fake refuses a counter that it lacks");
}
