//! Branch records.

use super::row;
use lwp_regs::trace::{FromWithTsx, LbrEntry, LbrFormat, LbrFrom, LbrInfo, LbrTo};
use regs_checks::Row;

pub(crate) fn rows() -> Vec<Row> {
    vec![
        row!(
            "LBR_INFO: cycles, if the branch was predicted wrongly",
            (info: u64),
            u16,
            match LbrInfo::from_bits(info) {
                info if info.mispredicted() => info.cycles(),
                _ => 0,
            },
            if info >> 63 == 1 { info as u16 } else { 0 }
        ),
        row!(
            "LBR, flags in FROM: the address, its sign extended",
            (from: u64),
            u64,
            FromWithTsx::from_bits(from).full_address(),
            ((from << 3) as i64 >> 3) as u64
        ),
        row!(
            "LBR: source address, decoded by a constant format",
            (from: u64, to: u64),
            u64,
            {
                let entry = LbrEntry { from: LbrFrom::from_bits(from), to: LbrTo::from_bits(to), info: LbrInfo::new() };
                LbrFormat::EffectiveIpFlags.decode(entry).map_or(0, |record| record.from)
            },
            {
                let _ = to;
                ((from << 1) as i64 >> 1) as u64
            }
        ),
    ]
}
