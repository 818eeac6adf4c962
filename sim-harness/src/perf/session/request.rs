//! Tables `[[request]]`: who reads or writes a register, and when.

use crate::perf::environment::{Ask, Request};
use crate::perf::records::op_name;
use crate::session::{Choice, Complaint, Distance, Number, Number64, choose, register_number, when};
use lwp_model::retire::RegOp;
use lwp_regs::perf::{MSRS, p6};
use serde::Deserialize;
use toml::Spanned;

/// What can be asked.
const OPS: [RegOp; 3] = [RegOp::Rdpmc, RegOp::Rdmsr, RegOp::Wrmsr];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestTable {
    instruction: Option<Number64>,
    every: Option<Distance>,
    lp: Option<Spanned<Number<7>>>,
    op: Option<Spanned<Choice>>,
    register: Option<Spanned<Choice>>,
    value: Option<Spanned<Number64>>,
}

/// Returns a request of a unit with so many logical processors.
pub(super) fn request(table: Spanned<RequestTable>, processors: usize) -> Result<Request, Complaint> {
    let whole = table.span();
    let table = table.into_inner();
    let when = when(table.instruction, table.every, None, &whole)?;
    let lp = super::counter::processor(table.lp, processors)?;
    let op = choose(table.op, RegOp::Rdpmc, &OPS, op_name)?;
    let register =
        table.register.ok_or_else(|| (format!("{} needs a `register`", op_name(op)), Some(whole.clone())))?;
    let number = register_number(&register, if op == RegOp::Rdpmc { &[] } else { &[MSRS, p6::MSRS] })?;
    let value = match (op, table.value) {
        (RegOp::Wrmsr, Some(given)) => given.get_ref().0,
        (RegOp::Wrmsr, None) => return Err(("wrmsr needs a `value`".to_owned(), Some(whole))),
        (_, Some(given)) => return Err((format!("{} writes no `value`", op_name(op)), Some(given.span()))),
        (_, None) => 0,
    };
    Ok(Request { when, lp, ask: Ask { op, number, value } })
}
