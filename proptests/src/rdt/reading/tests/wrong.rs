//! Models that are wrong: other straps, other inputs, other outputs.

use super::super::Core;
use super::super::plain::{In, Out};
use super::bench::{ASSOC, EVTSEL, L2_MASK, L3_MASK, L3_QOS_CFG, THROTTLE};
use super::model::{Small, play};
use super::random::{Around, Random, SMALL, Shows, straps};
use lwp_model::rdt::{Config, Inputs, Scope, Select, Vendor};
use lwp_model::retire::{OpMode, RegOp};

type Wrong = (&'static str, fn(&mut Config), fn(&mut Inputs<2>));

fn as_told(_: &mut Config) {}

fn as_shown(_: &mut Inputs<2>) {}

fn writes(inputs: &Inputs<2>, number: u32) -> bool {
    inputs.reg.valid && inputs.reg.op == RegOp::Wrmsr && inputs.reg.number == number
}

const WRONG: [Wrong; 40] = [
    ("shorter lines", |straps| straps.line = straps.line.max(5) - 1, as_shown),
    ("half of the L3 sets", |straps| straps.l3_sets = straps.l3_sets.max(1) - 1, as_shown),
    ("half of the L2 sets", |straps| straps.l2_sets = straps.l2_sets.max(1) - 1, as_shown),
    ("an L3 way less", |straps| straps.l3_ways -= 1, as_shown),
    ("an L2 way less", |straps| straps.l2_ways = straps.l2_ways.max(1) - 1, as_shown),
    ("no L2 cache", |straps| (straps.l2, straps.l2_sets, straps.l2_ways) = (false, 0, 0), as_shown),
    ("the other vendor", |straps| straps.vendor = Vendor::Amd, as_shown),
    ("masks in pieces", |straps| straps.sparse ^= true, as_shown),
    ("no occupancy", |straps| straps.events &= 6, as_shown),
    ("no total bandwidth", |straps| straps.events &= 5, as_shown),
    ("no local bandwidth", |straps| straps.events &= 3, as_shown),
    ("an RMID more", |straps| straps.max_rmid += 1, as_shown),
    ("a monitored RMID more", |straps| straps.l3_max_rmid += 1, as_shown),
    ("a bit more", |straps| straps.width += 1, as_shown),
    ("another unit", |straps| straps.scale ^= 1, as_shown),
    ("another start", |straps| straps.start ^= 8, as_shown),
    ("write-backs", |straps| straps.write_backs ^= true, as_shown),
    ("whose selection", |straps| straps.select = Select::Package, as_shown),
    ("a cycle to settle", |straps| straps.settle += 1, as_shown),
    ("no L3 CDP", |straps| straps.l3_cdp = false, as_shown),
    ("no L2 CDP", |straps| straps.l2_cdp = false, as_shown),
    ("an L3 class more", |straps| straps.l3_cos += 1, as_shown),
    ("an L2 class more", |straps| straps.l2_cos += 1, as_shown),
    ("a class with a delay more", |straps| straps.mba_cos += 1, as_shown),
    ("a larger delay", |straps| straps.mba_max += 1, as_shown),
    ("percent for cycles", |straps| straps.mba_linear ^= straps.mba, as_shown),
    ("whose delay", |straps| straps.mba_scope = Scope::Thread, as_shown),
    ("half of the period", |straps| straps.mba_period = straps.mba_period.div_ceil(2), as_shown),
    ("a larger period", |straps| straps.mba_period = straps.mba_period.saturating_mul(4), as_shown),
    ("writes are reads", as_told, |inputs| inputs.lp[0].req_write = false),
    ("code is data", as_told, |inputs| inputs.lp[0].req_code = false),
    ("high addresses", as_told, |inputs| inputs.lp[0].req_addr &= !(1 << 51)),
    ("local memory", as_told, |inputs| inputs.mem.mem_local = true),
    ("all ways have power", as_told, |inputs| inputs.power.l3_power = 16),
    ("always available", as_told, |inputs| inputs.qm_unavailable = false),
    ("the level is not seen", as_told, |inputs| inputs.mode.cpl = 0),
    ("real mode", as_told, |inputs| inputs.mode.op_mode = OpMode::Real),
    ("one register for all", as_told, |inputs| inputs.reg.lp = 0),
    ("a lost write of a mask", as_told, |inputs| inputs.reg.valid &= !writes(inputs, L3_MASK)),
    ("an SMI is a write", as_told, |inputs| {
        if inputs.lp[0].int_valid && !inputs.reg.valid {
            (inputs.reg.valid, inputs.reg.op, inputs.reg.number, inputs.reg.wdata) = (true, RegOp::Wrmsr, ASSOC, 0);
        }
    }),
];

#[test]
fn a_wrong_model_is_noticed() {
    let mut unnoticed = Vec::new();
    for (what, straps, wires) in WRONG {
        let runs = (0..60).filter_map(|seed| play::<Small, 2>(&SMALL, (seed, 2000), straps, wires)).enumerate();
        match runs.filter(|(_, run)| run.is_err()).nth(1) {
            Some((number, _)) => println!("{what}: noticed in two of {} runs", number + 1),
            None => unnoticed.push(what),
        }
    }
    assert!(unnoticed.is_empty(), "not noticed: {unnoticed:?}");
}

type Change = (&'static str, fn(&mut Inputs<2>));

/// A model whose values in registers are changed on their way in.
const CHANGED: [Change; 6] = [
    ("IA32_QM_EVTSEL", |inputs| inputs.reg.wdata ^= u64::from(writes(inputs, EVTSEL))),
    ("IA32_PQR_ASSOC, RMID", |inputs| inputs.reg.wdata ^= u64::from(writes(inputs, ASSOC))),
    ("IA32_PQR_ASSOC, class", |inputs| inputs.reg.wdata ^= u64::from(writes(inputs, ASSOC)) << 32),
    ("IA32_L3_QOS_CFG", |inputs| inputs.reg.wdata ^= u64::from(writes(inputs, L3_QOS_CFG))),
    ("IA32_L2_MASK_0", |inputs| inputs.reg.wdata ^= u64::from(writes(inputs, L2_MASK))),
    ("a delay", |inputs| inputs.reg.wdata ^= u64::from(writes(inputs, THROTTLE)) << 1),
];

#[test]
fn a_changed_value_is_noticed() {
    for (what, wires) in CHANGED {
        let run = |seed: &u64| play::<Small, 2>(&SMALL, (*seed, 2000), as_told, wires).is_some_and(|run| run.is_err());
        let noticed = (0..60).filter(run).count();
        println!("{what}: noticed in {noticed} of 60 runs");
        assert!(noticed >= 5, "{what}: noticed in {noticed} runs");
    }
}

/// Outputs with one thing changed.
fn changes(out: &Out) -> Vec<Out> {
    let mut all: Vec<Out> = Vec::new();
    let mut change = |change: &dyn Fn(&mut Out)| {
        let mut wrong = *out;
        change(&mut wrong);
        all.push(wrong);
    };
    for lp in 0..2 {
        change(&|out| out.lp[lp].done ^= true);
        change(&|out| out.lp[lp].l2_hit ^= true);
        change(&|out| out.lp[lp].l3_hit ^= true);
    }
    change(&|out| out.mem_req ^= true);
    change(&|out| out.mem.write ^= true);
    change(&|out| out.reg_done ^= true);
    change(&|out| out.reg_result ^= 2);
    for bit in 0..64 {
        change(&|out| out.reg_rdata ^= 1 << bit);
    }
    for bit in 0..52 {
        change(&|out| out.mem.addr ^= 1 << bit);
    }
    for bit in 0..4 {
        change(&|out| out.mem.rmid ^= 1 << bit);
        change(&|out| out.mem.cos ^= 1 << bit);
    }
    all
}

#[test]
fn nearly_every_change_of_an_output_is_noticed() {
    let (mut made, mut noticed) = (0, 0);
    for seed in 0..6 {
        let straps = straps(&mut Random::new(seed), &SMALL);
        let mut unit = super::model::small(&straps);
        let mut around = Around::new(seed, &straps);
        let mut cycles: Vec<(In, Out)> = Vec::new();
        for _ in 0..260 {
            let out = unit.out();
            let input = around.input(&out);
            unit.step(&input);
            cycles.push((input, out));
        }
        let mut core = Core::new(&straps);
        for at in 0..200 {
            for wrong in changes(&cycles[at].1) {
                let mut core = core.clone();
                let first = core.cycle(&cycles[at].0, &wrong);
                let rest = &cycles[at + 1..];
                made += 1;
                let fails = first.is_err() || rest.iter().any(|(input, out)| core.cycle(input, out).is_err());
                noticed += u64::from(fails);
            }
            core.cycle(&cycles[at].0, &cycles[at].1).unwrap();
        }
    }
    println!("{noticed} of {made} changes are noticed");
    assert!(noticed * 1000 >= made * 999);
}
