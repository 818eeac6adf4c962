//! CPUID of the unit.

use super::unit::Lwp;
use lwp_regs::lwp::{EdxLayout, PresenceBit, cpuid};

impl<const W: usize, const S: usize, const LAT: u32> Lwp<W, S, LAT> {
    /// Returns EAX, EBX, ECX and EDX of a leaf. Bits that do not concern LWP are 0. EAX of 8000_001C is LWPMSR0 in the present cycle.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "CPUID Identification".
    #[must_use]
    pub const fn cpuid(&self, leaf: u32, layout: EdxLayout) -> [u32; 4] {
        if !self.straps.present {
            return [0; 4];
        }
        match leaf {
            cpuid::LEAF_PRESENCE => presence(PresenceBit::PROJECT),
            cpuid::LEAF_FEATURES => self.caps().to_cpuid(self.state.session.msr0, layout),
            _ => [0; 4],
        }
    }
}

// Version 1 reports nothing in the leaf for further events.
const _: () = assert!(matches!(cpuid::EXTENDED_V1, [0, 0, 0, 0]));

const fn presence(place: PresenceBit) -> [u32; 4] {
    match place {
        PresenceBit::Edx(bit) => [0, 0, 0, 1 << bit],
        PresenceBit::Ecx(bit) => [0, 0, 1 << bit, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::Config;

    #[test]
    fn every_leaf() {
        let mut unit = Lwp::<1, 8, 31>::new(Config::default()).unwrap();
        unit.state.session.msr0 = lwp_regs::lwp::LwpMsr0::from_bits(0b11);
        let leaf = |unit: &Lwp<1, 8, 31>, leaf| unit.cpuid(leaf, EdxLayout::default());
        assert_eq!(leaf(&unit, cpuid::LEAF_PRESENCE), [0, 0, 0, 1 << 28]);
        assert_eq!(leaf(&unit, cpuid::LEAF_FEATURES)[0], 0b11);
        assert_eq!(leaf(&unit, cpuid::LEAF_EXTENDED), [0; 4]);
        assert_eq!(leaf(&unit, 0), [0; 4]);
        unit.straps.present = false;
        assert_eq!(leaf(&unit, cpuid::LEAF_PRESENCE), [0; 4]);
    }

    #[test]
    fn both_places_of_the_presence_bit() {
        assert_eq!(presence(PresenceBit::Edx(5)), [0, 0, 0, 0x20]);
        assert_eq!(presence(PresenceBit::SHIPPED), [0, 0, 0x8000, 0]);
    }
}
