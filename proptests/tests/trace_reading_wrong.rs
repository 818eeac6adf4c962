//! Runs of the unit of branch records with an output changed, which the independent reading has to notice.

use crate::trace_reading::{Shown, model, read};
use lwp_model::retire::{MemCmd, RegResult};
use lwp_model::trace::Outputs;
use proptests::runner::draw;
use proptests::trace::program::program;

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
    lwp_model::trace::TraceUnit<LANES, ENTRIES>:
        lwp_model::Unit<Config = lwp_model::trace::Config, Inputs = lwp_model::trace::Inputs<LANES>, Outputs = Outputs>,
{
    let mut seen = [(0_u64, 0_u64); CHANGES.len()];
    for seed in 0..400 {
        let run = draw(seed, &program::<LANES, ENTRIES>(STEPS));
        let shown = model::<LANES, ENTRIES>(run.straps, &run.cycles, |_| ());
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
