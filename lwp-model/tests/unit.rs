//! The unit on the bench: the model.

/// The size of the quick build of the RTL, so that the same tests run on both.
pub(crate) type Unit = lwp_model::lwp::Lwp<4, 8, 31>;

/// The time-stamp counter of so many logical processors.
pub(crate) type Tsc<const LP: usize> = lwp_model::tsc::Tsc<LP>;

/// The performance counters of this size.
pub(crate) type Perf<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> =
    lwp_model::perf::Perf<LP, GENERAL, FIXED, LANES>;

/// The debug unit of this size.
pub(crate) type Debug<const LANES: usize, const ACCESSES: usize> = lwp_model::debug::DebugUnit<LANES, ACCESSES>;

/// The branch records of this size.
pub(crate) type Trace<const LANES: usize, const ENTRIES: usize> = lwp_model::trace::TraceUnit<LANES, ENTRIES>;

/// The shared cache of this size.
pub(crate) type Rdt<
    const LPS: usize,
    const L3_SETS: usize,
    const L3_WAYS: usize,
    const L2_SETS: usize,
    const L2_WAYS: usize,
    const RMIDS: usize,
    const CLASSES: usize,
> = lwp_model::rdt::Rdt<LPS, L3_SETS, L3_WAYS, L2_SETS, L2_WAYS, RMIDS, CLASSES>;

/// The event qualification of this size.
pub(crate) type Itanium<const BUNDLES: usize, const ENTRIES: usize> = lwp_model::itanium::Itanium<BUNDLES, ENTRIES>;
