//! The straps' bits, after the table "The flat image" in the book.

use crate::lockstep::Field;

const fn strap(name: &'static str, word: usize, lsb: u32, width: u32) -> Field {
    Field { name, word, lsb, width }
}

/// Every strap, in the order of the contract.
pub(super) const STRAPS: &[Field] = &[
    strap("present", 0, 0, 1),
    strap("avail_ire", 0, 1, 1),
    strap("avail_bre", 0, 2, 1),
    strap("avail_dme", 0, 3, 1),
    strap("avail_int", 0, 4, 1),
    strap("latency_filter", 0, 5, 1),
    strap("level_filter", 0, 6, 1),
    strap("data_source", 0, 7, 1),
    strap("gather_policy", 0, 16, 1),
    strap("one_per_instr", 0, 17, 1),
    strap("gather_select", 0, 18, 2),
    strap("gather_target", 0, 20, 1),
    strap("store_timing", 0, 21, 1),
    strap("collision", 0, 22, 1),
    strap("leave_policy", 0, 23, 2),
    strap("fault_policy", 0, 25, 2),
    strap("address_policy", 0, 27, 2),
    strap("address_gate", 0, 29, 1),
    strap("latency_source", 0, 30, 1),
    strap("latency_step", 0, 31, 1),
    strap("latency_phase", 2, 0, 1),
    strap("prediction", 2, 1, 2),
    strap("head_flush", 2, 3, 1),
    strap("tail_reread", 2, 4, 1),
    strap("tail_nth", 2, 5, 4),
    strap("interval_source", 2, 9, 1),
    strap("missed_mode", 2, 10, 1),
    strap("write_on_full", 2, 11, 1),
    strap("misaligned", 2, 12, 1),
    strap("flush_outside", 2, 13, 1),
    strap("v86", 2, 14, 1),
    strap("entropy", 2, 15, 1),
    strap("irq_delay", 2, 16, 8),
    strap("core_id", 0, 8, 8),
    strap("lfsr_seed", 1, 0, 32),
];

#[cfg(test)]
mod tests {
    use super::STRAPS;
    use crate::lwp::flat::pack_straps;
    use lwp_model::lwp::{Config, Entropy, FaultPolicy, LeavePolicy};

    #[test]
    fn names_are_where_the_bits_are() {
        let words = pack_straps(&Config {
            core_id: 0x5A,
            irq_delay: 0xA5,
            lfsr_seed: 77,
            entropy: Entropy::Port,
            leave_policy: LeavePolicy::Hold,
            fault_policy: FaultPolicy::Nonpaged,
            ..Config::default()
        });
        let of = |name: &str| STRAPS.iter().find(|strap| strap.name == name).unwrap().of(&words);
        let values =
            ["core_id", "irq_delay", "lfsr_seed", "entropy", "leave_policy", "fault_policy", "tail_nth"].map(of);
        assert_eq!(values, [0x5A, 0xA5, 77, 1, 2, 3, 1]);
        assert_eq!(STRAPS.iter().map(|strap| strap.width).sum::<u32>(), 24 + 8 + 32 + 24 - 8 + 8);
    }
}
