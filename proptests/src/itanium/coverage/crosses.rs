//! The crosses, in the order of [`Cover`].

use crate::coverage::{Axis, Declared};

/// The crosses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Cover {
    StrapValue,
    Result,
}

impl From<Cover> for usize {
    fn from(cover: Cover) -> Self {
        cover as Self
    }
}

const STRAP: Axis = Axis { name: "strap", values: &[] };
const OP: Axis = Axis {
    name: "operation",
    values: &["of x86", "read", "write", "sum", "rum", "mov psr.um", "ssm", "rsm", "mov psr.l", "rfi"],
};
const LEVEL: Axis = Axis { name: "level", values: &["0", "1", "2", "3"] };
const RESULT: Axis =
    Axis { name: "result", values: &["done", "not mine", "Privileged Operation", "Reserved Register"] };

/// The declarations of the crosses.
pub(super) const DECLARED: &[Declared] = &[
    Declared { id: "COV-ITA-01", title: "value of a strap", axes: &[STRAP] },
    Declared { id: "COV-ITA-02", title: "operation, level and result", axes: &[OP, LEVEL, RESULT] },
];
