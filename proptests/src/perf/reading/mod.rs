//! The independent reading of the performance counters, which is a specification checker written from the documents: it checks what
//! software sees of the unit `perf`.
//!
//! It is written from the study of the P6 counters and its table of events, the document on architectural performance monitoring, the facts
//! about real hardware, the rows on freezing of the document on debugging (DCTL-12 to DCTL-14, DCTL-22 to DCTL-24), the sentences of Intel's
//! Software Developer's Manual (SDM), volume 3B, on AnyThread, and the chapters that define the ports and the lines of the event bus. It knows
//! no register of the unit: only the straps, the inputs and the outputs.
//!
//! A counter has a set of possible values (`counter`). Each cycle adds what the event (`event`, `p6_events`) and the event select (`select`)
//! define; an overflow that is shown and a value that is read leave those that agree. The reading is wrong, or the unit is, when none is left.
//! Overflows that are shown determine the interrupt (`delivery`), the status and the freeze. A choice that a unit makes once and for all is a
//! field of [`Choices`]: the reading follows every way to make them until something that is shown refutes it.
//!
//! # What the documents leave open
//!
//! Each of these is allowed, once for the whole run:
//!
//! 1. The value of `IA32_PERF_GLOBAL_CTRL` after reset: 0, the general counters, or all.
//! 2. RSM after FREEZE_WHILE_SMM sets all enable bits (DCTL-14, as worded), or restores those that the SMI found. It obeys the flag of its
//!    own cycle or that of the SMI.
//! 3. The counters freeze at the end of the cycle in which the interrupt is asked for, or one cycle later.
//! 4. A freeze, an SMI or RSM and a write of `IA32_PERF_GLOBAL_CTRL` in one cycle, and a freeze and RSM in one cycle: either wins.
//! 5. Without `IA32_PERF_GLOBAL_CTRL` (P6, version 1) the two freezes do nothing, or stop the counters.
//! 6. The entry of the local APIC masks itself when the interrupt is asked for, or when it is taken.
//! 7. The interrupt is requested together with `pmi`, or a cycle later.
//! 8. A write with reserved bits faults or drops them, the same way for each kind of register. Bit 22 of PerfEvtSel1 obeys its strap.
//!
//! Each of these is allowed at any time:
//!
//! 9. A write of a counter in a cycle in which it counts: the value that is written, or that value and what the cycle counts.
//! 10. Whether the condition of an edge held while the counter was disabled or frozen, and after a write of its select. A cycle without the
//!     event's clock is no time at all.
//! 11. Whether an NMI or an SMI is a hardware interrupt that HW_INT_RX counts.
//! 12. The count for a unit mask that the table does not list, or for an event of version 1 to 3 that is not available or not architectural;
//!     and for the codes CEH, D8H and D9H on a Pentium M. The counter then has any value, until it is read or written.
//!     Codes that are not listed, and events of other members or of the other counter, count nothing (P6EV-85, its check), but for INV with a
//!     counter mask, whose result is open.
//! 13. `IA32_FIXED_CTR_CTRL` without fixed counters exists or not. A write of a fixed counter is sign-extended from bit 31 or has full width.
//! 14. An overflow and a write that clears its status bit in one cycle. Bits 61 and 63 of such a write fault or not.
//! 15. A second interrupt, asked for while the first is pending, replaces its mode and vector or not. A write of the entry in the cycle in
//!     which it masks itself comes first or last.
//! 16. The mask of the entry after reset.
//! 17. When a pin is asserted: in one of the three bus clocks from its cause on. Whether a cause during an assertion adds another one.
//!     The pin of events 7AH and 7BH uses the ratio of the last bus clock.
//! 18. RDPMC of a counter that does not exist is *not mine* or #GP(0): the core turns both into #GP(0).
//!
//! # AnyThread
//!
//! SDM 3B, 18.2.3, on bit 21 of an event select: "When set to 1, it enables counting the associated event conditions (including matching the
//! thread's CPL with the OS/USR setting of `IA32_PERFEVTSELx`) occurring across all logical processors sharing a processor core." Of a fixed
//! counter it says the same, with the ENABLE field instead of OS and USR. The reading takes this as follows:
//!
//! - The privilege level is that of each logical processor, in the cycle that is counted. The occurrences of those whose level is counted
//!   are added. If there is no such logical processor, the condition does not hold, with or without INV. This half is inferred: USR and OS
//!   count "while the logical processor is at" a level (APM-21, APM-22).
//! - The counter mask is compared with this sum, and INV and edges see the result. The manual's tables of events give the uses: "Cmask = 1,
//!   Inv = 1, Any = 1" counts stalled cycles of the core, and not the cycles in which one of its logical processors stalls (UOPS_ISSUED.ANY).
//! - Unhalted clocks are not added. 18.2.3.1 refers to the guidance of each event, and for 3CH with AnyThread that is "Cycles while at least
//!   one logical processor is not in a halt state", or reference cycles (table 19-3, of a later processor). The fixed counters of these clocks
//!   do the same.
//! - EN, `IA32_PERF_GLOBAL_CTRL` and the freezes are those of the logical processor that owns the counter. The ports define that `freeze`
//!   stops the counters of a logical processor, and not its events.
//!
//! A count that is open without AnyThread (10 to 12) is open with it, and no other.
//!
//! # Values after reset
//!
//! Values after reset are not given. The reading asks for 0 in all registers but those of 1 and 16.

mod access;
mod choices;
mod counter;
mod coverage;
mod delivery;
mod event;
mod p6_events;
mod pin;
mod processor;
mod row;
mod select;
mod verdict;
mod world;

pub use choices::{Choices, ResetControl};
pub use coverage::Coverage;
pub use row::outputs;

use lwp_model::perf::{Config, Inputs, Outputs};
use world::World;

/// The specification checker, for a unit of this size.
#[derive(Clone, Debug)]
pub struct Reading<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> {
    straps: Config,
    /// A world for each way to make the open choices that what was seen allows.
    worlds: Vec<World>,
    /// The ways that what was seen does not allow, and why.
    refuted: Vec<(Choices, String)>,
    /// The inputs of the last cycle, whose results are shown in this one.
    last: Option<Inputs<LP, LANES>>,
    /// Whether the cycle before was one of reset.
    after_reset: bool,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Reading<LP, GENERAL, FIXED, LANES> {
    /// Returns the checker of a unit with these straps, at reset.
    #[must_use]
    pub fn new(straps: &Config) -> Self {
        let worlds = choices::all(straps).into_iter().map(|choices| World::new(straps, choices, LP)).collect();
        Self { straps: *straps, worlds, refuted: Vec::new(), last: None, after_reset: true }
    }

    /// Checks one cycle: its inputs, and the outputs `out` before the clock edge that ends the cycle. In a cycle with `rst_n` = 0 nothing
    /// is checked: the documents define the state after reset, not during it.
    ///
    /// # Errors
    ///
    /// Describes what the unit shows and what the documents define instead.
    pub fn cycle(
        &mut self,
        rst_n: bool,
        inputs: &Inputs<LP, LANES>,
        out: &Outputs<LP, GENERAL, FIXED>,
    ) -> Result<(), String> {
        if !rst_n {
            for world in &mut self.worlds {
                world.reset(&self.straps);
            }
            (self.last, self.after_reset) = (None, true);
            return Ok(());
        }
        if self.after_reset {
            for world in &mut self.worlds {
                world.after_reset(out)?;
            }
        }
        if let Some(last) = self.last {
            let Self { worlds, refuted, .. } = self;
            worlds.retain_mut(|world| match world.cycle(&last, out) {
                Ok(()) => true,
                Err(text) => {
                    refuted.push((world.choices, text));
                    false
                }
            });
            if worlds.is_empty() {
                return Err(refuted
                    .last()
                    .map_or_else(String::new, |(choices, text)| format!("{text}, with {choices:?}")));
            }
        }
        (self.last, self.after_reset) = (Some(*inputs), false);
        Ok(())
    }

    /// Returns how much was checked.
    ///
    /// # Panics
    ///
    /// Panics after an error.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.worlds[0].coverage
    }

    /// Returns the ways to make the open choices that what was seen does not allow, and why.
    #[must_use]
    pub fn refuted(&self) -> &[(Choices, String)] {
        &self.refuted
    }

    /// Returns the ways to make the open choices that what was seen allows.
    #[must_use]
    pub fn choices(&self) -> Vec<Choices> {
        self.worlds.iter().map(|world| world.choices).collect()
    }
}
