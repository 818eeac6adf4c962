//! Situations of a run, from the registers: hits, fills, victims, power, requests.

use crate::cosim::Situations;
use crate::lockstep::Field;
use lwp_model::rdt::Step;
use lwp_model::retire::RegResult;
use lwp_model::{Choice, Unit};

/// In the order of the summary.
const NAMES: [&str; 12] = [
    "hit in L2",
    "hit in L3",
    "miss that fills",
    "miss that fills nothing",
    "line written back",
    "victim of another RMID",
    "victim in L2 that was written",
    "access delayed",
    "change of power",
    "line emptied by a change of power",
    "request done",
    "request refused",
];

/// Fields of a logical processor.
#[derive(Clone, Copy, Debug)]
struct Lp {
    l2_hit: Field,
    l3_hit: Field,
    stage: Field,
}

/// Counts of a run.
#[derive(Debug)]
pub(super) struct RdtSituations {
    done: Field,
    result: Field,
    step: Field,
    fills: Field,
    walk: Field,
    rmid: Field,
    victim_rmid: Field,
    walking: Field,
    lps: Vec<Lp>,
    /// Row of the cycle before.
    before: Vec<u32>,
    counts: [u64; NAMES.len()],
}

impl RdtSituations {
    /// Returns counts of a run that has not begun, for a build of the unit.
    pub(super) fn new<U: Unit>() -> Self {
        let find = |name: &str| U::OUTPUT_FIELDS.iter().find(|field| field.name == name).copied();
        let field = |name: &str| find(name).expect("a field of the contract");
        let lp = |number: usize| {
            Some(Lp {
                l2_hit: find(&format!("lp[{number}].l2_hit"))?,
                l3_hit: find(&format!("lp[{number}].l3_hit"))?,
                stage: find(&format!("state.lp[{number}].stage"))?,
            })
        };
        Self {
            done: field("reg_done"),
            result: field("reg_result"),
            step: field("state.job.step"),
            fills: field("state.job.fills"),
            walk: field("state.job.walk"),
            rmid: field("state.job.rmid"),
            victim_rmid: field("state.job.victim_rmid"),
            walking: field("walking"),
            lps: (0..).map_while(lp).collect(),
            before: vec![0; U::OUTPUT_WORDS],
            counts: [0; NAMES.len()],
        }
    }

    fn row(&mut self, row: &[u32]) {
        let before = &self.before[..];
        let step_of = |row: &[u32]| u8::try_from(self.step.of(row)).ok().and_then(Step::from_code);
        let (step, earlier) = (step_of(row), step_of(before));
        let enters = |wanted: Step| step == Some(wanted) && earlier != Some(wanted);
        let is = |field: Field| field.of(row) != 0;
        let count = |of: &dyn Fn(&Lp) -> bool| self.lps.iter().filter(|lp| of(lp)).count() as u64;
        let answered = is(self.done);
        let refused = self.result.of(row) != u64::from(RegResult::Done.code());
        let of_access = enters(Step::Evict) && !is(self.walk);
        let asks = enters(Step::MemRequest);
        // Idle, and one that waits for the L3 cache was not chosen: it is not paced, or another was.
        let idle = earlier == Some(Step::Idle) && step == Some(Step::Idle);
        let met = [
            count(&|lp| is(lp.l2_hit)),
            count(&|lp| is(lp.l3_hit)),
            u64::from(asks && is(self.fills)),
            u64::from(asks && !is(self.fills)),
            u64::from(enters(Step::WriteBack)),
            u64::from(of_access && self.rmid.of(row) != self.victim_rmid.of(row)),
            u64::from(enters(Step::MarkRead)),
            if idle { count(&|lp| lp.stage.of(before) == 2 && lp.stage.of(row) == 2) } else { 0 },
            u64::from(is(self.walking) && self.walking.of(before) == 0),
            u64::from(enters(Step::Evict) && is(self.walk)),
            u64::from(answered && !refused),
            u64::from(answered && refused),
        ];
        self.counts.iter_mut().zip(met).for_each(|(count, met)| *count += met);
        self.before.copy_from_slice(row);
    }
}

impl Situations for RdtSituations {
    fn take(&mut self, rows: &[u32], words: usize) {
        rows.chunks_exact(words).for_each(|row| self.row(row));
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        NAMES.into_iter().zip(self.counts).collect()
    }
}
