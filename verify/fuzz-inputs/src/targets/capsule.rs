//! Capsules: any bytes, as they are and with a checksum that is right.

use super::complaint;
use crate::seal;
use sim_harness::capsule::Capsule;

/// Cycles of which the model is shown the rows.
const CYCLES: u64 = 2000;

/// Reads it, and what was read, written and read again, is the same.
///
/// # Panics
/// If a promise is broken.
pub fn one_input(data: &[u8]) {
    one(data);
    if let Some((text, body)) = seal::split_capsule(data) {
        one(&seal::capsule(text, body));
    }
}

/// One file.
///
/// # Panics
/// If a promise is broken.
pub fn one(file: &[u8]) {
    match Capsule::from_bytes(file) {
        Ok(capsule) => taken(&capsule),
        Err(error) => complaint::check(&error),
    }
}

/// A capsule that was taken can be used.
fn taken(capsule: &Capsule) {
    let build = capsule.build().expect("it was checked").info();
    assert_eq!((capsule.header().in_words, capsule.header().straps.len()), (build.in_words, build.strap_words));
    let mut model = capsule.model().expect("it was checked");
    let mut shown = vec![0; build.out_words];
    let (mut rows, mut count) = (capsule.rows(), 0);
    while count < CYCLES
        && let Some(row) = rows.next_row().expect("it was checked")
    {
        model.cycle(row, &mut shown);
        count += 1;
    }
    assert_eq!(count, CYCLES.min(capsule.header().cycles));
    let again = Capsule::from_bytes(&capsule.to_bytes()).expect("a capsule that was just written");
    assert!(again == *capsule, "written and read, a capsule has changed");
}
