//! Values of types that are not the crate's.

use crate::dice::next;
use crate::{Draw, below, draw};
use lwp_regs::bits::Bits;
use std::collections::hash_map::DefaultHasher;
use std::convert::Infallible;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;
use tock_registers::{LocalRegisterCopy, RegisterLongName, UIntLike};

macro_rules! integers {
    ($($int:ident)+) => {$(
        impl Draw for $int {
            fn draw() -> Option<Self> {
                let any = next() as $int;
                Some(match below(4) {
                    0 => any % 70,
                    1 => $int::MAX - (any & 7),
                    2 => 1 << below($int::BITS as usize),
                    _ => any,
                })
            }
        }

        impl<const N: u32> Draw for Bits<$int, N> {
            fn draw() -> Option<Self> {
                draw().map(Self::masked)
            }
        }
    )+};
}
integers!(u8 u16 u32 u64);

macro_rules! others {
    ($($ty:ty = $value:expr;)+) => {$(
        impl Draw for $ty {
            fn draw() -> Option<Self> {
                Some($value)
            }
        }
    )+};
}
others! {
    usize = draw::<u64>()? as usize;
    i64 = draw::<u64>()? as i64;
    i32 = draw::<u32>()? as i32;
    bool = next() & 1 != 0;
    () = ();
    f64 = [0.0, -1.5, 1e300, f64::NAN, f64::INFINITY, f64::from(draw::<u32>()?)][below(6)];
    &'static str = ["", "x", "EN", "BRE", "llc", "DCU", "naïve"][below(7)];
    Duration = Duration::from_nanos(draw()?);
    NonZeroU32 = NonZeroU32::new(draw()?)?;
    NonZeroU64 = NonZeroU64::new(draw()?)?;
    DefaultHasher = DefaultHasher::new();
}

impl Draw for Infallible {
    fn draw() -> Option<Self> {
        None
    }
}

impl<T: Draw + UIntLike, R: RegisterLongName> Draw for LocalRegisterCopy<T, R> {
    fn draw() -> Option<Self> {
        draw().map(Self::new)
    }
}

impl<T: Draw> Draw for Option<T> {
    fn draw() -> Option<Self> {
        Some(if next() & 1 == 0 { None } else { T::draw() })
    }
}

impl<T: Draw, E: Draw> Draw for Result<T, E> {
    fn draw() -> Option<Self> {
        if next() & 1 == 0 { draw().map(Ok) } else { draw().map(Err) }
    }
}

impl<T: Draw, const N: usize> Draw for [T; N] {
    fn draw() -> Option<Self> {
        let mut failed = false;
        let values: [Option<T>; N] = std::array::from_fn(|_| {
            let value = if failed { None } else { draw() };
            failed |= value.is_none();
            value
        });
        (!failed).then(|| values.map(|value| value.expect("none has failed")))
    }
}

impl<T: Draw> Draw for Vec<T> {
    fn draw() -> Option<Self> {
        let count = if below(4) == 0 { [8, 12, 24, 64, 248, 300][below(6)] } else { below(6) };
        (0..count).map(|_| draw()).collect()
    }
}

/// Slices are leaked: a run draws few.
impl<T: Draw> Draw for &'static [T] {
    fn draw() -> Option<Self> {
        Vec::draw().map(|values| &*values.leak())
    }
}

impl<T: Draw> Draw for &'static mut [T] {
    fn draw() -> Option<Self> {
        Vec::draw().map(Vec::leak)
    }
}

impl<T: Draw> Draw for &'static T {
    fn draw() -> Option<Self> {
        T::draw().map(|value| &*Box::leak(Box::new(value)))
    }
}

impl<T: Draw> Draw for &'static mut T {
    fn draw() -> Option<Self> {
        T::draw().map(|value| Box::leak(Box::new(value)))
    }
}

impl<A: Draw, B: Draw> Draw for (A, B) {
    fn draw() -> Option<Self> {
        Some((draw()?, draw()?))
    }
}

impl<A: Draw, B: Draw, C: Draw> Draw for (A, B, C) {
    fn draw() -> Option<Self> {
        Some((draw()?, draw()?, draw()?))
    }
}
