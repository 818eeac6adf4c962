//! The counters of a board's processors, for the functions of `lwp-regs`.

use super::board::{Board, BoardCore};
use lwp_model::Moore;
use lwp_model::perf::{Inputs, Outputs};
use lwp_model::tsc;
use lwp_regs::perf::architectural::PerfmonCaps;
use lwp_regs::perf::virtual_counter::{ArchitecturalCounters, P6FamilyCounters};

/// The counters of a logical processor.
#[derive(Debug)]
pub struct Counters<H, A> {
    /// At level 0.
    pub kernel: H,
    /// At level 3.
    pub user: H,
    /// Its local APIC.
    pub apic: A,
}

/// The counters of each processor of a board, as [`Counters`] with a backend `H`.
pub type All<'a, D, T, H> = Vec<Counters<H, BoardCore<'a, D, T>>>;

/// The same with the backend of architectural counters.
pub type AllArchitectural<'a, D, T> = All<'a, D, T, ArchitecturalCounters<BoardCore<'a, D, T>>>;

/// The counters of a board of the P6 family.
#[must_use]
pub fn p6_family<'a, D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    board: &'a Board<D, T>,
) -> All<'a, D, T, P6FamilyCounters<BoardCore<'a, D, T>>>
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    let of = |lp: usize| Counters {
        kernel: P6FamilyCounters::new(board.core(lp as u8)),
        user: P6FamilyCounters::new(board.core(lp as u8).at(3)),
        apic: board.core(lp as u8),
    };
    (0..LP).map(of).collect()
}

/// The counters of a board with architectural performance monitoring, as CPUID reports them, and what that is. Those that have two
/// enables have one of them on from now on.
///
/// # Panics
/// If CPUID reports none, or an access fails.
#[must_use]
pub fn architectural<'a, D, T, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    board: &'a Board<D, T>,
) -> (AllArchitectural<'a, D, T>, PerfmonCaps)
where
    D: Moore<Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
    T: Moore<Inputs = tsc::Inputs, Outputs = tsc::Outputs>,
{
    let caps = PerfmonCaps::detect(&board.core(0)).expect("CPUID reports counters");
    let caps = caps.read_capabilities(&mut board.core(0)).expect("the capabilities can be read");
    let of = |lp: usize| {
        let counters = |core| ArchitecturalCounters::new(core, caps).expect("counters have a width");
        let mut kernel = counters(board.core(lp as u8));
        kernel.enable_all().expect("the enables can be written");
        Counters { kernel, user: counters(board.core(lp as u8).at(3)), apic: board.core(lp as u8) }
    };
    ((0..LP).map(of).collect(), caps)
}
