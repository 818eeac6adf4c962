//! Retiring instructions.

use lwp_model::lwp::{BranchKind, LOAD_PORTS, Lane, Load};
use proptest::prelude::*;

fn branch_kind() -> BoxedStrategy<BranchKind> {
    use BranchKind::{Call, CallInd, FarCall, FarJmp, FarRet, Jcc, Jmp, JmpInd, None, Ret, System};
    prop_oneof![
        4 => Just(None),
        6 => prop::sample::select(vec![Jmp, Jcc, JmpInd, Call, CallInd, Ret]),
        1 => prop::sample::select(vec![FarJmp, FarCall, FarRet, System]),
    ]
    .boxed()
}

fn load() -> BoxedStrategy<Load> {
    let latency = prop_oneof![0_u32..64, (0_u32..64).prop_map(|units| units * 16)];
    (prop::bool::weighted(0.4), prop::bool::weighted(0.9), prop::bool::weighted(0.05), any::<u64>(), latency, 0_u8..8)
        .prop_map(|(miss, addr_valid, tagged, addr, latency, source)| Load {
            miss,
            addr_valid,
            tagged,
            addr,
            latency,
            source,
        })
        .boxed()
}

/// Generates any lane, with `valid` and `counts` mostly set.
pub fn lane() -> BoxedStrategy<Lane> {
    let flags = (prop::bool::weighted(0.85), prop::bool::weighted(0.9), any::<bool>(), any::<bool>(), any::<bool>());
    (flags, any::<u64>(), branch_kind(), any::<u64>(), prop::array::uniform::<_, LOAD_PORTS>(load()))
        .prop_map(
            |(
                (valid, counts, branch_taken, branch_pred_valid, branch_pred_ok),
                ip,
                branch_kind,
                branch_next,
                loads,
            )| {
                Lane {
                    valid,
                    counts,
                    ip,
                    branch_kind,
                    branch_taken,
                    branch_pred_valid,
                    branch_pred_ok,
                    branch_next,
                    loads,
                }
            },
        )
        .boxed()
}

/// Generates an instruction that always retires and counts.
pub fn plain_lane() -> BoxedStrategy<Lane> {
    lane().prop_map(|lane| Lane { valid: true, counts: true, ..lane }).boxed()
}
