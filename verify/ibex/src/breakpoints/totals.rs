//! What a run with breakpoints comes to.

/// The longest skid that the histogram tells apart.
pub const SKIDS: usize = 32;

/// The totals of a run.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Cycles since reset.
    pub cycles: u64,
    /// Instructions of user mode that retired.
    pub user_instructions: u64,
    /// #DB that software took.
    pub taken: u64,
    /// Those of them whose instruction had retired behind another one that hit.
    pub in_skid: u64,
    /// #DB that report B0 to B3, each.
    pub hits: [u64; 4],
    /// #DB of an access that is not aligned to its size.
    pub unaligned: u64,
    /// #DB that report BS.
    pub steps: u64,
    /// #DB that report BD.
    pub detected: u64,
    /// Interrupts that the core took.
    pub interrupts: u64,
    /// Instructions of user mode behind the one that hit, until the interrupt: how often so many.
    pub skid: [u64; SKIDS],
    /// Cycles from the instruction that hit to the first one of the handler, both on RVFI: of all interrupts, and the most.
    pub delay: (u64, u32),
    /// Instructions that found the queue full.
    pub lost: u64,
    /// MOV to and from DR whose result was compared.
    pub moves: u64,
    /// Those of them that were refused.
    pub refused: u64,
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
