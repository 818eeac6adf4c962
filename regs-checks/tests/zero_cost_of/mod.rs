//! The accesses, one family in each file.

mod lwp;

use regs_checks::Row;

/// The machine code of a function with these arguments, this result and this body. It has the C calling convention, so
/// that arguments and result cost the same in each.
macro_rules! code {
    (($($arg:ident: $ty:ty),*), $ret:ty, $body:expr) => {{
        #[inline(never)]
        extern "C" fn function($($arg: $ty),*) -> $ret { $body }
        // SAFETY: a function of this program.
        unsafe { regs_checks::of(function as *const () as usize) }
    }};
}
use code;

/// Makes a row: `row!(name, (arguments), result, ours, by hand, "crate" => its way, …; because "reason")`.
macro_rules! row {
    ($access:literal, $args:tt, $ret:ty, $ours:expr, $by_hand:expr
        $(, $krate:literal => $other:expr)* $(; because $because:literal)?) => {
        regs_checks::Row {
            access: $access,
            ours: $crate::zero_cost_of::code!($args, $ret, $ours),
            by_hand: $crate::zero_cost_of::code!($args, $ret, $by_hand),
            others: vec![$(($krate, $crate::zero_cost_of::code!($args, $ret, $other))),*],
            because: None$(.or(Some($because)))?,
        }
    };
}
use row;

pub(crate) fn rows() -> Vec<Row> {
    [lwp::rows()].concat()
}
