//! From a counter's overflow to its handler: the local APIC's entry for performance counters and the gate in the IDT.
//!
//! | to | use |
//! |---|---|
//! | choose a vector | [`LOCAL_PERFCTR_VECTOR`], [`VectorUse`] |
//! | point the vector at the handler | [`Idt`] with [`Gate32`] or [`Gate64`] |
//! | let the local APIC deliver the interrupt | [`LvtPerformance`] |
//! | reach the local APIC | [`LocalApic`]; [`X2Apic`] where its registers are MSRs |
//! | acknowledge, then handle | [`handle_overflow`] |
//!
//! In this order: gate, then entry, then the unit that raises the interrupt. A vector without a gate raises #NP or #GP
//! in the middle of whatever the processor does.

mod gate;
mod idt;
mod local_apic;
mod lvt_performance;
mod vector;

pub use gate::{Gate32, Gate64, Gate64High, GateKind, GateWord, Privilege};
pub use idt::{Gate, Idt};
pub use local_apic::{LocalApic, X2Apic, X2ApicEoi, handle_overflow};
pub use lvt_performance::{DeliveryMode, LvtPerformance};
pub use vector::{FIRST_EXTERNAL_VECTOR, FIRST_SYSTEM_VECTOR, LOCAL_PERFCTR_VECTOR, VectorUse};

use crate::layout::Layout;
use crate::msr::{Family, MsrNumbers};

/// Every register layout of the unit, for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] = &[LvtPerformance::LAYOUT, X2ApicEoi::LAYOUT, GateWord::LAYOUT, Gate64High::LAYOUT];

/// Numbers of the model-specific registers of the unit.
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[
    MsrNumbers::one("IA32_X2APIC_EOI", Family::Intel, X2ApicEoi::ADDRESS),
    MsrNumbers::one("IA32_X2APIC_LVT_PMI", Family::Intel, LvtPerformance::ADDRESS),
];
