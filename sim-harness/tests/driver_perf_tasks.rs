//! The per-task counters of `lwp-regs` under a scheduler, on the model and on the Verilated RTL: of the performance counters and of the
//! time-stamp counter. Both give the same, to the cycle. Chapter: docs/src/perf/tasks.md.

mod by_hand;
mod calls;
mod errors;
mod global;
mod hardware;
mod interrupts;
mod order;
mod own_and_global;
mod proof_of_concept;
mod time_alone;

use lwp_model::Moore;
use lwp_model::perf::{Config, Inputs, Outputs, Perf, Personality};
use lwp_model::retire::{BranchKind, OpMode};
use lwp_model::tsc::{self, Tsc};
use lwp_regs::perf::architectural::{Ia32PerfCapabilities, Ia32PerfEvtSel, PerfmonCaps};
use lwp_regs::perf::p6::{Counter, PerfEvtSel0};
use lwp_regs::perf::virtual_counter::perfctr::Options;
use lwp_regs::perf::virtual_counter::{ArchitecturalCounters, Control, P6FamilyCounters};
use sim_harness::perf::tasks::{Board, BoardCore, Program, World, architectural, p6_family};

/// A Pentium III with one logical processor and four lanes.
type P6 = Perf<1, 2, 0, 4>;
/// Counters of version 3 of two logical processors with two lanes each.
type Architectural = Perf<2, 4, 3, 2>;

/// What the boards are built around.
trait P6Device: Moore<Inputs = Inputs<1, 4>, Outputs = Outputs<1, 2, 0>> {}
impl<D: Moore<Inputs = Inputs<1, 4>, Outputs = Outputs<1, 2, 0>>> P6Device for D {}
trait Device: Moore<Inputs = Inputs<2, 2>, Outputs = Outputs<2, 4, 3>> {}
impl<D: Moore<Inputs = Inputs<2, 2>, Outputs = Outputs<2, 4, 3>>> Device for D {}
trait Time: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs> {}
impl<T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>> Time for T {}

type P6World<'a, D, T> = World<'a, Board<D, T>, P6FamilyCounters<BoardCore<'a, D, T>>, BoardCore<'a, D, T>, 4, 2>;
type TwoCpus<'a, D, T> = World<'a, Board<D, T>, ArchitecturalCounters<BoardCore<'a, D, T>>, BoardCore<'a, D, T>, 2, 2>;

/// A time-stamp counter that ticks once in each cycle.
const TIME: tsc::Config = tsc::Config { art_whole: 1, art_rest: 0, art_denominator: 1, ..tsc::Config::DEFAULT };

/// Runs a generic function on a board of models and on a board of RTL, fresh from reset. Both give the same, which is the result.
macro_rules! on_both {
    ($unit:ty, $build:literal, $straps:expr, $body:expr) => {{
        use lwp_model::{perf, tsc};
        use sim_harness::device::RtlDevice;
        use sim_harness::perf::{
            machine::Machine,
            tasks::{Bench, Board},
        };
        use sim_harness::rtl::{BuildId, Flavour};
        use sim_harness::tsc::machine::Machine as TimeMachine;
        let straps: perf::Config = $straps;
        let time = TimeMachine::<tsc::Tsc<4>>::of_model(&crate::driver_perf_tasks::TIME).unwrap();
        let model = Board::new(Machine::<$unit>::of_model(&straps).unwrap(), time);
        let build = |name| BuildId::from_name(name).unwrap();
        let flavour = Flavour::Traced;
        let time =
            TimeMachine::<RtlDevice<tsc::Tsc<4>>>::of_rtl(build("tsc_lp4"), flavour, &crate::driver_perf_tasks::TIME)
                .unwrap();
        let rtl = Machine::<RtlDevice<$unit>>::of_rtl(build($build), flavour, &straps).unwrap();
        let rtl = Board::new(rtl, time);
        let of_model = ($body(&model), model.cycles());
        let of_rtl = ($body(&rtl), rtl.cycles());
        assert_eq!(of_model, of_rtl, "model and RTL differ");
        let (perf, time) = rtl.into_devices();
        assert!(!perf.into_rtl().take_assertion(), "an assertion of the RTL failed");
        assert!(!time.into_rtl().take_assertion(), "an assertion of the RTL failed");
        of_model.0
    }};
    (P6, $body:expr) => {
        on_both!(crate::driver_perf_tasks::P6, "perf_c2", lwp_model::perf::Config::default(), $body)
    };
    (Architectural, $body:expr) => {
        on_both!(crate::driver_perf_tasks::Architectural, "perf_c4", crate::driver_perf_tasks::version_3(), $body)
    };
}
use on_both;

/// Version 3 with counters of 40 bits, all of which can be written.
fn version_3() -> Config {
    let full_width = Ia32PerfCapabilities::from_bits(1 << 13);
    Config {
        personality: Personality::Version3,
        counters: 4,
        width: 40,
        fixed: 3,
        fixed_width: 40,
        capabilities: full_width,
        pdcm: true,
        ..Config::default()
    }
}

/// A cycle of a program in which so many instructions retire, the first of them a branch or not.
fn cycle<const LANES: usize>(instructions: usize, branch: bool) -> Inputs<1, LANES> {
    let mut inputs = Inputs::default();
    (inputs.lp[0].cpl, inputs.lp[0].op_mode) = (3, OpMode::Long64);
    for lane in &mut inputs.lanes[0][..instructions] {
        (lane.valid, lane.counts) = (true, true);
    }
    if branch {
        (inputs.lanes[0][0].branch_kind, inputs.lanes[0][0].branch_taken) = (BranchKind::Cond, true);
    }
    inputs
}

/// A program of so many cycles with an instruction each, of which the first are branches.
fn program<const LANES: usize>(cycles: usize, branches: usize) -> Program<LANES> {
    Program::of_cycles((0..cycles).map(|at| cycle(1, at < branches)).collect())
}

/// Instructions retired in user mode, and branches; of the P6 and of version 3 the same.
const INSTRUCTIONS: u64 = 0x0041_00C0;
const BRANCHES: u64 = 0x0041_00C4;
/// INT.
const INTERRUPT: u64 = 1 << 20;

type P6Control = Control<Counter, PerfEvtSel0, 2>;

/// Time, instructions in counter 0, branches in counter 1.
fn both() -> P6Control {
    let control = Control::new().with_tsc().count(Counter::Counter0, PerfEvtSel0::from_bits(INSTRUCTIONS)).unwrap();
    control.count(Counter::Counter1, PerfEvtSel0::from_bits(BRANCHES)).unwrap()
}

fn p6_world<D: P6Device, T: Time>(board: &Board<D, T>) -> P6World<'_, D, T> {
    World::new(board, p6_family(board), &Counter::ALL, Options::ALL)
}

/// The same for two processors; what CPUID reports of them.
fn two_cpus<D: Device, T: Time>(board: &Board<D, T>) -> (TwoCpus<'_, D, T>, PerfmonCaps) {
    let (processors, caps) = architectural(board);
    let counters = [caps.counter(0).unwrap(), caps.counter(1).unwrap()];
    (World::new(board, processors, &counters, Options::ALL), caps)
}

/// Instructions in counter 0 and branches in counter 1.
fn on_two_cpus(caps: &PerfmonCaps) -> Control<lwp_regs::perf::architectural::CounterIndex, Ia32PerfEvtSel, 2> {
    let select = |bits| Ia32PerfEvtSel::from_bits(bits);
    let control = Control::new().with_tsc().count(caps.counter(0).unwrap(), select(INSTRUCTIONS)).unwrap();
    control.count(caps.counter(1).unwrap(), select(BRANCHES)).unwrap()
}

/// The architectural event of branches is what the P6 has under the same code.
#[test]
fn the_boards_are_what_the_tests_take_them_for() {
    let _: (Option<Tsc<4>>, P6Control) = (None, both());
    let caps = on_both!(Architectural, |board| architectural(board).1);
    assert_eq!((caps.version, caps.counters, caps.width), (3, 4, 40));
    assert!(caps.capabilities.full_width_write());
}
