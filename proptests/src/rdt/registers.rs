//! The registers of a unit of any size, by reference.

use lwp_model::rdt::{Answer, Cdp, Class, Job, L2Line, L3Line, Lp, PowerOn, Rmid, State};

/// A memory's registers.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a, L> {
    /// Set that it accessed last.
    pub index: u16,
    /// It was written in the last cycle.
    pub written: bool,
    /// What was read or written last.
    pub line: &'a [L],
}

/// The set of each cache that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a> {
    /// `show` of the last cycle.
    pub index: u16,
    /// The set of the L3 cache.
    pub l3: &'a [L3Line],
    /// The set of the L2 cache.
    pub l2: &'a [L2Line],
}

/// Every register.
#[derive(Clone, Copy, Debug)]
pub struct Registers<'a> {
    /// Code and data prioritization.
    pub cdp: &'a Cdp,
    /// The logical processors.
    pub lp: &'a [Lp],
    /// The classes of service.
    pub class: &'a [Class],
    /// The RMIDs.
    pub rmid: &'a [Rmid],
    /// The access in progress.
    pub job: &'a Job,
    /// The ways that have power.
    pub power: &'a PowerOn,
    /// The memory of the L3 cache.
    pub l3: Memory<'a, L3Line>,
    /// The memory of the L2 cache.
    pub l2: Memory<'a, L2Line>,
    /// The window.
    pub show: Window<'a>,
    /// The answer to a register request.
    pub answer: &'a Answer,
}

impl<'a> Registers<'a> {
    /// Returns the registers of a state.
    #[must_use]
    pub const fn of<
        const LP: usize,
        const L3_WAYS: usize,
        const L2_WAYS: usize,
        const RMIDS: usize,
        const CLASSES: usize,
    >(
        state: &'a State<LP, L3_WAYS, L2_WAYS, RMIDS, CLASSES>,
    ) -> Self {
        let State { cdp, lp, class, rmid, job, power, l3, l2, show, answer } = state;
        Self {
            cdp,
            lp,
            class,
            rmid,
            job,
            power,
            l3: Memory { index: l3.index, written: l3.written, line: &l3.word.line },
            l2: Memory { index: l2.index, written: l2.written, line: &l2.word.line },
            show: Window { index: show.index, l3: &show.l3.line, l2: &show.l2.line },
            answer,
        }
    }
}
