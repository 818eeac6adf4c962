//! Delivery of the performance interrupt through the entry of the local APIC.

use super::choices::Choices;
use lwp_model::perf::{Config, LpOut};

/// The fields of the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    vector: u8,
    mode: u8,
    mask: bool,
}

impl Entry {
    /// Returns the fields of a written value: vector in bits 7:0, delivery mode in bits 10:8, mask in bit 16.
    pub(super) const fn of(value: u32) -> Self {
        Self { vector: value as u8, mode: (value >> 8 & 7) as u8, mask: value >> 16 & 1 == 1 }
    }

    const fn shown(out: &LpOut) -> Self {
        Self { vector: out.lvt_vector, mode: out.lvt_mode, mask: out.lvt_mask }
    }

    /// Returns delivery mode and vector of an interrupt that the entry lets through: a fixed one with a vector from 16 on, an SMI, or an
    /// NMI. The ports have no code for another one.
    const fn lets_through(self) -> Option<(u8, u8)> {
        match self.mode {
            _ if self.mask => None,
            0 if self.vector >= 16 => Some((0, self.vector)),
            2 | 4 => Some((self.mode, 0)),
            _ => None,
        }
    }
}

/// The entry, and the interrupt that is requested.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Delivery {
    /// The entry, or none after reset until it is seen.
    entry: Option<Entry>,
    /// Delivery mode and vector of the interrupt that is requested.
    irq: Option<(u8, u8)>,
}

/// What a cycle asks of the delivery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// A performance interrupt is asked for.
    pub(super) interrupt: bool,
    /// The interrupt is taken.
    pub(super) ack: bool,
    /// The value that is written to the entry.
    pub(super) written: Option<u32>,
}

impl Delivery {
    /// Returns bits 31:0 of the entry as a read shows them: bit 12 is whether an interrupt is requested.
    pub(super) fn read(&self) -> Option<u64> {
        let entry = self.entry?;
        let flags = u64::from(self.irq.is_some()) << 12 | u64::from(entry.mask) << 16;
        Some(u64::from(entry.vector) | u64::from(entry.mode) << 8 | flags)
    }

    /// Checks what is shown after reset: nothing is requested, and the entry is 0 or masked.
    pub(super) fn reset(&mut self, out: &LpOut) -> Result<(), String> {
        let entry = Entry::shown(out);
        if out.irq || out.irq_mode != 0 || out.irq_vector != 0 || out.pmi || entry.vector != 0 || entry.mode != 0 {
            return Err(format!("after reset {out:x?}"));
        }
        self.entry = Some(entry);
        Ok(())
    }

    /// Checks what is shown after a cycle. Returns whether an interrupt was let through.
    pub(super) fn step(
        &mut self,
        (straps, choices): (&Config, &Choices),
        asked: Asked,
        out: &LpOut,
    ) -> Result<bool, String> {
        let old = self.entry.expect("the entry was seen after reset");
        let passed = old.lets_through().filter(|_| asked.interrupt);
        let held = self.irq.filter(|_| !asked.ack);
        let shown = out.irq.then_some((out.irq_mode, out.irq_vector));
        // A second one while the first is pending may replace it or not: the documents have one request.
        let right = match (passed, held) {
            (None, None) => shown.is_none() && out.irq_mode == 0 && out.irq_vector == 0,
            (passed, held) => shown.is_some() && (shown == passed || shown == held),
        };
        if !right {
            return Err(format!("the interrupt is {shown:x?}, not {held:x?} or {passed:x?}, with {old:x?}"));
        }
        let entry = Entry::shown(out);
        let base = asked.written.map_or(old, Entry::of);
        let taken = self.irq.is_some() && asked.ack;
        let masks = straps.mask_on_delivery && if choices.mask_at_ack { taken } else { passed.is_some() };
        let masked = Entry { mask: base.mask || masks, ..base };
        // A write in the same cycle may come first or last.
        if entry != masked && (asked.written.is_none() || entry != base) {
            return Err(format!("the entry is {entry:x?}, not {masked:x?}, with {asked:x?}"));
        }
        (self.entry, self.irq) = (Some(entry), shown);
        Ok(passed.is_some())
    }
}
