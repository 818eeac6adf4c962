//! The worlds of two logical processors, with fixed counters and AnyThread.

use super::Two;
use super::parts::*;
use lwp_model::perf::{Config, Personality};
use lwp_model::retire::RegOp;

/// Two logical processors with version 3: AnyThread is there.
fn version_3() -> Config {
    Config { personality: Personality::Version3, counters: 1, fixed: 2, any_thread: true, ..Config::default() }
}

/// Two fixed counters, their control, and their bits of the global registers.
fn fixed() -> Two {
    let mut unhalted = halted();
    unhalted.lp[0].halted = false;
    let (mut freezes, mut retires) = (halted(), retire_by([1, 0], [0, 0]));
    freezes.lp[0].freeze = true;
    retires.lp[0].freeze_on_pmi = true;
    Two {
        name: "fixed",
        about: "fixed counters 0 and 1: levels, overflow, interrupt and freeze by it, enables and status, RDPMC",
        straps: version_3(),
        still: vec![halted(), freezes],
        moving: vec![retires, unhalted],
        requests: vec![
            nothing(),
            write(FIXED_CONTROL, 0x09),
            write(FIXED_CONTROL, 0xA9),
            write(FIXED0, 1_u64.wrapping_neg() & 0xFF_FFFF_FFFF),
            write(FIXED0 + 1, 1_u64.wrapping_neg() & 0xFF_FFFF_FFFF),
            write(CONTROL, 1 << 32),
            write(CONTROL, 3 << 32),
            write(CLEAR, 3 << 32),
            ask(RegOp::Rdmsr, STATUS),
            ask(RegOp::Rdpmc, 1 << 30 | 1),
        ],
    }
}

/// A counter of logical processor 0 that counts on both.
fn any_thread() -> Two {
    Two {
        name: "any thread",
        about: "AnyThread of a general and a fixed counter: who retires how much at which level",
        straps: version_3(),
        still: vec![halted()],
        moving: vec![
            retire_by([1, 0], [0, 3]),
            retire_by([0, 1], [0, 3]),
            retire_by([1, 1], [0, 3]),
            retire_by([1, 1], [3, 3]),
        ],
        requests: vec![
            nothing(),
            write(SELECT0, 0xC0 | USR | ANY | EN),
            write(SELECT0, 0xC0 | USR | EN),
            write(SELECT0, INSTRUCTIONS | ANY | EN | 2 << 24),
            write(FIXED_CONTROL, 0x5),
            write(FIXED_CONTROL, 0x1),
            write(CONTROL, 1 | 1 << 32),
            write(COUNTER0, 1_u64.wrapping_neg() & 0xFFFF_FFFF),
            write(FIXED0, 1_u64.wrapping_neg() & 0xFF_FFFF_FFFF),
            ask(RegOp::Rdmsr, COUNTER0),
        ],
    }
}

/// Every world of two logical processors.
#[must_use]
pub fn all() -> Vec<Two> {
    vec![any_thread(), fixed()]
}
