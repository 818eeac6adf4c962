//! Tables `[[request]]`: who asks, what, and when.

use crate::session::{Choice, Complaint, Distance, Flag, Number, Number64, choose, register_number, when};
use crate::tsc::environment::{Ask, Request, When};
use crate::tsc::records::op_name;
use lwp_model::retire::{OpMode, RegOp};
use lwp_regs::tsc::MSRS;
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

/// What can be asked.
const OPS: [RegOp; 4] = [RegOp::Rdtsc, RegOp::Rdtscp, RegOp::Rdmsr, RegOp::Wrmsr];
/// Modes with a meaning.
const MODES: [OpMode; 5] =
    [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Long64];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestTable {
    instruction: Option<Number64>,
    every: Option<Distance>,
    cycle: Option<Number64>,
    lp: Option<Spanned<Number<7>>>,
    op: Option<Spanned<Choice>>,
    register: Option<Spanned<Choice>>,
    value: Option<Spanned<Number64>>,
    cpl: Option<Number<3>>,
    mode: Option<Spanned<Choice>>,
    #[serde(default)]
    tsd: Flag,
}

/// RDTSC every 200 to 400 instructions, on each logical processor.
pub(super) fn default_requests(processors: usize) -> Vec<Request> {
    let ask = Ask { op: RegOp::Rdtsc, number: 0, value: 0 };
    let one = |lp| Request { when: When::Every(200, 400), lp, ask, cpl: None, mode: OpMode::Long64, tsd: false };
    (0..processors as u8).map(one).collect()
}

/// A request of a unit with so many logical processors.
pub(super) fn request(table: Spanned<RequestTable>, processors: usize) -> Result<Request, Complaint> {
    let whole = table.span();
    let table = table.into_inner();
    let when = when(table.instruction, table.every, table.cycle, &whole)?;
    let lp = match table.lp {
        Some(lp) if usize::from(lp.get_ref().u8()) >= processors => {
            let what = format!("there is no logical processor {}: there are {processors}", lp.get_ref().0);
            return Err((what, Some(lp.span())));
        }
        given => given.map_or(0, |lp| lp.get_ref().u8()),
    };
    let op = choose(table.op, RegOp::Rdtsc, &OPS, op_name)?;
    let ask = ask(op, table.register, table.value, whole)?;
    let mode = choose(table.mode, OpMode::Long64, &MODES, lwp_model::Choice::name)?;
    Ok(Request { when, lp, ask, cpl: table.cpl.map(Number::u8), mode, tsd: table.tsd.0 })
}

fn ask(
    op: RegOp,
    register: Option<Spanned<Choice>>,
    value: Option<Spanned<Number64>>,
    whole: Range<usize>,
) -> Result<Ask, Complaint> {
    let name = op_name(op);
    let number = match (op, register) {
        (RegOp::Rdmsr | RegOp::Wrmsr, Some(given)) => register_number(&given, &[MSRS])?,
        (RegOp::Rdmsr | RegOp::Wrmsr, None) => return Err((format!("{name} needs a `register`"), Some(whole))),
        (_, Some(given)) => return Err((format!("{name} has no `register`"), Some(given.span()))),
        (_, None) => 0,
    };
    let value = match (op, value) {
        (RegOp::Wrmsr, Some(given)) => given.get_ref().0,
        (RegOp::Wrmsr, None) => return Err((format!("{name} needs a `value`"), Some(whole))),
        (_, Some(given)) => return Err((format!("{name} writes no `value`"), Some(given.span()))),
        (_, None) => 0,
    };
    Ok(Ask { op, number, value })
}
