//! Latencies as the miss address buffer measures them.

use lwp_model::lwp::{Buffer, Config, LatencyPhase, LatencyStep};

/// The eight entries, and the counter whose carry they may share.
#[derive(Clone, Debug, Default)]
pub(super) struct Latencies {
    entries: [(bool, u32); 8],
    phase: u8,
}

impl Latencies {
    /// Returns the latency that the entry reports to an instruction that retires now.
    pub(super) fn reported(&self, straps: &Config, entry: u32) -> u32 {
        Self::round(straps, self.entries[(entry & 7) as usize].1)
    }

    fn round(straps: &Config, latency: u32) -> u32 {
        if straps.latency_step == LatencyStep::Sixteen { latency & !15 } else { latency }
    }

    /// Advances by one cycle, and returns the latency of a load whose data returns in it.
    pub(super) fn cycle(&mut self, straps: &Config, bits: u32, seen: &Buffer) -> u32 {
        let free = straps.latency_phase == LatencyPhase::FreeRunning;
        let step = match (free, self.phase) {
            (false, _) => 1,
            (true, 15) => 16,
            (true, _) => 0,
        };
        for (counting, latency) in &mut self.entries {
            if *counting {
                *latency = (*latency + step).min((1 << bits) - 16);
            }
        }
        if free {
            self.phase = (self.phase + 1) & 15;
        }
        let filled = Self::round(straps, self.entries[usize::from(seen.fill_entry & 7)].1);
        if seen.fill_valid {
            self.entries[usize::from(seen.fill_entry & 7)].0 = false;
        }
        if seen.alloc_valid {
            self.entries[usize::from(seen.alloc_entry & 7)] = (true, 0);
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(straps: &Config, before: u32, cycles: u32) -> u32 {
        let mut buffer = Latencies::default();
        for _ in 0..before {
            buffer.cycle(straps, 10, &Buffer::default());
        }
        buffer.cycle(straps, 10, &Buffer { alloc_valid: true, alloc_entry: 3, ..Buffer::default() });
        for _ in 1..cycles {
            buffer.cycle(straps, 10, &Buffer::default());
        }
        buffer.cycle(straps, 10, &Buffer { fill_valid: true, fill_entry: 3, ..Buffer::default() })
    }

    #[test]
    fn a_load_reports_how_long_it_waited() {
        let exact = Config::default();
        assert_eq!(wait(&exact, 0, 37), 37);
        assert_eq!(wait(&exact, 0, 2000), 1008, "2^10 - 16");
        let step = Config { latency_step: LatencyStep::Sixteen, ..exact };
        assert_eq!(wait(&step, 5, 37), 32);
        let free = Config { latency_phase: LatencyPhase::FreeRunning, ..step };
        assert_eq!(wait(&free, 14, 2), 16, "a carry after one cycle");
        assert_eq!(wait(&free, 0, 15), 16);
        assert_eq!(wait(&free, 0, 14), 0, "no carry in fourteen cycles");
        assert_eq!(wait(&free, 0, 2000), 1008);
    }
}
