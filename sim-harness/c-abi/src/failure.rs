//! What is refused, and the text that says what, where and what to do.

use crate::abi::{ABI_VERSION, Status};
use std::fmt;

/// Why a call was refused. `what` is the parameter's name in the header.
#[derive(Debug)]
pub(crate) enum Failure {
    Null { what: &'static str },
    Size { what: &'static str, unit: &'static str, given: usize, wanted: usize },
    Version { given: u32 },
    Align { what: &'static str, wanted: usize },
    Handle,
    Unit { unit: &'static str },
    Build(String),
    Straps(String),
    Range { field: String, value: u64, most: u64 },
    Mismatch(String),
    Internal(String),
    Capsule(String),
    File(String),
}

impl Failure {
    pub(crate) const fn status(&self) -> Status {
        match self {
            Self::Null { .. } => Status::Null,
            Self::Size { .. } => Status::Size,
            Self::Version { .. } => Status::Version,
            Self::Align { .. } => Status::Align,
            Self::Handle | Self::Unit { .. } => Status::Handle,
            Self::Build(_) => Status::Build,
            Self::Straps(_) => Status::Straps,
            Self::Range { .. } => Status::Range,
            Self::Mismatch(_) => Status::Mismatch,
            Self::Internal(_) => Status::Internal,
            Self::Capsule(_) => Status::Capsule,
            Self::File(_) => Status::File,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null { what } => write!(f, "{what} is null"),
            Self::Size { what, unit, given, wanted } => {
                write!(f, "{what} has {given} {unit}, this library expects {wanted}")
            }
            Self::Version { given } => write!(
                f,
                "the caller was built with ABI version {given}, this library has {ABI_VERSION}: take lwp_model.h and the \
                 library from the same release"
            ),
            Self::Align { what, wanted } => write!(f, "{what} is not aligned to {wanted} bytes"),
            Self::Handle => write!(f, "model is not a model of lwp_model_new, or was freed"),
            Self::Unit { unit } => write!(
                f,
                "model is one of the unit {unit}, which has no such struct: hand in rows of words (lwp_model_step_words, \
                 lwp_model_probe)"
            ),
            Self::Range { field, most: 0, value } => write!(f, "{field} is {value:#x} and must be 0"),
            Self::Range { field, value, most } => write!(f, "{field} is {value:#x}, the most is {most:#x}"),
            Self::Build(text) | Self::Straps(text) | Self::Mismatch(text) | Self::Capsule(text) | Self::File(text) => {
                f.write_str(text)
            }
            Self::Internal(text) => write!(f, "a bug in the model, please report it: {text}"),
        }
    }
}
