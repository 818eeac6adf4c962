//! What there is in the fake.

use super::FakeMsrs;
use super::register::{Register, Writes};
use crate::access::Cpuid;
use crate::msr::{CheckedMsr, Msr, MsrValue};
use core::any::Any;

/// What there is.
impl<'a, const N: usize, F: Clone, const T: usize> FakeMsrs<'a, N, F, T> {
    /// There is this register, it holds `initial` and takes any value. A second definition replaces the first.
    ///
    /// # Panics
    ///
    /// If there are `N` registers already.
    #[track_caller]
    pub fn define<R: MsrValue>(&mut self, msr: Msr<R>, initial: R) -> &mut Self {
        self.insert(msr.address(), R::NAME, initial.to_register(), Writes::Any)
    }

    /// As [`define`](Self::define), and a write does what the register's own
    /// [`check_write`](CheckedMsr::check_write) says for a processor with these capabilities.
    ///
    /// # Panics
    ///
    /// If there are `N` registers already.
    #[track_caller]
    pub fn define_checked<R: CheckedMsr>(&mut self, msr: Msr<R>, initial: R, caps: &'a R::Caps) -> &mut Self
    where
        R::Caps: Any + Sized,
    {
        self.insert(msr.address(), R::NAME, initial.to_register(), Writes::checked::<R>(caps))
    }

    /// As [`define`](Self::define), and a write faults.
    ///
    /// # Panics
    ///
    /// If there are `N` registers already.
    #[track_caller]
    pub fn define_read_only<R: MsrValue>(&mut self, msr: Msr<R>, value: R) -> &mut Self {
        self.insert(msr.address(), R::NAME, value.to_register(), Writes::Refused)
    }

    /// As [`define`](Self::define), for a register of which only the number is known here.
    ///
    /// # Panics
    ///
    /// If there are `N` registers already.
    #[track_caller]
    pub fn define_number(&mut self, number: u32, initial: u64) -> &mut Self {
        self.insert(number, "MSR", initial, Writes::Any)
    }

    /// There is no such register any more: accesses raise #GP.
    pub fn remove(&mut self, number: u32) {
        self.registers.iter_mut().filter(|place| holds(place, number)).for_each(|place| *place = None);
    }

    /// RDPMC with `selector` reads the register with this number.
    ///
    /// # Panics
    ///
    /// If the register is not defined.
    #[track_caller]
    pub fn define_counter(&mut self, selector: u32, number: u32) -> &mut Self {
        self.defined(number).selector = Some(selector);
        self
    }

    /// CPUID answers as `identity` does: a recorded dump, or any function of leaf and subleaf. Without it every leaf is 0.
    pub fn identify_as(&mut self, identity: &'a dyn Cpuid) -> &mut Self {
        self.identity = Some(identity);
        self
    }

    /// The time-stamp counter stands at `now`, and each RDTSC or RDTSCP advances it by `step`. Both are 0 at first.
    pub fn set_time(&mut self, now: u64, step: u64) -> &mut Self {
        (self.time.now, self.time.step) = (now, step);
        self
    }

    /// What RDTSCP returns beside the time. 0 at first.
    pub fn set_tsc_aux(&mut self, aux: u32) -> &mut Self {
        self.time.aux = aux;
        self
    }

    #[track_caller]
    fn insert(&mut self, number: u32, name: &'static str, value: u64, writes: Writes<'a>) -> &mut Self {
        let old = self.registers.iter().position(|place| holds(place, number));
        let Some(place) = old.or_else(|| self.registers.iter().position(Option::is_none)) else {
            panic!("no room for {name} ({number:#x}): this fake holds {N} registers; make it FakeMsrs::<{}>", N + 1)
        };
        self.registers[place] = Some(Register { number, name, value, writes, selector: None, fault: None });
        self
    }
}

fn holds<F>(place: &Option<Register<'_, F>>, number: u32) -> bool {
    place.as_ref().is_some_and(|register| register.number == number)
}
