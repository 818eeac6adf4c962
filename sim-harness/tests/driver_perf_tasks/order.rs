//! In which order the registers are accessed, as the ports of the units see it.

use super::{BRANCHES, INSTRUCTIONS, INTERRUPT, P6, P6Device, TIME, Time, both, p6_world, program};
use lwp_model::Moore;
use lwp_model::perf::{Config, Inputs};
use lwp_model::retire::RegOp;
use lwp_model::tsc::Tsc;
use lwp_regs::perf::p6::{Counter, PerfEvtSel0};
use lwp_regs::perf::virtual_counter::Control;
use sim_harness::device::RtlDevice;
use sim_harness::perf::machine::Machine;
use sim_harness::perf::tasks::{Bench, Board, Recorded};
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use sim_harness::tsc::machine::Machine as TimeMachine;

/// A request for a register, at the port of the performance counters.
type Request = (RegOp, u32, u64);

fn requests(inputs: &[Inputs<1, 4>]) -> Vec<Request> {
    let of = |inputs: &Inputs<1, 4>| (inputs.reg.op, inputs.reg.number, inputs.reg.wdata);
    inputs.iter().filter(|inputs| inputs.reg.valid).map(of).collect()
}

/// The requests in the cycles that `body` returns the first of, on a board of models and on one of RTL.
fn requests_from<M, R>(of_model: M, of_rtl: R) -> Vec<Request>
where
    M: FnOnce(&Board<Recorded<P6>, Tsc<4>>) -> u64,
    R: FnOnce(&Board<Recorded<RtlDevice<P6>>, Tsc<4>>) -> u64,
{
    let straps = Config::default();
    let time = || TimeMachine::<Tsc<4>>::of_model(&TIME).unwrap();
    let model = Board::new(Machine::new(Recorded::new(P6::new(straps).unwrap()), &straps), time());
    let from = of_model(&model) as usize;
    let seen = requests(&model.into_devices().0.into_inputs()[from..]);
    let rtl = Rtl::of::<P6>(BuildId::from_name("perf_c2").unwrap(), Flavour::Fast, &straps);
    let rtl = Board::new(Machine::new(Recorded::new(RtlDevice::<P6>::new(rtl)), &straps), time());
    let from = of_rtl(&rtl) as usize;
    assert_eq!(requests(&rtl.into_devices().0.into_inputs()[from..]), seen, "model and RTL");
    seen
}

// VPC-33: the counters of the previous task are suspended before those of the next are resumed
#[test]
fn a_switch_suspends_then_resumes() {
    fn switched<D: P6Device, T: Time>(board: &Board<D, T>) -> u64 {
        let mut world = p6_world(board);
        let (a, b) = (world.spawn(program(10, 0)), world.spawn(program(10, 0)));
        for task in [a, b] {
            world.switch(0, Some(task)).unwrap();
            world.count(task, both()).unwrap();
        }
        let from = board.cycles();
        world.switch(0, Some(a)).unwrap();
        from
    }
    let stop = [(RegOp::Wrmsr, 0x186, 0x0040_002E), (RegOp::Wrmsr, 0x187, 0), (RegOp::Wrmsr, 0x186, 0)];
    let read = [(RegOp::Rdpmc, 0, 0), (RegOp::Rdpmc, 1, 0)];
    let start = [(RegOp::Wrmsr, 0x186, INSTRUCTIONS), (RegOp::Wrmsr, 0x187, BRANCHES & !(1 << 22))];
    let expected = [&stop[..], &read, &start, &read].concat();
    assert_eq!(requests_from(switched, switched), expected);
}

// VPC-37: a resumption presets the counters that interrupt, then writes control, then reads the counters to start
#[test]
fn a_resumption_presets_controls_reads() {
    fn resumed<D: P6Device, T: Time>(board: &Board<D, T>) -> u64 {
        let mut world = p6_world(board);
        let a = world.spawn(program(10, 0));
        world.switch(0, Some(a)).unwrap();
        let sampled = PerfEvtSel0::from_bits(INSTRUCTIONS | INTERRUPT);
        let control = Control::new().with_tsc().count(Counter::Counter0, PerfEvtSel0::from_bits(BRANCHES)).unwrap();
        let control = control.interrupt_after(world.kernel(0), Counter::Counter1, sampled, 1000).unwrap();
        world.count(a, control).unwrap();
        world.run(4).unwrap();
        world.switch(0, None).unwrap();
        let from = board.cycles();
        world.switch(0, Some(a)).unwrap();
        from
    }
    // Four of the thousand instructions have retired.
    let preset = [(RegOp::Wrmsr, 0x187, 0), (RegOp::Wrmsr, 0x186, 0), (RegOp::Wrmsr, 0xC2, 0xFFFF_FC1C)];
    let selected = (INSTRUCTIONS | INTERRUPT) & !(1 << 22);
    let control = [(RegOp::Wrmsr, 0x186, BRANCHES), (RegOp::Wrmsr, 0x187, selected)];
    let expected = [&preset[..], &control, &[(RegOp::Rdpmc, 0, 0)]].concat();
    assert_eq!(requests_from(resumed, resumed), expected);
}

/// What is recorded is what the unit was given.
#[test]
fn a_recorded_unit_is_the_unit() {
    let mut recorded = Recorded::new(P6::new(Config::default()).unwrap());
    let mut plain = P6::new(Config::default()).unwrap();
    let inputs = Inputs { core_clock: true, ..super::cycle(2, false) };
    recorded.step(&inputs);
    plain.step(&inputs);
    assert_eq!(recorded.outputs(), plain.outputs());
    assert_eq!(recorded.into_inputs(), [inputs]);
}
