//! The interfaces of `tock-registers` for a model-specific register.

use super::MsrBus;
use crate::msr::{Msr, MsrValue, ReadableMsr, WritableMsr};
use core::convert::Infallible;
use core::fmt;
use tock_registers::RegisterLongName;
use tock_registers::interfaces::{Readable, Writeable};

/// A register together with the way to it, for code that is written against the interfaces of `tock-registers`:
/// `Readable`, and if the register may be written without `unsafe`, `Writeable` and `ReadWriteable`.
///
/// These interfaces return no error, so a bus whose accesses may fault has none of them, and is not taken here. Their
/// methods take `&self`, so the bus is copied for each access: `bare_metal::BareMetal` is such a bus. A `&RefCell` of
/// one is not, since it may be in use.
///
/// ```
/// use core::convert::Infallible;
/// use lwp_regs::access::MsrBus;
/// use lwp_regs::lwp::LwpMsr0;
/// use tock_registers::fields::Field;
/// use tock_registers::interfaces::{ReadWriteable, Readable};
///
/// const ENABLED: Field<u64, LwpMsr0> = LwpMsr0::tock_field("ENABLED");
/// const IRE: Field<u64, LwpMsr0> = LwpMsr0::tock_field("IRE");
///
/// fn enable(bus: impl MsrBus<Fault = Infallible> + Copy) {
///     let msr0 = LwpMsr0::MSR.tock(bus);
///     msr0.modify(ENABLED.val(1) + IRE.val(1));
///     assert!(msr0.is_set(ENABLED));
/// }
/// ```
#[derive(Clone, Copy)]
pub struct TockMsr<R, B> {
    msr: Msr<R>,
    bus: B,
}

impl<R: MsrValue + RegisterLongName> Msr<R> {
    /// The register with the interfaces of `tock-registers`.
    #[must_use]
    #[inline]
    pub const fn tock<B: MsrBus<Fault = Infallible> + Copy>(self, bus: B) -> TockMsr<R, B> {
        TockMsr { msr: self, bus }
    }
}

impl<R, B> Readable for TockMsr<R, B>
where
    R: ReadableMsr + RegisterLongName,
    B: MsrBus<Fault = Infallible> + Copy,
{
    type T = u64;
    type R = R;

    #[inline]
    fn get(&self) -> u64 {
        let mut bus = self.bus;
        let Ok(value) = self.msr.read(&mut bus);
        value.to_register()
    }
}

impl<R, B> Writeable for TockMsr<R, B>
where
    R: WritableMsr + RegisterLongName,
    B: MsrBus<Fault = Infallible> + Copy,
{
    type T = u64;
    type R = R;

    #[inline]
    fn set(&self, value: u64) {
        let mut bus = self.bus;
        let Ok(()) = self.msr.write_unchecked(&mut bus, R::from_register(value));
    }
}

impl<R: MsrValue, B> fmt::Debug for TockMsr<R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TockMsr").field(&self.msr).finish()
    }
}

#[cfg(all(test, feature = "lwp"))]
#[allow(unsafe_code)] // implements a bus
mod tests {
    extern crate std;
    use crate::access::MsrBus;
    use crate::lwp::LwpMsr0;
    use core::cell::RefCell;
    use core::convert::Infallible;
    use std::{format, vec, vec::Vec};
    use tock_registers::interfaces::{ReadWriteable, Readable, Writeable};

    /// One register, and the accesses to it.
    struct Recorded {
        content: u64,
        accesses: Vec<(&'static str, u32, u64)>,
    }

    /// A bus that is copied.
    #[derive(Clone, Copy)]
    struct Copied<'a>(&'a RefCell<Recorded>);

    impl MsrBus for Copied<'_> {
        type Fault = Infallible;
        unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Infallible> {
            let mut this = self.0.borrow_mut();
            let content = this.content;
            this.accesses.push(("rdmsr", address, content));
            Ok(content)
        }
        unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Infallible> {
            let mut this = self.0.borrow_mut();
            this.accesses.push(("wrmsr", address, value));
            this.content = value;
            Ok(())
        }
    }

    #[test]
    fn fields_are_read_and_written_through_the_bus() {
        let bus = RefCell::new(Recorded { content: 0x7000_0004, accesses: vec![] });
        let msr0 = LwpMsr0::MSR.tock(Copied(&bus));
        assert!(msr0.is_set(LwpMsr0::tock_field("BRE")));
        msr0.modify(LwpMsr0::tock_field("ENABLED").val(1) + LwpMsr0::tock_field("BRE").val(0));
        msr0.write(LwpMsr0::tock_field("INTERRUPT").val(1));
        assert_eq!(
            bus.borrow().accesses,
            [
                ("rdmsr", 0xC000_0105, 0x7000_0004),
                ("rdmsr", 0xC000_0105, 0x7000_0004),
                ("wrmsr", 0xC000_0105, 0x7000_0001), // what is not modified stays, reserved bits too
                ("wrmsr", 0xC000_0105, 0x8000_0000), // `write` clears what it does not name
            ]
        );
        assert_eq!(format!("{msr0:?}"), "TockMsr(LWPMSR0(0xc0000105))");
    }
}
