//! Names of the bits in an outputs-and-probe row, for reports.

use crate::lockstep::Field;

const fn field(name: &'static str, word: usize, lsb: u32, width: u32) -> Field {
    Field { name, word, lsb, width }
}

/// Every output and every register, in the order of the row.
pub const FIELDS: &[Field] = &[
    field("stall", 0, 0, 1),
    field("rsp_valid", 0, 1, 1),
    field("rsp_fault", 0, 2, 2),
    field("rsp_fault_write", 0, 4, 1),
    field("mem_req", 0, 5, 1),
    field("mem_cmd", 0, 6, 2),
    field("mem_be", 0, 8, 8),
    field("pf_valid", 0, 16, 1),
    field("pf_write", 0, 17, 1),
    field("irq", 0, 18, 1),
    field("rsp_rdata", 1, 0, 64),
    field("rsp_fault_addr", 3, 0, 64),
    field("mem_addr", 5, 0, 64),
    field("mem_wdata", 7, 0, 64),
    field("pf_addr", 9, 0, 64),
    field("msr0", 11, 0, 32),
    field("state.msr0", 12, 0, 32),
    field("state.lwpcb", 13, 0, 64),
    field("state.active", 15, 0, 1),
    field("state.init_pending", 15, 1, 1),
    field("state.random", 15, 2, 4),
    field("state.events[0].slot", 15, 6, 5),
    field("state.events[1].slot", 15, 11, 5),
    field("state.events[2].slot", 15, 16, 5),
    field("state.cand_valid", 15, 21, 1),
    field("state.cand_addr_valid", 15, 22, 1),
    field("state.cand_source", 15, 23, 3),
    field("state.rec_event", 15, 26, 2),
    field("state.rec_flags", 15, 28, 4),
    field("state.flags", 16, 0, 32),
    field("state.base", 17, 0, 64),
    field("state.size", 19, 0, 28),
    field("state.head", 20, 0, 28),
    field("state.tail", 21, 0, 28),
    field("state.threshold", 22, 0, 32),
    field("state.filter", 23, 0, 14),
    field("state.events[0].interval", 24, 0, 26),
    field("state.events[0].counter", 25, 0, 26),
    field("state.events[1].interval", 26, 0, 26),
    field("state.events[1].counter", 27, 0, 26),
    field("state.events[2].interval", 28, 0, 26),
    field("state.events[2].counter", 29, 0, 26),
    field("state.lfsr", 30, 0, 32),
    field("state.cand_latency", 31, 0, 31),
    field("state.cand_addr", 32, 0, 64),
    field("state.rec_data", 34, 0, 31),
    field("state.rec_ip", 35, 0, 64),
    field("state.rec_addr", 37, 0, 64),
    field("state.store_st", 39, 0, 3),
    field("state.store_beat", 39, 3, 2),
    field("state.mem_req", 39, 5, 1),
    field("state.mem_wait", 39, 6, 1),
    field("state.mem_drop", 39, 7, 1),
    field("state.mem_cmd", 39, 8, 2),
    field("state.mem_be", 39, 10, 8),
    field("state.ctl_st", 39, 18, 3),
    field("state.ctl_op", 39, 21, 3),
    field("state.ctl_init", 39, 24, 1),
    field("state.ctl_ring3", 39, 25, 1),
    field("state.ctl_idx", 39, 26, 5),
    field("state.ctl_fault", 40, 0, 2),
    field("state.ctl_fault_write", 40, 2, 1),
    field("state.pf_valid", 40, 3, 1),
    field("state.pf_write", 40, 4, 1),
    field("state.irq", 40, 5, 1),
    field("state.mem_addr", 41, 0, 64),
    field("state.mem_wdata", 43, 0, 64),
    field("state.ctl_arg", 45, 0, 64),
    field("state.ctl_rdata", 47, 0, 64),
    field("state.ctl_fault_addr", 49, 0, 64),
    field("state.pf_addr", 51, 0, 64),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::OUT_WORDS;

    #[test]
    fn no_two_fields_share_a_bit_and_all_fit() {
        let mut owner = [[None; 32]; OUT_WORDS];
        for field in FIELDS {
            for bit in 0..field.width {
                let (word, lsb) = (field.word + (field.lsb + bit) as usize / 32, (field.lsb + bit) as usize % 32);
                assert_eq!(owner[word][lsb].replace(field.name), None, "{}", field.name);
            }
        }
    }
}
