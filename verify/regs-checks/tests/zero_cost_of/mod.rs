//! The accesses, one unit in each file.

mod architectural;
mod debug;
mod draw;
mod lwp;
mod msr;
mod p6;
mod rdt;
mod trace;
mod tsc;

use regs_checks::Row;

/// A function with these arguments, this result and this body. It has the C calling convention, so that arguments and
/// result cost the same in each.
macro_rules! way {
    (($($arg:ident: $ty:ty),*), $ret:ty, $body:expr) => {{
        #[inline(never)]
        #[allow(improper_ctypes_definitions, reason = "both sides are Rust")]
        extern "C" fn way($($arg: $ty),*) -> $ret { $body }
        std::hint::black_box(way as extern "C" fn($($ty),*) -> $ret)
    }};
}
use way;

/// Calls all ways with the same arguments, many drawn ones. They have to give the same results, so that none does less
/// than another.
macro_rules! compare {
    ($access:literal, ($($arg:ident: $ty:ty),*), $ret:ty, $by_hand:ident, $others:expr) => {{
        let others: &[(&str, extern "C" fn($($ty),*) -> $ret)] = $others;
        let source = $crate::zero_cost_of::draw::Source::new();
        let mut results = std::collections::HashSet::new();
        for _ in source.rounds() {
            $(let $arg = source.draw::<$ty>();)*
            let result = $by_hand($($arg),*);
            let arguments = ($($arg,)*);
            for (name, other) in others {
                assert_eq!(other($($arg),*), result, "{}: {name}, of {arguments:x?}", $access);
            }
            results.insert(result);
        }
        assert_eq!(results.len() > 1, !stringify!($($arg)*).is_empty(), "{}: drawn results that vary", $access);
    }};
}
use compare;

/// Makes a row: `row!(name, (arguments), result, ours, by hand, "crate" => its way, …; because "reason")`.
macro_rules! row {
    ($access:literal, $args:tt, $ret:ty, $ours:expr, $by_hand:expr
        $(, $krate:literal => $other:expr)* $(; because $because:literal)?) => {{
        use $crate::zero_cost_of::{compare, way};
        let ours = way!($args, $ret, $ours);
        let by_hand = way!($args, $ret, $by_hand);
        let others = vec![$(($krate, way!($args, $ret, $other))),*];
        compare!($access, $args, $ret, by_hand, &[&[("lwp-regs", ours)], &others[..]].concat());
        regs_checks::Row {
            access: $access,
            ours: regs_checks::of(ours as usize),
            by_hand: regs_checks::of(by_hand as usize),
            others: others.into_iter().map(|(name, other)| (name, regs_checks::of(other as usize))).collect(),
            because: None$(.or(Some($because)))?,
        }
    }};
}
use row;

pub(crate) fn rows() -> Vec<Row> {
    [
        lwp::rows(),
        debug::rows(),
        p6::rows(),
        architectural::rows(),
        rdt::rows(),
        trace::rows(),
        tsc::rows(),
        msr::rows(),
    ]
    .concat()
}
