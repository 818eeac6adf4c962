//! Stage arbiter: the pending #DB, and DR6 as written.

use super::compare::Comparator;
use super::config::Config;
use super::inputs::Inputs;
use super::state::{DbClass, Flags, Held, Registers, Request, Status};
use crate::retire::IntKind;
use lwp_regs::debug::{Dr6, Slots};

/// A debug exception, as a step of the cycle raises it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raised {
    /// Trap or fault.
    pub(super) class: DbClass,
    pub(super) b: Slots,
    pub(super) bd: bool,
    pub(super) bs: bool,
    pub(super) bt: bool,
    /// Inside an RTM region.
    pub(super) in_tx: bool,
}

impl Raised {
    /// An exception without a cause, outside any region.
    pub(super) const fn of(class: DbClass) -> Self {
        Self { class, b: Slots::empty(), bd: false, bs: false, bt: false, in_tx: false }
    }

    /// The request that the exception becomes. `advanced` is whether RTM regions are rolled back.
    #[inline]
    pub(super) const fn request(self, advanced: bool) -> Request {
        let db_class = match (self.in_tx, advanced) {
            (false, _) => self.class,
            (true, false) => DbClass::Abort,
            (true, true) => DbClass::Rollback,
        };
        let Self { b, bd, bs, bt, .. } = self;
        Request { db_valid: true, db_class, db_b: b, db_bd: bd, db_bs: bs, db_bt: bt }
    }
}

/// What a delivery cycle delivers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivered {
    /// The pending request, taken, with a class other than abort.
    pub(super) own: bool,
    /// An interruption that enters a handler or a task.
    pub(super) entry: bool,
    /// An entry through a task gate.
    pub(super) gate_task: bool,
    /// An SMI that is no own delivery.
    pub(super) smi: bool,
    /// An RSM that is no own delivery.
    pub(super) rsm: bool,
}

impl Delivered {
    #[inline]
    pub(super) fn new<const LANES: usize>(request: &Request, inputs: &Inputs<LANES>) -> Self {
        let taken = request.db_valid && inputs.db_ack;
        let own = taken && request.db_class != DbClass::Abort;
        let foreign = inputs.int.valid && !own;
        let (smi, rsm) = (foreign && inputs.int.kind == IntKind::Smi, foreign && inputs.int.kind == IntKind::Rsm);
        let entry = own || foreign && !smi && !rsm;
        Self { own, entry, gate_task: entry && inputs.int.valid && inputs.int.task, smi, rsm }
    }
}

/// DR6 after the request has been taken.
#[inline]
pub(super) fn written<const LANES: usize>(
    registers: &Registers,
    flags: Flags,
    request: &Request,
    inputs: &Inputs<LANES>,
    straps: &Config,
    comparator: &Comparator,
) -> Status {
    let next = if merges(flags, request, inputs, straps) { comparator.fetch(inputs.int.from) } else { Held::default() };
    let merged = if next.hit.is_empty() { Slots::empty() } else { next.all() };
    let new = Status {
        b: request.db_b.union(merged),
        bd: request.db_bd,
        bs: request.db_bs,
        bt: request.db_bt,
        in_tx: request.db_class == DbClass::Rollback,
    };
    Dr6::from(registers.dr6).after_exception(new.into(), straps.status).into()
}

/// Whether a trap also reports the breakpoint of the next instruction.
#[inline]
fn merges<const LANES: usize>(flags: Flags, request: &Request, inputs: &Inputs<LANES>, straps: &Config) -> bool {
    let unchecked = flags.rf || flags.skips(straps) || flags.in_rep;
    let accesses_alone = !request.db_b.is_empty() && !request.db_bs && !request.db_bt;
    straps.merge_next && request.db_class == DbClass::Trap && accesses_alone && inputs.int.valid && !unchecked
}
