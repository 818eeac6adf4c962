//! Gather: forms the record of an expired event.

use super::config::Config;
use super::event::{BRANCHES, INSTRUCTIONS};
use super::inputs::{BranchKind, Lane, Mode};
use super::state::{Candidate, Record};
use super::straps::{AddressPolicy, Prediction};

/// Branch record, bit 29 of the first word: bit 30 is valid.
const PREDICTION_VALID: u8 = 1 << 1;
/// Branch record, bit 30: predicted correctly.
const PREDICTED: u8 = 1 << 2;
/// Branch record, bit 31: taken.
const TAKEN: u8 = 1 << 3;
/// DCache-miss record, bit 28: the data address is valid.
const ADDRESS_VALID: u8 = 1 << 0;

impl Record {
    /// Returns the 8 bytes of the record that a beat writes.
    pub(super) fn beat(&self, beat: u8, core_id: u8) -> u64 {
        match beat {
            0 => {
                let first = u32::from(self.flags) << 28 | u32::from(core_id) << 8 | u32::from(self.event);
                u64::from(self.data) << 32 | u64::from(first)
            }
            1 => self.ip,
            2 => self.addr,
            _ => 0,
        }
    }

    /// Clears what is reserved in a record of its event.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records", Figures 2 to 4.
    pub(super) fn clean(&mut self) {
        match self.event {
            1 => (self.flags, self.data, self.addr) = (0, 0, 0),
            2 => {
                let meaningful =
                    if self.flags & PREDICTION_VALID == 0 { TAKEN } else { TAKEN | PREDICTED | PREDICTION_VALID };
                (self.flags, self.data) = (self.flags & meaningful, 0);
            }
            3 if self.flags & ADDRESS_VALID == 0 => self.addr = 0,
            _ => {}
        }
    }
}

/// Returns the record of event `index` (EventId - 1) for the instruction in `lane`. `load` is the load to report, `tag_ip` the address of
/// the instruction of a replayed load.
pub(super) fn record(index: usize, lane: &Lane, load: &Candidate, tag_ip: u64, mode: Mode, straps: &Config) -> Record {
    let ip = mode.linear(lane.ip);
    match index {
        INSTRUCTIONS => Record { event: 1, flags: 0, data: 0, ip, addr: 0 },
        BRANCHES => {
            Record { event: 2, flags: branch_flags(lane, straps), data: 0, ip, addr: mode.linear(lane.branch_next) }
        }
        _ => {
            let known = load.addr_valid && straps.address_policy != AddressPolicy::None;
            let addr = if known { mode.linear(load.addr) } else { 0 };
            let source = if straps.data_source { reported_source(load.source) } else { 0 };
            let flags = source << 1 | if known { ADDRESS_VALID } else { 0 };
            let ip = if straps.address_policy == AddressPolicy::Replay { mode.linear(tag_ip) } else { ip };
            Record { event: 3, flags, data: load.latency, ip, addr }
        }
    }
}

/// Source: Lightweight Profiling Proposal (2007-07-20), "Branches Retired", table of the record.
fn branch_flags(lane: &Lane, straps: &Config) -> u8 {
    let direct = matches!(lane.branch_kind, BranchKind::Jmp | BranchKind::Call);
    let conditional = lane.branch_kind == BranchKind::Jcc;
    let mut flags = 0;
    let known = match straps.prediction {
        Prediction::Some => lane.branch_pred_valid,
        Prediction::All => true,
        Prediction::None => false,
    };
    if known {
        flags |= PREDICTION_VALID;
        if lane.branch_pred_ok || direct {
            flags |= PREDICTED;
        }
    }
    if lane.branch_taken || !conditional {
        flags |= TAKEN;
    }
    flags
}

/// Returns the source as the record reports it. Codes 4 to 6 are reserved, and reported as 0.
const fn reported_source(source: u8) -> u8 {
    match source {
        4..=6 => 0,
        source => source & 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::BranchKind::{Call, FarJmp, Jcc, Jmp, JmpInd, Ret};
    use crate::lwp::OpMode;

    fn branch(kind: BranchKind, taken: bool, predicted: Option<bool>) -> Lane {
        Lane {
            valid: true,
            counts: true,
            ip: 0x1_0000_1000,
            branch_kind: kind,
            branch_taken: taken,
            branch_pred_valid: predicted.is_some(),
            branch_pred_ok: predicted == Some(true),
            branch_next: 0x1_0000_2000,
            ..Lane::default()
        }
    }

    // LWP-BRN-08 to 12, LWP-BRN-22: bits 31 (taken), 30 (predicted), 29 (prediction valid), 28 (0).
    #[test]
    fn branch_flags_by_class() {
        for (lane, flags) in [
            (branch(Jcc, true, Some(true)), 0b1110),
            (branch(Jcc, true, Some(false)), 0b1010),
            (branch(Jcc, false, Some(true)), 0b0110),
            (branch(Jcc, false, None), 0b0000),
            (branch(Jmp, true, Some(false)), 0b1110),
            (branch(Call, false, Some(false)), 0b1110),
            (branch(JmpInd, false, Some(false)), 0b1010),
            (branch(Ret, true, None), 0b1000),
            (branch(FarJmp, true, Some(false)), 0b1010),
        ] {
            assert_eq!(branch_flags(&lane, &Config::default()), flags, "{lane:?}");
        }
    }

    // LWP-BRN-17: known of all or of no branch, whatever the core says.
    #[test]
    fn prediction_straps() {
        let flags = |prediction, lane: &Lane| branch_flags(lane, &Config { prediction, ..Config::default() });
        let silent = branch(Jcc, true, None);
        let told = branch(Jcc, true, Some(true));
        assert_eq!((flags(Prediction::All, &silent), flags(Prediction::All, &told)), (0b1010, 0b1110));
        assert_eq!((flags(Prediction::None, &silent), flags(Prediction::None, &told)), (0b1000, 0b1000));
    }

    fn record(index: usize, lane: &Lane, load: &Candidate, mode: Mode, straps: &Config) -> Record {
        super::record(index, lane, load, 0, mode, straps)
    }

    // LWP-DCM-10, LWP-DCM-16, LWP-DCM-22, LWP-ADR-12.
    #[test]
    fn dcache_record_fields() {
        let lane = Lane { ip: 0x1000, ..Lane::default() };
        let load = Candidate { valid: true, addr_valid: true, source: 3, latency: 200, addr: 0x7FF0 };
        let mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };
        let straps = Config::default();
        let gathered = record(2, &lane, &load, mode, &straps);
        assert_eq!(gathered, Record { event: 3, flags: 0b0111, data: 200, ip: 0x1000, addr: 0x7FF0 });
        let unknown = record(2, &lane, &Candidate { addr_valid: false, ..load }, mode, &straps);
        assert_eq!((unknown.flags, unknown.addr), (0b0110, 0));
        let none = record(2, &lane, &load, mode, &Config { address_policy: AddressPolicy::None, ..straps });
        assert_eq!((none.flags, none.addr), (0b0110, 0));
        for source in 4..=6 {
            assert_eq!(record(2, &lane, &Candidate { source, ..load }, mode, &straps).flags, 0b0001);
        }
        assert_eq!(record(2, &lane, &Candidate { source: 7, ..load }, mode, &straps).flags, 0b1111);
        // LWP-DCM-18: not provided.
        assert_eq!(record(2, &lane, &load, mode, &Config { data_source: false, ..straps }).flags, 0b0001);
        // LWP-ADR-07: the instruction of the first pass.
        let replay = Config { address_policy: AddressPolicy::Replay, ..straps };
        assert_eq!(super::record(2, &lane, &load, 0x2000, mode, &replay).ip, 0x2000);
    }

    // AMB-33: all addresses are linear, 32 bits wide outside 64-bit mode.
    #[test]
    fn addresses_are_truncated_outside_64_bit_mode() {
        let lane = branch(Ret, true, None);
        let none = Candidate::default();
        let long = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };
        let wide = record(1, &lane, &none, long, &Config::default());
        assert_eq!((wide.ip, wide.addr), (0x1_0000_1000, 0x1_0000_2000));
        let narrow = record(1, &lane, &none, Mode { op_mode: OpMode::Protected, ..long }, &Config::default());
        assert_eq!((narrow.ip, narrow.addr), (0x1000, 0x2000));
    }
}
