//! The outputs that follow from a cycle, in the words of the documents, and their comparison with those shown.

use lwp_model::debug::{DbClass, Outputs};
use lwp_model::retire::RegResult;
use lwp_regs::debug::Slots;

/// A pending debug exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) class: DbClass,
    /// B0 to B3.
    pub(super) b: Slots,
    pub(super) bd: bool,
    pub(super) bs: bool,
    pub(super) bt: bool,
}

/// The answer to a register request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) result: RegResult,
    pub(super) rdata: u64,
}

/// What the outputs of the next cycle must show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) request: Option<Request>,
    /// Lane of the cut, and whether it is cut as well.
    pub(super) cut: Option<(usize, bool)>,
    pub(super) ask_done: bool,
    pub(super) frame_rf: Option<bool>,
    pub(super) answer: Option<Answer>,
    /// None if it is not judged.
    pub(super) hold: Option<bool>,
}

impl Expected {
    /// Compares all outputs.
    pub(super) fn check(&self, out: &Outputs) -> Result<(), String> {
        self.check_request(out)?;
        self.check_cut(out)?;
        if out.ask_done != self.ask_done {
            return Err(format!("ask_done is {}, not {}", out.ask_done, self.ask_done));
        }
        let frame = (self.frame_rf.is_some(), self.frame_rf.unwrap_or_default());
        if (out.frame_valid, out.frame_rf) != frame {
            let (valid, rf) = frame;
            return Err(format!(
                "frame_valid and frame_rf are {} and {}, not {valid} and {rf}",
                out.frame_valid, out.frame_rf
            ));
        }
        self.check_answer(out)?;
        match self.hold {
            Some(hold) if out.hold != hold => Err(format!("hold is {}, not {hold}", out.hold)),
            _ => Ok(()),
        }
    }

    fn check_request(&self, out: &Outputs) -> Result<(), String> {
        if out.reg_ready == out.db_valid {
            return Err(format!("reg_ready is {} with db_valid = {}", out.reg_ready, out.db_valid));
        }
        let shown = Request { class: out.db_class, b: out.db_b, bd: out.db_bd, bs: out.db_bs, bt: out.db_bt };
        let none = Request { class: DbClass::Trap, b: Slots::empty(), bd: false, bs: false, bt: false };
        match self.request {
            None if out.db_valid => Err(format!("a request that no rule gives: {shown:?}")),
            None if shown != none => Err(format!("without db_valid the request is not 0: {shown:?}")),
            Some(request) if !out.db_valid => Err(format!("no db_valid, but {request:?} is due")),
            Some(request) if shown != request => Err(format!("the request is {shown:?}, not {request:?}")),
            _ => Ok(()),
        }
    }

    fn check_cut(&self, out: &Outputs) -> Result<(), String> {
        let shown = out.cut_valid.then_some((usize::from(out.cut_lane), out.cut_before));
        if shown != self.cut {
            return Err(format!("the cut (lane, before) is {shown:?}, not {:?}", self.cut));
        }
        if !out.cut_valid && (out.cut_lane != 0 || out.cut_before) {
            return Err("without cut_valid the cut is not 0".into());
        }
        Ok(())
    }

    fn check_answer(&self, out: &Outputs) -> Result<(), String> {
        if out.reg_done != self.answer.is_some() {
            return Err(format!("reg_done is {}, not {}", out.reg_done, self.answer.is_some()));
        }
        match self.answer {
            None if out.reg_rdata != 0 => Err(format!("reg_rdata is {:#x} without a read", out.reg_rdata)),
            Some(answer) if out.reg_result != answer.result => {
                Err(format!("reg_result is {:?}, not {:?}", out.reg_result, answer.result))
            }
            Some(answer) if out.reg_rdata != answer.rdata => {
                Err(format!("reg_rdata is {:#x}, not {:#x}", out.reg_rdata, answer.rdata))
            }
            _ => Ok(()),
        }
    }
}
