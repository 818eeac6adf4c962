//! Transaction.

/// What an instruction has to do with a transaction (RTM).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transaction {
    /// The instruction retired inside an RTM region.
    pub in_tx: bool,
    /// The region was aborted: the lane is a branch of kind system to `branch.next`.
    pub tx_abort: bool,
}
