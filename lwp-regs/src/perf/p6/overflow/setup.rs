//! What has to be in place before a counter may interrupt.

use crate::perf::OverflowHandler;
use core::fmt;

/// What the system does in each step of an [`OverflowSetup`], on the processor whose counters are to interrupt.
pub trait OverflowPlatform {
    /// Why a step fails.
    type Fault;

    /// Provides the vector of the counter-overflow interrupt.
    ///
    /// # Errors
    ///
    /// No vector is free.
    fn provide_vector(&mut self) -> Result<OverflowVector, Self::Fault>;

    /// Initialises the local APIC's entry for performance counters (LVT PERF, offset 340h) to deliver `vector`, unmasked.
    ///
    /// # Errors
    ///
    /// There is no local APIC, or it is off.
    fn initialise_lvt(&mut self, vector: OverflowVector) -> Result<(), Self::Fault>;

    /// Points the IDT entry of `vector` at a stub handler: it returns without doing anything.
    ///
    /// # Errors
    ///
    /// The entry is taken.
    fn install_stub(&mut self, vector: OverflowVector) -> Result<(), Self::Fault>;

    /// Loads the event monitor driver: points the IDT entry of `vector` from the stub to its handler, which samples as
    /// [`OverflowSampler`](super::OverflowSampler) does.
    ///
    /// # Errors
    ///
    /// The driver cannot be loaded.
    fn install_driver(&mut self, vector: OverflowVector) -> Result<(), Self::Fault>;
}

/// A vector for the overflow interrupt: 32 to 255. Those below belong to the processor's exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OverflowVector(u8);

impl OverflowVector {
    /// The vector with this number.
    ///
    /// # Errors
    ///
    /// [`VectorError`] if it is below 32.
    #[inline]
    pub const fn new(number: u8) -> Result<Self, VectorError> {
        match number {
            0..32 => Err(VectorError(number)),
            _ => Ok(Self(number)),
        }
    }

    /// Its number.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The vector belongs to an exception of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VectorError(pub u8);

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vector {} belongs to the processor's exceptions; use one from 32", self.0)
    }
}

impl core::error::Error for VectorError {}

/// Prepares a processor for overflow interrupts, in the order of the manual: vector, local APIC, stub, driver. Each step is
/// a type, so a step cannot be left out or come too early.
///
/// The order is that of the text, so the local APIC delivers before the vector has a gate. That is sound as long as no
/// counter interrupts before the last step: stop the counters first ([`P6Counters::stop`](crate::perf::p6::P6Counters::stop));
/// from then on INT wants the [`OverflowHandler`] that the last step gives. If a step fails, the ones before it stay done.
///
/// ```
/// use lwp_regs::perf::p6::{EventSelect, event, overflow::*};
///
/// fn sample_cycles<P: OverflowPlatform>(platform: &mut P) -> Result<EventSelect, P::Fault> {
///     let handler = OverflowSetup::provide_vector(platform)?
///         .initialise_lvt(platform)?
///         .install_stub(platform)?
///         .install_driver(platform)?;
///     Ok(EventSelect::new(&event::CPU_CLK_UNHALTED).interrupt(&handler))
/// }
/// ```
///
/// Source: Intel SDM volume 3, "Monitoring Counter Overflow" of the P6 family processors.
#[derive(Debug)]
#[must_use = "the setup is not finished before `install_driver`"]
pub struct OverflowSetup<Step> {
    vector: OverflowVector,
    _step: Step,
}

/// A vector is provided; the local APIC comes next.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct VectorProvided(());

/// The local APIC delivers overflows; the stub comes next.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LvtInitialised(());

/// The stub catches overflows; the driver comes next.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StubInstalled(());

impl OverflowSetup<VectorProvided> {
    /// First step: provides an interrupt vector.
    ///
    /// # Errors
    ///
    /// Those of [`OverflowPlatform::provide_vector`].
    pub fn provide_vector<P: OverflowPlatform>(platform: &mut P) -> Result<Self, P::Fault> {
        Ok(Self { vector: platform.provide_vector()?, _step: VectorProvided(()) })
    }

    /// Second step: initialises the entry of the local APIC.
    ///
    /// # Errors
    ///
    /// Those of [`OverflowPlatform::initialise_lvt`].
    pub fn initialise_lvt<P: OverflowPlatform>(
        self,
        platform: &mut P,
    ) -> Result<OverflowSetup<LvtInitialised>, P::Fault> {
        platform.initialise_lvt(self.vector)?;
        Ok(OverflowSetup { vector: self.vector, _step: LvtInitialised(()) })
    }
}

impl OverflowSetup<LvtInitialised> {
    /// Third step: installs the stub handler.
    ///
    /// # Errors
    ///
    /// Those of [`OverflowPlatform::install_stub`].
    pub fn install_stub<P: OverflowPlatform>(self, platform: &mut P) -> Result<OverflowSetup<StubInstalled>, P::Fault> {
        platform.install_stub(self.vector)?;
        Ok(OverflowSetup { vector: self.vector, _step: StubInstalled(()) })
    }
}

impl OverflowSetup<StubInstalled> {
    /// Last step: the driver takes the interrupt over.
    ///
    /// # Errors
    ///
    /// Those of [`OverflowPlatform::install_driver`]; the stub stays.
    pub fn install_driver<P: OverflowPlatform>(self, platform: &mut P) -> Result<OverflowHandler, P::Fault> {
        platform.install_driver(self.vector)?;
        Ok(OverflowHandler::set_up())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::super::test_bus::{Failed, TestBus};
    use super::*;
    use crate::delivery::{Gate32, Idt, LOCAL_PERFCTR_VECTOR, LocalApic, LvtPerformance, X2Apic};
    use std::vec::Vec;

    /// Notes the steps, and fails at one of them.
    #[derive(Default)]
    struct System {
        steps: Vec<(&'static str, u8)>,
        fails_at: Option<usize>,
    }

    impl System {
        fn step(&mut self, name: &'static str, vector: u8) -> Result<(), &'static str> {
            if self.fails_at == Some(self.steps.len()) {
                return Err(name);
            }
            self.steps.push((name, vector));
            Ok(())
        }
    }

    impl OverflowPlatform for System {
        type Fault = &'static str;

        fn provide_vector(&mut self) -> Result<OverflowVector, Self::Fault> {
            self.step("vector", 0xEE)?;
            OverflowVector::new(0xEE).map_err(|_| "vector")
        }

        fn initialise_lvt(&mut self, vector: OverflowVector) -> Result<(), Self::Fault> {
            self.step("lvt", vector.number())
        }

        fn install_stub(&mut self, vector: OverflowVector) -> Result<(), Self::Fault> {
            self.step("stub", vector.number())
        }

        fn install_driver(&mut self, vector: OverflowVector) -> Result<(), Self::Fault> {
            self.step("driver", vector.number())
        }
    }

    fn set_up(system: &mut System) -> Result<OverflowHandler, &'static str> {
        OverflowSetup::provide_vector(system)?.initialise_lvt(system)?.install_stub(system)?.install_driver(system)
    }

    // P6-45, P6-46, P6-47, P6-48: vector, APIC entry, stub and driver, in this order, with one vector
    #[test]
    fn four_steps_in_order() {
        let mut system = System::default();
        let _handler = set_up(&mut system).unwrap();
        assert_eq!(system.steps, [("vector", 0xEE), ("lvt", 0xEE), ("stub", 0xEE), ("driver", 0xEE)]);
    }

    /// A system with an IDT and a local APIC. Stub and handler are at these addresses of its code segment 10H.
    struct Linux {
        gates: [Gate32; 256],
        bus: TestBus,
    }

    const STUB: u32 = 0xC010_1230;
    const HANDLER: u32 = 0xC010_9ABC;

    impl Linux {
        fn gate(&mut self, vector: OverflowVector, address: u32) {
            let mut idt = Idt::new(&mut self.gates, 0x10);
            // SAFETY: no processor uses the table.
            #[allow(unsafe_code)]
            unsafe {
                idt.set_intr_gate(vector.number(), address);
            }
        }

        /// The entry of the local APIC, and the gate of vector EEH.
        fn shown(&self) -> (u64, u64) {
            (self.bus.register(0x834), self.gates[0xEE].0.into_bits())
        }
    }

    impl OverflowPlatform for Linux {
        type Fault = Failed;

        fn provide_vector(&mut self) -> Result<OverflowVector, Failed> {
            Ok(OverflowVector::new(LOCAL_PERFCTR_VECTOR).unwrap())
        }

        fn initialise_lvt(&mut self, vector: OverflowVector) -> Result<(), Failed> {
            X2Apic(&mut self.bus).set_lvt_performance(LvtPerformance::fixed(vector.number()).unwrap())
        }

        fn install_stub(&mut self, vector: OverflowVector) -> Result<(), Failed> {
            self.gate(vector, STUB);
            Ok(())
        }

        fn install_driver(&mut self, vector: OverflowVector) -> Result<(), Failed> {
            self.gate(vector, HANDLER);
            Ok(())
        }
    }

    // VPC-25, P6-47: vector EEH in the entry, then its interrupt gate (8E00H: present, DPL 0) to the stub, then to the handler
    #[test]
    fn the_overflow_vector_gets_an_interrupt_gate() {
        let mut system = Linux { gates: [Gate32::ABSENT; 256], bus: TestBus::with([(0x834, 0x1_0000)]) };
        let setup = OverflowSetup::provide_vector(&mut system).unwrap();
        assert_eq!(system.shown(), (0x1_0000, 0), "masked, and no gate");
        let setup = setup.initialise_lvt(&mut system).unwrap();
        assert_eq!(system.shown(), (0xEE, 0));
        let setup = setup.install_stub(&mut system).unwrap();
        assert_eq!(system.shown(), (0xEE, 0xC010_8E00_0010_1230));
        let _handler = setup.install_driver(&mut system).unwrap();
        assert_eq!(system.shown(), (0xEE, 0xC010_8E00_0010_9ABC));
        assert_eq!(system.gates.iter().filter(|gate| gate.0.present()).count(), 1, "no other gate");
    }

    #[test]
    fn a_failing_step_ends_the_setup() {
        for (fails_at, name) in ["vector", "lvt", "stub", "driver"].into_iter().enumerate() {
            let mut system = System { fails_at: Some(fails_at), ..System::default() };
            assert_eq!(set_up(&mut system).unwrap_err(), name);
            assert_eq!(system.steps.len(), fails_at);
        }
    }

    #[test]
    fn exceptions_have_their_own_vectors() {
        assert_eq!(OverflowVector::new(31), Err(VectorError(31)));
        assert_eq!(OverflowVector::new(32).map(OverflowVector::number), Ok(32));
        assert_eq!(OverflowVector::new(0xEE).map(OverflowVector::number), Ok(0xEE));
    }
}
