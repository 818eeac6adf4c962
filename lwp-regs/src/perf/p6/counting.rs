//! What USR, OS, CMASK and INV make of the events of one cycle; the same for both counters.

/// Whether events count at privilege level `cpl`: OS for level 0, USR for 1 to 3.
#[inline]
pub(super) const fn counts_at(usr: bool, os: bool, cpl: u8) -> bool {
    if cpl == 0 { os } else { usr }
}

/// By how much a cycle with `events` events increments the counter.
#[inline]
pub(super) const fn increment(cmask: u8, inv: bool, events: u32) -> u32 {
    match cmask {
        0 => events,
        _ => ((events >= cmask as u32) != inv) as u32,
    }
}

/// What both registers do.
macro_rules! select_rules {
    ($ty:ident) => {
        impl $ty {
            /// What a WRMSR of `new` does. The old content does not matter.
            ///
            /// # Errors
            ///
            /// #GP with the reserved bits that are set in `new`.
            #[inline]
            pub const fn check_write(
                _old: Self,
                new: u64,
                _caps: &(),
            ) -> Result<Self, $crate::access::GeneralProtection> {
                match new & Self::RESERVED {
                    0 => Ok(Self::from_bits(new)),
                    bits => Err($crate::access::GeneralProtection::refused(
                        <Self as crate::msr::MsrValue>::NAME,
                        bits,
                        $crate::refused::Rule::MustBeZero,
                    )),
                }
            }

            /// Whether an event at privilege level `cpl` (0 to 3) counts, as far as USR and OS decide.
            #[must_use]
            #[inline]
            pub const fn counts_at(self, cpl: u8) -> bool {
                counting::counts_at(self.user(), self.os(), cpl)
            }

            /// What E, INV and CMASK make of the events of a cycle. The text does not say what INV does while CMASK is 0.
            #[must_use]
            #[inline]
            pub const fn condition(self, inverted_zero: $crate::perf::InvertedZero) -> $crate::perf::Condition {
                $crate::perf::Condition {
                    threshold: self.cmask(),
                    inverted: self.invert(),
                    inverted_zero,
                    edges: self.edge(),
                }
            }

            /// By how much a cycle in which the event occurs `events` times increments the counter, as CMASK and INV decide.
            ///
            /// INV has no effect while CMASK is 0: so the later architectural text; the P6 text does not say. Edge detection is
            /// not in here: with E the counter counts how often this becomes other than 0.
            #[must_use]
            #[inline]
            pub const fn increment(self, events: u32) -> u32 {
                counting::increment(self.cmask(), self.invert(), events)
            }
        }
    };
}
pub(super) use select_rules;
