//! A state in which the processor may be, and its step.

use super::Coverage;
use super::choices::{Choices, Open, Path};
use super::expect::{Expected, Request};
use super::matching::Hits;
use core::hash::{Hash, Hasher};
use lwp_model::debug::{Ask, Config, DbClass, Interrupted, Outputs};
use lwp_model::retire::{Mode, RegRequest};
use lwp_regs::debug::{Dr6, Dr7, Slots};

/// What a cycle shows apart from its lanes, and the outputs that follow.
#[derive(Debug)]
pub(super) struct Cycle<'a> {
    pub(super) straps: &'a Config,
    pub(super) mode: Mode,
    pub(super) de: bool,
    pub(super) btf: bool,
    pub(super) rtm_debug: bool,
    pub(super) int: Interrupted,
    pub(super) ask: Ask,
    pub(super) ack: bool,
    pub(super) reg: RegRequest,
    /// Accesses of a lane that are compared.
    pub(super) accesses: usize,
    /// The outputs of the next cycle.
    pub(super) out: &'a Outputs,
    pub(super) path: &'a mut Path,
    pub(super) seen: &'a mut Coverage,
}

/// An instruction that may be executed: the last question was answered with *go*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) ip: u64,
}

/// The state that SMI saves and RSM restores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Saved {
    pub(super) dr6: u64,
    pub(super) dr6_open: u64,
    pub(super) dr7: u64,
    pub(super) rf: bool,
    pub(super) shadow: bool,
    pub(super) string: Option<u64>,
}

/// A state in which the processor may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct World {
    pub(super) choices: Choices,
    pub(super) dr: [u64; 4],
    pub(super) dr6: u64,
    /// Bits of DR6 that may have either value.
    pub(super) dr6_open: u64,
    pub(super) dr7: u64,
    /// DR7 when the cycle began.
    pub(super) dr7_before: u64,
    /// A task switch clears L0 to L3 at the end of the cycle.
    pub(super) late_switch: bool,
    /// A task switch cleared one of L0 to L3, and DR7 has not been read since.
    pub(super) local_cleared: bool,
    pub(super) rf: bool,
    /// The last instruction was an SS load, and debug exceptions wait for the next one.
    pub(super) shadow: bool,
    /// The string instruction of which an iteration was the last thing executed, and not its last one.
    pub(super) string: Option<u64>,
    /// The last instruction may have returned to a string instruction.
    pub(super) returned: bool,
    /// Iterations of the group in progress.
    pub(super) group: u8,
    /// Hits that are not delivered yet.
    pub(super) held: Hits,
    /// Some of them are of an SS load.
    pub(super) held_shadow: bool,
    /// Hits of an instruction that has not retired.
    pub(super) partial: Hits,
    pub(super) go: Option<Go>,
    /// The last instruction was inside a transaction.
    pub(super) region: bool,
    pub(super) request: Option<Request>,
    pub(super) saved: Saved,
    /// SMI came, and no RSM since.
    pub(super) smm: bool,
    /// The outputs that the cycle must lead to.
    pub(super) want: Expected,
}

/// The fields in which states differ most.
impl Hash for World {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.choices, self.dr, self.dr6, self.dr7).hash(state);
        (self.rf, self.shadow, self.string, self.group).hash(state);
        (self.held.on, self.held.off, self.partial.on, self.partial.off).hash(state);
        (self.region, self.returned, self.saved.dr7, self.saved.rf).hash(state);
    }
}

/// What an exception may report.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Report {
    /// Breakpoints that must be reported.
    pub(super) must: Slots,
    /// Breakpoints that may be reported as well.
    pub(super) may: Slots,
    pub(super) bd: bool,
    pub(super) bs: bool,
    pub(super) bt: bool,
}

impl World {
    /// Returns the state after reset. DR6 and DR7 have the values of the facts about real hardware. Those of DR0 to DR3 and EFLAGS.RF are
    /// not given: 0.
    pub(super) fn new(choices: Choices) -> Self {
        Self {
            choices,
            dr: [0; 4],
            dr6: Dr6::RESET.into_bits(),
            dr6_open: 0,
            dr7: Dr7::RESET.into_bits(),
            dr7_before: Dr7::RESET.into_bits(),
            late_switch: false,
            local_cleared: false,
            rf: false,
            shadow: false,
            string: None,
            returned: true,
            group: 0,
            held: Hits::default(),
            held_shadow: false,
            partial: Hits::default(),
            go: None,
            region: false,
            request: None,
            saved: Saved {
                dr6: Dr6::RESET.into_bits(),
                dr6_open: 0,
                dr7: Dr7::RESET.into_bits(),
                rf: false,
                shadow: false,
                string: None,
            },
            smm: false,
            want: Expected::default(),
        }
    }

    /// Whether a request is pending.
    pub(super) const fn pending(&self) -> bool {
        self.request.is_some()
    }

    /// Begins a cycle.
    pub(super) fn begin(&mut self) {
        self.want = Expected::default();
        self.dr7_before = self.dr7;
    }

    /// Steps everything but lanes and partial cycles, which come before, and compares the outputs. A request is `pending` since before the
    /// cycle, or not; `shows` means that there is a partial cycle or a valid lane.
    pub(super) fn end(&mut self, c: &mut Cycle<'_>, pending: bool, shows: bool) -> Result<(), String> {
        if core::mem::take(&mut self.late_switch) {
            self.switch_task();
        }
        let asks = c.ask.valid && !pending && !shows && !c.int.valid;
        c.seen.unasked += u64::from(c.ask.valid && !asks);
        match (pending, c.int.valid) {
            (true, true) => self.interruption(c),
            (true, false) if c.ack => self.taken_alone(c),
            (true, false) => c.seen.waits += 1,
            (false, true) => self.with_interruption(c),
            (false, false) => self.ask_and_request(c, asks),
        }
        c.seen.not_ready += u64::from(pending && c.reg.valid);
        self.want.request = self.request;
        self.want.hold = self.hold(c);
        c.seen.held += u64::from(self.want.hold == Some(true));
        let checked = self.want.check(c.out);
        self.begin();
        checked
    }

    /// An interruption while nothing is pending. A register request in the same cycle breaks a rule: its order is open.
    fn with_interruption(&mut self, c: &mut Cycle<'_>) {
        if c.reg.valid && c.path.either() {
            self.register(c);
            let request = self.request.take();
            self.interruption(c);
            // General detect and an exception in one cycle.
            if self.request.is_none() && c.path.either() {
                self.request = request;
            }
            return;
        }
        self.interruption(c);
        if c.reg.valid {
            let request = self.request.take();
            self.register(c);
            if let (Some(request), keep) = (request, c.path.either()) {
                self.request = if keep { Some(request) } else { self.request.or(Some(request)) };
            }
        }
    }

    /// A question and a register request. Both in one cycle break a rule: the question may be ignored.
    fn ask_and_request(&mut self, c: &mut Cycle<'_>, asked: bool) {
        let both = asked && c.reg.valid;
        if asked && !(both && c.path.either()) {
            self.question(c);
        }
        if !c.reg.valid {
            return;
        }
        let older = self.request.take();
        self.register(c);
        // General detect next to a request of lanes or of the question.
        self.request = match (older, self.request) {
            (Some(first), Some(detect)) => Some(together(c, first, detect)),
            (first, detect) => first.or(detect),
        };
    }

    /// Returns what `hold` must be. It is not judged while a request is pending: its hits have been taken over, or are about to be lost.
    fn hold(&mut self, c: &mut Cycle<'_>) -> Option<bool> {
        if self.request.is_some() {
            return None;
        }
        let held = !self.held.none();
        if held || self.partial.none() {
            return Some(held);
        }
        Some(self.choices.second(c.path, Open::HoldPartial))
    }

    /// Returns the class of an exception inside a transaction (DBG-80, DBG-81), or of one outside, which has class `outside`.
    pub(super) fn class(&self, c: &Cycle<'_>, region: bool, outside: DbClass) -> DbClass {
        let advanced = self.control().rtm() && c.rtm_debug;
        match (region && c.straps.rtm, advanced) {
            (false, _) => outside,
            (true, false) => DbClass::Abort,
            (true, true) => DbClass::Rollback,
        }
    }

    /// Makes a request. The breakpoints that it may report or not are taken from the outputs. An abort reports nothing to software, so that
    /// it may show all that holds, or less.
    pub(super) fn raise(&mut self, c: &mut Cycle<'_>, class: DbClass, report: Report) {
        let Report { mut must, may, bd, bs, bt } = report;
        let (may, abort) = (must | may, class == DbClass::Abort);
        if abort {
            must = Slots::empty();
        }
        let shown = c.out.db_b;
        let b = if shown.contains(must) && may.contains(shown) { shown } else { must };
        let shown = |due: bool, shown: bool| due && (!abort || shown);
        let (bd, bs, bt) = (shown(bd, c.out.db_bd), shown(bs, c.out.db_bs), shown(bt, c.out.db_bt));
        self.request = Some(Request { class, b, bd, bs, bt });
        c.seen.aborts += u64::from(abort);
        c.seen.rollbacks += u64::from(class == DbClass::Rollback);
    }

    /// Clears L0 to L3 (DBG-19); G0 to G3 stay (DBG-21).
    pub(super) fn switch_task(&mut self) {
        let after = self.dr7 & !0x55;
        self.local_cleared |= after != self.dr7;
        self.dr7 = after;
    }
}

/// Returns the outcome of two requests in one cycle, which breaks a rule: either of them, or both in one.
fn together(c: &mut Cycle<'_>, first: Request, detect: Request) -> Request {
    match c.path.pick(3) {
        0 => first,
        1 => detect,
        _ => Request { bd: true, ..first },
    }
}
