//! One cycle, as the crosses sample it.

mod access;
mod interrupt;
mod loads;
mod operation;
mod records;
mod ring;
mod session;

pub use access::{Access, Ending};
pub(super) use access::{Ended, History};
pub(super) use interrupt::InterruptFate;
pub(super) use interrupt::interrupts;
pub(super) use loads::LatencyClass;
pub(super) use loads::{LoadFate, latency_class, load_fate};
pub(super) use operation::ended as operation_ended;
pub use operation::{OpEnding, Operation};
pub(super) use records::Fate;
pub(super) use records::{fates, gathered, is_branch, lost};
pub(super) use ring::{HeadPlace, RingShape, TailMoved, ThresholdState};
pub use ring::{RecordEnd, RingState};
pub(super) use session::Privilege;
pub use session::SessionKind;

use lwp_model::lwp::{Config, Inputs, Lane, Mode, State};

/// The inputs of a cycle, for any number of lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) lanes: &'a [Lane],
    pub(super) partial: bool,
    pub(super) mode: Mode,
    pub(super) buffer: &'a lwp_model::lwp::Buffer,
    pub(super) mem: &'a lwp_model::lwp::Memory,
    pub(super) irq_ack: bool,
}

impl<'a> Seen<'a> {
    pub(super) fn of<const W: usize>(inputs: &'a Inputs<W>) -> Self {
        Self {
            lanes: &inputs.lanes,
            partial: inputs.partial,
            mode: inputs.mode,
            buffer: &inputs.buffer,
            mem: &inputs.mem,
            irq_ack: inputs.irq_ack,
        }
    }
}

/// A cycle out of reset: the registers before it, its inputs, and the registers after it.
#[derive(Debug)]
pub(super) struct Moment<'a> {
    pub(super) straps: &'a Config,
    /// The value of each strap on the axis of all straps.
    pub(super) strap_values: &'a [usize],
    /// The number of latency bits.
    pub(super) latency_bits: u32,
    pub(super) seen: Seen<'a>,
    pub(super) now: &'a State,
    pub(super) next: &'a State,
    /// The mode of the previous cycle; in the first cycle, that of this one.
    pub(super) mode_before: Mode,
    pub(super) ring3: bool,
    pub(super) stall: bool,
    /// Whether lanes count in this cycle.
    pub(super) counting: bool,
    /// The access in progress and its ending, if it ended in this cycle.
    pub(super) ended: Option<Ended>,
    /// The ending of the record being stored, if it ended in this cycle.
    pub(super) record_end: Option<RecordEnd>,
    /// The state of the ring; in the cycle in which a record ends, the state that this record found.
    pub(super) ring: Option<RingState>,
    pub(super) session: SessionKind,
    /// Bit e - 1: whether a record of event e was gathered.
    pub(super) gathered: [bool; 3],
    /// Whether an operation that failed had flushed a session, which it has reloaded or tried to reload.
    pub(super) went_back: bool,
}

impl<'a> Moment<'a> {
    #[allow(clippy::too_many_arguments, reason = "the pieces of one cycle, put together in one place")]
    pub(super) fn of(
        straps: &'a Config,
        strap_values: &'a [usize],
        latency_bits: u32,
        seen: Seen<'a>,
        now: &'a State,
        next: &'a State,
        mode_before: Mode,
        history: &mut History,
    ) -> Self {
        let ring3 = seen.mode.ring3();
        let stall = lwp_model::lwp::Outputs::of(now, straps).stall;
        let ended = access::ended(now, next, &seen, history);
        let record_end = ring::record_end(now, next);
        Self {
            straps,
            strap_values,
            latency_bits,
            seen,
            now,
            next,
            mode_before,
            ring3,
            stall,
            counting: ring3 && now.session.active && !stall,
            ended,
            record_end,
            ring: if record_end.is_some() { ring::found(now, next) } else { RingState::of(now) },
            session: SessionKind::of(now),
            gathered: gathered(now, next),
            went_back: history.went_back,
        }
    }

    /// Whether ring 3 is left: this is the first cycle outside it.
    pub(super) fn leaves(&self) -> bool {
        self.mode_before.ring3() && !self.ring3
    }

    /// Whether ring 3 is entered: this is the first cycle in it.
    pub(super) fn enters(&self) -> bool {
        !self.mode_before.ring3() && self.ring3
    }
}
