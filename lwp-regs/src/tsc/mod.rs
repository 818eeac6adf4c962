//! The time-stamp counter: a 64-bit clock in each logical processor.
//!
//! | to | use |
//! |---|---|
//! | find out what there is | [`TscFeatures`], [`CrystalRatio`] |
//! | read it | [`TimeBus`](crate::access::TimeBus), [`Stamp`] |
//! | notice that a thread was moved between two reads | [`Stamp::since`] |
//! | let user mode read it, or not | [`TimeStampDisable`] |
//! | give processors signatures | [`TscAux`] |
//! | make the counters of all processors agree | [`TscAdjust::synchronise`] on each, with the same value |
//! | know what a write does | [`TscState`], [`TscWrite`] |
//! | know what a tick of the bus clock or of the crystal adds | [`TscRate`], [`RateStep`] |
//! | know who may read it, and which registers exist | [`TscFeatures::check_rdtsc`], [`TscFeatures::has`] |
//! | report it by CPUID | [`TscCpuid`] |
//! | convert from and to the always running timer | [`CrystalRatio::tsc`], [`CrystalRatio::art`], [`CrystalRatio::nanoseconds`] |

mod counter;
mod crystal;
mod fault;
mod features;
mod identification;
mod rate;
mod stamp;
mod tsc_aux;

pub use counter::{TimeStampCounter, TscAdjust, TscState, TscWrite};
pub use crystal::CrystalRatio;
pub use fault::TimeFault;
pub use features::{TimeStampDisable, TscFeatures};
pub use identification::TscCpuid;
pub use rate::{RateStep, RateStepError, TimeBase, TscRate};
pub use stamp::{Elapsed, Stamp};
pub use tsc_aux::TscAux;

use crate::layout::Layout;
use crate::msr::{Family, MsrNumbers};

/// Every register layout of the unit, for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] = &[TimeStampCounter::LAYOUT, TscAdjust::LAYOUT, TscAux::LAYOUT];

/// Numbers of the model-specific registers of the unit. AMD has the same ones.
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[
    MsrNumbers::one("IA32_TIME_STAMP_COUNTER", Family::Intel, TimeStampCounter::ADDRESS),
    MsrNumbers::one("IA32_TSC_ADJUST", Family::Intel, TscAdjust::ADDRESS),
    MsrNumbers::one("IA32_TSC_AUX", Family::Intel, TscAux::ADDRESS),
];
