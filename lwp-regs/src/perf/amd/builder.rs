//! Making a valid PERF_CTLn.

use super::{AmdPerfCtl, Counted};
use crate::perf::{Levels, OverflowHandler};
use crate::refused::{Refused, Rule};

const NAME: &str = "PERF_CTLn";

/// Builds the content of a `PERF_CTLn` and refuses what would count nothing. Events are those of the processor's own
/// tables (Processor Programming Reference).
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "a builder does nothing until `build`"]
pub struct AmdPerfCtlBuilder {
    select: AmdPerfCtl,
    error: Option<Refused>,
}

impl AmdPerfCtlBuilder {
    /// Counts `event`, at most FFFH, with this unit mask, at all privilege levels.
    #[inline]
    pub const fn new(event: u16, umask: u8) -> Self {
        let empty = AmdPerfCtl::new().with_umask(umask).with_enable(true).with_user(true).with_os(true);
        match empty.with_event(event) {
            Some(select) => Self { select, error: None },
            None => Self {
                select: empty,
                error: Some(Refused::new(NAME, event as u64, Rule::AtMost(AmdPerfCtl::MAX_EVENT as u64))),
            },
        }
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

    /// Counts guests, the host, or both.
    #[inline]
    pub const fn counted(mut self, counted: Counted) -> Self {
        let (guest, host) = match counted {
            Counted::All => (false, false),
            Counted::GuestOnly => (true, false),
            Counted::HostOnly => (false, true),
        };
        self.select = self.select.with_guest(guest).with_host(host);
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

    /// The finished register.
    ///
    /// # Errors
    ///
    /// [`Refused`]: the first rule that is broken.
    #[inline]
    pub const fn build(self) -> Result<AmdPerfCtl, Refused> {
        if let Some(refused) = self.error {
            return Err(refused);
        }
        Ok(self.select)
    }

    #[inline]
    const fn compare(mut self, events: u8, invert: bool) -> Self {
        self.select = self.select.with_cmask(events).with_invert(invert);
        if events == 0 && self.error.is_none() {
            self.error = Some(Refused::new(NAME, 0xFF00_0000, Rule::Forbidden("CMASK 0 compares nothing")));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(builder: AmdPerfCtlBuilder) -> Result<u64, Refused> {
        builder.build().map(AmdPerfCtl::into_bits)
    }

    #[test]
    fn each_setter_sets_its_bits() {
        let retired = AmdPerfCtlBuilder::new(0x0C0, 0);
        assert_eq!(build(retired.levels(Levels::User)), Ok(0x0041_00C0));
        assert_eq!(build(retired.interrupt(&OverflowHandler::set_up())), Ok(0x0053_00C0));
        assert_eq!(build(retired.levels(Levels::Os).edge().cycles_with_at_least(1)), Ok(0x0146_00C0));
        assert_eq!(build(retired.levels(Levels::User).cycles_with_fewer_than(2)), Ok(0x02C1_00C0));
        assert_eq!(build(retired.levels(Levels::User).counted(Counted::HostOnly)), Ok(0x200_0041_00C0));
        assert_eq!(build(retired.levels(Levels::User).counted(Counted::GuestOnly)), Ok(0x100_0041_00C0));
        assert_eq!(build(AmdPerfCtlBuilder::new(0x1C7, 0x5A).levels(Levels::User)), Ok(0x1_0041_5AC7));
    }

    #[test]
    fn what_cannot_be_or_counts_nothing_is_refused() {
        let refused = |builder| build(builder).unwrap_err();
        assert_eq!(
            refused(AmdPerfCtlBuilder::new(0x1000, 0).levels(Levels::User)),
            Refused::new(NAME, 0x1000, Rule::AtMost(0xFFF))
        );
        assert_eq!(build(AmdPerfCtlBuilder::new(0xC0, 0)), Ok(0x43_00C0));
        assert_eq!(
            refused(AmdPerfCtlBuilder::new(0xC0, 0).levels(Levels::User).cycles_with_at_least(0)).bits,
            0xFF00_0000
        );
    }
}
