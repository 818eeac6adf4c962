//! The results of CPUID.

use lwp_model::lwp::Config;
use lwp_regs::access::CpuidRegisters;
use lwp_regs::lwp::{EdxLayout, LwpCaps, LwpMsr0, PresenceBit, cpuid};

/// The processor around the unit, as CPUID describes it: the leaves about LWP in the extended range, and no others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    /// The features of the unit; `None` without LWP.
    caps: Option<LwpCaps>,
}

impl Identity {
    /// Creates the identity of a processor with a unit of this size and with these straps.
    pub(super) fn new(straps: &Config, slots: u8, latency_bits: u8) -> Self {
        Self { caps: straps.present.then(|| straps.caps(slots, latency_bits)) }
    }

    /// Returns the leaf, if LWPMSR0 is `msr0`.
    pub(super) fn cpuid(&self, leaf: u32, msr0: u32) -> CpuidRegisters {
        const EXTENDED: u32 = 0x8000_0000;
        let Some(caps) = &self.caps else {
            return if leaf == EXTENDED { [cpuid::LEAF_PRESENCE, 0, 0, 0] } else { [0; 4] };
        };
        match leaf {
            EXTENDED => [cpuid::LEAF_EXTENDED, 0, 0, 0],
            cpuid::LEAF_PRESENCE => match PresenceBit::PROJECT {
                PresenceBit::Edx(bit) => [0, 0, 0, 1 << bit],
                PresenceBit::Ecx(bit) => [0, 0, 1 << bit, 0],
            },
            cpuid::LEAF_FEATURES => caps.to_cpuid(LwpMsr0::from_bits(u64::from(msr0)), EdxLayout::AsPrinted),
            cpuid::LEAF_EXTENDED => cpuid::EXTENDED_V1,
            _ => [0; 4],
        }
    }
}
