//! L3QOS_BW_CONTROL_n and L3QOS_SMBW_CONTROL_n of AMD processors: how much bandwidth a class of service may use.

use super::cpuid_bandwidth::{CpuidBandwidthCosMax, CpuidBandwidthLength};
use super::{Cos, RdtError};
use crate::access::{CpuidRegisters, GeneralProtection, MsrBus};
use crate::layout::mask;
use crate::msr::{Msr, msr_value};
use crate::refused::{Refused, Rule};

/// How much bandwidth the threads of a class of service may use together in one L3 cache.
///
/// A limit is an upper bound, which does not set the bandwidth aside for the class. The hardware does not share what is
/// left in proportion to the limits.
///
/// Source: AMD APM volume 2, "Using L3BE".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BandwidthLimit {
    /// As much as there is.
    Unlimited,
    /// So many times 1/8 GB/s. The manual does not say whether a GB has 10^9 or 2^30 bytes.
    Eighths(u64),
}

/// The registers of one kind of bandwidth.
macro_rules! bw_control {
    (
        $(#[$($alias:tt)*])*
        $ty:ident, $caps:ident, $index:ident, $what:literal, $subleaf:literal, $register:literal, $address:literal,
        $count:literal, $section:literal
    ) => {
        layout! {
            #[doc = concat!(" ", $register, " (AMD): the limit of a class of service on ", $what, ". One set per L3 cache.")]
            ///
            #[doc = concat!(" ", "[`", stringify!($caps), "::control`] makes a value, [`limit`](Self::limit) decodes one, and")]
            #[doc = concat!(" ", "[`", stringify!($caps), "::index`] gives the index.")]
            ///
            #[doc = concat!(" ", "Source: AMD APM volume 2, \"", $section, "\".")]
            $(#[$($alias)*])*
            pub struct $ty: u64, Ignored {
                /// The limit in units of 1/8 GB/s and, above it, the bit that lifts it (U). Its length is
                #[doc = concat!(" ", "[`", stringify!($caps), "::bw_len`]; the bits above U are reserved.")]
                #[inline]
                pub value: u64,
            }
        }

        msr_value!($ty, $register, read_write, caps = $caps);

        #[doc = concat!(" ", "Limits on ", $what, ", as CPUID 8000_0020H subleaf ", $subleaf, " describes them.")]
        ///
        #[doc = concat!(" ", "Source: AMD APM volume 2, \"", $section, "\".")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub struct $caps {
            /// Bits of a limit (BW_LEN), at most 63. The bit above them lifts the limit.
            pub bw_len: u8,
            /// Highest class of service while CDP is off.
            pub cos_max: u32,
        }

        #[doc = concat!(" ", "The index of an ", $register, " that the processor has; from [`", stringify!($caps), "::index`].")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $index(u8);

        impl $ty {
            /// Number of the first register.
            pub const FIRST_ADDRESS: u32 = $address;
            /// How many numbers are taken to be set aside: those up to the next registers that are known. Not confirmed by a
            /// document.
            pub const COUNT: u32 = $count;

            /// The register with this index.
            #[must_use]
            #[inline]
            pub const fn msr(index: $index) -> Msr<Self> {
                Msr::new(Self::FIRST_ADDRESS + index.0 as u32)
            }

            /// Returns the value after reset: unlimited.
            #[must_use]
            #[inline]
            pub const fn reset(caps: &$caps) -> Self {
                Self::from_bits(caps.unlimited())
            }

            /// Returns the limit. The other bits mean nothing where the bit U is set.
            #[must_use]
            #[inline]
            pub const fn limit(self, caps: &$caps) -> BandwidthLimit {
                if self.value() & caps.unlimited() != 0 {
                    return BandwidthLimit::Unlimited;
                }
                BandwidthLimit::Eighths(self.value() & caps.max_limit())
            }

            /// What a WRMSR of `new` does: the register's new content, whose reserved bits are 0. The old content does not matter
            /// to this register.
            ///
            /// The manual says of the reserved bits that they read as 0; that a 1 does not fault is a reading of that.
            ///
            /// # Errors
            ///
            /// None; an index exists only for a register that does.
            #[inline]
            pub const fn check_write(_old: Self, new: u64, caps: &$caps) -> Result<Self, GeneralProtection> {
                Ok(Self::from_bits(new & (caps.unlimited() | caps.max_limit())))
            }
        }

        impl $caps {
            #[doc = concat!(" ", "Decodes EAX, EBX, ECX and EDX of CPUID 8000_0020H subleaf ", $subleaf, ". Returns `None` when a limit has")]
            /// so many bits that the register has no room for U.
            #[must_use]
            #[inline]
            pub const fn from_cpuid(registers: CpuidRegisters) -> Option<Self> {
                let [eax, _, _, edx] = registers;
                let bw_len = CpuidBandwidthLength::from_bits(eax).bw_len();
                if bw_len > 63 {
                    return None;
                }
                Some(Self { bw_len: bw_len as u8, cos_max: CpuidBandwidthCosMax::from_bits(edx).cos_max() })
            }

            /// Returns the largest limit, in units of 1/8 GB/s.
            #[must_use]
            #[inline]
            pub const fn max_limit(&self) -> u64 {
                mask(self.bw_len as usize)
            }

            /// The bit U.
            const fn unlimited(&self) -> u64 {
                mask(self.bw_len as usize + 1) & !self.max_limit()
            }

            /// Returns the value for a limit.
            ///
            /// # Errors
            ///
            /// [`Refused`] when the limit is above [`max_limit`](Self::max_limit).
            #[inline]
            pub const fn control(&self, limit: BandwidthLimit) -> Result<$ty, Refused> {
                match limit {
                    BandwidthLimit::Unlimited => Ok($ty::reset(self)),
                    BandwidthLimit::Eighths(eighths) if eighths <= self.max_limit() => Ok($ty::from_bits(eighths)),
                    BandwidthLimit::Eighths(eighths) => {
                        Err(Refused::new($register, eighths, Rule::AtMost(self.max_limit())))
                    }
                }
            }

            /// Returns the register of a class while CDP is off: n for class n.
            ///
            /// # Errors
            ///
            /// [`Refused`] when the resource has fewer classes.
            #[inline]
            pub const fn index(&self, cos: Cos) -> Result<$index, Refused> {
                let most = self.registers() - 1;
                if cos.get() as u32 > most {
                    return Err(Refused::new($register, cos.get() as u64, Rule::AtMost(most as u64)));
                }
                Ok($index(cos.get() as u8))
            }

            /// Returns the register of a class while CDP of the L3 cache is on: 2n for class n.
            ///
            /// # Errors
            ///
            /// [`Refused`] when the resource has fewer classes, of which CDP leaves the lower half.
            #[inline]
            pub const fn index_with_cdp(&self, cos: Cos) -> Result<$index, Refused> {
                let count = self.registers() / 2;
                if count == 0 {
                    return Err(Refused::new($register, cos.get() as u64, Rule::NotAvailable("CDP")));
                }
                if cos.get() as u32 >= count {
                    return Err(Refused::new($register, cos.get() as u64, Rule::AtMost(count as u64 - 1)));
                }
                Ok($index(2 * cos.get() as u8))
            }

            /// How many registers there are, at least one.
            const fn registers(&self) -> u32 {
                if self.cos_max < $ty::COUNT { self.cos_max + 1 } else { $ty::COUNT }
            }

            /// Limits the class whose register this is. [`index`](Self::index) gives the register, with CDP
            /// [`index_with_cdp`](Self::index_with_cdp).
            ///
            /// # Errors
            ///
            /// [`RdtError::Refused`] when the limit is too large; [`RdtError::Fault`] when the access faulted.
            pub fn program<B: MsrBus>(
                &self,
                bus: &mut B,
                index: $index,
                limit: BandwidthLimit,
            ) -> Result<(), RdtError<B::Fault>> {
                let value = self.control(limit)?;
                $ty::msr(index).write_unchecked(bus, value).map_err(RdtError::Fault)
            }
        }
    };
}

bw_control! {
    #[doc(alias = "0xC0000200")]
    #[doc(alias = "L3QOS_BW_CONTROL_0")]
    #[doc(alias = "MSR_IA32_MBA_BW_BASE")]
    L3QosBwControl, L3QosBwCaps, L3QosBwIndex, "the bandwidth between the L3 cache and everything behind it", "1",
    "L3QOS_BW_CONTROL_n", 0xC000_0200, 128, "L3 External Bandwidth Enforcement (L3BE)"
}
bw_control! {
    #[doc(alias = "0xC0000280")]
    #[doc(alias = "L3QOS_SMBW_CONTROL_0")]
    #[doc(alias = "L3QOS_SLOW_BW_CONTROL")]
    #[doc(alias = "MSR_IA32_SMBA_BW_BASE")]
    L3QosSmbwControl, L3QosSmbwCaps, L3QosSmbwIndex, "the bandwidth to slow memory", "2",
    "L3QOS_SMBW_CONTROL_n", 0xC000_0280, 128, "L3 Slow Memory Bandwidth Enforcement (L3SMBE)"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::caps::tests::SKYLAKE_D;
    use crate::rdt::recorder::{Access, Recorder};

    /// Limits of 11 bits for 16 classes: the processors whose U Linux had as `MAX_MBA_BW_AMD`, 0x800.
    const CAPS: L3QosBwCaps = L3QosBwCaps { bw_len: 11, cos_max: 15 };

    fn cos(n: u32) -> Cos {
        Cos::new(n, &SKYLAKE_D).unwrap()
    }

    // Linux, resctrl.rst: MB is 2048 at first; 16 is a limit of 2 GB/s
    #[test]
    fn limits() {
        let control = |limit| CAPS.control(limit).map(L3QosBwControl::into_bits);
        assert_eq!(control(BandwidthLimit::Unlimited), Ok(0x800));
        assert_eq!(control(BandwidthLimit::Eighths(16)), Ok(0x010));
        assert_eq!((control(BandwidthLimit::Eighths(0)), control(BandwidthLimit::Eighths(0x7FF))), (Ok(0), Ok(0x7FF)));
        let refused = Refused::new("L3QOS_BW_CONTROL_n", 0x800, Rule::AtMost(0x7FF));
        assert_eq!(control(BandwidthLimit::Eighths(0x800)), Err(refused));
        assert_eq!(L3QosBwControl::reset(&CAPS).into_bits(), 0x800);

        let limit = |bits| L3QosBwControl::from_bits(bits).limit(&CAPS);
        assert_eq!(limit(0x7FF), BandwidthLimit::Eighths(0x7FF));
        assert_eq!((limit(0x800), limit(0x810)), (BandwidthLimit::Unlimited, BandwidthLimit::Unlimited));
        assert_eq!(limit(0xF010), BandwidthLimit::Eighths(0x10), "reserved bits are no part of it");
    }

    // APM: bits 63:BW_LEN+1 read as 0
    #[test]
    fn writes() {
        let write = |new| L3QosBwControl::check_write(L3QosBwControl::new(), new, &CAPS).map(L3QosBwControl::into_bits);
        assert_eq!((write(0x810), write(0x7FF), write(0)), (Ok(0x810), Ok(0x7FF), Ok(0)));
        assert_eq!(write(u64::MAX), Ok(0xFFF));
        assert_eq!((L3QosBwControl::RESERVED, L3QosBwControl::new().with_value(u64::MAX).into_bits()), (0, u64::MAX));
        let wider = L3QosBwCaps { bw_len: 12, ..CAPS };
        assert_eq!(L3QosBwControl::check_write(L3QosBwControl::new(), u64::MAX, &wider).unwrap().into_bits(), 0x1FFF);
    }

    // APM: "if CDP is enabled, the L3 bandwidth limit for threads associated with COS 3 are specified in
    // L3QOS_BW_CONTROL_6"
    #[test]
    fn registers() {
        let off = |n| CAPS.index(cos(n)).map(|index| L3QosBwControl::msr(index).address());
        let on = |n| CAPS.index_with_cdp(cos(n)).map(|index| L3QosBwControl::msr(index).address());
        assert_eq!((off(0), off(3), off(15)), (Ok(0xC000_0200), Ok(0xC000_0203), Ok(0xC000_020F)));
        assert_eq!((on(0), on(3), on(7)), (Ok(0xC000_0200), Ok(0xC000_0206), Ok(0xC000_020E)));
        assert_eq!(on(8), Err(Refused::new("L3QOS_BW_CONTROL_n", 8, Rule::AtMost(7))));
        let few = L3QosBwCaps { cos_max: 4, ..CAPS };
        assert_eq!(few.index(cos(5)), Err(Refused::new("L3QOS_BW_CONTROL_n", 5, Rule::AtMost(4))));
        assert!(few.index_with_cdp(cos(1)).is_ok() && few.index_with_cdp(cos(2)).is_err(), "register 4 has no partner");
        let one = L3QosBwCaps { cos_max: 0, ..CAPS };
        let none = Refused::new("L3QOS_BW_CONTROL_n", 0, Rule::NotAvailable("CDP"));
        assert_eq!((one.index(cos(0)).is_ok(), one.index_with_cdp(cos(0))), (true, Err(none)));
    }

    #[test]
    fn no_index_leaves_the_numbers_set_aside() {
        let mut all = SKYLAKE_D;
        all.allocation.as_mut().unwrap().l3.as_mut().unwrap().cos_max = u16::MAX;
        let many = L3QosBwCaps { cos_max: u32::MAX, ..CAPS };
        let address = |n| many.index(Cos::new(n, &all).unwrap()).map(|index| L3QosBwControl::msr(index).address());
        assert_eq!(address(127), Ok(0xC000_027F));
        assert!(address(128).is_err() && address(0xFFFF).is_err());
        assert!(many.index_with_cdp(Cos::new(63, &all).unwrap()).is_ok());
        assert!(many.index_with_cdp(Cos::new(64, &all).unwrap()).is_err());
    }

    #[test]
    fn lengths() {
        let caps = |eax, edx| L3QosBwCaps::from_cpuid([eax, u32::MAX, u32::MAX, edx]);
        assert_eq!(caps(11, 15), Some(CAPS));
        let longest = caps(63, u32::MAX).unwrap();
        assert_eq!((longest.max_limit(), longest.cos_max), (u64::MAX >> 1, u32::MAX));
        assert_eq!(L3QosBwControl::reset(&longest).into_bits(), 1 << 63);
        assert_eq!((caps(64, 15), caps(u32::MAX, 15)), (None, None));
        let shortest = caps(0, 0).unwrap();
        assert_eq!((shortest.max_limit(), L3QosBwControl::reset(&shortest).into_bits()), (0, 1));
        let nonsense = L3QosBwCaps { bw_len: 255, ..CAPS };
        assert_eq!((nonsense.max_limit(), L3QosBwControl::reset(&nonsense).into_bits()), (u64::MAX, 0), "no panic");
    }

    #[test]
    fn programming() {
        let mut bus = Recorder::default();
        let index = CAPS.index(cos(2)).unwrap();
        assert_eq!(CAPS.program(&mut bus, index, BandwidthLimit::Eighths(64)), Ok(()));
        assert_eq!(CAPS.program(&mut bus, index, BandwidthLimit::Unlimited), Ok(()));
        let refused = CAPS.program(&mut bus, index, BandwidthLimit::Eighths(0x1000));
        assert!(matches!(refused, Err(RdtError::Refused(_))));
        assert_eq!(bus.trace, [Access::Write(0xC000_0202, 64), Access::Write(0xC000_0202, 0x800)]);
        let mut broken = Recorder { broken: Some(0), ..Recorder::default() };
        let fault = Err(RdtError::Fault(Access::Write(0xC000_0202, 1)));
        assert_eq!(CAPS.program(&mut broken, index, BandwidthLimit::Eighths(1)), fault);
    }

    // APM: C000_0280h + n; with CDP "the slow memory bandwidth limit for threads associated with COS 3 are specified in
    // L3QOS_SMBW_CONTROL_6"
    #[test]
    fn slow_memory() {
        let slow = L3QosSmbwCaps::from_cpuid([11, 0, 0, 15]).unwrap();
        let address = |index: Result<_, Refused>| L3QosSmbwControl::msr(index.unwrap()).address();
        assert_eq!((address(slow.index(cos(0))), address(slow.index(cos(15)))), (0xC000_0280, 0xC000_028F));
        assert_eq!(address(slow.index_with_cdp(cos(3))), 0xC000_0286);
        assert_eq!(slow.control(BandwidthLimit::Unlimited).map(L3QosSmbwControl::into_bits), Ok(0x800));
        let refused = Refused::new("L3QOS_SMBW_CONTROL_n", 0x800, Rule::AtMost(0x7FF));
        assert_eq!(slow.control(BandwidthLimit::Eighths(0x800)), Err(refused));
        let mut bus = Recorder::default();
        slow.program(&mut bus, slow.index(cos(1)).unwrap(), BandwidthLimit::Eighths(64)).unwrap();
        assert_eq!(bus.trace, [Access::Write(0xC000_0281, 64)]);
    }
}
