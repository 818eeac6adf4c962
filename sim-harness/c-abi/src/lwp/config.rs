//! Sizes and straps: from the header's struct, or from words, to the model's type.

use super::abi::LwpConfig;
use lwp_model::Choice;
use lwp_model::lwp::flat::STRAP_WORDS;
use lwp_model::lwp::{
    AddressPolicy, Collision, Config, Entropy, FaultPolicy, FlushOutside, GatherPolicy, GatherSelect, GatherTarget,
    HeadFlush, IntervalSource, LatencyPhase, LatencySource, LatencyStep, LeavePolicy, Misaligned, MissedMode,
    Prediction, StoreTiming, TailReread, WriteOnFull,
};

/// The choice of that code, which `limits` has found in range.
const fn choice<T: Copy>(all: &[T], code: u8) -> T {
    all[code as usize]
}

/// The straps of a config whose fields are within their limits.
pub(crate) fn straps(config: &LwpConfig) -> Config {
    Config {
        present: config.present == 1,
        avail_ire: config.avail_ire == 1,
        avail_bre: config.avail_bre == 1,
        avail_dme: config.avail_dme == 1,
        avail_int: config.avail_int == 1,
        latency_filter: config.latency_filter == 1,
        level_filter: config.level_filter == 1,
        data_source: config.data_source == 1,
        gather_policy: choice(GatherPolicy::ALL, config.gather_policy),
        one_per_instr: config.one_per_instr == 1,
        gather_select: choice(GatherSelect::ALL, config.gather_select),
        gather_target: choice(GatherTarget::ALL, config.gather_target),
        store_timing: choice(StoreTiming::ALL, config.store_timing),
        collision: choice(Collision::ALL, config.collision),
        leave_policy: choice(LeavePolicy::ALL, config.leave_policy),
        fault_policy: choice(FaultPolicy::ALL, config.fault_policy),
        address_policy: choice(AddressPolicy::ALL, config.address_policy),
        address_gate: config.address_gate == 1,
        latency_source: choice(LatencySource::ALL, config.latency_source),
        latency_step: choice(LatencyStep::ALL, config.latency_step),
        latency_phase: choice(LatencyPhase::ALL, config.latency_phase),
        prediction: choice(Prediction::ALL, config.prediction),
        head_flush: choice(HeadFlush::ALL, config.head_flush),
        tail_reread: choice(TailReread::ALL, config.tail_reread),
        tail_nth: config.tail_nth,
        interval_source: choice(IntervalSource::ALL, config.interval_source),
        missed_mode: choice(MissedMode::ALL, config.missed_mode),
        write_on_full: choice(WriteOnFull::ALL, config.write_on_full),
        misaligned: choice(Misaligned::ALL, config.misaligned),
        flush_outside: choice(FlushOutside::ALL, config.flush_outside),
        v86: config.v86 == 1,
        entropy: choice(Entropy::ALL, config.entropy),
        irq_delay: config.irq_delay,
        core_id: config.core_id,
        lfsr_seed: config.lfsr_seed,
    }
}

impl Default for LwpConfig {
    /// The default straps in the default build.
    fn default() -> Self {
        let words = lwp_model::lwp::flat::pack_straps(&Config::default());
        Self { retire_lanes: 4, event_slots: 8, latency_bits: 31, ..from_words(&words) }
    }
}

/// The straps in words, as the book lays them out; sizes are 0.
pub(crate) const fn from_words(words: &[u32; STRAP_WORDS]) -> LwpConfig {
    const fn bits(word: u32, lsb: u32, width: u32) -> u8 {
        (word >> lsb) as u8 & ((1 << width) - 1)
    }
    let [first, lfsr_seed, third] = *words;
    LwpConfig {
        retire_lanes: 0,
        event_slots: 0,
        latency_bits: 0,
        present: bits(first, 0, 1),
        avail_ire: bits(first, 1, 1),
        avail_bre: bits(first, 2, 1),
        avail_dme: bits(first, 3, 1),
        avail_int: bits(first, 4, 1),
        latency_filter: bits(first, 5, 1),
        level_filter: bits(first, 6, 1),
        data_source: bits(first, 7, 1),
        core_id: (first >> 8) as u8,
        gather_policy: bits(first, 16, 1),
        one_per_instr: bits(first, 17, 1),
        gather_select: bits(first, 18, 2),
        gather_target: bits(first, 20, 1),
        store_timing: bits(first, 21, 1),
        collision: bits(first, 22, 1),
        leave_policy: bits(first, 23, 2),
        fault_policy: bits(first, 25, 2),
        address_policy: bits(first, 27, 2),
        address_gate: bits(first, 29, 1),
        latency_source: bits(first, 30, 1),
        latency_step: bits(first, 31, 1),
        latency_phase: bits(third, 0, 1),
        prediction: bits(third, 1, 2),
        head_flush: bits(third, 3, 1),
        tail_reread: bits(third, 4, 1),
        tail_nth: bits(third, 5, 4),
        interval_source: bits(third, 9, 1),
        missed_mode: bits(third, 10, 1),
        write_on_full: bits(third, 11, 1),
        misaligned: bits(third, 12, 1),
        flush_outside: bits(third, 13, 1),
        v86: bits(third, 14, 1),
        entropy: bits(third, 15, 1),
        irq_delay: (third >> 16) as u8,
        reserved: [0; 3],
        lfsr_seed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_model::lwp::flat::pack_straps;

    #[test]
    fn the_default_is_the_models() {
        assert_eq!(straps(&LwpConfig::default()), Config::default());
    }

    /// Each bit of the straps' words, flipped alone, comes back through both structs, if the table names it.
    #[test]
    fn every_strap_bit_comes_back() {
        let start = pack_straps(&Config { irq_delay: 0xFF, core_id: 0xFF, ..Config::default() });
        let mut named = 0;
        for bit in 0..STRAP_WORDS * 32 {
            let mut words = start;
            words[bit / 32] ^= 1 << (bit % 32);
            // Code 3 of a choice of three does not occur: from 0 no single bit leads there.
            let back = pack_straps(&straps(&from_words(&words)));
            if back != start {
                assert_eq!(back, words, "bit {bit}");
                named += 1;
            }
        }
        assert_eq!(named, 32 + 32 + 24);
    }
}
