//! Instructions that cannot be executed.

use thiserror::Error;

use super::bundle::Unit;
use super::image::AccessError;

/// An instruction that was not executed, because the architecture has it fault or because the executor lacks it.
///
/// The core stays in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{kind}, at bundle {ip:#x}, slot {slot}{}", encoded(*unit, *raw))]
pub struct Fault {
    /// Address of the bundle.
    pub ip: u64,
    /// Slot of the instruction.
    pub slot: u8,
    /// Unit of the slot, unless the bundle could not be read or its template is reserved.
    pub unit: Option<Unit>,
    /// The 41 bits of the slot; 0 if the bundle could not be read.
    pub raw: u64,
    /// The reason.
    pub kind: FaultKind,
}

fn encoded(unit: Option<Unit>, raw: u64) -> String {
    unit.map_or_else(String::new, |unit| format!(": {unit:?} {raw:#013x}"))
}

/// The reason of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FaultKind {
    /// The executor lacks the instruction.
    #[error("the executor does not know the instruction")]
    Unknown,
    /// The executor has the instruction, but not with this operand.
    #[error("the executor lacks {0}")]
    Lacking(&'static str),
    /// The bundle's template is reserved.
    #[error("template {0:#04x} is reserved")]
    ReservedTemplate(u8),
    /// A break instruction.
    #[error("break {immediate:#x}")]
    Break {
        /// The immediate, of 21 bits, or 62 in break.x. It is 0 in break.b on the Itanium processor: here it is as encoded.
        immediate: u64,
    },
    /// Illegal Operation fault.
    #[error("illegal operation: {0}")]
    IllegalOperation(&'static str),
    /// Privileged Operation fault.
    #[error("privileged operation above level 0")]
    PrivilegedOperation,
    /// Privileged Register fault.
    #[error("privileged register above level 0")]
    PrivilegedRegister,
    /// Reserved Register/Field fault.
    #[error("reserved register or field")]
    ReservedRegister,
    /// Unaligned Data Reference fault.
    #[error("access of {size} bytes at {addr:#x}, which is not a multiple")]
    Unaligned {
        /// Address of the access.
        addr: u64,
        /// Its number of bytes.
        size: u8,
    },
    /// An access to memory that does not exist, or of the wrong kind.
    #[error(transparent)]
    Access(#[from] AccessError),
}

/// An entry of the interruption vector table.
///
/// Source: Intel Itanium Architecture Software Developer's Manual, volume 2, "Interruption Vector Table".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vector {
    /// Break Instruction.
    Break,
    /// External Interrupt.
    ExternalInterrupt,
    /// General Exception: illegal and privileged operations, reserved registers.
    GeneralException,
    /// Unaligned Reference.
    Unaligned,
}

impl Vector {
    /// Returns the distance of the handler from the start of the table, in bytes.
    #[must_use]
    pub const fn offset(self) -> u64 {
        match self {
            Self::Break => 0x2c00,
            Self::ExternalInterrupt => 0x3000,
            Self::GeneralException => 0x5400,
            Self::Unaligned => 0x5a00,
        }
    }
}

impl FaultKind {
    /// Returns the vector that the architecture delivers, or `None` for what the executor lacks and for memory that does
    /// not exist, as there is no translation that could fail.
    #[must_use]
    pub const fn vector(self) -> Option<Vector> {
        match self {
            Self::Break { .. } => Some(Vector::Break),
            Self::IllegalOperation(_)
            | Self::PrivilegedOperation
            | Self::PrivilegedRegister
            | Self::ReservedRegister => Some(Vector::GeneralException),
            Self::Unaligned { .. } => Some(Vector::Unaligned),
            Self::Unknown | Self::Lacking(_) | Self::ReservedTemplate(_) | Self::Access(_) => None,
        }
    }

    /// Returns the code that the interruption leaves in ISR.
    #[must_use]
    pub const fn isr_code(self) -> u64 {
        match self {
            Self::PrivilegedOperation => 0x10,
            Self::PrivilegedRegister => 0x20,
            Self::ReservedRegister => 0x30,
            _ => 0,
        }
    }
}
