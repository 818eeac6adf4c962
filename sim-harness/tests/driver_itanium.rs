//! The functions of `lwp-regs` for Itanium's monitors on the model and the Verilated RTL; their tests in `lwp-regs` run them on a script. The
//! model and the RTL give the same, to the cycle.

use lwp_model::Moore;
use lwp_model::itanium::{
    Config, Fetch, Inputs, Issue, Itanium, Mem, Outputs, RegOp, RegRequest, Retire, UpOnInterruption,
};
use lwp_regs::bits::U4;
use lwp_regs::itanium::{
    AddressRange, Configuration, Counter, Depth, Event, Instruction, Ism, Measurement, MonitorPlan, Pmc0, Pmc89, Psr,
    Scope, SlotType,
};
use sim_harness::device::RtlDevice;
use sim_harness::itanium::machine::Machine;
use sim_harness::rtl::{BuildId, Flavour};
use std::num::NonZeroU32;

type Small = Itanium<1, 4>;

/// nop.m and nop.i with predicate p0.
const NOP: u64 = 0x000_0800_0000;
/// Entry of the bundle that all instructions come from, unless they have one of their own.
const ENTRY: u8 = 3;

/// What such a machine is built around.
trait Device: Moore<Inputs = Inputs<1>, Outputs = Outputs> {}

impl<D: Moore<Inputs = Inputs<1>, Outputs = Outputs>> Device for D {}

/// Runs a generic function on the model and on the RTL, fresh from reset, with the same straps. Both give the same, which is the result.
macro_rules! on_both {
    ($straps:expr, $body:expr) => {{
        let straps: Config = $straps;
        let build = BuildId::from_name("itanium_b1e4").unwrap();
        let model = Machine::<Small>::of_model(straps);
        let rtl = Machine::<RtlDevice<Small>>::of_rtl(build, Flavour::Traced, &straps);
        let of_model = ($body(&model), model.cycles());
        let of_rtl = ($body(&rtl), rtl.cycles());
        assert_eq!(of_model, of_rtl, "model and RTL differ");
        assert!(!rtl.into_device().into_rtl().take_assertion(), "an assertion of the RTL failed");
        of_model.0
    }};
}

/// A bundle MII of nops is fetched and issued.
fn bundle<D: Device>(machine: &Machine<D>, id: u8, addr: u64) {
    machine.show(&Inputs { fetch: [Fetch { valid: true, id, addr, cpl: 0 }], ..Inputs::default() });
    let issue = Issue { valid: true, id, template_code: 0, slot0: NOP, slot1: NOP, slot2: NOP };
    machine.show(&Inputs { issue: [issue], ..Inputs::default() });
}

/// So many instructions retire at a level, up to three in a cycle.
fn executes<D: Device>(machine: &Machine<D>, cpl: u8, count: u32) {
    for left in (1..=count).rev().step_by(3) {
        let slots = if left >= 3 { 7 } else { (1 << left) - 1 };
        let retire = Retire { valid: true, id: ENTRY, slots, ..Retire::default() };
        machine.show(&Inputs { cpl, retire: [retire], ..Inputs::default() });
    }
}

/// rfi retires, with this PSR.
fn returns<D: Device>(machine: &Machine<D>, psr: Psr) {
    let reg = RegRequest { valid: true, op: RegOp::Rfi, lp: 0, number: 0, wdata: psr.into_bits() };
    let retire = Retire { valid: true, id: ENTRY, slots: 1, branch: 1, taken: 1, ..Retire::default() };
    machine.show(&Inputs { reg, retire: [retire], ..Inputs::default() });
}

fn interruption<D: Device>(machine: &Machine<D>, cpl: u8) {
    machine.show(&Inputs { cpl, int_valid: true, irq_ack: true, ..Inputs::default() });
}

/// The run of the nine figures (`docs/src/itanium/figures.md`): three processes, each with a system call and an interruption.
fn figure<D: Device>(machine: &Machine<D>, scope: Scope, depth: Depth) -> u64 {
    bundle(machine, ENTRY, 0x1000);
    let measurement = Measurement::new(Event::Ia64InstRetired, MonitorPlan::new(scope, depth));
    let configuration = Configuration::new([Some(measurement), None, None, None]).unwrap();
    let chosen = match scope {
        Scope::SingleProcess => [true, false, false],
        Scope::MultipleProcesses => [true, true, false],
        Scope::SystemWide => [true; 3],
    };
    let psr = chosen.map(|chosen| configuration.psr(Psr::new(), chosen));
    // The first process is entered while monitoring is still frozen.
    machine.core().execute(RegOp::Rfi, 0, psr[0].into_bits()).unwrap();
    let running = configuration.start(&mut machine.core()).unwrap();
    for (process, (user, kernel, handler)) in [(100, 40, 7), (200, 50, 11), (300, 60, 13)].into_iter().enumerate() {
        executes(machine, 3, user);
        executes(machine, 0, kernel);
        interruption(machine, 3);
        executes(machine, 0, handler - 1);
        returns(machine, psr.get(process + 1).copied().unwrap_or_default());
    }
    running.stop(&mut machine.core()).unwrap().of(Counter::Four)
}

// ITA-66, ITA-57, ITA-58, ITA-59, ITA-60, ITA-61, ITA-62, ITA-63, ITA-64, ITA-65, ITA-67: the configuration builder makes the nine figures,
// whose counts tell the three kinds of execution apart
#[test]
fn the_builder_makes_the_nine_figures() {
    use Depth::{User, UserAndKernel, WithInterrupts};
    use Scope::{MultipleProcesses, SingleProcess, SystemWide};
    for (scope, depth, kept, cleared) in [
        (SingleProcess, User, 100, 100),
        (SingleProcess, UserAndKernel, 147, 140),
        (SingleProcess, WithInterrupts, 171, 171),
        (MultipleProcesses, User, 300, 300),
        (MultipleProcesses, UserAndKernel, 408, 390),
        (MultipleProcesses, WithInterrupts, 421, 421),
        (SystemWide, User, 600, 600),
        (SystemWide, UserAndKernel, 781, 750),
        (SystemWide, WithInterrupts, 781, 781),
    ] {
        for (up_on_interruption, expected) in [(UpOnInterruption::Kept, kept), (UpOnInterruption::Cleared, cleared)] {
            let straps = Config { up_on_interruption, ..Config::default() };
            let counted = on_both!(straps, |machine| figure(machine, scope, depth));
            assert_eq!(counted, expected, "{scope:?}, {depth:?}, {up_on_interruption:?}");
        }
    }
}

/// A system-level monitor of the kernel.
fn of_kernel(event: Event) -> Measurement {
    Measurement::new(event, MonitorPlan::new(Scope::SystemWide, Depth::WithInterrupts))
}

/// Instructions in cycles of three until so many overflows were handled. Returns the total and PMC\[0\] of each overflow.
fn sampled<D: Device>(machine: &Machine<D>, cycles: u32) -> (u64, Vec<Pmc0>) {
    bundle(machine, ENTRY, 0x1000);
    let every = NonZeroU32::new(100).unwrap();
    let configuration =
        Configuration::new([Some(of_kernel(Event::Ia64InstRetired).interrupting_after(every)), None, None, None]);
    let mut running = configuration.unwrap().start(&mut machine.core()).unwrap();
    running.enter(&mut machine.core(), true).unwrap();
    let mut overflows = Vec::new();
    for _ in 0..cycles {
        executes(machine, 0, 3);
        if machine.outputs().irq {
            interruption(machine, 0);
            overflows.push(running.handle_overflow(&mut machine.core()).unwrap());
        }
    }
    (running.stop(&mut machine.core()).unwrap().of(Counter::Four), overflows)
}

// ITA-18, ITA-19, ITA-20: an overflow every 100 instructions freezes; nothing is lost, since the interruption follows at once
#[test]
fn every_hundred_instructions_a_sample() {
    let (total, overflows) = on_both!(Config::default(), |machine| sampled(machine, 120));
    assert_eq!(total, 360);
    // 34 cycles of three are 102: the counter begins anew at 100 events before the end.
    assert_eq!(overflows.len(), 3);
    assert!(overflows.iter().all(|overflow| overflow.overflowed(Counter::Four) && overflow.fr()));
}

/// Loads of one bundle in a range of code, at one address in a range of data and one outside; nops of the bundle by PMC\[9\].
fn qualified<D: Device>(machine: &Machine<D>) -> [u64; 3] {
    let loads = of_kernel(Event::LoadsRetired)
        .with_ism(Ism::Ia64Only)
        .in_instructions(AddressRange::new(0x1000, 0x100F).unwrap())
        .in_data(AddressRange::new(0x8000, 0x8FFF).unwrap());
    let nops = Pmc89::for_instruction(Instruction { slot: SlotType::I, encoding: NOP }, u64::MAX);
    let tagged = of_kernel(Event::Ia64InstRetired)
        .with_ism(Ism::Ia64Only)
        .with_umask(U4::masked(2))
        .in_instructions(AddressRange::new(0x1000, 0x100F).unwrap())
        .matching(nops);
    let cycles = of_kernel(Event::CpuCycles);
    let configuration = Configuration::new([Some(loads), Some(tagged), Some(cycles), None]).unwrap();
    let running = configuration.start(&mut machine.core()).unwrap();
    running.enter(&mut machine.core(), true).unwrap();
    bundle(machine, 0, 0x1000);
    bundle(machine, 1, 0x1010);
    for id in [0, 1] {
        let load = |addr| Mem { valid: true, id, slot: 0, addr, read: true, ..Mem::default() };
        let retire = Retire { valid: true, id, slots: 7, ..Retire::default() };
        let mem = [load(0x8FF8), load(0x9000)];
        machine.show(&Inputs { retire: [retire], mem, core_clock: true, ..Inputs::default() });
    }
    let counts = running.stop(&mut machine.core()).unwrap();
    [Counter::Four, Counter::Five, Counter::Six].map(|counter| counts.of(counter))
}

// ITA-02, ITA-08, ITA-12, ITA-66: one load in both ranges; two nops in slots of kind I; two periods of the clock
#[test]
fn addresses_and_opcodes_by_the_builder() {
    assert_eq!(on_both!(Config::default(), qualified), [1, 2, 2]);
}

/// A measurement is taken from the processor, and goes on later; another one runs in between.
fn switched<D: Device>(machine: &Machine<D>) -> [u64; 2] {
    bundle(machine, ENTRY, 0x1000);
    let of = |event| Configuration::new([Some(of_kernel(event)), None, None, None]).unwrap();
    let first = of(Event::Ia64InstRetired).start(&mut machine.core()).unwrap();
    first.enter(&mut machine.core(), true).unwrap();
    executes(machine, 0, 10);
    let suspended = first.suspend(&mut machine.core()).map_err(|_| "no fault").unwrap();
    executes(machine, 0, 5);
    let second = of(Event::Ia64InstRetired).start(&mut machine.core()).unwrap();
    executes(machine, 0, 20);
    let other = second.stop(&mut machine.core()).map_err(|_| "no fault").unwrap();
    let resumed = suspended.resume(&mut machine.core()).map_err(|_| "no fault").unwrap();
    executes(machine, 0, 7);
    let counts = resumed.stop(&mut machine.core()).map_err(|_| "no fault").unwrap();
    [counts.of(Counter::Four), other.of(Counter::Four)]
}

// ITA-53: counts of each of two contexts
#[test]
fn contexts_count_apart() {
    assert_eq!(on_both!(Config::default(), switched), [17, 20]);
}
