//! IA32_L2_QoS_Ext_BW_Thrtl_n: how much a class of service is slowed down.

use super::{Cos, MbaCaps};
use crate::access::GeneralProtection;
use crate::msr::{Msr, msr_value};
use crate::refused::{Refused, Rule};

layout! {
    /// IA32_L2_QoS_Ext_BW_Thrtl_n: the delay value of a class of service, from 0, not slowed down, to MBA_MAX.
    ///
    /// The effect is approximate, and that of all classes together may be less than what they add up to. The registers
    /// stand between a core's L2 cache and the rest, which their name tells; the classes are those of the L3 cache.
    ///
    /// Source: Intel SDM volume 3B, "Memory Bandwidth Allocation Configuration".
    #[doc(alias = "0xD50")]
    #[doc(alias = "IA32_L2_QoS_Ext_BW_Thrtl_0")]
    pub struct MbaThrottle: u64, Fault {
        /// The delay value.
        #[inline]
        pub delay: u16,
        #[bits(48)]
        __: u64,
    }
}

msr_value!(MbaThrottle, "IA32_L2_QoS_Ext_BW_Thrtl_n", read_write, caps = MbaCaps);

/// The index of a throttle register that the processor has; made by [`MbaCaps::throttle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ThrottleIndex(u8);

impl MbaThrottle {
    /// Number of the first register.
    pub const FIRST_ADDRESS: u32 = 0xD50;
    /// How many numbers are taken to be set aside. Not confirmed by a document; as many as for the L2 masks before.
    pub const COUNT: u32 = 64;
    /// Value after reset: not slowed down.
    pub const RESET: Self = Self::new();

    /// The register with this index.
    #[must_use]
    #[inline]
    pub const fn msr(index: ThrottleIndex) -> Msr<Self> {
        Msr::new(Self::FIRST_ADDRESS + index.0 as u32)
    }

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// Processors may round a value down to one that they have; which ones is not confirmed, so this does not round.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection`] when a reserved bit is set or the value is above MBA_MAX. The register keeps its content
    /// then.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &MbaCaps) -> Result<Self, GeneralProtection> {
        if new & Self::RESERVED != 0 {
            let bits = new & Self::RESERVED;
            return Err(GeneralProtection::refused("IA32_L2_QoS_Ext_BW_Thrtl_n", bits, Rule::MustBeZero));
        }
        match caps.delay(new as u16) {
            Ok(value) => Ok(value),
            Err(refused) => Err(GeneralProtection::Refused(refused)),
        }
    }
}

impl MbaCaps {
    /// The value for a delay from 0 to MBA_MAX.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the delay is larger.
    #[inline]
    pub const fn delay(&self, delay: u16) -> Result<MbaThrottle, Refused> {
        if delay > self.max_delay {
            let rule = Rule::AtMost(self.max_delay as u64);
            return Err(Refused::new("IA32_L2_QoS_Ext_BW_Thrtl_n", delay as u64, rule));
        }
        Ok(MbaThrottle::new().with_delay(delay))
    }

    /// The throttle register of a class: n for class n.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the resource has fewer classes.
    #[inline]
    pub const fn throttle(&self, cos: Cos) -> Result<ThrottleIndex, Refused> {
        let numbers = MbaThrottle::COUNT as u16 - 1;
        let most = if self.cos_max < numbers { self.cos_max } else { numbers };
        if cos.get() > most {
            let rule = Rule::AtMost(most as u64);
            return Err(Refused::new("IA32_L2_QoS_Ext_BW_Thrtl_n", cos.get() as u64, rule));
        }
        Ok(ThrottleIndex(cos.get() as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::allocation_caps::tests::MBA;
    use crate::rdt::caps::tests::SKYLAKE_D;

    fn write(new: u64) -> Result<u64, GeneralProtection> {
        MbaThrottle::check_write(MbaThrottle::RESET, new, &MBA).map(MbaThrottle::into_bits)
    }

    // RDTA-33: from 0 to MBA_MAX, here 90
    #[test]
    fn delays() {
        for delay in 0..=90 {
            assert_eq!(write(delay), Ok(delay));
        }
        for delay in 91..=0xFFFF {
            let fault = GeneralProtection::refused("IA32_L2_QoS_Ext_BW_Thrtl_n", delay, Rule::AtMost(90));
            assert_eq!(write(delay), Err(fault));
        }
        for bit in 16..64 {
            let fault = GeneralProtection::refused("IA32_L2_QoS_Ext_BW_Thrtl_n", 1 << bit, Rule::MustBeZero);
            assert_eq!(write(1 << bit), Err(fault));
        }
    }

    // RDTA-29, RDTA-32: one register for each class that MBA has, and the class is that of the caches
    #[test]
    fn registers() {
        let address = |n| MBA.throttle(Cos::new(n, &SKYLAKE_D).unwrap()).map(|index| MbaThrottle::msr(index).address());
        assert_eq!(address(0), Ok(0xD50));
        assert_eq!(address(7), Ok(0xD57));
        assert_eq!(address(8), Err(Refused::new("IA32_L2_QoS_Ext_BW_Thrtl_n", 8, Rule::AtMost(7))));
    }
}
