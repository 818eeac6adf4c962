//! A core with LWP and another unit that watches the same instructions. The units share nothing else: no port of one is a port of the
//! other. The core runs no handler of the interrupts of either, so that the same instructions retire in the same cycles, whatever is
//! written to one of them.

use super::bench::{BUFFER, Bench, LWPCB, branch, kernel, plain, user};
use lwp_model::lwp::{BranchKind, Control, CtlOp, Inputs, Lane, State};

/// Rounds of the program: in each the kernel may write a register, and user code runs.
pub(crate) const ROUNDS: u64 = 200;
/// Cycles of the kernel in a round.
const KERNEL: u64 = 30;
/// Cycles of ring 3 before the first instruction retires: LWP loads its block in them.
const LOADING: u64 = 55;
/// Cycles in which instructions retire.
const USER: u64 = 35;

/// The other unit.
pub(crate) trait Beside {
    /// All its registers.
    type Registers: PartialEq;

    /// One cycle, in which these instructions retire, and the kernel may write a register.
    fn cycle(&mut self, cpl: u8, lanes: &[Lane; 4], write: Option<(u32, u64)>);

    fn registers(&self) -> Self::Registers;
}

/// What an operating system does with the two.
#[derive(Clone, Copy)]
pub(crate) struct System {
    /// The register that the kernel writes to the other unit in a round.
    pub(crate) writes: fn(round: u64) -> Option<(u32, u64)>,
    /// Whether the kernel starts and ends LWP sessions, in turn.
    pub(crate) profiles: bool,
}

/// The same values in every run, without a pattern: the generator "xorshift64*".
pub(crate) fn seeded(number: u64) -> u64 {
    let mut x = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    x.wrapping_mul(0x2545_F491_4F6C_DD1D)
}

/// The instructions of a cycle of user code: up to four, some of them conditional jumps.
fn group(cycle: u64) -> [Lane; 4] {
    let bits = seeded(cycle);
    core::array::from_fn(|lane| {
        let ip = 0x1000 + 4 * cycle + lane as u64;
        match bits >> (8 + 4 * lane) & 7 {
            _ if lane as u64 > (bits & 3) => Lane::default(),
            0 | 1 => branch(ip, BranchKind::Jcc, bits >> 40 & 1 == 1, 0x2000),
            _ => plain(ip),
        }
    })
}

/// Runs the program, and returns the registers of both units in every cycle, and LWP's interrupts.
pub(crate) fn run<U: Beside>(mut other: U, system: System) -> (Vec<State>, Vec<U::Registers>, u32) {
    let mut lwp = Bench::new();
    lwp.block(LWPCB, 256, 32, &[(1, 20, 20), (2, 9, 9)]);
    let (mut lwp_rows, mut other_rows) = (Vec::new(), Vec::new());
    let length = KERNEL + LOADING + USER;
    for now in 0..ROUNDS * length {
        let (round, cycle) = (now / length, now % length);
        lwp.mode = if cycle >= KERNEL { user() } else { kernel() };
        let lanes = if cycle >= KERNEL + LOADING { group(now) } else { Default::default() };
        let write = (system.writes)(round).filter(|_| cycle == 5);
        let wdata = if round % 3 == 2 { 0 } else { LWPCB };
        let valid = system.profiles && cycle == 5;
        let ctl = Control { valid, op: CtlOp::WriteMsr1, wdata, ..Control::default() };
        let out = lwp.unit.outputs();
        assert!(!out.stall || !lanes[0].valid, "nothing retires while the unit stalls");
        lwp.cycle(Inputs { lanes, ctl, irq_ack: out.irq, ..Inputs::default() });
        other.cycle(lwp.mode.cpl, &lanes, write);
        // Software empties the ring.
        lwp.write32(LWPCB + 20, lwp.head());
        lwp_rows.push(*lwp.unit.state());
        other_rows.push(other.registers());
    }
    assert_eq!(lwp.read64(BUFFER) != 0, system.profiles, "LWP records if it is used");
    (lwp_rows, other_rows, lwp.interrupts)
}
