//! Runs of the unit of branch records with something changed, which the independent reading has to notice.

use crate::trace_reading::{Shown, read};
use lwp_model::retire::{BranchKind, IntKind, MemCmd, OpMode, RegOp, RegResult};
use lwp_model::trace::{Config, Format, Inputs, Lane, Numbers, Outputs, TraceUnit};
use proptests::ports::of_model;
use proptests::runner::draw;
use proptests::trace::program::program;
use proptests::trace::scenario::Scenario;

/// Steps of a program at most.
const STEPS: usize = 80;

/// A change of the outputs, made where it can be, and what share of the programs has to be refused, in percent.
type Change = (&'static str, fn(&Outputs) -> Option<Outputs>, u64);

/// A change where a condition holds.
fn when(may: bool, wrong: Outputs) -> Option<Outputs> {
    may.then_some(wrong)
}

/// A change of the memory request where a write is pending.
fn written(out: &Outputs, change: fn(&mut Outputs)) -> Option<Outputs> {
    let mut wrong = *out;
    change(&mut wrong);
    when(out.mem.req && out.mem.cmd == MemCmd::Write, wrong)
}

/// Where the documents leave open what an area means, what is written there is not judged, and neither is its interrupt.
const CHANGES: [Change; 14] = [
    ("source of a message", |out| when(out.btm_valid, Outputs { btm_from: out.btm_from ^ 1, ..*out }), 90),
    ("destination of a message", |out| when(out.btm_valid, Outputs { btm_to: out.btm_to ^ 1, ..*out }), 90),
    ("a message that is not sent", |out| when(out.btm_valid, Outputs { btm_valid: false, ..*out }), 90),
    ("place of a write", |out| written(out, |wrong| wrong.mem.addr = wrong.mem.addr.wrapping_add(4096)), 80),
    ("data of a write", |out| written(out, |wrong| wrong.mem.wdata ^= 1), 80),
    ("a record that is not reported", |out| when(out.stored, Outputs { stored: false, ..*out }), 80),
    ("a lost record that is not reported", |out| when(out.lost, Outputs { lost: false, ..*out }), 80),
    ("a record that is reported twice", |out| when(!out.stored, Outputs { stored: true, ..*out }), 90),
    ("an interrupt without a reason", |out| when(!out.ds_pmi, Outputs { ds_pmi: true, ..*out }), 90),
    ("an interrupt that is left out", |out| when(out.ds_pmi, Outputs { ds_pmi: false, ..*out }), 30),
    ("a reset value", |out| when(out.reload_valid, Outputs { reload_value: out.reload_value ^ 1, ..*out }), 50),
    ("BTF", |out| when(true, Outputs { btf: !out.btf, ..*out }), 90),
    (
        "a result",
        |out| {
            let wrong = if out.reg_result == RegResult::Done { RegResult::GeneralProtection } else { RegResult::Done };
            when(out.reg_done, Outputs { reg_result: wrong, ..*out })
        },
        90,
    ),
    (
        "a bit of a register",
        |out| when(out.reg_done && out.reg_rdata != 0, Outputs { reg_rdata: out.reg_rdata ^ 2, ..*out }),
        90,
    ),
];

/// The run with the change wherever it can be made, or none if it never can.
fn with<const LANES: usize>(
    change: fn(&Outputs) -> Option<Outputs>,
    run: &[Shown<LANES>],
) -> Option<Vec<Shown<LANES>>> {
    let mut made = false;
    let mut wrong = |(rst_n, inputs, out): &Shown<LANES>| {
        let changed = change(out).filter(|_| *rst_n);
        made |= changed.is_some();
        (*rst_n, *inputs, changed.unwrap_or(*out))
    };
    let run = run.iter().map(&mut wrong).collect();
    made.then_some(run)
}

/// Makes each change in many programs.
fn changed<const LANES: usize, const ENTRIES: usize>()
where
    TraceUnit<LANES, ENTRIES>: lwp_model::Unit<Config = Config, Inputs = Inputs<LANES>, Outputs = Outputs>,
{
    let mut seen = [(0_u64, 0_u64); CHANGES.len()];
    for seed in 0..400 {
        let run = draw(seed, &program::<LANES, ENTRIES>(STEPS));
        let shown = of_model::<TraceUnit<LANES, ENTRIES>>(run.straps, run.cycles.iter().copied(), |_| ());
        read::<LANES>(&run.straps, &shown).expect("the model is right");
        for ((_, change, _), (made, refused)) in CHANGES.iter().zip(&mut seen) {
            if let Some(wrong) = with(*change, &shown) {
                *made += 1;
                *refused += u64::from(read::<LANES>(&run.straps, &wrong).is_err());
            }
        }
    }
    for ((what, ..), (made, refused)) in CHANGES.iter().zip(seen) {
        println!("{LANES} lanes: {what}: {refused} of {made} refused");
    }
    for ((what, _, least), (made, refused)) in CHANGES.iter().zip(seen) {
        assert!(made >= 8 && refused * 100 >= made * least, "{what}: {refused} of {made} refused");
    }
}

#[test]
fn changed_outputs_of_one_lane_are_refused() {
    changed::<1, 4>();
}

#[test]
fn changed_outputs_of_four_lanes_are_refused() {
    changed::<4, 32>();
}

/// Something that is wrong with a unit: it has other straps than the reading is told, or sees other inputs. The width of addresses is no part
/// of it: programs do not show it.
type Wrong = (&'static str, fn(&mut Config), fn(&mut Inputs<4>));

fn as_told(_: &mut Config) {}

fn as_shown(_: &mut Inputs<4>) {}

fn lanes(inputs: &mut Inputs<4>, change: fn(&mut Lane)) {
    inputs.lanes.iter_mut().for_each(change);
}

/// Clears bits of what is written to a register.
fn written_without(inputs: &mut Inputs<4>, number: u32, bits: u64) {
    if inputs.reg.op == RegOp::Wrmsr && inputs.reg.number == number {
        inputs.reg.wdata &= !bits;
    }
}

const WRONG: [Wrong; 47] = [
    ("half the stack", |straps| straps.lbr_depth = straps.lbr_depth.half(), as_shown),
    (
        "linear addresses for offsets",
        |straps| {
            straps.lbr_format = match straps.lbr_format {
                Format::Linear => Format::Effective,
                Format::Effective => Format::Linear,
                other => other,
            };
        },
        as_shown,
    ),
    (
        "no misprediction",
        |straps| {
            if straps.lbr_format == Format::Flags {
                straps.lbr_format = Format::Effective;
            }
        },
        as_shown,
    ),
    (
        "no transactions",
        |straps| {
            if straps.lbr_format == Format::Tsx {
                straps.lbr_format = Format::Flags;
            }
        },
        as_shown,
    ),
    (
        "other numbers",
        |straps| {
            straps.lbr_numbers = if straps.lbr_numbers == Numbers::Core { Numbers::Nehalem } else { Numbers::Core };
        },
        as_shown,
    ),
    ("TR for LBR", |straps| straps.lbr_tr ^= true, as_shown),
    ("no privilege levels", |straps| straps.ds_cpl = false, as_shown),
    (
        "the other format of the area",
        |straps| {
            (straps.dtes64, straps.pebs_format) = (!straps.dtes64, 0);
        },
        as_shown,
    ),
    ("no freezes", |straps| straps.pmi_freeze = false, as_shown),
    ("no freeze in SMM", |straps| straps.smm_freeze = false, as_shown),
    ("no RTM", |straps| straps.rtm = false, as_shown),
    ("fewer precise counters", |straps| straps.pebs_counters -= u8::from(straps.pebs_counters > 1), as_shown),
    ("shorter PEBS records", |straps| straps.pebs_format = straps.pebs_format.saturating_sub(1), as_shown),
    ("messages of #DB", |straps| straps.db_message ^= true, as_shown),
    ("levels are not seen", as_told, |inputs| inputs.mode.cpl = 0),
    ("virtual-8086 mode is not seen", as_told, |inputs| {
        if inputs.mode.op_mode == OpMode::Virtual8086 {
            inputs.mode.op_mode = OpMode::Protected;
        }
    }),
    ("64-bit mode is not seen", as_told, |inputs| {
        if inputs.mode.op_mode == OpMode::Long64 {
            inputs.mode.op_mode = OpMode::Compatibility;
        }
    }),
    ("the base of CS is not seen", as_told, |inputs| inputs.cs_base = 0),
    ("the base behind far transfers is not seen", as_told, |inputs| inputs.far_base = inputs.cs_base),
    ("the mode behind far transfers is not seen", as_told, |inputs| {
        inputs.far_long = inputs.mode.op_mode == OpMode::Long64;
    }),
    ("far transfers are near", as_told, |inputs| {
        lanes(inputs, |lane| {
            if lane.branch.kind >= BranchKind::FarJmp {
                lane.branch.kind = BranchKind::JmpRel;
            }
        });
    }),
    ("predictions are not seen", as_told, |inputs| lanes(inputs, |lane| lane.branch.pred_valid = false)),
    ("predictions are known", as_told, |inputs| lanes(inputs, |lane| lane.branch.pred_ok = true)),
    ("branches are all taken", as_told, |inputs| lanes(inputs, |lane| lane.branch.taken = true)),
    ("returns are not seen", as_told, |inputs| {
        lanes(inputs, |lane| {
            if lane.branch.kind == BranchKind::Ret {
                lane.branch.kind = BranchKind::None;
            }
        });
    }),
    ("unused kinds are none", as_told, |inputs| {
        lanes(inputs, |lane| {
            if lane.branch.kind > BranchKind::System {
                lane.branch.kind = BranchKind::None;
            }
        });
    }),
    ("regions are not seen", as_told, |inputs| lanes(inputs, |lane| lane.transaction.in_tx = false)),
    ("aborts are not seen", as_told, |inputs| lanes(inputs, |lane| lane.transaction.tx_abort = false)),
    ("the second lane is not seen", as_told, |inputs| inputs.lanes[1].retired.valid = false),
    ("lanes in another order", as_told, |inputs| inputs.lanes.reverse()),
    ("exceptions are not seen", as_told, |inputs| inputs.int.valid &= inputs.int.kind != IntKind::Exception),
    ("NMIs are not seen", as_told, |inputs| inputs.int.valid &= inputs.int.kind != IntKind::Nmi),
    ("#DB is another exception", as_told, |inputs| inputs.int.vector |= 2),
    ("RSM is not seen", as_told, |inputs| inputs.int.valid &= inputs.int.kind != IntKind::Rsm),
    ("an interrupt is taken behind its instruction", as_told, |inputs| {
        inputs.int.from = inputs.int.from.wrapping_add(1);
    }),
    ("the clock is another one", as_told, |inputs| inputs.core_clock = true),
    ("performance interrupts are not seen", as_told, |inputs| inputs.pmi = false),
    ("overflows are not seen", as_told, |inputs| inputs.pebs.overflow = 0),
    ("counter 0 is counter 1", as_told, |inputs| {
        let overflow = inputs.pebs.overflow;
        inputs.pebs.overflow = overflow & !3 | overflow >> 1 & 1 | (overflow & 1) << 1;
    }),
    ("registers of the processor", as_told, |inputs| inputs.pebs.state_value ^= 1 << 31),
    ("the bus is always ready", as_told, |inputs| inputs.btm_ready = true),
    ("page faults are not seen", as_told, |inputs| inputs.mem.err = false),
    ("BTINT is not written", as_told, |inputs| written_without(inputs, 0x1D9, 1 << 8)),
    ("BTS is not written", as_told, |inputs| written_without(inputs, 0x1D9, 1 << 7)),
    ("BTF is not written", as_told, |inputs| written_without(inputs, 0x1D9, 1 << 1)),
    ("LBR is not written", as_told, |inputs| written_without(inputs, 0x1D9, 1)),
    ("the address of the area is another one", as_told, |inputs| written_without(inputs, 0x600, 1 << 12)),
];

/// Runs in which a wrong unit has to be noticed, among those that are drawn.
const NOTICED: usize = 3;

#[test]
fn a_wrong_unit_is_noticed() {
    let runs: Vec<Scenario<4>> = (0..600).map(|seed| draw(seed, &program::<4, 32>(STEPS))).collect();
    let mut unnoticed = Vec::new();
    for (what, straps, wires) in WRONG {
        let is_noticed = |run: &Scenario<4>| {
            let mut wrong = run.straps;
            straps(&mut wrong);
            let legal = wrong.validate(32).is_ok();
            legal
                && read::<4>(&run.straps, &of_model::<TraceUnit<4, 32>>(wrong, run.cycles.iter().copied(), wires))
                    .is_err()
        };
        let last = runs.iter().enumerate().filter(|(_, run)| is_noticed(run)).nth(NOTICED - 1);
        match last {
            Some((number, _)) => println!("{what}: noticed in {NOTICED} of {} runs", number + 1),
            None => unnoticed.push(what),
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
}
