//! Saying what a counter counts, checked against the table of events.

use super::event::{BusAgent, Event, Mesi};
use super::overflow::OverflowHandler;
use super::{Counter, Levels, P6Model, PerfEvtSel0, PerfEvtSel1};
use crate::refused::{Refused, Rule};

/// What a counter is to count: an event, its unit mask, where it counts and what happens on overflow.
///
/// It holds for either counter until [`counter0`](Self::counter0) or [`counter1`](Self::counter1) checks it for one and
/// makes the value of its register. What the table of events does not have is refused there: the event on this counter, on
/// this processor, with this unit mask. A reserved event code cannot even be said; who wants to try one writes the fields
/// of [`PerfEvtSel0`].
///
/// ```
/// use lwp_regs::perf::p6::{EventSelect, Levels, P6Model, event};
///
/// // Cycles in which user mode retires two instructions or more.
/// let select = EventSelect::new(&event::INST_RETIRED).levels(Levels::User).cycles_with_at_least(2);
/// assert_eq!(select.counter1(P6Model::PentiumIII)?.into_bits(), 0x0201_00C0);
///
/// // FLOPS counts on counter 0 only.
/// let refused = EventSelect::new(&event::FLOPS).counter1(P6Model::PentiumIII).unwrap_err();
/// assert_eq!(refused.to_string(), "PerfEvtSel1: bits 0xc1 are not allowed: this event counts on counter 0 only");
/// # Ok::<(), lwp_regs::Refused>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "it does nothing until it is made a register's value"]
pub struct EventSelect {
    event: &'static Event,
    unit_mask: Option<u8>,
    levels: Levels,
    edge: bool,
    pin_per_event: bool,
    interrupt: bool,
    threshold: Option<Threshold>,
}

/// CMASK and INV.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
struct Threshold {
    cmask: u8,
    inv: bool,
}

impl EventSelect {
    /// Counts `event` at all privilege levels, each occurrence, in any state of a line and of this processor only, where
    /// the event knows such kinds. No interrupt; the pin toggles on overflow.
    #[inline]
    pub const fn new(event: &'static Event) -> Self {
        Self {
            event,
            unit_mask: None,
            levels: Levels::All,
            edge: false,
            pin_per_event: false,
            interrupt: false,
            threshold: None,
        }
    }

    /// Counts the kind with this unit mask.
    #[inline]
    pub const fn unit_mask(self, unit_mask: u8) -> Self {
        Self { unit_mask: Some(unit_mask), ..self }
    }

    /// Counts requests for lines in these states; for events of the L2 cache.
    #[inline]
    pub const fn states(self, states: Mesi) -> Self {
        self.unit_mask(states.bits())
    }

    /// Counts transactions of this agent; for events of the external bus.
    #[inline]
    pub const fn agent(self, agent: BusAgent) -> Self {
        self.unit_mask(agent.bits())
    }

    /// Counts at these privilege levels.
    #[inline]
    pub const fn levels(self, levels: Levels) -> Self {
        Self { levels, ..self }
    }

    /// Counts how often the condition becomes true, not for how long it is (E).
    #[doc(alias = "EDGE")]
    #[inline]
    pub const fn edge(self) -> Self {
        Self { edge: true, ..self }
    }

    /// Toggles the PM pin at each event instead of on overflow (PC).
    #[doc(alias = "PC")]
    #[inline]
    pub const fn pin_control(self) -> Self {
        Self { pin_per_event: true, ..self }
    }

    /// Interrupts through the local APIC when the counter overflows (INT). Somebody has to be there to handle it.
    #[doc(alias = "INT")]
    #[inline]
    pub const fn interrupt(self, _handler: &OverflowHandler) -> Self {
        Self { interrupt: true, ..self }
    }

    /// Counts cycles with at least `events` events, 1 to 255 (CMASK).
    #[doc(alias = "CMASK")]
    #[inline]
    pub const fn cycles_with_at_least(self, events: u8) -> Self {
        Self { threshold: Some(Threshold { cmask: events, inv: false }), ..self }
    }

    /// Counts cycles with fewer than `events` events, 1 to 255 (CMASK and INV).
    #[doc(alias = "INV")]
    #[inline]
    pub const fn cycles_with_fewer_than(self, events: u8) -> Self {
        Self { threshold: Some(Threshold { cmask: events, inv: true }), ..self }
    }

    /// The event.
    #[must_use]
    #[inline]
    pub const fn event(&self) -> &'static Event {
        self.event
    }

    /// The value of PerfEvtSel0 that counts this on counter 0 of `model`. EN is 0: who starts both counters sets it.
    ///
    /// # Errors
    ///
    /// [`Refused`] with the offending field, if the event does not count on counter 0, `model` does not have it, it does
    /// not have the unit mask or needs one, or a threshold is 0.
    #[inline]
    pub const fn counter0(&self, model: P6Model) -> Result<PerfEvtSel0, Refused> {
        match self.bits(Counter::Counter0, model) {
            Ok(bits) => Ok(PerfEvtSel0::from_bits(bits)),
            Err(refused) => Err(refused),
        }
    }

    /// The value of PerfEvtSel1 that counts this on counter 1 of `model`.
    ///
    /// # Errors
    ///
    /// As [`counter0`](Self::counter0), for counter 1.
    #[inline]
    pub const fn counter1(&self, model: P6Model) -> Result<PerfEvtSel1, Refused> {
        match self.bits(Counter::Counter1, model) {
            Ok(bits) => Ok(PerfEvtSel1::from_bits(bits)),
            Err(refused) => Err(refused),
        }
    }

    /// The register's value. Apart from EN the two layouts are the same.
    #[inline]
    const fn bits(&self, counter: Counter, model: P6Model) -> Result<u64, Refused> {
        let register = counter.select_name();
        let code = PerfEvtSel1::new().with_event(self.event.code());
        if !self.event.counts_on(counter) {
            let rule = match counter {
                Counter::Counter0 => "this event counts on counter 1 only",
                Counter::Counter1 => "this event counts on counter 0 only",
            };
            return Err(Refused::new(register, code.into_bits(), Rule::Forbidden(rule)));
        }
        if !self.event.models().has(model) {
            let rule = Rule::NotAvailable("an event of another P6 family processor");
            return Err(Refused::new(register, code.into_bits(), rule));
        }
        let unit_mask = match self.checked_unit_mask(register) {
            Ok(unit_mask) => unit_mask,
            Err(refused) => return Err(refused),
        };
        let Threshold { cmask, inv } = match self.checked_threshold(register) {
            Ok(threshold) => threshold,
            Err(refused) => return Err(refused),
        };
        Ok(code
            .with_umask(unit_mask)
            .with_user(!matches!(self.levels, Levels::Os))
            .with_os(!matches!(self.levels, Levels::User))
            .with_edge(self.edge)
            .with_pin_control(self.pin_per_event)
            .with_interrupt(self.interrupt)
            .with_invert(inv)
            .with_cmask(cmask)
            .into_bits())
    }

    #[inline]
    const fn checked_unit_mask(&self, register: &'static str) -> Result<u8, Refused> {
        let kinds = self.event.unit_mask();
        let wanted = match self.unit_mask {
            Some(wanted) => wanted,
            None => match kinds.default_mask() {
                Some(default) => return Ok(default),
                None => {
                    let rule = Rule::Forbidden("this event has kinds; choose one by its unit mask");
                    return Err(Refused::new(register, PerfEvtSel1::new().with_umask(0xFF).into_bits(), rule));
                }
            },
        };
        if kinds.allows(wanted) {
            return Ok(wanted);
        }
        // A mask of 0 has no bit to name; then it is the whole field.
        let bits = PerfEvtSel1::new().with_umask(if wanted == 0 { 0xFF } else { wanted }).into_bits();
        Err(Refused::new(register, bits, Rule::Forbidden("this event does not have this unit mask")))
    }

    #[inline]
    const fn checked_threshold(&self, register: &'static str) -> Result<Threshold, Refused> {
        match self.threshold {
            None => Ok(Threshold { cmask: 0, inv: false }),
            Some(Threshold { cmask: 0, inv }) => {
                let bits = PerfEvtSel1::new().with_invert(inv).with_cmask(0xFF).into_bits();
                let rule = "CMASK 0 is not a threshold, and INV has nothing to invert; use 1 to 255";
                Err(Refused::new(register, bits, Rule::Forbidden(rule)))
            }
            Some(threshold) => Ok(threshold),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::event::*;
    use super::*;

    const PIII: P6Model = P6Model::PentiumIII;

    fn sel0(select: EventSelect) -> u64 {
        select.counter0(PIII).unwrap().into_bits()
    }

    fn refused0(select: EventSelect) -> (u64, Rule) {
        let refused = select.counter0(PIII).unwrap_err();
        assert_eq!(refused.register, "PerfEvtSel0");
        (refused.bits, refused.rule)
    }

    #[test]
    fn each_choice_is_its_bits() {
        let cycles = EventSelect::new(&CPU_CLK_UNHALTED);
        let handler = OverflowHandler::set_up();
        assert_eq!(sel0(cycles), 0x0003_0079);
        assert_eq!(sel0(cycles.levels(Levels::User)), 0x0001_0079);
        assert_eq!(sel0(cycles.levels(Levels::Os)), 0x0002_0079);
        assert_eq!(sel0(cycles.edge()), 0x0007_0079);
        assert_eq!(sel0(cycles.pin_control()), 0x000B_0079);
        assert_eq!(sel0(cycles.interrupt(&handler)), 0x0013_0079);
        assert_eq!(sel0(cycles.cycles_with_at_least(3)), 0x0303_0079);
        assert_eq!(sel0(cycles.cycles_with_fewer_than(3)), 0x0383_0079);
        assert_eq!(cycles.counter1(PIII).unwrap().into_bits(), 0x0003_0079);
    }

    // P6EV-86, P6EV-87: unit masks of the L2 and of the external bus
    #[test]
    fn unit_masks() {
        let l2 = EventSelect::new(&L2_LD);
        assert_eq!(sel0(l2), 0x0003_0F29);
        assert_eq!(sel0(l2.states(Mesi::M | Mesi::I)), 0x0003_0929);
        assert_eq!(sel0(l2.states(Mesi::empty())), 0x0003_0029, "legal: it counts nothing");
        let bus = EventSelect::new(&BUS_TRAN_MEM);
        assert_eq!(sel0(bus), 0x0003_006F);
        assert_eq!(sel0(bus.agent(BusAgent::Any)), 0x0003_206F);
        let gs = SEG_REG_RENAMES.unit_mask().by_name("GS").unwrap();
        assert_eq!(sel0(EventSelect::new(&SEG_REG_RENAMES).unit_mask(gs)), 0x0003_08D5);
        assert_eq!(sel0(EventSelect::new(&MMX_UOPS_EXEC)), 0x0003_0FB2);
    }

    // P6EV-85: unit masks outside the table are refused
    #[test]
    fn other_unit_masks_are_refused() {
        let lacks = Rule::Forbidden("this event does not have this unit mask");
        assert_eq!(refused0(EventSelect::new(&INST_RETIRED).unit_mask(0x01)), (0x0100, lacks));
        assert_eq!(refused0(EventSelect::new(&L2_LD).unit_mask(0x10)), (0x1000, lacks));
        assert_eq!(refused0(EventSelect::new(&BUS_HIT_DRV).agent(BusAgent::Any)), (0x2000, lacks));
        assert_eq!(refused0(EventSelect::new(&SEG_REG_RENAMES).unit_mask(0x03)), (0x0300, lacks));
        assert_eq!(refused0(EventSelect::new(&MMX_UOPS_EXEC).unit_mask(0x00)), (0xFF00, lacks));
        let choose = Rule::Forbidden("this event has kinds; choose one by its unit mask");
        assert_eq!(refused0(EventSelect::new(&FP_MMX_TRANS)), (0xFF00, choose));
    }

    #[test]
    fn the_wrong_counter_is_refused() {
        let only1 = Rule::Forbidden("this event counts on counter 1 only");
        for event in [&FP_ASSIST, &MUL, &DIV] {
            assert_eq!(refused0(EventSelect::new(event)), (u64::from(event.code()), only1));
            assert!(EventSelect::new(event).counter1(PIII).is_ok());
        }
        let only0 = Rule::Forbidden("this event counts on counter 0 only");
        for event in [&FLOPS, &FP_COMP_OPS_EXE, &CYCLES_DIV_BUSY] {
            let refused = EventSelect::new(event).counter1(PIII).unwrap_err();
            assert_eq!(refused, Refused::new("PerfEvtSel1", u64::from(event.code()), only0));
            assert!(EventSelect::new(event).counter0(PIII).is_ok());
        }
    }

    // P6EV-84: what this processor lacks is refused
    #[test]
    fn the_wrong_processor_is_refused() {
        let sse = EventSelect::new(&EMON_KNI_INST_RETIRED).unit_mask(0x01);
        assert_eq!(sel0(sse), 0x0003_01D8);
        let refused = sse.counter0(P6Model::PentiumII).unwrap_err();
        let rule = Rule::NotAvailable("an event of another P6 family processor");
        assert_eq!(refused, Refused::new("PerfEvtSel0", 0xD8, rule));
    }

    #[test]
    fn a_threshold_of_0_is_refused() {
        let cycles = EventSelect::new(&CPU_CLK_UNHALTED);
        assert_eq!(refused0(cycles.cycles_with_at_least(0)).0, 0xFF00_0000);
        assert_eq!(refused0(cycles.cycles_with_fewer_than(0)).0, 0xFF80_0000);
    }
}
