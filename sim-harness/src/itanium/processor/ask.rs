//! Requests at the unit's port, and their answers.

use crate::itanium::ia64::{Answer, Request};
use lwp_model::itanium::{Outputs, RegOp, RegRequest, RegResult};

/// Returns a request as the port has it.
pub(super) const fn port(request: Request) -> RegRequest {
    let (op, number, wdata) = match request {
        Request::Read { file, index } => (RegOp::ReadFile, file.number(index), 0),
        Request::Write { file, index, value } => (RegOp::WriteFile, file.number(index), value),
        Request::Sum(mask) => (RegOp::Sum, 0, mask),
        Request::Rum(mask) => (RegOp::Rum, 0, mask),
        Request::MoveUm(value) => (RegOp::WritePsrUm, 0, value),
        Request::Ssm(mask) => (RegOp::Ssm, 0, mask),
        Request::Rsm(mask) => (RegOp::Rsm, 0, mask),
        Request::MoveL(value) => (RegOp::WritePsrL, 0, value),
        Request::Rfi(ipsr) => (RegOp::Rfi, 0, ipsr),
    };
    RegRequest { valid: true, op, lp: 0, number, wdata }
}

/// Returns what the unit answers; `None` if it does not, or with what no instruction of IA-64 raises.
pub(super) const fn answer(out: &Outputs) -> Option<Answer> {
    match out.reg_result {
        _ if !out.reg_done => None,
        RegResult::Done => Some(Answer::Done(out.reg_rdata)),
        RegResult::PrivilegedOperation => Some(Answer::PrivilegedOperation),
        RegResult::ReservedRegister => Some(Answer::ReservedRegister),
        _ => None,
    }
}
