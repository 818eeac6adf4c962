//! How many overflow interrupts each processor has had.

use core::fmt;

/// Overflow interrupts of each processor, as `/proc/interrupts` shows them: [`Display`](fmt::Display) writes the line `PMC:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InterruptCounts<const CPUS: usize>([u64; CPUS]);

impl<const CPUS: usize> InterruptCounts<CPUS> {
    /// No interrupt yet.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self([0; CPUS])
    }

    /// Counts an interrupt of processor `cpu`; one that does not exist has none.
    #[inline]
    pub fn note(&mut self, cpu: usize) {
        if let Some(count) = self.0.get_mut(cpu) {
            *count += 1;
        }
    }

    /// The interrupts of processor `cpu`.
    #[must_use]
    #[inline]
    pub fn of(&self, cpu: usize) -> u64 {
        self.0.get(cpu).copied().unwrap_or(0)
    }
}

impl<const CPUS: usize> Default for InterruptCounts<CPUS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const CPUS: usize> fmt::Display for InterruptCounts<CPUS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PMC: ")?;
        self.0.iter().try_for_each(|count| write!(f, "{count:10} "))
    }
}
