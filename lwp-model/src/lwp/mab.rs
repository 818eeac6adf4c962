//! Miss address buffer: measures how long each load that missed has waited.
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "Measuring latency".

use super::config::Config;
use super::inputs::Buffer;
use super::state::{MAB_ENTRIES, Mab, MabEntry};
use super::straps::{LatencyPhase, LatencySource, LatencyStep};

/// The step of a rounded latency, and the period of the free-running counter, in cycles.
const STEP: u32 = 16;

/// The largest latency of `LAT` bits.
pub(super) const fn cap<const LAT: u32>() -> u32 {
    ((1_u64 << LAT) - STEP as u64) as u32
}

/// Mask of a latency of `LAT` bits.
pub(super) const fn mask<const LAT: u32>() -> u32 {
    ((1_u64 << LAT) - 1) as u32
}

impl MabEntry {
    /// Returns the latency that the entry reports for its load.
    pub(super) const fn reported(self, straps: &Config) -> u32 {
        match straps.latency_step {
            LatencyStep::One => self.latency,
            LatencyStep::Sixteen => self.latency & !(STEP - 1),
        }
    }

    fn wait<const LAT: u32>(&mut self, increment: u32) {
        if self.counting {
            self.latency = (self.latency + increment).min(cap::<LAT>());
        }
    }
}

impl Mab {
    /// Returns the entry with this number, of which only bits 2:0 are used.
    pub(super) const fn entry(&self, number: u32) -> MabEntry {
        self.entries[number as usize % MAB_ENTRIES]
    }

    /// Steps one cycle. Returns the entry of the fill as it is at the end of the cycle without the allocation.
    pub(super) fn step<const LAT: u32>(&mut self, inputs: &Buffer, straps: &Config) -> MabEntry {
        if straps.latency_source == LatencySource::Core {
            return MabEntry::default();
        }
        let increment = self.increment(straps);
        for entry in &mut self.entries {
            entry.wait::<LAT>(increment);
        }
        if inputs.fill_valid {
            self.entries[usize::from(inputs.fill_entry) % MAB_ENTRIES].counting = false;
        }
        let filled = self.entry(inputs.fill_entry.into());
        if inputs.alloc_valid {
            self.entries[usize::from(inputs.alloc_entry) % MAB_ENTRIES] = MabEntry { counting: true, latency: 0 };
        }
        filled
    }

    /// Steps `cycles` cycles in which nothing is allocated or filled. `cycles` is less than 2^31, so that no latency overflows.
    pub(super) fn skip<const LAT: u32>(&mut self, cycles: u32, straps: &Config) {
        if straps.latency_source == LatencySource::Core {
            return;
        }
        let increment = match straps.latency_phase {
            LatencyPhase::Exact => cycles,
            LatencyPhase::FreeRunning => {
                let phase = u32::from(self.phase) + cycles;
                self.phase = (phase % STEP) as u8;
                phase - u32::from(self.phase)
            }
        };
        for entry in &mut self.entries {
            entry.wait::<LAT>(increment);
        }
    }

    fn increment(&mut self, straps: &Config) -> u32 {
        if straps.latency_phase == LatencyPhase::Exact {
            return 1;
        }
        let carry = u32::from(self.phase) == STEP - 1;
        self.phase = (self.phase + 1) % STEP as u8;
        if carry { STEP } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alloc(entry: u8) -> Buffer {
        Buffer { alloc_valid: true, alloc_entry: entry, ..Buffer::default() }
    }

    fn fill(entry: u8) -> Buffer {
        Buffer { fill_valid: true, fill_entry: entry, ..Buffer::default() }
    }

    fn straps(step: LatencyStep, phase: LatencyPhase) -> Config {
        Config { latency_source: LatencySource::Buffer, latency_step: step, latency_phase: phase, ..Config::default() }
    }

    /// The latency that a load of `wait` cycles reports, if it is allocated after `before` cycles.
    fn measure<const LAT: u32>(straps: &Config, before: u32, wait: u32) -> u32 {
        let mut mab = Mab::default();
        for _ in 0..before {
            mab.step::<LAT>(&Buffer::default(), straps);
        }
        mab.step::<LAT>(&alloc(3), straps);
        for _ in 1..wait {
            mab.step::<LAT>(&Buffer::default(), straps);
        }
        let at_fill = mab.step::<LAT>(&fill(3), straps);
        for _ in 0..40 {
            mab.step::<LAT>(&Buffer::default(), straps);
        }
        assert_eq!(at_fill.reported(straps), mab.entry(3).reported(straps), "it stops with the fill");
        mab.entry(3).reported(straps)
    }

    // LWP-LAT-01: with rounding 1, from taking the entry until the data returns.
    #[test]
    fn exact_cycles() {
        let straps = straps(LatencyStep::One, LatencyPhase::Exact);
        for wait in [1, 2, 15, 16, 17, 300] {
            assert_eq!(measure::<31>(&straps, 5, wait), wait);
        }
    }

    // LWP-LAT-02: in steps of 16 that start with the load; LWP-LAT-08: 0, 16, ...
    #[test]
    fn rounded_to_16() {
        let straps = straps(LatencyStep::Sixteen, LatencyPhase::Exact);
        for (wait, latency) in [(1, 0), (15, 0), (16, 16), (31, 16), (32, 32), (100, 96)] {
            assert_eq!(measure::<31>(&straps, 5, wait), latency, "{wait}");
        }
    }

    // LWP-LAT-03: 16 for each carry out of bit 3 of the shared counter while the load waits. The counter is 0 in cycle 0, so it
    // carries in cycles 15, 31, ...; a load allocated in cycle b waits in cycles b + 1 to b + wait.
    #[test]
    fn free_running_phase() {
        let straps = straps(LatencyStep::Sixteen, LatencyPhase::FreeRunning);
        for (before, wait, latency) in [(0, 14, 0), (0, 15, 16), (14, 1, 16), (15, 1, 0), (15, 16, 16), (13, 18, 32)] {
            assert_eq!(measure::<31>(&straps, before, wait), latency, "{before} {wait}");
        }
    }

    // LWP-LAT-05, LWP-LAT-06: it stops at 2^n - 16 and never wraps. LWP-LAT-04: n = 10 and n = 16.
    #[test]
    fn saturates() {
        for phase in [LatencyPhase::Exact, LatencyPhase::FreeRunning] {
            let sixteen = straps(LatencyStep::Sixteen, phase);
            assert_eq!(measure::<10>(&sixteen, 0, (1 << 10) + 100), 1008);
            assert_eq!(measure::<16>(&sixteen, 0, (1 << 16) + 100), 65520);
        }
        let one = straps(LatencyStep::One, LatencyPhase::Exact);
        assert_eq!(measure::<10>(&one, 0, 1007), 1007);
        assert_eq!(measure::<10>(&one, 0, 1 << 20), 1008);
    }

    #[test]
    fn an_allocation_starts_over_and_loads_do_not_disturb_each_other() {
        let straps = straps(LatencyStep::One, LatencyPhase::Exact);
        let mut mab = Mab::default();
        mab.step::<31>(&alloc(0), &straps);
        mab.step::<31>(&alloc(1), &straps);
        let both = Buffer { fill_valid: true, fill_entry: 0, ..alloc(0) };
        assert_eq!(mab.step::<31>(&both, &straps).latency, 2);
        assert_eq!(mab.entry(0), MabEntry { counting: true, latency: 0 });
        mab.step::<31>(&Buffer::default(), &straps);
        assert_eq!((mab.entry(0).latency, mab.entry(1).latency), (1, 2));
    }

    #[test]
    fn without_the_strap_nothing_moves() {
        let mut mab = Mab::default();
        mab.step::<31>(&alloc(0), &Config::default());
        assert_eq!(mab, Mab::default());
    }
}
