//! Types of this unit that the fields of its rows can hold.

use crate::flat::Place;
use crate::lwp::{BranchKind, CtlOp, CtlState, Fault, MemCmd, OpMode, StoreState};
use lwp_regs::lwp::{FilterWord, FlagsWord, LwpMsr0};

/// Implements [`Place`] for enumerations in which every code has a meaning.
macro_rules! inputs {
    ($($input:ty: $from_code:expr),+ $(,)?) => {
        $(impl Place for $input {
            #[inline]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> Option<Self> {
                Some($from_code(bits as u8))
            }
        })+
    };
}

inputs!(OpMode: OpMode::from_code, BranchKind: BranchKind::from_code, CtlOp: |code: u8| CtlOp::ALL[usize::from(code & 15)]);

/// Implements [`Place`] for enumerations in which some codes have no meaning.
macro_rules! registers {
    ($($register:ident { $($value:ident)+ })+) => {
        $(impl Place for $register {
            #[inline]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> Option<Self> {
                [$(Self::$value),+].into_iter().find(|value| *value as u64 == bits)
            }
        })+
    };
}

registers! {
    Fault { None InvalidOpcode GeneralProtection PageFault }
    MemCmd { Read Write Probe }
    StoreState { Idle Interval Write Tail Head FullHead Report Reset MissRead MissWrite }
    CtlState { Idle Wait Probe Flush Load Flags Done }
}

/// Implements [`Place`] for typed words, by their raw bits.
macro_rules! words {
    ($($word:ty)+) => {
        $(impl Place for $word {
            #[inline]
            fn bits(self) -> u64 {
                self.into_bits().into()
            }

            #[inline]
            fn from_bits(bits: u64) -> Option<Self> {
                Some(<$word>::from_bits(bits as u32))
            }
        })+
    };
}

words!(FilterWord FlagsWord);

impl Place for LwpMsr0 {
    #[inline]
    fn bits(self) -> u64 {
        self.into_bits()
    }

    #[inline]
    fn from_bits(bits: u64) -> Option<Self> {
        Some(Self::from_bits(bits))
    }
}
