//! PEBS: when a counter is armed, and what the record of its next event holds.

use super::area::{Fields, Format};
use super::bits::ones;
use super::memory::Port;
use super::ports::{PortsIn, PortsOut, Straps};
use super::violation::{Fault, check, fault};
use std::collections::BTreeMap;

/// Number of the field that the unit fills itself: the counters of the record.
const COUNTERS: usize = 18;

/// Whether a counter has overflowed and has not stored its record yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Armed {
    No,
    Yes,
    /// The document does not say.
    Perhaps,
}

/// A record that an event asked for.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Cycle of the event.
    since: u64,
    /// Counters whose event it was.
    counters: u8,
    /// The ports contradict themselves: perhaps there was no event.
    perhaps: bool,
    /// Formats that the record may have.
    pub(super) formats: Vec<Format>,
    /// Values that the core has shown for each register.
    values: Vec<Vec<u64>>,
    stored: u32,
    lost: u32,
    /// Counters that the stored records name.
    named: u8,
    /// Counters that were reloaded.
    reloaded: u8,
    /// A read page-faulted: a reset value may be missing.
    faulted: bool,
}

/// The PEBS part.
#[derive(Clone, Debug)]
pub(super) struct Pebs {
    /// IA32_PEBS_ENABLE.
    pub(super) enable: u8,
    armed: [Armed; 4],
    /// A counter was disabled while it was armed.
    dormant: [bool; 4],
    /// The record that is pending.
    pub(super) pending: Option<Pending>,
    /// A record that was not stored must be reported as lost until this cycle.
    pub(super) owes: Option<u64>,
    /// `pebs_armed` is not checked in this cycle.
    fresh: bool,
}

impl Pebs {
    /// Returns the state after reset.
    pub(super) fn new() -> Self {
        Self { enable: 0, armed: [Armed::No; 4], dormant: [false; 4], pending: None, owes: None, fresh: false }
    }

    /// Follows a write of IA32_PEBS_ENABLE. `overflow`: the counters that overflowed in the cycle of acceptance.
    pub(super) fn write(&mut self, enable: u8, overflow: u8) {
        for counter in 0..4 {
            let (was, is) = (self.enable >> counter & 1 == 1, enable >> counter & 1 == 1);
            let armed = &mut self.armed[counter];
            if was && !is {
                self.dormant[counter] = *armed != Armed::No;
                *armed = Armed::No;
            } else if is && !was && (self.dormant[counter] || overflow >> counter & 1 == 1) {
                *armed = Armed::Perhaps;
            }
        }
        (self.enable, self.fresh) = (enable, true);
    }

    /// Checks `pebs_armed`. Row: BTS-09.
    pub(super) fn check_armed(&mut self, out: &PortsOut) -> Result<(), Fault> {
        let pending = self.pending.as_ref().map_or(0, |pending| pending.counters);
        if std::mem::take(&mut self.fresh) {
            return Ok(());
        }
        for counter in 0..4 {
            let shown = (out.pebs_armed & !pending) >> counter & 1 == 1;
            check(!shown || self.armed[counter] != Armed::No, "BTS-09", || {
                format!("counter {counter} is armed without an overflow of an enabled counter")
            })?;
        }
        Ok(())
    }

    /// Follows the events and overflows of a cycle. Row: BTS-09.
    pub(super) fn inputs(
        &mut self,
        straps: &Straps,
        inputs: &PortsIn,
        out: &PortsOut,
        cycle: u64,
    ) -> Result<(), Fault> {
        let mut counters = 0;
        // Without an instruction there is no event at one: the core contradicts itself.
        let perhaps = !inputs.retires();
        let events = if out.stall { 0 } else { inputs.pebs_event & self.enable };
        for counter in (0..4_u8).filter(|counter| events >> counter & 1 == 1) {
            // The ports: the overflow is that of the last cycle, so an event next to it is behind it.
            let just = (inputs.pebs_overflow & self.enable) >> counter & 1 == 1;
            let armed = &mut self.armed[usize::from(counter)];
            if just {
                *armed = Armed::Yes;
            }
            let shown = just || out.pebs_armed >> counter & 1 == 1;
            check(shown || *armed != Armed::Yes || perhaps, "BTS-09", || {
                format!("the event of counter {counter} behind its overflow finds it not armed")
            })?;
            if *armed != Armed::No && shown {
                counters |= 1 << counter;
                *armed = if perhaps { Armed::Perhaps } else { Armed::No };
            }
        }
        for counter in (0..4_usize).filter(|counter| (inputs.pebs_overflow & self.enable) >> counter & 1 == 1) {
            let busy = counters | self.pending.as_ref().map_or(0, |pending| pending.counters);
            // A counter that overflows again before it is reloaded is armed again, or not.
            let again = busy >> counter & 1 == 1;
            let armed = &mut self.armed[counter];
            *armed = if again && *armed != Armed::Yes { Armed::Perhaps } else { Armed::Yes };
        }
        if counters != 0 {
            let values = vec![Vec::new(); straps.pebs_fields()];
            let formats = Format::of(straps, inputs.ia32e());
            let (since, perhaps) = (cycle, perhaps);
            let (stored, lost, named, reloaded, faulted) = (0, 0, 0, 0, false);
            self.pending =
                Some(Pending { since, counters, perhaps, formats, values, stored, lost, named, reloaded, faulted });
        }
        Ok(())
    }

    /// Follows what the core shows of its registers while a record is pending. Returns whether the record is settled.
    pub(super) fn state(&mut self, inputs: &PortsIn, out: &PortsOut, straps: &Straps) -> bool {
        let Some(pending) = &mut self.pending else { return false };
        if !out.stall {
            return true;
        }
        if let Some(values) = pending.values.get_mut(usize::from(out.state_index))
            && !values.contains(&inputs.state_value)
        {
            values.push(inputs.state_value);
        }
        // A far transfer with the event may change the mode behind it.
        for format in Format::of(straps, inputs.ia32e()) {
            if !pending.formats.contains(&format) {
                pending.formats.push(format);
            }
        }
        false
    }

    /// Checks that a pending record was stored and its counters reloaded. Rows: BTS-09, BTS-10.
    pub(super) fn settle(&mut self, cycle: u64, credit: &mut usize) -> Result<(), Fault> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let Pending { stored, lost, counters, named, reloaded, faulted, since, perhaps, .. } = pending;
        if stored == 0 && lost == 0 {
            if perhaps {
                return Ok(());
            }
            if *credit > 0 {
                *credit -= 1;
            } else {
                self.owes = Some(cycle + 2);
            }
            return Ok(());
        }
        if lost > 0 {
            return Ok(());
        }
        // Format 0 names no counters.
        let missing = if named == 0 { counters.count_ones() - stored } else { (counters & !named).count_ones() };
        if missing > 0 && *credit > 0 {
            // Records are gone of which it is not known whether they were a branch's: these may be some of them.
            *credit = credit.saturating_sub(usize::try_from(missing).unwrap_or(0));
            return Ok(());
        }
        check(named == 0 || named == counters, "BTS-09", || {
            format!(
                "the records of cycle {since} name the counters {named:#x}, but the events were those of {counters:#x}"
            )
        })?;
        // BTS-29: pages that software has to keep present are not. What then becomes of the counter is open.
        check(reloaded == counters || faulted, "BTS-10", || {
            format!(
                "the record of cycle {since} is stored, but of the counters {counters:#x} only {reloaded:#x} are reloaded"
            )
        })
    }

    /// A record is reported as lost.
    pub(super) fn lost(&mut self) {
        match &mut self.pending {
            Some(pending) if self.owes.is_none() => pending.lost += 1,
            _ => self.owes = None,
        }
    }

    /// Follows a reload. `fields`: the values of the area that are possible. Row: BTS-10.
    pub(super) fn reload(&mut self, out: &PortsOut, values: Option<&[Option<u64>]>) -> Result<(), Fault> {
        let (counter, value) = (out.reload_counter, out.reload_value);
        if !out.reload_valid {
            return check(counter == 0 && value == 0, "ports, Outputs", || {
                "a reload is shown without reload_valid".into()
            });
        }
        let Some(pending) = &mut self.pending else { return fault("BTS-10", "a reload without a PEBS record") };
        let bit = 1_u8.checked_shl(u32::from(counter)).unwrap_or(0);
        check(pending.counters & bit != 0, "BTS-10", || {
            format!("counter {counter} is reloaded, but not its event occurred")
        })?;
        check(pending.reloaded & bit == 0, "BTS-10", || format!("counter {counter} is reloaded twice for one record"))?;
        pending.reloaded |= bit;
        let Some(values) = values else { return Ok(()) };
        check(values.contains(&Some(value)), "BTS-18", || {
            format!("counter {counter} is reloaded with {value:#x}, but the area holds {values:x?}")
        })
    }
}

impl Pending {
    /// A record is in memory. `named`: the counters that it names.
    pub(super) fn stored(&mut self, named: u8) -> Result<(), Fault> {
        self.stored += 1;
        self.named |= named;
        check(self.stored <= self.counters.count_ones(), "BTS-09", || {
            format!(
                "{} records for the events of the counters {:#x} in cycle {}",
                self.stored, self.counters, self.since
            )
        })
    }

    /// A record was dropped, or its writes are not judged.
    pub(super) fn lost(&mut self) {
        self.lost += 1;
    }

    /// A read page-faulted.
    pub(super) fn faulted(&mut self) {
        self.faulted = true;
    }

    /// Whether a record may still be dropped.
    pub(super) fn may_be_lost(&self) -> bool {
        self.stored + self.lost < self.counters.count_ones()
    }

    /// Checks the bytes of a record. Returns the counters that it names.
    pub(super) fn record(&self, fields: &Fields, at: u64, written: &BTreeMap<u64, u8>) -> Result<u8, Fault> {
        let word = fields.format.word();
        let count = usize::try_from(fields.size / word).unwrap_or(0);
        let mut named = 0;
        for (number, address) in (0..count).zip((at..).step_by(usize::try_from(word).unwrap_or(8))) {
            let Some(value) = number_in(written, address, word) else {
                return fault(
                    "BTS-09",
                    format!("the index is written before field {number} of the PEBS record at {at:#x}"),
                );
            };
            if number == COUNTERS {
                named = u8::try_from(value).unwrap_or(0);
                check(named != 0 && named & !self.counters == 0, "BTS-09", || {
                    format!(
                        "the PEBS record names the counters {value:#x}, but the events were those of {:#x}",
                        self.counters
                    )
                })?;
                continue;
            }
            let seen = self.values.get(number).map_or(&[][..], Vec::as_slice);
            let bits = u32::try_from(8 * word).unwrap_or(64);
            check(seen.iter().any(|state| state & ones(bits) == value), "BTS-09", || {
                format!("field {number} of the PEBS record at {at:#x} is {value:#x}, but the register was {seen:x?}")
            })?;
        }
        Ok(named)
    }
}

/// Returns the number in `word` bytes at `address`, if all of them were written.
pub(super) fn number_in(written: &BTreeMap<u64, u8>, address: u64, word: u64) -> Option<u64> {
    (0..word).rev().try_fold(0, |number, at| Some(number << 8 | u64::from(*written.get(&address.wrapping_add(at))?)))
}

/// Returns the values that the area may hold for the reload of a counter. `None`: it is not judged.
pub(super) fn reset_values(port: &Port, area: u64, formats: &[Format], counter: u8) -> Vec<Option<u64>> {
    let mut values = Vec::new();
    for format in formats {
        let number = u64::from(counter);
        match format {
            Format::Bits64 => values.push(port.number(area.wrapping_add(0x40 + 8 * number), 8)),
            // Where the value of a counter above 0 is, and its width, is open.
            Format::Bits32 => {
                for at in [0x20, 0x20 + 8 * number, 0x20 + 4 * number] {
                    values.push(port.number(area.wrapping_add(at), 8));
                    values.push(port.number(area.wrapping_add(at), 4));
                }
            }
        }
    }
    values
}
