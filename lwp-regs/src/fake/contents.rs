//! What is in the registers of the fake.

use super::FakeMsrs;
use super::register::Register;
use crate::msr::{Msr, MsrValue};

/// What is in the registers. This is the test looking, not software: it is no access, and nothing is refused.
impl<'a, const N: usize, F: Clone, const T: usize> FakeMsrs<'a, N, F, T> {
    /// What the register holds.
    ///
    /// # Panics
    ///
    /// If it is not defined.
    #[must_use]
    #[track_caller]
    pub fn get<R: MsrValue>(&self, msr: Msr<R>) -> R {
        match self.value(msr.address()) {
            Some(value) => R::from_register(value),
            None => undefined(msr.address()),
        }
    }

    /// What the register with this number holds; `None` if there is no such register.
    #[must_use]
    pub fn value(&self, number: u32) -> Option<u64> {
        self.registers().find(|register| register.number == number).map(|register| register.value)
    }

    /// Changes a register as the hardware might: read-only ones too, and without asking their rule.
    ///
    /// # Panics
    ///
    /// If it is not defined.
    #[track_caller]
    pub fn set<R: MsrValue>(&mut self, msr: Msr<R>, value: R) {
        self.set_value(msr.address(), value.to_register());
    }

    /// As [`set`](Self::set), by number.
    ///
    /// # Panics
    ///
    /// If it is not defined.
    #[track_caller]
    pub fn set_value(&mut self, number: u32, value: u64) {
        self.defined(number).value = value;
    }

    pub(super) fn register(&mut self, number: u32) -> Option<&mut Register<'a, F>> {
        self.registers.iter_mut().flatten().find(|register| register.number == number)
    }

    pub(super) fn registers(&self) -> impl Iterator<Item = &Register<'a, F>> {
        self.registers.iter().flatten()
    }

    #[track_caller]
    pub(super) fn defined(&mut self, number: u32) -> &mut Register<'a, F> {
        match self.register(number) {
            Some(register) => register,
            None => undefined(number),
        }
    }
}

#[track_caller]
fn undefined(number: u32) -> ! {
    panic!("register {number:#x} is not defined in this fake; call define() first")
}
