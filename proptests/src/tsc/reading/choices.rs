//! The choices that the documents leave open, and that the unit makes. Its first result that depends on a choice makes
//! it, once for the whole run.

/// The choices that are still open.
///
/// 1. A write to the counter in a cycle in which it counts. Either the counter holds the value that was written when
///    the next cycle begins, or the written value counts from the tick of its own cycle on. The two differ by that one
///    tick. In both cases `IA32_TSC_ADJUST` changes by what the write adds, so that the counter is still time +
///    `IA32_TSC_ADJUST`.
/// 2. A write to `IA32_TSC_AUX` with one of the bits 63:32. The register has the bits 31:0. The others are ignored or
///    cause #GP(0).
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    /// Whether the tick of a write's own cycle may come after the write (index 0) and before it (index 1).
    pub(super) order: [bool; 2],
    /// Whether a wide write to `IA32_TSC_AUX` is known to fault.
    pub(super) wide_aux_faults: Option<bool>,
}

impl Default for Choices {
    fn default() -> Self {
        Self { order: [true; 2], wide_aux_faults: None }
    }
}

impl Choices {
    /// Returns the values that the open choices allow.
    pub(super) fn open(&self, values: [u64; 2]) -> Vec<u64> {
        let mut open: Vec<u64> = (0..2).filter(|at| self.order[*at]).map(|at| values[at]).collect();
        open.dedup();
        open
    }

    /// Strikes the choices that give another value than the one shown.
    pub(super) fn seen(&mut self, values: [u64; 2], shown: u64) {
        for (open, value) in self.order.iter_mut().zip(values) {
            *open &= value == shown;
        }
    }

    /// Notes whether a wide write to `IA32_TSC_AUX` faulted, and returns whether that is as before.
    pub(super) fn wide_aux(&mut self, faults: bool) -> bool {
        *self.wide_aux_faults.get_or_insert(faults) == faults
    }
}
