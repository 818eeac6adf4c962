//! Pins and states of the processor that matter for time.

/// Pins and states of the processor. A pin that is active low on the package is `true` while it is asserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// The processor is halted by HLT.
    pub halted: bool,
    /// STPCLK# is asserted and acknowledged.
    pub stpclk: bool,
    /// DPSLP# is asserted: deep sleep.
    pub dpslp: bool,
    /// A period of the bus clock begins in this cycle.
    pub bus_tick: bool,
    /// A period of the core crystal clock begins in this cycle.
    pub crystal_tick: bool,
    /// Present ratio of core clock to bus clock, in halves. Valid with `bus_tick`.
    pub core_ratio: u8,
}
