//! What CPUID says of the unit.

use super::unit::Lwp;
use lwp_regs::lwp::{EdxLayout, PresenceBit, cpuid};

impl<const W: usize, const S: usize, const LAT: u32> Lwp<W, S, LAT> {
    /// EAX, EBX, ECX and EDX of a leaf, as far as they are about LWP; 0 for what is not. EAX of 8000_001C is LWPMSR0 as it
    /// stands in the present cycle.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification".
    #[must_use]
    pub const fn cpuid(&self, leaf: u32, layout: EdxLayout) -> [u32; 4] {
        if !self.straps.present {
            return [0; 4];
        }
        match leaf {
            cpuid::LEAF_PRESENCE => match PresenceBit::PROJECT {
                PresenceBit::Edx(bit) => [0, 0, 0, 1 << bit],
                PresenceBit::Ecx(bit) => [0, 0, 1 << bit, 0],
            },
            cpuid::LEAF_EXTENDED => cpuid::EXTENDED_V1,
            cpuid::LEAF_FEATURES => self.caps().to_cpuid(self.state.session.msr0, layout),
            _ => [0; 4],
        }
    }
}
