//! Straps: the choices that are fixed after reset.

use super::straps::{
    AddressPolicy, Collision, Entropy, FaultPolicy, FlushOutside, GatherPolicy, GatherSelect, GatherTarget, HeadFlush,
    IntervalSource, LatencyPhase, LatencySource, LatencyStep, LeavePolicy, Misaligned, MissedMode, Prediction,
    StoreTiming, TailReread, WriteOnFull,
};
use core::fmt;
use lwp_regs::lwp::{AvailableFeatures, Features, LwpCaps};

/// The straps of the unit, in the order of the RTL's `config_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether LWP exists: CPUID reports it, and the instructions and MSRs exist.
    pub present: bool,
    /// Whether the instructions-retired event is implemented.
    pub avail_ire: bool,
    /// Whether the branches-retired event is implemented.
    pub avail_bre: bool,
    /// Whether the DCache-miss event is implemented.
    pub avail_dme: bool,
    /// Whether the threshold interrupt is implemented.
    pub avail_int: bool,
    /// Whether loads can be filtered by latency (CPUID `LWPCacheLatency`).
    pub latency_filter: bool,
    /// Whether loads can be filtered by the source of their data (CPUID `LWPCacheLevels`).
    pub level_filter: bool,
    /// Whether records of DCache misses contain the source of the data.
    pub data_source: bool,
    /// Number of records that are gathered at a time.
    pub gather_policy: GatherPolicy,
    /// Whether at most one record is gathered for one instruction.
    pub one_per_instr: bool,
    /// Choice among several expired events of one instruction.
    pub gather_select: GatherSelect,
    /// Occurrence of an event that is recorded.
    pub gather_target: GatherTarget,
    /// Whether retirement waits for the store.
    pub store_timing: StoreTiming,
    /// Treatment of records that reach the store together.
    pub collision: Collision,
    /// Treatment of a record that is not yet stored when ring 3 is left.
    pub leave_policy: LeavePolicy,
    /// Treatment of a page fault of the store.
    pub fault_policy: FaultPolicy,
    /// Origin of the data address in a DCache-miss record (CPUID `LWPDataAddress`).
    pub address_policy: AddressPolicy,
    /// With the next load as data address: whether address tracking is off outside ring 3.
    pub address_gate: bool,
    /// Origin of the latency of a load.
    pub latency_source: LatencySource,
    /// Multiple to which the miss address buffer rounds latencies down.
    pub latency_step: LatencyStep,
    /// Start of the 16-cycle periods of the miss address buffer.
    pub latency_phase: LatencyPhase,
    /// Branches for which the core reports the outcome of the prediction.
    pub prediction: Prediction,
    /// Moments at which BufferHeadOffset is written to the block.
    pub head_flush: HeadFlush,
    /// Moments at which BufferTailOffset is read.
    pub tail_reread: TailReread,
    /// With a lazy tail: the tail is read for every n-th record while the threshold appears reached; 1 to 15.
    pub tail_nth: u8,
    /// Origin of the interval with which a counter is reloaded.
    pub interval_source: IntervalSource,
    /// Place where missed events are counted.
    pub missed_mode: MissedMode,
    /// Whether a record that finds the ring full is written.
    pub write_on_full: WriteOnFull,
    /// Treatment of a control block that is not aligned to 16 bytes.
    pub misaligned: Misaligned,
    /// Whether operations outside ring 3 flush the session.
    pub flush_outside: FlushOutside,
    /// Whether virtual-8086 mode counts as protected mode.
    pub v86: bool,
    /// Origin of random bits.
    pub entropy: Entropy,
    /// Cycles from the crossing of the threshold to the interrupt request.
    pub irq_delay: u8,
    /// Byte 1 of every record: the low 8 bits of the core's number.
    pub core_id: u8,
    /// State in which the randomisation LFSR starts; not 0.
    pub lfsr_seed: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            present: true,
            avail_ire: true,
            avail_bre: true,
            avail_dme: true,
            avail_int: true,
            latency_filter: true,
            level_filter: true,
            data_source: true,
            gather_policy: GatherPolicy::One,
            one_per_instr: true,
            gather_select: GatherSelect::LowestSlot,
            gather_target: GatherTarget::Same,
            store_timing: StoreTiming::Async,
            collision: Collision::Delay,
            leave_policy: LeavePolicy::Discard,
            fault_policy: FaultPolicy::Trap,
            address_policy: AddressPolicy::SameLoad,
            address_gate: true,
            latency_source: LatencySource::Core,
            latency_step: LatencyStep::One,
            latency_phase: LatencyPhase::Exact,
            prediction: Prediction::Some,
            head_flush: HeadFlush::EachRecord,
            tail_reread: TailReread::EachRecord,
            tail_nth: 1,
            interval_source: IntervalSource::Cached,
            missed_mode: MissedMode::Memory,
            write_on_full: WriteOnFull::WriteSlot,
            misaligned: Misaligned::Fault,
            flush_outside: FlushOutside::Sync,
            v86: false,
            entropy: Entropy::Lfsr,
            irq_delay: 0,
            core_id: 0,
            lfsr_seed: 1,
        }
    }
}

/// Combination of straps that is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// Neither filter exists, but "an implementation must support filtering by either latency or cache level".
    NoFilter,
    /// The seed of the LFSR is 0: the LFSR would never leave 0.
    ZeroSeed,
    /// The fault policy is fault and the store asynchronous: an instruction that has retired cannot be aborted.
    FaultNeedsSyncStore,
    /// The fault policy is fault and one instruction may have several records: the first may have been published.
    FaultNeedsOneRecord,
    /// One instruction may have several records, but only a single record is gathered at a time.
    OneRecordAtATime,
    /// The latency phase is free-running, but latencies have no periods of 16 cycles.
    PhaseNeedsStep16,
    /// `tail_nth` is not 1 to 15.
    TailNthRange,
    /// `tail_nth` is not 1, but the tail is read for each record.
    TailNthNeedsLazy,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoFilter => {
                "one of latency_filter and level_filter must be set: the proposal asks for at least one filter"
            }
            Self::ZeroSeed => "lfsr_seed must not be 0: an LFSR never leaves that state",
            Self::FaultNeedsSyncStore => {
                "fault_policy = fault needs store_timing = sync: an instruction that has retired cannot be aborted"
            }
            Self::FaultNeedsOneRecord => {
                "fault_policy = fault needs one_per_instr or gather_policy = one: of several records of one instruction \
                 the first may have been published"
            }
            Self::OneRecordAtATime => "one_per_instr = false needs gather_policy = all",
            Self::PhaseNeedsStep16 => "latency_phase = free-running needs latency_step = 16: there is no period otherwise",
            Self::TailNthRange => "tail_nth must be 1 to 15",
            Self::TailNthNeedsLazy => "tail_nth above 1 needs tail_reread = lazy",
        })
    }
}

impl core::error::Error for ConfigError {}

impl ConfigError {
    /// Returns the names of the straps that the error is about, the likeliest mistake first.
    #[must_use]
    pub const fn straps(&self) -> &'static [&'static str] {
        match self {
            Self::NoFilter => &["level_filter", "latency_filter"],
            Self::ZeroSeed => &["lfsr_seed"],
            Self::FaultNeedsSyncStore | Self::FaultNeedsOneRecord => &["fault_policy"],
            Self::OneRecordAtATime => &["one_per_instr"],
            Self::PhaseNeedsStep16 => &["latency_phase"],
            Self::TailNthRange | Self::TailNthNeedsLazy => &["tail_nth"],
        }
    }
}

impl Config {
    /// Checks the combination of straps.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] names the rule that is broken.
    pub const fn validate(&self) -> Result<(), ConfigError> {
        if !self.latency_filter && !self.level_filter {
            return Err(ConfigError::NoFilter);
        }
        if self.lfsr_seed == 0 {
            return Err(ConfigError::ZeroSeed);
        }
        match self.policy_error() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    const fn policy_error(&self) -> Option<ConfigError> {
        let fault = matches!(self.fault_policy, FaultPolicy::Fault);
        let all = matches!(self.gather_policy, GatherPolicy::All);
        if fault && matches!(self.store_timing, StoreTiming::Async) {
            Some(ConfigError::FaultNeedsSyncStore)
        } else if fault && all && !self.one_per_instr {
            Some(ConfigError::FaultNeedsOneRecord)
        } else if !all && !self.one_per_instr {
            Some(ConfigError::OneRecordAtATime)
        } else if matches!(self.latency_phase, LatencyPhase::FreeRunning)
            && matches!(self.latency_step, LatencyStep::One)
        {
            Some(ConfigError::PhaseNeedsStep16)
        } else if self.tail_nth == 0 || self.tail_nth > 15 {
            Some(ConfigError::TailNthRange)
        } else if self.tail_nth > 1 && matches!(self.tail_reread, TailReread::EachRecord) {
            Some(ConfigError::TailNthNeedsLazy)
        } else {
            None
        }
    }

    /// Whether a record can outlive ring 3, and is therefore part of the context of a thread.
    #[must_use]
    pub const fn keeps_record(&self) -> bool {
        matches!(self.leave_policy, LeavePolicy::Hold) || matches!(self.fault_policy, FaultPolicy::TrapPending)
    }

    /// Whether an event of this index (EventId - 1) is recorded with the occurrence after the one that expires it.
    #[must_use]
    pub(super) const fn records_next(&self, index: usize) -> bool {
        matches!(self.gather_target, GatherTarget::Next)
            || (index == super::event::MISSES && matches!(self.address_policy, AddressPolicy::NextLoad))
    }

    /// Whether at most one record is in flight.
    pub(super) const fn single_record(&self) -> bool {
        matches!(self.gather_policy, GatherPolicy::One) || matches!(self.collision, Collision::Discard)
    }

    /// Whether a group of instructions ends with the one that gathers a record.
    pub(super) const fn sync(&self) -> bool {
        matches!(self.store_timing, StoreTiming::Sync)
    }

    /// Whether a page fault of the store undoes the instruction.
    pub(super) const fn undoes(&self) -> bool {
        matches!(self.fault_policy, FaultPolicy::Fault)
    }

    /// Returns the features that CPUID 8000_001C EDX reports as available.
    #[must_use]
    pub const fn available(&self) -> AvailableFeatures {
        let mut features = Features::empty();
        if self.avail_ire {
            features = features.union(Features::IRE);
        }
        if self.avail_bre {
            features = features.union(Features::BRE);
        }
        if self.avail_dme {
            features = features.union(Features::DME);
        }
        if self.avail_int {
            features = features.union(Features::INT);
        }
        AvailableFeatures::new(features)
    }

    /// Returns what CPUID 8000_001C reports for a unit with these straps, `slots` event slots and latencies of `latency_bits` bits.
    #[must_use]
    pub const fn caps(&self, slots: u8, latency_bits: u8) -> LwpCaps {
        let mut caps = LwpCaps::new(self.available(), slots);
        caps.cache_max = latency_bits;
        caps.data_address = !matches!(self.address_policy, AddressPolicy::None);
        caps.cache_levels = self.level_filter;
        caps.cache_latency = self.latency_filter;
        caps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_straps_are_legal() {
        assert_eq!(Config::default().validate(), Ok(()));
    }

    // LWP-CPU-24: at least one of the two filters exists, with and without DCache misses.
    #[test]
    fn a_unit_without_filters_is_refused() {
        let straps = Config { latency_filter: false, level_filter: false, ..Config::default() };
        assert_eq!(straps.validate(), Err(ConfigError::NoFilter));
        assert_eq!(Config { avail_dme: false, ..straps }.validate(), Err(ConfigError::NoFilter));
        assert_eq!(Config { latency_filter: true, ..straps }.validate(), Ok(()));
        assert_eq!(Config { level_filter: true, ..straps }.validate(), Ok(()));
    }

    #[test]
    fn a_seed_of_zero_is_refused() {
        assert_eq!(Config { lfsr_seed: 0, ..Config::default() }.validate(), Err(ConfigError::ZeroSeed));
    }

    // LWP-FLT-13: policy fault asks for a synchronous store.
    #[test]
    fn contradicting_policies_are_refused() {
        let all = Config::default();
        let fault = Config { fault_policy: FaultPolicy::Fault, ..all };
        let sync = Config { store_timing: StoreTiming::Sync, ..fault };
        assert_eq!(fault.validate(), Err(ConfigError::FaultNeedsSyncStore));
        assert_eq!(sync.validate(), Ok(()));
        let several = Config { gather_policy: GatherPolicy::All, one_per_instr: false, ..all };
        assert_eq!(several.validate(), Ok(()));
        let undone = Config { fault_policy: FaultPolicy::Fault, store_timing: StoreTiming::Sync, ..several };
        assert_eq!(undone.validate(), Err(ConfigError::FaultNeedsOneRecord));
        assert_eq!(Config { one_per_instr: false, ..all }.validate(), Err(ConfigError::OneRecordAtATime));
        let phase = Config { latency_phase: LatencyPhase::FreeRunning, ..all };
        assert_eq!(phase.validate(), Err(ConfigError::PhaseNeedsStep16));
        assert_eq!(Config { latency_step: LatencyStep::Sixteen, ..phase }.validate(), Ok(()));
        assert_eq!(Config { tail_nth: 0, ..all }.validate(), Err(ConfigError::TailNthRange));
        assert_eq!(Config { tail_nth: 16, ..all }.validate(), Err(ConfigError::TailNthRange));
        assert_eq!(Config { tail_nth: 2, ..all }.validate(), Err(ConfigError::TailNthNeedsLazy));
        for tail_nth in [1, 2, 15] {
            assert_eq!(Config { tail_nth, tail_reread: TailReread::Lazy, ..all }.validate(), Ok(()));
        }
    }

    // LWP-CPU-31: any subset of the features may be implemented.
    #[test]
    fn available_features_follow_the_straps() {
        let all = Config::default();
        assert_eq!(all.available().features(), Features::all());
        let none = Config { avail_ire: false, avail_bre: false, avail_dme: false, avail_int: false, ..all };
        assert_eq!(none.available().features(), Features::empty());
        let only = Config { avail_bre: true, ..none };
        assert_eq!(only.available().features(), Features::BRE);
    }

    // LWP-CPU-14, LWP-CPU-17, LWP-CPU-19: the sizes are reported as built.
    #[test]
    fn caps_report_the_sizes() {
        let caps = Config::default().caps(8, 31);
        assert_eq!((caps.lwpcb_size, caps.max_events, caps.cache_max), (104, 8, 31));
        assert_eq!(caps.validate(), Ok(()));
        assert_eq!(Config::default().caps(26, 10).lwpcb_size, 248);
    }
}
