//! One control operation, from request to answer, with retries after page faults.

use super::answer::Answer;
use super::failure::LwpFailure;
use lwp_model::lwp::{Control, CtlOp, Fault, Inputs, Mode, Outputs};

/// How often an operation that page-faults is tried. At a fault rate of one half, LLWPCB needs some 30,000 tries.
const TRIES: u32 = 200_000;

/// How far an operation has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// The unit has not answered yet.
    Waiting,
    /// It page-faulted: the handler has to bring the page in, then it is tried again.
    PageFault,
    /// It is over.
    Over(Answer),
}

/// An operation at the control port.
#[derive(Debug)]
pub(super) struct Operation {
    op: CtlOp,
    wdata: u64,
    word: u8,
    cpl: u8,
    issued: bool,
    tries: u32,
}

impl Operation {
    /// An operation that is to be executed at `cpl`.
    pub(super) const fn new(op: CtlOp, wdata: u64, cpl: u8) -> Self {
        Self { op, wdata, word: 0, cpl, issued: false, tries: 0 }
    }

    /// The save or the restore of a word of the context, at CPL 0.
    pub(super) const fn context(op: CtlOp, word: u8, wdata: u64) -> Self {
        Self { op, wdata, word, cpl: 0, issued: false, tries: 0 }
    }

    /// Whether it is between acceptance and answer.
    pub(super) const fn is_under_way(&self) -> bool {
        self.issued
    }

    /// One cycle outside handlers.
    pub(super) fn cycle<const W: usize>(
        &mut self,
        out: &Outputs,
        inputs: &mut Inputs<W>,
    ) -> Result<Progress, LwpFailure> {
        if self.issued {
            return self.answer(out);
        }
        if out.stall {
            return Ok(Progress::Waiting);
        }
        let wanted = Mode { cpl: self.cpl, smm: false, ..inputs.mode };
        if inputs.mode == wanted {
            inputs.ctl = Control { valid: true, op: self.op, word: self.word, wdata: self.wdata, ds_base: 0 };
            self.issued = true;
        } else {
            inputs.mode = wanted;
        }
        Ok(Progress::Waiting)
    }

    fn answer(&mut self, out: &Outputs) -> Result<Progress, LwpFailure> {
        if !out.rsp_valid {
            return Ok(Progress::Waiting);
        }
        self.issued = false;
        Ok(match out.rsp_fault {
            Fault::None => Progress::Over(Answer::Done(out.rsp_rdata)),
            Fault::PageFault => {
                self.tries += 1;
                if self.tries == TRIES {
                    return Err(self.gives_up(out.rsp_fault_addr));
                }
                Progress::PageFault
            }
            fault => Progress::Over(Answer::Fault(fault)),
        })
    }

    fn gives_up(&self, address: u64) -> LwpFailure {
        LwpFailure::PageFaults { operation: name(self.op), tries: self.tries, address }
    }
}

/// What the operation is called.
pub(super) const fn name(op: CtlOp) -> &'static str {
    match op {
        CtlOp::Llwpcb => "LLWPCB",
        CtlOp::Slwpcb => "SLWPCB",
        CtlOp::ReadMsr0 => "RDMSR of LWPMSR0",
        CtlOp::WriteMsr0 => "WRMSR of LWPMSR0",
        CtlOp::ReadMsr1 => "RDMSR of LWPMSR1",
        CtlOp::WriteMsr1 => "WRMSR of LWPMSR1",
        CtlOp::Save => "a save of a context word",
        CtlOp::Restore => "a restore of a context word",
        _ => "an undefined operation",
    }
}
