//! Who may do what with LWPMSR0, LWPMSR1, LLWPCB and SLWPCB, followed by hand. Source: "LWPMSRs" and "LWP Control Instructions".

use super::bench::{Answer, BUFFER, Bench, LWPCB, MSR0_ALL, kernel, plain, user};
use crate::unit::Unit;
use lwp_model::lwp::{Config, CtlOp, Fault, Mode, OpMode, flat};

const UD: Answer = Answer::Fault(Fault::InvalidOpcode);
const GP: Answer = Answer::Fault(Fault::GeneralProtection);

/// What an operation answers in a mode, on hardware where the system has written LWPMSR0.
fn answer(straps: Config, msr0: Option<u64>, mode: Mode, op: CtlOp, wdata: u64) -> Answer {
    let mut bench = Bench::off(straps);
    if let Some(msr0) = msr0 {
        assert_eq!(bench.op(CtlOp::WriteMsr0, msr0), Answer::Value(0));
    }
    bench.enter(mode);
    bench.op(op, wdata)
}

// LWP-LLW-09, LWP-LLW-22 to 24, LWP-LLW-33, LWP-SLW-05, LWP-SLW-07: where the instructions are defined: enabled, in protected mode,
// at every privilege level; in virtual-8086 mode by strap; nowhere without LWP.
#[test]
fn where_the_instructions_are_defined() {
    let absent = Config { present: false, ..Config::default() };
    let v86 = Config { v86: true, ..Config::default() };
    for op in [CtlOp::Llwpcb, CtlOp::Slwpcb] {
        for op_mode in [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Long64] {
            for cpl in 0..4 {
                let mode = Mode { cpl, op_mode, ..user() };
                let protected = !matches!(op_mode, OpMode::Real | OpMode::Virtual8086);
                let defined = |yes: bool| if yes { Answer::Value(0) } else { UD };
                assert_eq!(answer(Config::default(), Some(1), mode, op, 0), defined(protected), "{mode:?}");
                let with_v86 = protected || op_mode == OpMode::Virtual8086;
                assert_eq!(answer(v86, Some(1), mode, op, 0), defined(with_v86), "{mode:?}");
                assert_eq!(answer(Config::default(), None, mode, op, 0), UD, "{mode:?}");
                assert_eq!(answer(Config::default(), Some(MSR0_ALL & !1), mode, op, 0), UD, "{mode:?}");
                assert_eq!(answer(absent, None, mode, op, 0), UD, "{mode:?}");
            }
        }
    }
}

// LWP-MSR0-01, LWP-MSR0-07, LWP-MSR0-09, LWP-MSR0-10, LWP-MSR0-12, LWP-CPU-06, LWP-CPU-11, LWP-CPU-31: on hardware with any subset
// of the features, each subset of them can be written and reads back; any other bit faults and changes nothing.
#[test]
fn lwpmsr0_takes_what_is_available() {
    for has in 0..16_u64 {
        let [avail_ire, avail_bre, avail_dme, avail_int] = [0, 1, 2, 3].map(|bit| has >> bit & 1 == 1);
        let straps = Config { avail_ire, avail_bre, avail_dme, avail_int, ..Config::default() };
        let writable = 1 | (has & 7) << 1 | (has >> 3) << 31;
        let mut bench = Bench::off(straps);
        assert_eq!(bench.op(CtlOp::ReadMsr0, 0), Answer::Value(0), "after reset");
        let mut kept = 0;
        for bits in 0..32_u64 {
            let value = bits & 15 | (bits >> 4) << 31;
            let fits = value & !writable == 0;
            assert_eq!(bench.op(CtlOp::WriteMsr0, value), if fits { Answer::Value(0) } else { GP }, "{value:#x}");
            kept = if fits { value } else { kept };
            assert_eq!(bench.op(CtlOp::ReadMsr0, 0), Answer::Value(kept));
            assert_eq!(u64::from(bench.unit.outputs().msr0), kept);
        }
        for bit in (4..31).chain(32..64) {
            assert_eq!(bench.op(CtlOp::WriteMsr0, 1 << bit), GP, "bit {bit}");
            assert_eq!(bench.op(CtlOp::ReadMsr0, 0), Answer::Value(kept));
        }
    }
}

// LWP-CPU-31: an event that hardware lacks is not collected, whatever the block asks for.
#[test]
fn events_that_hardware_lacks() {
    let mut bench = Bench::session_with(Config { avail_ire: false, ..Config::default() }, 0, &[(1, 1, 1), (2, 9, 9)]);
    assert_eq!(bench.read32(LWPCB) & 0xE, 0b100);
    bench.retire(&[plain(1)]);
    assert_eq!(bench.unit.state().ring.head, 0);
}

// LWP-MSR0-16: event bits without Enabled read back and have no effect.
#[test]
fn event_bits_may_wait_for_enabled() {
    let mut bench = Bench::off(Config::default());
    assert_eq!(bench.op(CtlOp::WriteMsr0, 0xE), Answer::Value(0));
    assert_eq!(bench.op(CtlOp::ReadMsr0, 0), Answer::Value(0xE));
    bench.block(LWPCB, 256, 0, &[(1, 1, 1)]);
    bench.enter(user());
    assert_eq!(bench.op(CtlOp::Llwpcb, LWPCB), UD);
    bench.retire(&[plain(1)]);
    assert_eq!(bench.log, []);
}

// LWP-MSR1-05: #GP instead of #UD, with LWP absent or not enabled.
#[test]
fn lwpmsr1_faults_unless_enabled() {
    let absent = Config { present: false, ..Config::default() };
    for op in [CtlOp::ReadMsr1, CtlOp::WriteMsr1] {
        assert_eq!(answer(absent, None, kernel(), op, 0), GP);
        assert_eq!(answer(Config::default(), None, kernel(), op, 0), GP);
        assert_eq!(answer(Config::default(), Some(0xE), kernel(), op, 0), GP);
        assert_eq!(answer(Config::default(), Some(1), kernel(), op, 0), Answer::Value(0));
    }
    for op in [CtlOp::ReadMsr0, CtlOp::WriteMsr0] {
        assert_eq!(answer(absent, None, kernel(), op, 0), GP);
    }
}

/// A session with three instructions counted, in the kernel.
fn counted() -> Bench {
    let mut bench = Bench::session(&[(1, 10, 5)]);
    (1..=8).for_each(|ip| bench.retire(&[plain(ip)]));
    bench.enter(kernel());
    bench
}

// LWP-MSR1-01, LWP-MSR1-02: RDMSR of LWPMSR1 gives the pointer, and leaves what SLWPCB leaves: in memory and in the unit.
#[test]
fn reading_lwpmsr1_is_slwpcb() {
    let [mut by_msr, mut by_instruction] = [counted(), counted()];
    assert_eq!(by_msr.op(CtlOp::ReadMsr1, 0), Answer::Value(LWPCB));
    assert_eq!(by_instruction.op(CtlOp::Slwpcb, 0), Answer::Value(LWPCB));
    assert_eq!(by_msr.memory, by_instruction.memory);
    assert_eq!((by_msr.head(), by_msr.read32(LWPCB + 44)), (32, 7), "head and counter are flushed");
    assert_eq!(by_msr.unit.state().session, by_instruction.unit.state().session);
    assert_eq!(by_msr.unit.state().events, by_instruction.unit.state().events);
}

// LWP-MSR1-03: WRMSR of LWPMSR1 does what LLWPCB does at CPL 0: it flushes the session, and memory and the session's registers are the
// same, before ring 3 is entered and after the new block has been loaded there.
#[test]
fn writing_lwpmsr1_is_llwpcb() {
    let other = 0x3_0000;
    for (pointer, counter) in [(other, 20), (LWPCB, 4), (0, 7)] {
        let [mut by_msr, mut by_instruction] = [counted(), counted()];
        for bench in [&mut by_msr, &mut by_instruction] {
            bench.block(other, 128, 64, &[(2, 9, 4), (1, 20, 3)]);
        }
        let same = |by_msr: &Bench, by_instruction: &Bench| {
            assert_eq!(by_msr.memory, by_instruction.memory, "{pointer:#x}");
            assert_eq!(by_msr.log, by_instruction.log, "{pointer:#x}");
            let [msr, instruction] = [by_msr.unit.state(), by_instruction.unit.state()];
            assert_eq!((msr.session, msr.block, msr.ring), (instruction.session, instruction.block, instruction.ring));
            assert_eq!((msr.events, msr.records), (instruction.events, instruction.records), "{pointer:#x}");
        };
        assert_eq!(by_msr.op(CtlOp::WriteMsr1, pointer), Answer::Value(0));
        assert_eq!(by_instruction.op(CtlOp::Llwpcb, pointer), Answer::Value(LWPCB));
        same(&by_msr, &by_instruction);
        assert_eq!((by_msr.head(), by_msr.read32(LWPCB + 44)), (32, 7), "head and counter are flushed");
        let session = by_msr.unit.state().session;
        assert_eq!((session.lwpcb, session.active, session.init_pending), (pointer, false, pointer != 0));
        for bench in [&mut by_msr, &mut by_instruction] {
            bench.enter(user());
            bench.idle(60);
            bench.retire(&[plain(9), plain(10), plain(11)]);
        }
        same(&by_msr, &by_instruction);
        assert_eq!(by_msr.unit.state().session.active, pointer != 0);
        assert_eq!((by_msr.unit.state().ring.head, by_msr.counter(1)), (32, counter), "{pointer:#x}");
    }
}

// The contract, "State": every register resets to 0, with whatever straps.
#[test]
fn every_register_is_0_after_reset() {
    let unit = Unit::new(Config::default()).unwrap();
    let mut row = [0; flat::OUT_WORDS];
    flat::pack_expected(unit.state(), &Config::default(), &mut row);
    assert_eq!(row, [0; flat::OUT_WORDS]);
}

// LWP-MSR1-01, LWP-MSR1-06: after reset the pointer is 0: LWP is inactive; what is written reads back.
#[test]
fn lwpmsr1_is_0_after_reset() {
    let mut bench = Bench::off(Config::default());
    bench.op(CtlOp::WriteMsr0, MSR0_ALL);
    assert_eq!(bench.op(CtlOp::ReadMsr1, 0), Answer::Value(0));
    assert_eq!(bench.op(CtlOp::Slwpcb, 0), Answer::Value(0));
    bench.block(LWPCB, 256, 0, &[(1, 1, 1)]);
    assert_eq!(bench.op(CtlOp::WriteMsr1, LWPCB), Answer::Value(0));
    bench.enter(user());
    bench.idle(100);
    bench.enter(kernel());
    assert_eq!(bench.op(CtlOp::ReadMsr1, 0), Answer::Value(LWPCB));
    bench.unit.reset();
    bench.enter(kernel());
    bench.op(CtlOp::WriteMsr0, MSR0_ALL);
    assert_eq!(bench.op(CtlOp::ReadMsr1, 0), Answer::Value(0));
    bench.enter(user());
    bench.retire(&[plain(1)]);
    assert_eq!(bench.read64(BUFFER), 0);
}

// LWP-SEC-06: the unit has no port for rights, so that it cannot ask memory for those of the CPL: the memory system ties the user bit
// of its requests to 1. The AXI4 adapter does, as its bench in `verify/rtl-checks` checks of every address. Memory here refuses a page
// to everybody, as it does one that user code may not reach to an access with the user bit: at every CPL LLWPCB, SLWPCB and the
// accesses to LWPMSR1 fault, write nothing, and reach the page once it is allowed.
#[test]
fn every_access_is_a_user_access() {
    for cpl in 0..4 {
        for op in [CtlOp::Llwpcb, CtlOp::Slwpcb, CtlOp::ReadMsr1, CtlOp::WriteMsr1] {
            if cpl > 0 && matches!(op, CtlOp::ReadMsr1 | CtlOp::WriteMsr1) {
                continue;
            }
            let mut bench = Bench::session(&[(1, 10, 10)]);
            bench.retire(&[plain(1)]);
            bench.enter(Mode { cpl, ..user() });
            bench.absent.insert(LWPCB / 0x1000);
            let refused = bench.op(op, 0);
            assert!(matches!(refused, Answer::PageFault { addr, .. } if addr & !0xFFF == LWPCB), "{op:?} at {cpl}");
            assert_eq!((bench.read32(LWPCB + 44), bench.unit.state().session.lwpcb), (10, LWPCB));
            bench.absent.clear();
            assert_eq!(bench.op(op, 0), Answer::Value(if op == CtlOp::WriteMsr1 { 0 } else { LWPCB }));
            assert_eq!(bench.read32(LWPCB + 44), 9, "{op:?} at {cpl}");
        }
    }
    let shown = format!("{:?}", Bench::new().unit.outputs());
    let ports: Vec<&str> = shown
        .split([' ', '{', ','])
        .filter_map(|word| word.strip_suffix(':'))
        .filter(|name| name.starts_with("mem_"))
        .collect();
    assert_eq!(ports, ["mem_req", "mem_cmd", "mem_be", "mem_addr", "mem_wdata"]);
}
