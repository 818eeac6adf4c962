//! What each byte of a struct may hold: one table says the most of each field and its name.
//!
//! A field's most is either a byte's or all ones up to some bit, so that comparing byte by byte compares fields. That is
//! one pass over the struct, which the compiler vectorises.

use super::abi::{LwpConfig, LwpInputs, LwpLane, LwpLoad, MAX_LANES};
use crate::failure::Failure;
use std::mem::{offset_of, size_of};

/// The most that a field of `size` bytes at `offset` may hold.
struct Limit {
    offset: usize,
    size: usize,
    most: u64,
    name: &'static str,
}

macro_rules! limits {
    ($type:ty { $($field:ident [$size:literal] <= $most:expr),+ $(,)? }) => {
        &[$(Limit {
            offset: offset_of!($type, $field),
            size: $size,
            most: $most,
            name: stringify!($field),
        }),+]
    };
}

const FLAG: u64 = 1;
const LONG: u64 = u64::MAX;
/// Latencies are 31 bits wide.
const LATENCY: u64 = 0x7FFF_FFFF;

const CONFIG: &[Limit] = limits!(LwpConfig {
    // Other sizes than those that are built in are another failure.
    retire_lanes[1] <= 255, event_slots[1] <= 255, latency_bits[1] <= 255,
    present[1] <= FLAG, avail_ire[1] <= FLAG, avail_bre[1] <= FLAG, avail_dme[1] <= FLAG, avail_int[1] <= FLAG,
    latency_filter[1] <= FLAG, level_filter[1] <= FLAG, data_source[1] <= FLAG, gather_policy[1] <= 1,
    one_per_instr[1] <= FLAG, gather_select[1] <= 2, gather_target[1] <= 1, store_timing[1] <= 1, collision[1] <= 1,
    leave_policy[1] <= 2, fault_policy[1] <= 3, address_policy[1] <= 3, address_gate[1] <= FLAG,
    latency_source[1] <= 1, latency_step[1] <= 1, latency_phase[1] <= 1, prediction[1] <= 2, head_flush[1] <= 1,
    tail_reread[1] <= 1, tail_nth[1] <= 15, interval_source[1] <= 1, missed_mode[1] <= 1, write_on_full[1] <= 1,
    misaligned[1] <= 1, flush_outside[1] <= 1, v86[1] <= FLAG, entropy[1] <= 1, irq_delay[1] <= 255, core_id[1] <= 255,
    reserved[3] <= 0, lfsr_seed[4] <= 0xFFFF_FFFF,
});

const INPUTS: &[Limit] = limits!(LwpInputs {
    cpl[1] <= 3, smm[1] <= FLAG, op_mode[1] <= 7, partial[1] <= FLAG, alloc_valid[1] <= FLAG, alloc_entry[1] <= 7,
    fill_valid[1] <= FLAG, fill_entry[1] <= 7, fill_source[1] <= 7, replay_abort[1] <= FLAG, ctl_valid[1] <= FLAG,
    ctl_op[1] <= 15, ctl_word[1] <= 15, mem_gnt[1] <= FLAG, mem_rvalid[1] <= FLAG, mem_err[1] <= FLAG,
    pf_ack[1] <= FLAG, irq_ack[1] <= FLAG, reserved[6] <= 0, entropy[4] <= 0xFFFF_FFFF, fill_latency[4] <= LATENCY,
    fill_ip[8] <= LONG, ctl_wdata[8] <= LONG, ctl_ds_base[8] <= LONG, mem_rdata[8] <= LONG,
});

const LANE: &[Limit] = limits!(LwpLane {
    ip[8] <= LONG, branch_next[8] <= LONG, valid[1] <= FLAG, counts[1] <= FLAG, branch_kind[1] <= 15,
    branch_taken[1] <= FLAG, branch_pred_valid[1] <= FLAG, branch_pred_ok[1] <= FLAG, reserved[2] <= 0,
});

const LOAD: &[Limit] = limits!(LwpLoad {
    addr[8] <= LONG, latency[4] <= LATENCY, source[1] <= 7, miss[1] <= FLAG, addr_valid[1] <= FLAG, tagged[1] <= FLAG,
});

const LANES: usize = offset_of!(LwpInputs, lanes);
const LOADS: usize = offset_of!(LwpLane, loads);

/// The most that each byte may hold.
type Mask<const N: usize> = [u8; N];

const fn fill<const N: usize>(mut mask: Mask<N>, base: usize, limits: &[Limit]) -> Mask<N> {
    let mut index = 0;
    while index < limits.len() {
        let Limit { offset, size, most, .. } = limits[index];
        let mut byte = 0;
        while byte < size {
            let place = if cfg!(target_endian = "little") { byte } else { size - 1 - byte };
            mask[base + offset + byte] = (most >> (8 * place)) as u8;
            byte += 1;
        }
        index += 1;
    }
    mask
}

const fn inputs_mask(lanes: usize) -> Mask<{ size_of::<LwpInputs>() }> {
    let mut mask = fill([0; size_of::<LwpInputs>()], 0, INPUTS);
    let mut lane = 0;
    while lane < lanes {
        let base = LANES + lane * size_of::<LwpLane>();
        mask = fill(mask, base, LANE);
        mask = fill(mask, base + LOADS, LOAD);
        mask = fill(mask, base + LOADS + size_of::<LwpLoad>(), LOAD);
        lane += 1;
    }
    mask
}

/// The masks of inputs, for units with so many lanes.
struct InputsMask<const W: usize>;

impl<const W: usize> InputsMask<W> {
    const MASK: Mask<{ size_of::<LwpInputs>() }> = inputs_mask(W);
}

const CONFIG_MASK: Mask<{ size_of::<LwpConfig>() }> = fill([0; size_of::<LwpConfig>()], 0, CONFIG);

/// Whether every byte is within its limit.
#[inline]
fn within<const N: usize>(bytes: &[u8; N], mask: &Mask<N>) -> bool {
    // What is above, of all bytes together, and no early exit: so the compiler takes many bytes at a time.
    bytes.iter().zip(mask).fold(0, |above, (byte, most)| above | byte.saturating_sub(*most)) == 0
}

/// Refuses a config with a field out of range.
pub(crate) fn check_config(bytes: &[u8; size_of::<LwpConfig>()]) -> Result<(), Failure> {
    if within(bytes, &CONFIG_MASK) {
        return Ok(());
    }
    Err(first(bytes, 0, CONFIG, "config->"))
}

/// Refuses inputs with a field out of range, or with anything in the lanes from `W` on.
#[inline]
pub(crate) fn check_inputs<const W: usize>(bytes: &[u8; size_of::<LwpInputs>()]) -> Result<(), Failure> {
    if within(bytes, &InputsMask::<W>::MASK) {
        return Ok(());
    }
    Err(explain_inputs::<W>(bytes))
}

#[cold]
fn explain_inputs<const W: usize>(bytes: &[u8; size_of::<LwpInputs>()]) -> Failure {
    let mask = &InputsMask::<W>::MASK;
    let bad = |range: std::ops::Range<usize>| range.clone().any(|index| bytes[index] > mask[index]);
    if bad(0..LANES) {
        return first(bytes, 0, INPUTS, "inputs->");
    }
    let lane_bytes = size_of::<LwpLane>();
    let lane = (0..MAX_LANES).find(|lane| bad(LANES + lane * lane_bytes..LANES + (lane + 1) * lane_bytes));
    let lane = lane.unwrap_or_default();
    if lane >= W {
        let text = format!("inputs->lanes[{lane}] (a model with {W} lanes looks at none above {})", W - 1);
        let base = LANES + lane * lane_bytes;
        let value = bytes[base..base + lane_bytes].iter().copied().max().unwrap_or_default();
        return Failure::Range { field: text, value: value.into(), most: 0 };
    }
    let base = LANES + lane * lane_bytes;
    for load in 0..2 {
        let at = base + LOADS + load * size_of::<LwpLoad>();
        if bad(at..at + size_of::<LwpLoad>()) {
            return first(bytes, at, LOAD, &format!("inputs->lanes[{lane}].loads[{load}]."));
        }
    }
    first(bytes, base, LANE, &format!("inputs->lanes[{lane}]."))
}

/// The first field of the table that is above its most.
#[cold]
fn first(bytes: &[u8], base: usize, limits: &[Limit], prefix: &str) -> Failure {
    for Limit { offset, size, most, name } in limits {
        let field = &bytes[base + offset..][..*size];
        let fold = |value, byte: &u8| value << 8 | u64::from(*byte);
        let value =
            if cfg!(target_endian = "little") { field.iter().rev().fold(0, fold) } else { field.iter().fold(0, fold) };
        if value > *most {
            return Failure::Range { field: format!("{prefix}{name}"), value, most: *most };
        }
    }
    Failure::Internal(format!("{prefix} is refused, but no field of it is out of range"))
}
