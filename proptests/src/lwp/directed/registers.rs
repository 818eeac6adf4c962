//! Changes of LWPMSR0 during a session, and a reset in the middle of an activity.

use super::Directed;
use super::building_blocks::{booted, fill, group, kernel, missing, partial, plain, steps, tagged, user};
use crate::lwp::scenario::{Argument, Op, Step};
use lwp_model::lwp::{AddressPolicy, Config, CtlOp, StoreTiming};

/// Returns a run in which an event is disabled while its session runs, and enabled again.
fn disabled(event: u8, address_policy: AddressPolicy) -> Directed {
    let everything = missing(super::building_blocks::branch(0x100));
    let msr0 = |bits: u64| Op::Control(CtlOp::WriteMsr0, Argument::Wild(bits), 0);
    let mut run = vec![group(&[everything])];
    run.extend(steps([
        Op::Idle(40),
        kernel(),
        Op::Idle(2),
        msr0(0x8000_000F & !(1 << event)),
        Op::Idle(5),
        user(),
        Op::Idle(2),
    ]));
    run.extend([group(&[everything, everything]), Step::Do(fill()), partial(everything), group(&[tagged(everything)])]);
    run.extend(steps([Op::Idle(40), kernel(), Op::Idle(2), msr0(0x8000_000F), Op::Idle(5), user(), Op::Idle(2)]));
    run.extend([group(&[everything, everything]), Step::Do(Op::Idle(40))]);
    Directed {
        situation: "an event is disabled in LWPMSR0 while its session runs",
        sequence: booted(Config { address_policy, ..Config::default() }, &[1, 2, 3], 0, run),
        seen: |cycle| {
            let session = &cycle.state.session;
            session.active && cycle.inputs.lanes[0].valid && session.msr0.into_bits() & 0xE != 0xE
        },
    }
}

/// Returns a run in which every bit that LWPMSR0 does not have is written.
fn unwritable() -> Directed {
    let write = |bit: u32| [Op::Control(CtlOp::WriteMsr0, Argument::Wild(1 << bit | 1), 0), Op::Idle(3)];
    let run = [kernel(), Op::Idle(2)].into_iter().chain((4..64).flat_map(write));
    Directed {
        situation: "a write of LWPMSR0 with one bit too many",
        sequence: booted(Config::default(), &[1], 0, steps(run)),
        seen: |cycle| {
            cycle.inputs.ctl.valid && cycle.inputs.ctl.wdata >> 32 != 0 && cycle.inputs.ctl.wdata & 0xFFFF_FFFF == 1
        },
    }
}

/// Returns a run with a reset immediately after a cycle that sets a register which holds its value for one cycle.
fn reset_after(what: usize) -> Directed {
    let replay = Config { address_policy: AddressPolicy::Replay, store_timing: StoreTiming::Sync, ..Config::default() };
    let mut run = match what {
        0 => steps([fill()]),
        1 => vec![group(&[plain(0x100)])],
        _ => vec![Step::Do(fill()), Step::Do(Op::Idle(1)), partial(tagged(plain(0x100)))],
    };
    run.extend(steps([Op::Reset(2), Op::Idle(4)]));
    Directed {
        situation: "reset in the middle of a session",
        sequence: booted(replay, &[1, 3], 0, run),
        seen: |cycle| !cycle.rst_n,
    }
}

/// Returns a run in which the LFSR advances for the first time from a seed of ones.
fn seed_of_ones() -> Directed {
    let straps = Config { lfsr_seed: u32::MAX, ..Config::default() };
    Directed {
        situation: "the LFSR leaves a seed of ones",
        sequence: booted(straps, &[1], 0, vec![group(&[plain(0x100)]), Step::Do(Op::Idle(40))]),
        seen: |cycle| cycle.state.lfsr != 0,
    }
}

pub(super) fn all() -> Vec<Directed> {
    let policies = [AddressPolicy::None, AddressPolicy::SameLoad, AddressPolicy::NextLoad, AddressPolicy::Replay];
    let mut all: Vec<Directed> =
        policies.iter().flat_map(|policy| (1..4).map(|event| disabled(event, *policy))).collect();
    all.extend([unwritable(), seed_of_ones()]);
    all.extend((0..3).map(reset_after));
    all
}
