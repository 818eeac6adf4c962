//! Straps.

use super::{bit, joined};
use crate::lwp::Config;

/// Words of the straps.
pub const STRAP_WORDS: usize = 3;

/// The straps.
#[must_use]
pub fn pack_straps(straps: &Config) -> [u32; STRAP_WORDS] {
    [joined([features(straps), policies(straps)]), straps.lfsr_seed, habits(straps)]
}

fn features(straps: &Config) -> u32 {
    let flags = [
        straps.present,
        straps.avail_ire,
        straps.avail_bre,
        straps.avail_dme,
        straps.avail_int,
        straps.latency_filter,
        straps.level_filter,
        straps.data_source,
    ];
    let bits: u32 = flags.iter().zip(0..).map(|(&flag, index)| bit(flag, index)).sum();
    joined([bits, u32::from(straps.core_id) << 8])
}

fn policies(straps: &Config) -> u32 {
    joined([
        (straps.gather_policy as u32) << 16,
        bit(straps.one_per_instr, 17),
        (straps.gather_select as u32) << 18,
        (straps.gather_target as u32) << 20,
        (straps.store_timing as u32) << 21,
        (straps.collision as u32) << 22,
        (straps.leave_policy as u32) << 23,
        (straps.fault_policy as u32) << 25,
        (straps.address_policy as u32) << 27,
        bit(straps.address_gate, 29),
        (straps.latency_source as u32) << 30,
        (straps.latency_step as u32) << 31,
    ])
}

fn habits(straps: &Config) -> u32 {
    joined([
        straps.latency_phase as u32,
        (straps.prediction as u32) << 1,
        (straps.head_flush as u32) << 3,
        (straps.tail_reread as u32) << 4,
        (u32::from(straps.tail_nth) & 15) << 5,
        (straps.interval_source as u32) << 9,
        (straps.missed_mode as u32) << 10,
        (straps.write_on_full as u32) << 11,
        (straps.misaligned as u32) << 12,
        (straps.flush_outside as u32) << 13,
        bit(straps.v86, 14),
        (straps.entropy as u32) << 15,
        u32::from(straps.irq_delay) << 16,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::{Entropy, LatencyPhase, LatencyStep};

    // The table's bits by hand: features 0 to 7, one_per_instr 17, address_gate 29, tail_nth 1 at bit 5.
    #[test]
    fn default_straps() {
        assert_eq!(pack_straps(&Config::default()), [0x2002_00FF, 1, 0x20]);
    }

    #[test]
    fn the_ends_of_the_words() {
        let straps = Config {
            latency_step: LatencyStep::Sixteen,
            latency_phase: LatencyPhase::FreeRunning,
            entropy: Entropy::Port,
            irq_delay: 0xA5,
            ..Config::default()
        };
        assert_eq!(pack_straps(&straps), [0xA002_00FF, 1, 0xA5_8021]);
    }
}
