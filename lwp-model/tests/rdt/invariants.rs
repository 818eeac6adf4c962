//! What always holds: the table of the chapter State, in every cycle of random runs.

use super::bench::{Bench, L2_MASK, L2_QOS_CFG, L3_MASK, L3_QOS_CFG, PQR_ASSOC, THROTTLE, amd, assoc, wrmsr};
use lwp_model::rdt::{Config, Inputs, LpInputs, Stage, Step};
use lwp_model::retire::RegRequest;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// What happens in a cycle.
#[derive(Clone, Copy, Debug)]
struct Cycle {
    lp: [LpInputs; 2],
    reg: Option<(u8, u32, u64)>,
    /// Ways that have power from now on, of the L3 cache and of the L2 cache.
    power: Option<(u8, u8)>,
    /// Cycles that memory is late from now on.
    late: usize,
}

/// An access of few lines, of few sets.
fn access() -> impl Strategy<Value = LpInputs> {
    (any::<bool>(), any::<bool>(), any::<bool>(), 0..12_u64, 0..2_u64).prop_map(|(valid, write, code, tag, set)| {
        LpInputs {
            req_valid: valid,
            req_write: write,
            req_code: code,
            req_addr: (tag * 8 + set * 5) << 6,
            ..LpInputs::default()
        }
    })
}

/// A WRMSR, of values that are taken and of others.
fn request() -> impl Strategy<Value = (u8, u32, u64)> {
    let write = prop_oneof![
        4 => (0..4_u64, 0..5_u64).prop_map(|(rmid, cos)| (PQR_ASSOC, assoc(rmid, cos))),
        2 => (0..4_u32, 0..17_u64).prop_map(|(n, mask)| (L3_MASK + n, mask)),
        2 => (0..4_u32, 0..5_u64).prop_map(|(n, mask)| (L2_MASK + n, mask)),
        1 => (0..4_u32, 0..60_u64).prop_map(|(n, delay)| (THROTTLE + n, delay)),
        1 => (prop_oneof![Just(L3_QOS_CFG), Just(L2_QOS_CFG)], 0..2_u64),
    ];
    (0..2_u8, write).prop_map(|(lp, (number, value))| (lp, number, value))
}

fn cycle() -> impl Strategy<Value = Cycle> {
    let power = prop_oneof![Just((31, 15)), Just((4, 2)), (0..5_u8, 0..3_u8)];
    let reg = proptest::option::weighted(0.1, request());
    ([access(), access()], reg, proptest::option::weighted(0.01, power), 0..3_usize)
        .prop_map(|(lp, reg, power, late)| Cycle { lp, reg, power, late })
}

/// Whether these are the numbers from 0 on, in any order.
fn is_permutation<const N: usize>(mut ages: [u8; N]) -> bool {
    ages.sort_unstable();
    ages == core::array::from_fn(|way| way as u8)
}

/// Whether what always holds does.
fn holds(bench: &Bench) -> Result<(), TestCaseError> {
    let (state, l3, l2) = (bench.unit.state(), bench.unit.l3_words(), bench.unit.l2_words());
    for rmid in 0..4 {
        let lines =
            l3.iter().flat_map(|word| word.line).filter(|way| way.valid && usize::from(way.rmid) == rmid).count();
        prop_assert_eq!(state.rmid[rmid].occupancy as usize, lines, "occupancy of RMID {}", rmid);
    }
    for (set, word) in l3.iter().enumerate() {
        prop_assert!(is_permutation(word.line.map(|way| way.age)), "ages of L3 set {}", set);
        let mut lines: Vec<u64> = word.line.iter().filter(|way| way.valid).map(|way| way.line).collect();
        prop_assert!(lines.iter().all(|line| line % 8 == set as u64), "lines of L3 set {}", set);
        lines.sort_unstable();
        prop_assert!(lines.is_sorted_by(|one, other| one < other), "a line is there twice");
        for way in word.line.iter().filter(|way| !way.valid) {
            prop_assert_eq!((way.dirty, way.code, way.rmid, way.line), (false, false, 0, 0));
        }
    }
    for (set, word) in l2.iter().enumerate() {
        prop_assert!(is_permutation(word.line.map(|way| way.age)), "ages of L2 set {}", set);
        let [first, second] = word.line;
        prop_assert!(!(first.valid && second.valid && first.line == second.line), "a line is there twice");
    }
    let job = state.job;
    let busy = !matches!(job.step, Step::Clear | Step::Idle) && !job.walk;
    prop_assert!(!busy || state.lp[usize::from(job.turn)].stage != Stage::None, "{:?} of nobody", job.step);
    if job.step == Step::Idle {
        for way in l2.iter().flat_map(|word| word.line).filter(|way| way.valid) {
            let set = &l3[way.line as usize % 8];
            prop_assert!(
                set.line.iter().any(|held| held.valid && held.line == way.line),
                "line {} is not in both",
                way.line
            );
        }
        let (l3_on, l2_on) = (state.power.l3_on.into(), state.power.l2_on.into());
        prop_assert!(l3.iter().all(|word| word.line[l3_on..].iter().all(|way| !way.valid)), "L3 ways without power");
        prop_assert!(l2.iter().all(|word| word.line[l2_on..].iter().all(|way| !way.valid)), "L2 ways without power");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60, rng_seed: RngSeed::Fixed(8), failure_persistence: None, ..ProptestConfig::default()
    })]

    // RDTM-02, RDTM-06, RDTM-11, RDT-04: occupancy is what an RMID has, in every cycle; the caches are inclusive; ages are an order
    #[test]
    fn what_always_holds(masks_of_amd in any::<bool>(), cycles in vec(cycle(), 300..600)) {
        let straps = if masks_of_amd { amd(Config::default()) } else { Config::default() };
        let mut bench = Bench::new(straps);
        for Cycle { lp, reg, power, late } in cycles {
            if let Some((l3_power, l2_power)) = power {
                (bench.power.l3_power, bench.power.l2_power) = (l3_power, l2_power);
            }
            bench.late = late;
            let reg = reg.map_or_else(RegRequest::default, |(lp, number, value)| wrmsr(lp, number, value));
            bench.with(Inputs { lp, reg, ..Inputs::default() });
            holds(&bench)?;
        }
    }
}
