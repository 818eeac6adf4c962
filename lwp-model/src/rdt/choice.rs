//! Stage choice: which access is next, and the ways that it may fill.

use super::config::Config;
use super::pace::Pace;
use super::state::{Cdp, Class, Lp, PowerOn, Stage};
use lwp_regs::rdt::{CacheLevel, CatCaps, Cos, RdtCaps};

/// Ways 0 to `ways` - 1.
#[inline]
pub(super) const fn lowest(ways: u8) -> u16 {
    ((1_u32 << ways) - 1) as u16
}

/// Returns the logical processor that is chosen: the first one behind `turn` that is ready.
#[inline]
pub(super) fn next<const LPS: usize>(turn: u8, lps: &[Lp; LPS], paces: &[Pace; LPS]) -> Option<usize> {
    (1..=LPS).map(|step| (usize::from(turn) + step) % LPS).find(|&index| match lps[index].stage {
        Stage::None => false,
        Stage::L2 => true,
        Stage::L3 => paces[index].allows(lps[index].credit),
    })
}

/// Returns the index of the mask register that holds for a class, if the cache has masks and such a class.
#[inline]
fn index<L: CacheLevel>(cat: Option<&CatCaps<L>>, cdp: bool, code: bool, cos: Cos) -> Option<usize> {
    let cat = cat?;
    let index = match (cdp, code) {
        (false, _) => cat.mask(cos),
        (true, false) => cat.data_mask(cos),
        (true, true) => cat.code_mask(cos),
    };
    index.ok().map(|index| index.get() as usize)
}

/// Returns the ways of the L3 cache and of the L2 cache that the access of a logical processor may fill.
#[inline]
pub(super) fn allowed(
    lp: &Lp,
    classes: &[Class],
    cdp: Cdp,
    on: PowerOn,
    (straps, caps): (&Config, &RdtCaps),
) -> (u16, u8) {
    let (allocation, cos) = (caps.allocation.as_ref(), Cos::new(lp.access_cos.into(), caps).ok());
    let l3 = if on.l3_on < straps.l3_ways {
        lowest(on.l3_on)
    } else {
        let index = cos.and_then(|cos| index(allocation?.l3.as_ref(), cdp.l3, lp.code, cos));
        index.map_or(lowest(straps.l3_ways), |index| classes[index].l3_mask)
    };
    let l2 = if on.l2_on < straps.l2_ways {
        lowest(on.l2_on) as u8
    } else {
        let index = cos.and_then(|cos| index(allocation?.l2.as_ref(), cdp.l2, lp.code, cos));
        index.map_or(lowest(straps.l2_ways) as u8, |index| classes[index].l2_mask)
    };
    (l3, if straps.l2 { l2 } else { 0 })
}
