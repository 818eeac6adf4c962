//! Model and RTL never differ in any bit of state in any cycle, whatever is done to them.

use lwp_model::lwp::{Config, Control, CtlOp, Inputs, Lwp, Memory, Mode, OpMode};
use proptest::prelude::*;
use proptests::bench::{Cycle, Recording, play};
use proptests::lockstep::{agree, assertions_hold, survives_packing};
use proptests::runner::check;
use proptests::scenario::{buffer, config, lane, scenario};
use sim_harness::rtl::BuildId;

#[test]
fn four_lanes_agree() {
    check("lockstep", "four_lanes_agree", &scenario(120), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        agree(BuildId::LwpW4, &scenario.straps, &recording)
    });
}

#[test]
fn one_lane_agrees() {
    check("lockstep", "one_lane_agrees", &scenario(120), |scenario| {
        let (recording, _) = play::<1, 3, 10>(scenario);
        agree(BuildId::LwpW1, &scenario.straps, &recording)
    });
}

/// The larger sizes belong to the long run.
#[cfg(feature = "all-sizes")]
#[test]
fn eight_lanes_agree() {
    check("lockstep", "eight_lanes_agree", &scenario(120), |scenario| {
        let (recording, _) = play::<8, 26, 16>(scenario);
        agree(BuildId::LwpW8, &scenario.straps, &recording)
    });
}

#[cfg(feature = "all-sizes")]
#[test]
fn two_lanes_agree() {
    check("lockstep", "two_lanes_agree", &scenario(120), |scenario| {
        let (recording, _) = play::<2, 13, 20>(scenario);
        agree(BuildId::LwpW2, &scenario.straps, &recording)
    });
}

/// Inputs that keep no rule of the contract: every field of every cycle is drawn by itself.
fn noise() -> impl Strategy<Value = Inputs<4>> {
    use OpMode::{Compatibility, Long64, Protected, Real, Virtual8086};
    let op_mode = prop::sample::select(vec![Long64, Long64, Long64, Protected, Compatibility, Real, Virtual8086]);
    let mode = (prop_oneof![4 => Just(3_u8), 1 => 0_u8..3], prop::bool::weighted(0.05), op_mode)
        .prop_map(|(cpl, smm, op_mode)| Mode { cpl, smm, op_mode });
    let op = prop::sample::select(vec![
        CtlOp::Llwpcb,
        CtlOp::Slwpcb,
        CtlOp::ReadMsr0,
        CtlOp::WriteMsr0,
        CtlOp::ReadMsr1,
        CtlOp::WriteMsr1,
        CtlOp::Save,
        CtlOp::Restore,
        CtlOp::Restore,
        CtlOp::Reserved8,
        CtlOp::Reserved15,
    ]);
    let wdata = prop_oneof![
        2 => Just(0x8000_000F_u64),
        4 => (0_u64..64).prop_map(|block| block << 4),
        1 => Just(0),
        1 => any::<u64>(),
    ];
    let ds_base = prop_oneof![3 => Just(0_u64), 1 => any::<u64>()];
    let ctl = (prop::bool::weighted(0.05), op, 0_u8..12, wdata, ds_base)
        .prop_map(|(valid, op, word, wdata, ds_base)| Control { valid, op, word, wdata, ds_base });
    // Small fields everywhere, so that blocks read from noise are sometimes good.
    let rdata = prop_oneof![
        any::<u64>(),
        (0_u64..8, 0_u64..8).prop_map(|(high, low)| high << 37 | low << 5),
        (1_u64..4, 0_u64..9, 0_u64..9).prop_map(|(id, interval, counter)| counter << 32 | id << 26 | interval),
    ];
    let mem = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.05), rdata)
        .prop_map(|(gnt, rvalid, err, rdata)| Memory { gnt, rvalid, err, rdata });
    let acks = (prop::bool::weighted(0.2), prop::bool::weighted(0.2), prop::bool::weighted(0.1));
    (mode, prop::array::uniform::<_, 4>(lane()), buffer(), any::<u32>(), ctl, mem, acks).prop_map(
        |(mode, lanes, buffer, entropy, ctl, mem, (pf_ack, irq_ack, partial))| Inputs {
            mode,
            partial,
            lanes,
            buffer,
            entropy,
            ctl,
            mem,
            pf_ack,
            irq_ack,
        },
    )
}

/// The model under noise, from reset on.
fn record_noise(straps: &Config, noise: &[Inputs<4>]) -> Result<Recording<4>, String> {
    let mut unit = Lwp::<4, 8, 31>::new(*straps).map_err(|error| error.to_string())?;
    let mut recording = Recording::default();
    let enable = Control { valid: true, op: CtlOp::WriteMsr0, wdata: 0x8000_000F, ..Control::default() };
    let boot = [Inputs::default(), Inputs { ctl: enable, ..Inputs::default() }, Inputs::default(), Inputs::default()];
    for (number, inputs) in boot.iter().chain(noise).enumerate() {
        let rst_n = number > 0;
        recording.cycles.push(Cycle { inputs: *inputs, rst_n, state: *unit.state() });
        if rst_n {
            unit.step(inputs);
        }
    }
    Ok(recording)
}

#[test]
fn noise_agrees() {
    let strategy = (config(), prop::collection::vec(noise(), 1..300));
    check("lockstep", "noise_agrees", &strategy, |(straps, noise)| {
        agree(BuildId::LwpW4, straps, &record_noise(straps, noise)?)
    });
}

/// The assertions in the RTL hold whatever a core does that keeps the rules, or does not.
#[test]
fn assertions_hold_under_scenarios() {
    check("lockstep", "assertions_hold_under_scenarios", &scenario(120), |scenario| {
        let (four, _) = play::<4, 8, 31>(scenario);
        assertions_hold(BuildId::LwpW4, &scenario.straps, &four)?;
        let (one, _) = play::<1, 3, 10>(scenario);
        assertions_hold(BuildId::LwpW1, &scenario.straps, &one)
    });
}

/// They hold under noise too.
#[test]
fn assertions_hold_under_noise() {
    let strategy = (config(), prop::collection::vec(noise(), 1..300));
    check("lockstep", "assertions_hold_under_noise", &strategy, |(straps, noise)| {
        assertions_hold(BuildId::LwpW4, straps, &record_noise(straps, noise)?)
    });
}

#[test]
fn rows_hold_every_register() {
    check("lockstep", "rows_hold_every_register", &scenario(60), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        match recording.cycles.iter().position(|cycle| !survives_packing(&cycle.state)) {
            None => Ok(()),
            Some(cycle) => Err(format!("cycle {cycle}: the row does not hold {:?}", recording.cycles[cycle].state)),
        }
    });
}
