//! What typed accesses cost: the compiled instructions of each are counted, beside those of a twin written with shifts and
//! masks and, where they can express the same, of other crates.
//!
//! The functions are compiled into this program and their machine code is read from memory, so the numbers are those of
//! this compiler and these flags. `cargo test --release -p regs-checks -- --nocapture` prints the table; the book has it
//! from `UPDATE_COST=1 cargo test --release -p regs-checks --test suite zero_cost`.

use crate::zero_cost_of;
use regs_checks::{Row, Table};

const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/registers/zero-cost-table.md");

#[test]
#[cfg_attr(debug_assertions, ignore = "counts optimised code: cargo test --release -p regs-checks")]
fn typed_accesses_cost_what_a_shift_and_a_mask_cost() {
    let table = Table { rows: zero_cost_of::rows() };
    println!("\n{table}");

    assert!(table.rows.len() >= 12, "{} accesses", table.rows.len());
    let problems: Vec<_> = table.rows.iter().filter_map(Row::problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));

    if std::env::var_os("UPDATE_COST").is_some() {
        std::fs::write(BOOK, table.to_string()).expect("the book can be written");
    }
    let book = std::fs::read_to_string(BOOK).unwrap_or_default();
    assert!(book == table.to_string(), "the book has other numbers: UPDATE_COST=1 writes these");
}

/// A twin that does less has to be seen, and so has a call, where most of what is done is somewhere else.
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
    #[inline(never)]
    extern "C" fn calls(x: u64) -> u64 {
        long(x) ^ x
    }
    #[inline(never)]
    extern "C" fn ends_in_a_call(x: u64) -> u64 {
        long(x ^ 1)
    }
    let code = |f: extern "C" fn(u64) -> u64| regs_checks::of(f as usize);
    let row = |ours, by_hand, because| Row { access: "x", ours, by_hand, others: vec![], because };
    assert!(row(code(long), code(short), None).problem().is_some_and(|text| text.contains("and 2 by hand")));
    assert_eq!(row(code(long), code(short), Some("it multiplies")).problem(), None);
    assert!(row(code(short), code(short), Some("no reason")).problem().is_some());
    assert_eq!(row(code(short), code(long), None).problem(), None);
    assert!(row(code(calls), code(long), Some("it calls")).problem().is_some_and(|text| text.contains("a call hides")));
    assert_eq!(code(ends_in_a_call).count(), code(long).count() + 2, "the change of x, the jump and all of long");
}
