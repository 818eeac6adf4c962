//! What typed accesses cost: the compiled instructions of each are counted, beside those of a twin written with shifts and
//! masks and, where they can express the same, of other crates.
//!
//! The functions are compiled into this program and their machine code is read from memory, so the numbers are those of
//! this compiler and these flags. `cargo test --release -p regs-checks -- --nocapture` prints the table.
#![cfg(target_arch = "x86_64")]
#![allow(unsafe_code, reason = "takes the code of functions")]

mod zero_cost_of;

use regs_checks::Table;

#[test]
#[cfg_attr(debug_assertions, ignore = "counts optimised code: cargo test --release -p regs-checks")]
fn typed_accesses_cost_what_a_shift_and_a_mask_cost() {
    let table = Table { rows: zero_cost_of::rows() };
    println!("{table}");

    assert!(table.rows.len() >= 12, "{} accesses", table.rows.len());
    let problems: Vec<_> = table.rows.iter().filter_map(regs_checks::Row::problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A twin that does more has to be seen.
#[test]
#[cfg_attr(debug_assertions, ignore = "counts optimised code: cargo test --release -p regs-checks")]
fn a_longer_access_is_found() {
    #[inline(never)]
    extern "C" fn long(x: u64) -> u64 {
        (x >> 3 & 0xF).wrapping_mul(x ^ 0x55).rotate_left(7)
    }
    #[inline(never)]
    extern "C" fn short(x: u64) -> u64 {
        x >> 3
    }
    // SAFETY: both are functions of this program.
    let code = |f: extern "C" fn(u64) -> u64| unsafe { regs_checks::of(f as *const () as usize) };
    let row = |ours, by_hand, because| regs_checks::Row { access: "x", ours, by_hand, others: vec![], because };
    assert!(row(code(long), code(short), None).problem().is_some_and(|text| text.contains("and 2 by hand")));
    assert_eq!(row(code(long), code(short), Some("it multiplies")).problem(), None);
    assert!(row(code(short), code(short), Some("no reason")).problem().is_some());
    assert_eq!(row(code(short), code(long), None).problem(), None);
}
