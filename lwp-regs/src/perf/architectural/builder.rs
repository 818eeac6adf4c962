//! Making a valid IA32_PERFEVTSELx.

use super::{ArchitecturalEvent, CounterCaps, CounterIndex, Ia32PerfEvtSel, PerfmonCaps};
use crate::perf::{Levels, OverflowHandler};
use crate::refused::{Refused, Rule};

const NAME: &str = "IA32_PERFEVTSELx";

/// Builds the content of an `IA32_PERFEVTSELx` and refuses what the processor does not take or would not count.
///
/// Setters may be called in any order; the first rule that is broken comes out of [`build`](Self::build). The event
/// counts at all privilege levels unless [`levels`](Self::levels) says otherwise, and the counter is enabled unless
/// [`disabled`](Self::disabled) does.
///
/// ```
/// use lwp_regs::perf::Levels;
/// use lwp_regs::perf::architectural::{ArchitecturalEvent, PerfEvtSelBuilder, PerfmonCaps};
///
/// let caps = PerfmonCaps::from_cpuid([0x0730_0404, 0, 0, 0x603]).unwrap();
/// let counter = caps.counter(0).unwrap();
/// let select = PerfEvtSelBuilder::new(&caps, ArchitecturalEvent::LlcMisses).levels(Levels::User).build(counter)?;
/// assert_eq!(select.into_bits(), 0x0041_412E);
/// # Ok::<(), lwp_regs::Refused>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "a builder does nothing until `build`"]
pub struct PerfEvtSelBuilder {
    caps: PerfmonCaps,
    select: Ia32PerfEvtSel,
    error: Option<Refused>,
}

impl PerfEvtSelBuilder {
    /// Counts an architectural event at all privilege levels; refused when the processor does not have it.
    #[inline]
    pub const fn new(caps: &PerfmonCaps, event: ArchitecturalEvent) -> Self {
        let (code, umask) = event.code();
        let builder = Self::model_specific(caps, code, umask);
        if caps.events.has(event) {
            return builder;
        }
        builder.refuse(code as u64 | (umask as u64) << 8, Rule::NotAvailable(event.name()))
    }

    /// Counts the architectural event with this code; refused when it is none, or the processor does not have it.
    pub fn from_code(caps: &PerfmonCaps, event: u8, umask: u8) -> Self {
        match ArchitecturalEvent::from_code(event, umask) {
            Some(event) => Self::new(caps, event),
            None => Self::model_specific(caps, event, umask)
                .refuse(u64::from(event) | u64::from(umask) << 8, Rule::Forbidden("not an architectural event")),
        }
    }

    /// Counts, at all privilege levels, an event of this very processor model, by the model's own tables; nothing is known about it here.
    #[inline]
    pub const fn model_specific(caps: &PerfmonCaps, event: u8, umask: u8) -> Self {
        let select =
            Ia32PerfEvtSel::new().with_event(event).with_umask(umask).with_enable(true).with_user(true).with_os(true);
        Self { caps: *caps, select, error: None }
    }

    /// Counts at these privilege levels.
    #[doc(alias = "USR")]
    #[doc(alias = "OS")]
    #[inline]
    pub const fn levels(mut self, levels: Levels) -> Self {
        let (user, os) = levels.usr_and_os();
        self.select = self.select.with_user(user).with_os(os);
        self
    }

    /// Counts how often the condition becomes true.
    #[doc(alias = "EDGE")]
    #[inline]
    pub const fn edge(mut self) -> Self {
        self.select = self.select.with_edge(true);
        self
    }

    /// Interrupts on overflow.
    #[doc(alias = "INT")]
    #[inline]
    pub const fn interrupt(mut self, _handler: &OverflowHandler) -> Self {
        self.select = self.select.with_interrupt(true);
        self
    }

    /// Toggles the pin on events instead of on overflow.
    #[doc(alias = "PC")]
    #[inline]
    pub const fn pin_control(mut self) -> Self {
        self.select = self.select.with_pin_control(true);
        self
    }

    /// Counts for every logical processor of the core.
    #[inline]
    pub const fn any_thread(mut self) -> Self {
        self.select = self.select.with_any_thread(true);
        self
    }

    /// Counts inside transactions only.
    #[inline]
    pub const fn in_tx(mut self) -> Self {
        self.select = self.select.with_in_tx(true);
        self
    }

    /// Does not count inside transactions that abort.
    #[inline]
    pub const fn in_tx_checkpointed(mut self) -> Self {
        self.select = self.select.with_in_tx_checkpointed(true);
        self
    }

    /// Counts the cycles with at least `events` events, 1 or more.
    #[doc(alias = "CMASK")]
    #[inline]
    pub const fn cycles_with_at_least(self, events: u8) -> Self {
        self.compare(events, false)
    }

    /// Counts the cycles with fewer than `events` events, 1 or more.
    #[doc(alias = "INV")]
    #[inline]
    pub const fn cycles_with_fewer_than(self, events: u8) -> Self {
        self.compare(events, true)
    }

    /// Does not count yet.
    #[inline]
    pub const fn disabled(mut self) -> Self {
        self.select = self.select.with_enable(false);
        self
    }

    /// The finished register, for `counter`.
    ///
    /// # Errors
    ///
    /// [`Refused`]: the first rule that is broken.
    #[inline]
    pub const fn build(self, counter: CounterIndex) -> Result<Ia32PerfEvtSel, Refused> {
        if let Some(refused) = self.error {
            return Err(refused);
        }
        match Ia32PerfEvtSel::refuse(self.select.into_bits(), &CounterCaps { perfmon: self.caps, counter }) {
            Some(refused) => Err(refused),
            None => Ok(self.select),
        }
    }

    #[inline]
    const fn compare(mut self, events: u8, invert: bool) -> Self {
        self.select = self.select.with_cmask(events).with_invert(invert);
        if events == 0 {
            return self.refuse(0xFF00_0000, Rule::Forbidden("CMASK 0 compares nothing, and INV is ignored"));
        }
        self
    }

    #[inline]
    const fn refuse(mut self, bits: u64, rule: Rule) -> Self {
        if self.error.is_none() {
            self.error = Some(Refused::new(NAME, bits, rule));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::architectural::caps::tests::{DIAMONDVILLE, ICE_LAKE, PENRYN, SKYLAKE_SP, caps};

    fn skylake() -> PerfEvtSelBuilder {
        PerfEvtSelBuilder::new(&caps(SKYLAKE_SP), ArchitecturalEvent::Instructions)
    }

    fn build(builder: PerfEvtSelBuilder, counter: u8) -> Result<u64, Refused> {
        builder.build(caps(SKYLAKE_SP).counter(counter).unwrap()).map(Ia32PerfEvtSel::into_bits)
    }

    // APM-21, APM-22, APM-28, APM-36: USR and OS combine; INT is bit 20; cycles that retire two instructions or more
    #[test]
    fn each_setter_sets_its_bit() {
        assert_eq!(build(skylake().levels(Levels::User), 0), Ok(0x0041_00C0));
        assert_eq!(build(skylake().levels(Levels::Os), 0), Ok(0x0042_00C0));
        assert_eq!(build(skylake(), 0), Ok(0x0043_00C0));
        assert_eq!(build(skylake().levels(Levels::User).interrupt(&OverflowHandler::set_up()), 0), Ok(0x0051_00C0));
        assert_eq!(build(skylake().levels(Levels::User).pin_control(), 0), Ok(0x0049_00C0));
        assert_eq!(build(skylake().levels(Levels::User).any_thread(), 0), Ok(0x0061_00C0));
        assert_eq!(build(skylake().levels(Levels::User).disabled(), 0), Ok(0x0001_00C0));
        assert_eq!(build(skylake().levels(Levels::User).cycles_with_at_least(2), 0), Ok(0x0241_00C0));
        assert_eq!(build(skylake().levels(Levels::User).cycles_with_fewer_than(1).edge(), 0), Ok(0x01C5_00C0));
    }

    // APM-16: in architectural mode only the predefined events are taken
    #[test]
    fn events_that_are_not_architectural() {
        let code =
            |event, umask| build(PerfEvtSelBuilder::from_code(&caps(SKYLAKE_SP), event, umask).levels(Levels::User), 0);
        assert_eq!(code(0x2E, 0x41), Ok(0x0041_412E));
        let refused = Refused::new("IA32_PERFEVTSELx", 0x01D1, Rule::Forbidden("not an architectural event"));
        assert_eq!(code(0xD1, 0x01), Err(refused));
        let model = PerfEvtSelBuilder::model_specific(&caps(SKYLAKE_SP), 0xD1, 0x01).levels(Levels::User);
        assert_eq!(build(model, 0), Ok(0x0041_01D1));
    }

    // APM-19: an event that the processor lacks
    #[test]
    fn events_that_are_not_available() {
        let caps = caps([0x0730_0404, 0x40, 0, 0x603]);
        let select = |event| build(PerfEvtSelBuilder::new(&caps, event).levels(Levels::User), 0);
        assert_eq!(select(ArchitecturalEvent::Branches), Ok(0x0041_00C4));
        let refused = Refused::new("IA32_PERFEVTSELx", 0x01A4, Rule::NotAvailable("Topdown Slots"));
        assert_eq!(select(ArchitecturalEvent::Slots), Err(refused), "EAX[31:24] is 7");
        let ice_lake = PerfEvtSelBuilder::new(&self::caps(ICE_LAKE), ArchitecturalEvent::Slots).levels(Levels::User);
        assert_eq!(build(ice_lake, 0), Ok(0x0041_01A4));
        let refused = Refused::new("IA32_PERFEVTSELx", 0x00C5, Rule::NotAvailable("Branch Misses Retired"));
        assert_eq!(select(ArchitecturalEvent::BranchMisses), Err(refused));
    }

    // APM-37: AnyThread where it exists
    #[test]
    fn any_thread_only_where_it_exists() {
        let select = |leaf| {
            let caps = caps(leaf);
            PerfEvtSelBuilder::new(&caps, ArchitecturalEvent::CoreCycles)
                .levels(Levels::Os)
                .any_thread()
                .build(caps.counter(0).unwrap())
                .map(Ia32PerfEvtSel::into_bits)
        };
        assert_eq!(select(DIAMONDVILLE), Ok(0x0062_003C));
        let refused = Refused::new("IA32_PERFEVTSELx", 0x20_0000, Rule::NotAvailable("AnyThread (version 3)"));
        assert_eq!(select(PENRYN), Err(refused));
    }

    #[test]
    fn what_would_count_nothing_is_refused_or_cannot_be_said() {
        let refused = |builder| build(builder, 0).unwrap_err();
        assert_eq!(build(skylake(), 0), Ok(0x43_00C0), "all levels");
        assert_eq!(refused(skylake().levels(Levels::User).cycles_with_fewer_than(0)).bits, 0xFF00_0000);
        assert_eq!(refused(skylake().levels(Levels::User).in_tx()).rule, Rule::NotAvailable("TSX"));
    }

    #[test]
    fn checkpointed_transactions_in_counter_2_only() {
        let tsx = PerfmonCaps { tsx: true, ..caps(SKYLAKE_SP) };
        let select = PerfEvtSelBuilder::new(&tsx, ArchitecturalEvent::Instructions)
            .levels(Levels::User)
            .in_tx()
            .in_tx_checkpointed();
        assert_eq!(build(select, 2), Ok(0x3_0041_00C0));
        assert_eq!(build(select, 3).unwrap_err().bits, 0x2_0000_0000);
    }
}
