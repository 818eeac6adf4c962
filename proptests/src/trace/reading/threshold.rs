//! The threshold of a buffer: when a performance interrupt is asked for.

use super::memory::Port;
use super::violation::{Fault, check};

/// Number of rules: each of six, with or without the full buffer, and the full buffer alone.
const RULES: u32 = 13;

/// Whether the interrupt may be asked for at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// Yes.
    Yes,
    /// No: BTINT = 0.
    No,
    /// That is open.
    Perhaps,
}

/// A stored record, until it is known how many pulses came with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Whether it is a branch record.
    pub(super) bts: bool,
    /// Address of the record.
    pub(super) at: u64,
    /// Bytes of the record.
    pub(super) size: u64,
    /// End of the buffer.
    pub(super) maximum: u64,
    /// Threshold, if the unit has read it.
    pub(super) threshold: Option<u64>,
    /// Address and bytes of the threshold.
    pub(super) field: (u64, u64),
    /// Whether the interrupt may be asked for.
    pub(super) asks: Asks,
    /// Pulses so far.
    pub(super) pulses: u32,
    /// Those of them that may belong to another record.
    pub(super) others: u32,
    /// Cycle behind which no pulse belongs to this record.
    pub(super) until: u64,
}

/// The readings of the document that the unit has not refuted, for each buffer.
#[derive(Clone, Debug)]
pub(super) struct Thresholds {
    rules: [u32; 2],
    /// Numbers of records that were compared with their threshold: with an interrupt, and without.
    pub(super) judged: (u64, u64),
    window: Option<Window>,
    /// Another pulse may come until this cycle: a record was dropped from a full buffer, or the fields are unusual.
    free: Option<u64>,
}

impl Thresholds {
    /// Returns the state after reset.
    pub(super) fn new() -> Self {
        Self { rules: [(1 << RULES) - 1; 2], judged: (0, 0), window: None, free: None }
    }

    /// Forgets what is pending.
    pub(super) fn reset(&mut self) {
        (self.window, self.free) = (None, None);
    }

    /// Allows another pulse until `cycle`.
    pub(super) fn allow(&mut self, cycle: u64) {
        self.free = Some(cycle);
    }

    /// The index of a record is written.
    pub(super) fn open(&mut self, window: Window, port: &Port) -> Result<(), Fault> {
        self.close(port)?;
        self.window = Some(window);
        Ok(())
    }

    /// The index was not written.
    pub(super) fn cancel(&mut self) -> Result<(), Fault> {
        let pulses = self.window.take().map_or(0, |window| window.pulses);
        check(pulses == 0, "BTS-16", || "ds_pmi, but the index could not be written".into())
    }

    /// No pulse later than `cycle` belongs to the last record.
    pub(super) fn until(&mut self, cycle: u64) {
        if let Some(window) = &mut self.window {
            window.until = window.until.min(cycle);
        }
    }

    /// Follows a cycle.
    pub(super) fn cycle(&mut self, pulse: bool, cycle: u64, port: &Port) -> Result<(), Fault> {
        if self.window.is_some_and(|window| cycle > window.until) {
            self.close(port)?;
        }
        self.free = self.free.filter(|&until| cycle <= until);
        if !pulse {
            return Ok(());
        }
        let free = self.free.take().is_some();
        if let Some(window) = &mut self.window {
            (window.pulses, window.others) = (window.pulses + 1, window.others + u32::from(free));
            return Ok(());
        }
        check(free, "BTS-16", || "ds_pmi, but no record was stored".into())
    }

    /// Compares the pulses of the last record with the threshold. Rows: DCTL-08, DCTL-23, DCTL-24, BTS-16, BTS-17, BTS-40.
    fn close(&mut self, port: &Port) -> Result<(), Fault> {
        let Some(window) = self.window.take() else { return Ok(()) };
        let row = if window.bts { "BTS-16" } else { "BTS-17" };
        let own = window.pulses - window.others;
        check(own <= 1, row, || "ds_pmi more than once for one record".into())?;
        let pulse = own == 1;
        if window.asks == Asks::Perhaps || !pulse && window.others > 0 {
            return Ok(());
        }
        if window.asks == Asks::No {
            return check(!pulse, "DCTL-08", || "ds_pmi for a branch record with BTINT = 0".into());
        }
        let Some(threshold) = window.threshold.or_else(|| port.number(window.field.0, window.field.1)) else {
            return Err((row, "a record is stored, but its interrupt threshold was never read".into()));
        };
        let shown =
            (0..RULES).filter(|&rule| asks(rule, &window, threshold) == pulse).fold(0, |set, rule| set | 1 << rule);
        *(if pulse { &mut self.judged.0 } else { &mut self.judged.1 }) += 1;
        let rules = &mut self.rules[usize::from(window.bts)];
        *rules &= shown;
        check(*rules != 0, row, || {
            let what = if pulse { "ds_pmi" } else { "no ds_pmi" };
            format!("{what} for the record at {:#x} of {} bytes, with threshold {threshold:#x}", window.at, window.size)
        })
    }
}

/// Whether a rule asks for an interrupt at this record.
fn asks(rule: u32, window: &Window, threshold: u64) -> bool {
    let (old, new) = (window.at, window.at.wrapping_add(window.size));
    let full = new.wrapping_add(window.size) > window.maximum;
    let reached = match rule % 6 {
        _ if rule == 12 => false,
        // The index reaches or passes the threshold.
        0 => old < threshold && threshold <= new,
        1 => threshold <= new,
        2 => threshold == new,
        // The record at the threshold is stored.
        3 => old <= threshold && threshold < new,
        4 => threshold < new,
        _ => threshold == old,
    };
    reached || rule >= 6 && full
}
