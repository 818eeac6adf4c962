//! Values with a code: what a strap, an input or a register of few values can be.

use crate::flat::{Place, Values};

/// A type whose values have codes from 0, in the order of [`ALL`](Choice::ALL), and names, as in the book.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every value, in the order of the codes.
    const ALL: &'static [Self];

    /// The names of the values in the book, in the same order.
    const NAMES: &'static [&'static str];

    /// The value's name in the book.
    fn name(self) -> &'static str {
        Self::NAMES[usize::from(self.code())]
    }

    /// The value's code.
    fn code(self) -> u8;

    /// The value with this code.
    #[inline]
    #[must_use]
    fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The value of that name.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }
}

impl<T: Choice> Place for T {
    const VALUES: Values = Values::Named(T::NAMES);

    #[inline]
    fn bits(self) -> u64 {
        self.code().into()
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<Self> {
        u8::try_from(bits).ok().and_then(Self::from_code)
    }
}

/// Makes a field-less enum a [`Choice`]: each value with its name, in the order in which the enum has them.
macro_rules! choice {
    ($choice:ty { $($variant:ident = $name:expr),+ $(,)? }) => {
        impl $crate::Choice for $choice {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const NAMES: &'static [&'static str] = &[$($name),+];

            #[inline]
            fn code(self) -> u8 {
                self as u8
            }
        }
    };
}

pub(crate) use choice;

#[cfg(test)]
mod tests {
    use super::Choice;
    use crate::debug::{DbClass, LaneKind};
    use crate::perf::{InvZero, Line, Personality, Sel1En, X2apic};
    use crate::rdt::{Scope, Select, Stage, Step as CacheStep, Vendor};
    use crate::retire::{BranchKind, IntKind, MemCmd, OpMode, RegOp, RegResult, Rep, Source};
    use crate::trace::{Depth, Format, Linear, Numbers, Step};
    use crate::tsc::DeepSleep;
    use lwp_regs::debug::StatusKept;
    use lwp_regs::perf::p6::P6Model;
    use lwp_regs::tsc::{TscRate, TscWrite};

    fn check<T: Choice + core::fmt::Debug>(codes: u8) {
        assert_eq!(T::ALL.len(), usize::from(codes));
        for code in 0..codes {
            let choice = T::from_code(code).unwrap();
            assert_eq!((choice.code(), T::from_name(choice.name())), (code, Some(choice)));
        }
        assert_eq!(T::from_code(codes), None);
        assert_eq!(T::from_name("none such"), None);
    }

    #[test]
    fn codes_and_names_lead_back() {
        check::<BranchKind>(16);
        check::<IntKind>(8);
        check::<MemCmd>(4);
        check::<Rep>(4);
        check::<Source>(8);
        check::<OpMode>(8);
        check::<RegOp>(16);
        check::<RegResult>(6);
        check::<TscRate>(4);
        check::<TscWrite>(2);
        check::<DeepSleep>(2);
        check::<Personality>(4);
        check::<P6Model>(4);
        check::<InvZero>(2);
        check::<Sel1En>(2);
        check::<X2apic>(2);
        check::<Line>(123);
        check::<LaneKind>(8);
        check::<DbClass>(4);
        check::<StatusKept>(3);
        check::<Depth>(4);
        check::<Format>(6);
        check::<Numbers>(2);
        check::<Linear>(3);
        check::<Step>(9);
        check::<Vendor>(2);
        check::<Select>(2);
        check::<Scope>(2);
        check::<Stage>(3);
        check::<CacheStep>(21);
    }
}
