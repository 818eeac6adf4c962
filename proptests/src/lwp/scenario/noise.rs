//! Inputs that keep no rule of the contract: every field of every cycle is generated independently.

use super::{buffer, config, lane};
use lwp_model::lwp::{Config, Control, CtlOp, Inputs, Memory, Mode, OpMode};
use proptest::prelude::*;

/// Generates straps, and up to 300 cycles of noise.
pub fn noise() -> BoxedStrategy<(Config, Vec<Inputs<4>>)> {
    (config(), prop::collection::vec(cycle(), 1..300)).boxed()
}

fn cycle() -> BoxedStrategy<Inputs<4>> {
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
    // All fields have small values, so that blocks read from noise are sometimes valid.
    let rdata = prop_oneof![
        any::<u64>(),
        (0_u64..8, 0_u64..8).prop_map(|(high, low)| high << 37 | low << 5),
        (1_u64..4, 0_u64..9, 0_u64..9).prop_map(|(id, interval, counter)| counter << 32 | id << 26 | interval),
    ];
    let mem = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.05), rdata)
        .prop_map(|(gnt, rvalid, err, rdata)| Memory { gnt, rvalid, err, rdata });
    let acks = (prop::bool::weighted(0.2), prop::bool::weighted(0.2), prop::bool::weighted(0.1));
    (mode, prop::array::uniform::<_, 4>(lane()), buffer(), any::<u32>(), ctl, mem, acks)
        .prop_map(|(mode, lanes, buffer, entropy, ctl, mem, (pf_ack, irq_ack, partial))| Inputs {
            mode,
            partial,
            lanes,
            buffer,
            entropy,
            ctl,
            mem,
            pf_ack,
            irq_ack,
        })
        .boxed()
}
