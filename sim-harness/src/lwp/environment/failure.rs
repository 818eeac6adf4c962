//! Why a run cannot go on.

use miette::Diagnostic;
use thiserror::Error;

/// Why a run was given up.
#[derive(Clone, Debug, Error, Diagnostic, PartialEq, Eq)]
#[non_exhaustive]
pub enum LwpFailure {
    /// An operation page-faults whenever it is tried.
    #[error("{operation} still page-faults after {tries} tries, the last time at {address:#x}")]
    #[diagnostic(
        code(lwp::page_faults),
        help("every access of an operation has to succeed in one try: give a lower `fault` in [memory]")
    )]
    PageFaults {
        /// The operation.
        operation: &'static str,
        /// How often it was tried.
        tries: u32,
        /// The last failing address.
        address: u64,
    },
    /// Nothing happens any more.
    #[error("nothing has happened for {cycles} cycles while {waiting_for}")]
    #[diagnostic(
        code(lwp::stuck),
        help(
            "a `stall` of 1 in [memory] grants no request, ever; with --engine rtl the unit itself may hang: try --engine model"
        )
    )]
    Stuck {
        /// How long.
        cycles: u64,
        /// What the environment waits for.
        waiting_for: &'static str,
    },
}
