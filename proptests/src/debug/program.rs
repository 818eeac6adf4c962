//! Programs for the debug unit: what a core executes that keeps to the rules of the ports.
//!
//! A `Step` says what the core does if it may. The core of `core.rs` shows it to the unit and does what the unit asks for.

use super::core::Core;
use super::scenario::{Scenario, access, address, control, interruption, io, lane, mode, status, straps};
use lwp_model::debug::{DebugUnit, Inputs, Interrupted, Lane, Outputs};
use lwp_model::retire::{Io, Mode, RegOp};
use lwp_model::{Moore, Unit};
use proptest::collection::vec;
use proptest::prelude::*;

/// What the core does next.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Instructions retire together.
    Group(Group),
    /// MOV to or from a debug register.
    Mov(Mov),
    /// Something interrupts the program.
    Interrupt(Interrupted),
    /// Mode and control bits change: CR4.DE, BTF, RTM of IA32_DEBUGCTL.
    Mode(Mode, [bool; 3]),
    /// Nothing.
    Rest,
    /// The unit is reset.
    Reset,
}

/// Instructions that retire together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The instructions, at most as many as there are lanes.
    pub(super) lanes: Vec<Lane>,
    /// I/O of the first one.
    pub(super) io: Io,
    /// The first one shows other accesses before.
    pub(super) parts: Vec<Lane>,
    /// The core asks before the first one.
    pub(super) asks: bool,
    /// What it does with #DB.
    pub(super) handler: Handler,
}

/// A MOV to or from a debug register.
#[derive(Clone, Debug)]
pub(super) struct Mov {
    pub(super) op: RegOp,
    pub(super) number: u32,
    pub(super) wdata: u64,
    pub(super) ip: u64,
    pub(super) handler: Handler,
}

/// What the core does with a #DB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler {
    /// Cycles until it is taken.
    pub(super) waits: u8,
    /// Another exception is delivered instead.
    pub(super) lost: bool,
    /// Delivered through a task gate, with this RF and T.
    pub(super) gate: Option<[bool; 2]>,
    /// Where the program goes on if nothing else says so.
    pub(super) next: u64,
    /// The handler reads DR6, at level 0.
    pub(super) reads: bool,
    /// IRET with this RF goes back to what was cut off; without it the program goes on elsewhere.
    pub(super) back: Option<bool>,
}

/// Generates the cycles of a core that executes up to `steps` steps, for the model with these sizes.
pub fn program<const LANES: usize, const ACCESSES: usize>(steps: usize) -> BoxedStrategy<Scenario<LANES>>
where
    DebugUnit<LANES, ACCESSES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit,
{
    (straps(), arm(), vec(step(LANES), 1..=steps))
        .prop_map(|(straps, arm, steps)| {
            let mut core = Core::<LANES, ACCESSES>::new(straps);
            arm.into_iter().chain(steps).for_each(|step| core.step(step));
            Scenario { straps, cycles: core.into_cycles() }
        })
        .boxed()
}

/// Generates writes of DR0 to DR3 and DR7.
fn arm() -> BoxedStrategy<Vec<Step>> {
    (any::<[bool; 4]>(), vec((address(), handler()), 4), control(), handler())
        .prop_map(|(used, addresses, control, last)| {
            let write = |number, wdata, handler| Step::Mov(Mov { op: RegOp::WriteDr, number, wdata, ip: FAR, handler });
            let addresses = addresses.into_iter().enumerate().filter(|(number, _)| used[*number]);
            let mut steps: Vec<_> =
                addresses.map(|(number, (address, handler))| write(number as u32, address, handler)).collect();
            steps.push(write(7, control & 0xFFFF_FFFF, last));
            steps
        })
        .boxed()
}

/// An address without a breakpoint, mostly.
pub(super) const FAR: u64 = 0x7000;

fn step(lanes: usize) -> BoxedStrategy<Step> {
    let bits = any::<[bool; 3]>();
    prop_oneof![
        40 => group(lanes).prop_map(Step::Group),
        8 => mov().prop_map(Step::Mov),
        6 => interruption().prop_map(Step::Interrupt),
        2 => (mode(), bits).prop_map(|(mode, bits)| Step::Mode(mode, bits)),
        3 => Just(Step::Rest),
        1 => prop::bool::weighted(0.3).prop_map(|reset| if reset { Step::Reset } else { Step::Rest }),
        1 => arm().prop_map(|mut steps| steps.remove(0)),
    ]
    .boxed()
}

fn group(lanes: usize) -> BoxedStrategy<Group> {
    let parts = prop_oneof![6 => Just(0), 1 => 1..=2_usize]
        .prop_flat_map(|parts| vec((access(), access()), parts))
        .prop_map(|parts| {
            let part = |(first, second)| Lane { accesses: [first, second], ..Lane::default() };
            parts.into_iter().map(part).collect()
        });
    let io = (prop::bool::weighted(0.6), io()).prop_map(|(used, io)| Io { valid: used && io.valid, ..io });
    (vec(lane(), 1..=lanes), io, parts, prop::bool::weighted(0.2), handler())
        .prop_map(|(lanes, io, parts, asks, handler)| Group { lanes, io, parts, asks, handler })
        .boxed()
}

fn mov() -> BoxedStrategy<Mov> {
    let number = prop_oneof![3 => 0..4_u32, 3 => Just(6), 3 => Just(7), 1 => 4..6_u32];
    (prop::bool::weighted(0.5), number, address(), control(), status(), address(), handler())
        .prop_map(|(write, number, address, control, status, ip, handler)| {
            let op = if write { RegOp::WriteDr } else { RegOp::ReadDr };
            let wdata = match number {
                0..4 => address,
                4 | 6 => status,
                _ => control,
            };
            Mov { op, number, wdata, ip, handler }
        })
        .boxed()
}

fn handler() -> BoxedStrategy<Handler> {
    let gate = prop::option::weighted(0.08, any::<[bool; 2]>());
    let back = prop::option::weighted(0.6, prop::bool::weighted(0.6));
    (0..3_u8, prop::bool::weighted(0.07), gate, address(), any::<bool>(), back)
        .prop_map(|(waits, lost, gate, next, reads, back)| Handler { waits, lost, gate, next, reads, back })
        .boxed()
}
