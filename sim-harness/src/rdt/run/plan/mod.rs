//! The allocation tool: from shares of applications to classes, masks and delay values, `lwp-sim rdt plan`.

mod bus;
mod command;
mod delay;
mod error;
mod goals;
mod masks;
mod planned;
mod print;
mod read_back;
mod share;
#[cfg(test)]
mod tests;

pub(super) use command::{PlanOptions, run};
pub(super) use error::PlanError;
