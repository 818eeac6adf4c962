//! LWP on one logical processor: allowed and forbidden again.

use super::{Failed, Policy};
use crate::access::MsrBus;
use crate::lwp::{ContextSwitch, EnableError, EnabledFeatures, LwpCaps, LwpMsr0};
use core::fmt;

/// A logical processor on which LWP is enabled, and whose LWP state is that of the thread that runs.
///
/// A kernel keeps one for each logical processor. The way to the hardware is moved in, so that there is none past it; an
/// access beside it, from the handler of another fault for instance, needs a bus that can be shared.
pub struct Processor<B> {
    pub(super) switch: ContextSwitch<B>,
    pub(super) msr0: LwpMsr0,
}

impl<B: MsrBus> Processor<B> {
    /// Enables LWP as `policy` says, on a processor with the capabilities `caps`. No session is active on it: `bus`
    /// reaches a processor on which LWP is off, as after reset.
    ///
    /// # Errors
    ///
    /// [`NotEnabled`], with the bus back; LWPMSR0 is as before.
    pub fn enable(mut bus: B, caps: &LwpCaps, policy: &Policy) -> Result<Self, Failed<B, NotEnabled<B::Fault>>> {
        match allow(&mut bus, caps, policy) {
            Ok(msr0) => Ok(Self { switch: ContextSwitch::new(bus), msr0 }),
            Err(error) => Err(Failed { state: bus, error }),
        }
    }

    /// Forbids LWP and gives the bus back. A session that is still active is dropped, without an access to its memory:
    /// what hardware holds of it is lost. So threads stop theirs before.
    ///
    /// # Errors
    ///
    /// The fault of WRMSR, with the processor back; nothing has changed.
    pub fn disable(self) -> Result<B, Failed<Self, B::Fault>> {
        let Self { switch, msr0 } = self;
        let mut bus = switch.into_bus();
        match LwpMsr0::MSR.write_unchecked(&mut bus, LwpMsr0::RESET) {
            Ok(()) => Ok(bus),
            Err(error) => Err(Failed { state: Self { switch: ContextSwitch::new(bus), msr0 }, error }),
        }
    }
}

impl<B> Processor<B> {
    /// What LWPMSR0 holds.
    #[must_use]
    #[inline]
    pub const fn msr0(&self) -> LwpMsr0 {
        self.msr0
    }

    /// What user software may use; the same as CPUID tells it.
    #[must_use]
    pub fn features(&self) -> EnabledFeatures {
        self.msr0.enabled_features().unwrap_or_default()
    }
}

impl<B> fmt::Debug for Processor<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Processor").field("msr0", &self.msr0).finish_non_exhaustive()
    }
}

fn allow<B: MsrBus>(bus: &mut B, caps: &LwpCaps, policy: &Policy) -> Result<LwpMsr0, NotEnabled<B::Fault>> {
    let msr0 = policy.choose(caps.available).map_err(NotEnabled::Policy)?;
    let old = LwpMsr0::MSR.read(bus).map_err(NotEnabled::Fault)?;
    if old != LwpMsr0::RESET {
        return Err(NotEnabled::InUse(old));
    }
    LwpMsr0::MSR.write_unchecked(bus, msr0).map_err(NotEnabled::Fault)?;
    Ok(msr0)
}

/// Why LWP has not been enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotEnabled<F> {
    /// The processor lacks what the policy requires, or the interrupt has no handler. Nothing has been accessed.
    Policy(EnableError),
    /// LWPMSR0 is not 0: somebody else has enabled LWP. Who wants to take it over writes 0 to the register before.
    InUse(LwpMsr0),
    /// RDMSR or WRMSR faulted.
    Fault(F),
}

impl<F: fmt::Debug> fmt::Display for NotEnabled<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(error) => error.fmt(f),
            Self::InUse(msr0) => {
                write!(f, "LWPMSR0 is {:#x} already; write 0 to it if LWP is not in use", msr0.into_bits())
            }
            Self::Fault(fault) => write!(f, "an access to LWPMSR0 raised {fault:?}; is LWP present?"),
        }
    }
}

impl<F: fmt::Debug> core::error::Error for NotEnabled<F> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::GeneralProtection;
    use crate::fake::{Access, FakeMsrs};
    use crate::lwp::Features;
    use crate::lwp::caps::tests::caps_with;

    const CAPS: LwpCaps = caps_with(Features::IRE.union(Features::BRE));
    const POLICY: Policy = Policy::new().require(Features::IRE).want(Features::DME);
    const ON: LwpMsr0 = LwpMsr0::from_bits(0x3);

    fn off() -> FakeMsrs<'static, 1> {
        let mut cpu = FakeMsrs::new();
        cpu.define_checked(LwpMsr0::MSR, LwpMsr0::RESET, &CAPS);
        cpu
    }

    // LWP-MSR0-13
    #[test]
    fn enabled_and_disabled_again() {
        let mut cpu = off();
        let processor = Processor::enable(&mut cpu, &CAPS, &POLICY).unwrap();
        assert_eq!((processor.msr0(), processor.features().features()), (ON, Features::IRE));
        let cpu = processor.disable().unwrap();
        let msr0 = LwpMsr0::MSR;
        cpu.assert_trace(&[Access::read(msr0), Access::write(msr0, ON), Access::write(msr0, LwpMsr0::RESET)]);
    }

    #[test]
    fn what_the_policy_forbids_is_not_even_tried() {
        let mut cpu = off();
        let policy = Policy::new().require(Features::DME);
        let failed = Processor::enable(&mut cpu, &CAPS, &policy).unwrap_err();
        assert_eq!(failed.error, NotEnabled::Policy(EnableError::NotAvailable(Features::DME)));
        assert_eq!(failed.state.accesses(), 0);
    }

    #[test]
    fn what_somebody_else_uses_is_left_alone() {
        let mut cpu = off();
        cpu.set(LwpMsr0::MSR, LwpMsr0::from_bits(0x5));
        let failed = Processor::enable(&mut cpu, &CAPS, &POLICY).unwrap_err();
        assert_eq!(failed.error, NotEnabled::InUse(LwpMsr0::from_bits(0x5)));
        assert_eq!(cpu.get(LwpMsr0::MSR), LwpMsr0::from_bits(0x5));
    }

    // LWP-MSR0-09, LWP-MSR0-10: wrong capabilities, refused by the register
    #[test]
    fn the_fault_of_the_register_is_a_value() {
        let mut cpu = off();
        let failed = Processor::enable(&mut cpu, &caps_with(Features::all()), &POLICY).unwrap_err();
        assert!(matches!(failed.error, NotEnabled::Fault(GeneralProtection::Refused(refused)) if refused.bits == 0x8));
        assert_eq!(cpu.get(LwpMsr0::MSR), LwpMsr0::RESET);
    }

    #[test]
    fn at_every_fault_point_the_register_says_what_the_types_say() {
        let fault = GeneralProtection::Privilege;
        let points = off().every_fault_point(fault, |cpu| {
            let processor = match Processor::enable(&mut *cpu, &CAPS, &POLICY) {
                Ok(processor) => processor,
                Err(Failed { state, error }) => {
                    assert_eq!(error, NotEnabled::Fault(fault));
                    return assert_eq!(state.get(LwpMsr0::MSR), LwpMsr0::RESET);
                }
            };
            if let Err(Failed { state: processor, error }) = processor.disable() {
                assert_eq!((error, processor.msr0()), (fault, ON));
                let cpu = processor.switch.into_bus();
                assert_eq!(cpu.get(LwpMsr0::MSR), ON);
            }
        });
        assert_eq!(points, 3);
    }
}
