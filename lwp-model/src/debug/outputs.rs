//! Outputs of one cycle.

use super::state::{DbClass, State};
use crate::retire::RegResult;
use lwp_regs::debug::Slots;

/// Outputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// A request is pending.
    pub db_valid: bool,
    /// Its class.
    pub db_class: DbClass,
    /// B0 to B3 to be reported.
    pub db_b: Slots,
    /// BD to be reported.
    pub db_bd: bool,
    /// BS to be reported.
    pub db_bs: bool,
    /// BT to be reported.
    pub db_bt: bool,
    /// The group of the last cycle was cut.
    pub cut_valid: bool,
    /// The instruction in lane `cut_lane` has not been accepted either.
    pub cut_before: bool,
    /// Number of the lane of the cut.
    pub cut_lane: u8,
    /// A data breakpoint was hit and is not delivered yet.
    pub hold: bool,
    /// The question of the last cycle is answered.
    pub ask_done: bool,
    /// The interruption of the last cycle is noted.
    pub frame_valid: bool,
    /// RF of the image that is pushed.
    pub frame_rf: bool,
    /// A register request made in this cycle is accepted.
    pub reg_ready: bool,
    /// The result of the last cycle's request is valid.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// Value of a MOV from DR that is done; otherwise 0.
    pub reg_rdata: u64,
}

impl Outputs {
    /// Returns the outputs of a unit with these registers.
    #[must_use]
    #[inline(always)]
    pub const fn of(state: &State) -> Self {
        let State { held, request, cut, ask, frame, answer, .. } = state;
        Self {
            db_valid: request.db_valid,
            db_class: request.db_class,
            db_b: request.db_b,
            db_bd: request.db_bd,
            db_bs: request.db_bs,
            db_bt: request.db_bt,
            cut_valid: cut.cut_valid,
            cut_before: cut.cut_before,
            cut_lane: cut.cut_lane,
            hold: !held.hit.is_empty(),
            ask_done: ask.ask_done,
            frame_valid: frame.frame_valid,
            frame_rf: frame.frame_rf,
            reg_ready: !request.db_valid,
            reg_done: answer.reg_done,
            reg_result: answer.reg_result,
            reg_rdata: answer.reg_rdata,
        }
    }
}
