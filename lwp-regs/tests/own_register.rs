//! A register that is declared outside the crate is one like the others: with the fake, its rule and its fields.

use lwp_regs::Error;
use lwp_regs::access::GeneralProtection;
use lwp_regs::bits::{U4, U7};
use lwp_regs::fake::{Access, FakeMsrs};
use lwp_regs::{Refused, Rule};

lwp_regs::register! {
    /// A register with two fields, of which the second is there on some processors only.
    pub struct Own: u64, Fault, ones = 0x800 {
        #[bits(4)]
        pub low: U4,
        #[bits(7)]
        pub high: U7,
        #[bits(1, default = 1)]
        __: u64,
        pub flag: bool,
        #[bits(51)]
        __: u64,
    }
    msr "OWN" = unsafe 0x1234, read_write, caps = bool;
}

impl Own {
    const fn check_write(_old: Self, new: u64, flag: &bool) -> Result<Self, GeneralProtection> {
        let value = Self::from_bits(new);
        if value.has_reserved_bits() {
            return Err(GeneralProtection::refused("OWN", new & Self::RESERVED, Rule::MustBeZero));
        }
        if value.flag() && !*flag {
            return Err(GeneralProtection::refused("OWN", 0x1000, Rule::NotAvailable("the flag")));
        }
        Ok(value)
    }
}

lwp_regs::register! {
    /// One that can only be read, in five lines.
    pub struct Serial: u64, Zero { pub number: u32, #[bits(32)] __: u64 }
    msr "SERIAL" = unsafe 0x17, read_only;
}

#[test]
fn positions_follow_from_the_widths() {
    let places: Vec<_> = Own::FIELDS.iter().map(|field| (field.name, field.offset, field.bits)).collect();
    assert_eq!(places, [("LOW", 0, 4), ("HIGH", 4, 7), ("FLAG", 12, 1)]);
    assert_eq!((Own::RESERVED, Own::LAYOUT.ones, Own::LAYOUT.name), (!0x17FF, 0x800, "Own"));
    assert_eq!(Own::new().with_high(U7::MAX).into_bits(), 0xFF0);
    let high = Own::tock_field("HIGH");
    assert_eq!((high.mask, high.shift), (0x7F, 4));
    assert_eq!(Own::from_bits(0x123).to_tock().read(high), 0x12);
}

#[test]
fn the_fake_holds_it() {
    let mut cpu = FakeMsrs::<2>::new();
    cpu.define_checked(Own::MSR, Own::new(), &false).define_read_only(Serial::MSR, Serial::new().with_number(7));
    Own::MSR.write_checked(&mut cpu, Own::new().with_low(U4::of::<5>()), &false).unwrap();
    let flag = Own::new().with_flag(true);
    let refused = GeneralProtection::Refused(Refused::new("OWN", 0x1000, Rule::NotAvailable("the flag")));
    assert_eq!(Own::MSR.write_checked(&mut cpu, flag, &false), Err(Error::Refused(refused)));
    assert_eq!(Own::MSR.write_unchecked(&mut cpu, flag), Err(refused), "as the processor refuses it");
    assert_eq!(Serial::MSR.read(&mut cpu).unwrap().number(), 7);
    cpu.assert_trace(&[
        Access::write(Own::MSR, Own::new().with_low(U4::of::<5>())),
        Access::write(Own::MSR, flag),
        Access::read(Serial::MSR),
    ]);
    assert_eq!(cpu.get(Own::MSR).low(), 5);
    assert_eq!(format!("{:?}", Own::MSR), "OWN(0x1234)");
}
