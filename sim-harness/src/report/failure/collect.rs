//! The rows around a failure, from a second run.

use super::evidence::EvidenceRow;
use crate::lockstep::{BATCH_CYCLES, Batch, Flow, Producer, Window};
use crate::rtl::Rtl;

/// Runs `producer` and fresh `rtl` from the beginning to the end of the window around `cycle`, and keeps what both show
/// there. After the failure both go on with the inputs that the producer recorded. A producer that ends earlier leaves
/// fewer rows.
pub fn rows_around(producer: &mut dyn Producer, rtl: &mut Rtl, cycle: u64, window: Window) -> Vec<EvidenceRow> {
    let (first, last) = (cycle.saturating_sub(window.before), cycle.saturating_add(window.after));
    let mut batch = Batch::new(rtl.in_words(), rtl.out_words(), BATCH_CYCLES);
    let (mut rows, mut base, mut flow) = (Vec::new(), 0, Flow::More);
    while flow == Flow::More && base <= last {
        batch.clear();
        flow = producer.fill(&mut batch);
        let end = base + batch.cycles() as u64;
        if end <= first {
            rtl.run(batch.inputs());
        } else {
            keep(&batch, base, first..=last, rtl, &mut rows);
        }
        base = end;
    }
    rows
}

/// Plays a batch whose first cycle is `base`, and keeps those of its cycles that are wanted.
fn keep(batch: &Batch, base: u64, wanted: std::ops::RangeInclusive<u64>, rtl: &mut Rtl, rows: &mut Vec<EvidenceRow>) {
    let mut shown = vec![0; rtl.out_words()];
    for at in 0..batch.cycles() {
        let cycle = base + at as u64;
        if cycle > *wanted.end() {
            return;
        }
        let inputs = batch.input_row(at);
        rtl.step(inputs, &mut shown);
        if wanted.contains(&cycle) {
            let model = batch.expected_row(at).to_vec();
            rows.push(EvidenceRow { cycle, inputs: inputs.to_vec(), model, rtl: shown.clone() });
        }
    }
}
