//! What a run with performance counters comes to.

/// The longest skid that the histogram tells apart.
pub const SKIDS: usize = 32;

/// The totals of a run.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Cycles since reset.
    pub cycles: u64,
    /// Instructions that retired, in all modes.
    pub instructions: u64,
    /// Those of user mode.
    pub user_instructions: u64,
    /// Requests whose result was compared.
    pub requests: u64,
    /// Those of them that were refused.
    pub refused: u64,
    /// Values of counters that were read and compared.
    pub counters_compared: u64,
    /// Overflows, of counters with and without interrupt.
    pub overflows: u64,
    /// Interrupts that the unit asked for, in the predicted cycle.
    pub asked: u64,
    /// Interrupts that the core took.
    pub interrupts: u64,
    /// Addresses of samples that were compared.
    pub samples: Vec<u32>,
    /// Instructions of user mode behind the one that overflowed the counter, until the interrupt: how often so many.
    pub skid: [u64; SKIDS],
    /// Cycles from the overflow of the counter to the first instruction of the handler on RVFI: of all interrupts, and the most.
    pub delay: (u64, u32),
    /// What the program printed.
    pub text: String,
    /// Exit code of the program.
    pub exit: Option<u32>,
    /// Differences.
    pub differences: u64,
    /// The first of them.
    pub texts: Vec<String>,
}

impl Totals {
    /// Returns the longest skid.
    #[must_use]
    pub fn longest_skid(&self) -> usize {
        self.skid.iter().rposition(|&count| count != 0).unwrap_or(0)
    }

    /// Returns the mean skid.
    #[must_use]
    pub fn mean_skid(&self) -> f64 {
        let sum: u64 = self.skid.iter().zip(0..).map(|(count, skid): (_, u64)| count * skid).sum();
        sum as f64 / self.skid.iter().sum::<u64>().max(1) as f64
    }
}
