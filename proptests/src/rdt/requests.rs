//! Register requests: every number, values that are taken and values that are refused.

use super::random::{Chance, bits};
use crate::straps::Draw;
use lwp_model::Choice;
use lwp_model::rdt::Config;
use lwp_model::retire::{RegOp, RegRequest};

/// IA32_L3_QOS_CFG.
pub const L3_QOS_CFG: u32 = 0xC81;
/// IA32_L2_QOS_CFG.
pub const L2_QOS_CFG: u32 = 0xC82;
/// IA32_QM_EVTSEL.
pub const QM_EVTSEL: u32 = 0xC8D;
/// IA32_QM_CTR.
pub const QM_CTR: u32 = 0xC8E;
/// IA32_PQR_ASSOC.
pub const PQR_ASSOC: u32 = 0xC8F;
/// IA32_L3_MASK_0.
pub const L3_MASK: u32 = 0xC90;
/// IA32_L2_MASK_0.
pub const L2_MASK: u32 = 0xD10;
/// IA32_L2_QoS_Ext_BW_Thrtl_0.
pub const THROTTLE: u32 = 0xD50;

/// Registers by how often they are asked for.
const NUMBERS: [u32; 16] = [
    PQR_ASSOC, PQR_ASSOC, PQR_ASSOC, PQR_ASSOC, QM_EVTSEL, QM_EVTSEL, QM_CTR, QM_CTR, L3_MASK, L3_MASK, L3_MASK,
    L2_MASK, L2_MASK, THROTTLE, THROTTLE, L3_QOS_CFG,
];

/// Returns a request: of a register that exists, of its neighbours, or of any number. One behind a WRMSR of IA32_QM_EVTSEL is mostly
/// RDMSR of IA32_QM_CTR of the same logical processor.
pub fn request(draw: &mut Draw, straps: &Config, last: Option<RegRequest>) -> RegRequest {
    let selected = last.filter(|last| last.number == QM_EVTSEL && last.op == RegOp::Wrmsr);
    if let Some(last) = selected.filter(|_| draw.in_16(12)) {
        return RegRequest { op: RegOp::Rdmsr, number: QM_CTR, wdata: 0, ..last };
    }
    let lp = draw.below(8) as u8;
    let op = match draw.below(16) {
        0 => RegOp::ALL[draw.below(RegOp::ALL.len())],
        1..=5 => RegOp::Rdmsr,
        _ => RegOp::Wrmsr,
    };
    let (number, wdata) = written(draw, straps);
    RegRequest { valid: true, op, lp, number, wdata }
}

/// Returns a number and a value for it.
fn written(draw: &mut Draw, straps: &Config) -> (u32, u64) {
    match draw.below(20) {
        0 => return (bits(draw) as u32, bits(draw)),
        1 => {
            let base = [0xC80, 0xC8C, L3_MASK, L2_MASK, THROTTLE][draw.below(5)];
            return (base + draw.below(20) as u32, value(draw));
        }
        2 => return (L2_QOS_CFG, cdp(draw)),
        _ => {}
    }
    let base = NUMBERS[draw.below(NUMBERS.len())];
    match base {
        L3_MASK => (base + class(draw, straps.l3_cos), mask(draw, straps.l3_ways)),
        L2_MASK => (base + class(draw, straps.l2_cos), mask(draw, straps.l2_ways)),
        THROTTLE => (base + class(draw, straps.mba_cos), delay(draw, straps)),
        PQR_ASSOC => (base, association(draw, straps)),
        QM_EVTSEL => (base, selection(draw, straps)),
        L3_QOS_CFG => (base, cdp(draw)),
        _ => (base, value(draw)),
    }
}

/// Returns the number of a class up to the highest, or the one above.
fn class(draw: &mut Draw, highest: u8) -> u32 {
    let above = usize::from(draw.in_16(2));
    draw.below(usize::from(highest) + 1 + above) as u32
}

/// Returns 0, 1 or any value, mostly small.
fn value(draw: &mut Draw) -> u64 {
    match draw.below(4) {
        0 => 0,
        1 => 1,
        2 => draw.below(16) as u64,
        _ => bits(draw),
    }
}

fn cdp(draw: &mut Draw) -> u64 {
    if draw.in_16(13) { draw.below(2) as u64 } else { spoilt(draw, 1) }
}

/// Returns a mask for a cache with so many ways: in one piece, in pieces, empty, full, too long.
#[must_use]
pub fn mask(draw: &mut Draw, ways: u8) -> u64 {
    let ways = usize::from(ways.max(1));
    let full = (1_u64 << ways) - 1;
    match draw.below(16) {
        0 | 1 => full,
        2 => 0,
        3..=5 => bits(draw) & full,
        6 => 1_u64 << ways,
        7 => spoilt(draw, full),
        _ => {
            let first = draw.below(ways);
            let length = 1 + draw.below(ways - first);
            ((1 << length) - 1) << first
        }
    }
}

/// Returns a delay: none, the largest, one above it, a power of two, any in between.
fn delay(draw: &mut Draw, straps: &Config) -> u64 {
    let most = u64::from(straps.mba_max);
    match draw.below(16) {
        0..=3 => 0,
        4 | 5 => most,
        6 => most + 1,
        7 => 1 << draw.below(13),
        8 => spoilt(draw, most),
        _ => draw.below(straps.mba_max as usize + 1) as u64,
    }
}

/// Returns an association: mostly an RMID and a class that exist.
fn association(draw: &mut Draw, straps: &Config) -> u64 {
    let classes = 1 + straps.l3_cos.max(straps.l2_cos).max(straps.mba_cos);
    let rmid = match draw.below(16) {
        0 => u64::from(straps.max_rmid) + 1,
        1 => bits(draw) & 0xFFF,
        _ => draw.below(usize::from(straps.max_rmid) + 1) as u64,
    };
    let class = match draw.below(16) {
        0 => classes.into(),
        1 => bits(draw) & 0xFFFF_FFFF,
        // The lower half, which is there with CDP too.
        2..=6 => draw.below(usize::from(classes).div_ceil(2)) as u64,
        _ => draw.below(classes.into()) as u64,
    };
    let value = class << 32 | rmid;
    if draw.in_16(1) { spoilt(draw, value) } else { value }
}

/// Returns an event and an RMID to be selected.
fn selection(draw: &mut Draw, straps: &Config) -> u64 {
    let event = if draw.in_16(13) { 1 + draw.below(3) as u64 } else { bits(draw) & 0xFF };
    let rmid = match draw.below(16) {
        0 => bits(draw) & 0xFFF,
        1 | 2 => u64::from(straps.l3_max_rmid) + draw.below(2) as u64,
        _ => draw.below(usize::from(straps.l3_max_rmid) + 1) as u64,
    };
    let value = rmid << 32 | event;
    if draw.in_16(1) { spoilt(draw, value) } else { value }
}

/// Returns the value with one bit changed, which may be reserved.
fn spoilt(draw: &mut Draw, value: u64) -> u64 {
    value ^ 1 << draw.below(64)
}
