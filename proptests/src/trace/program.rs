//! Programs for the unit: what a core, memory and an operating system do that keep to the rules of the ports.
//!
//! A `Step` says what the core does if it may. The core of `core.rs` shows it to the unit beside the model.

use super::core::{AREA, Core};
use super::scenario::{Scenario, address, control, interruption, lane, mode, straps};
use lwp_model::retire::{Branch, BranchKind, Interruption, Mode, OpMode, Retired};
use lwp_model::trace::{Inputs, Lane, Outputs, TraceUnit};
use lwp_model::{Choice, Moore, Unit};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// What happens next.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Instructions retire together; the event of these counters occurs among them.
    Group(Vec<Lane>, u8),
    /// Counters overflow in a cycle without instructions.
    Overflow(u8),
    /// A performance interrupt is asked for.
    Pmi,
    /// Something interrupts the program.
    Interrupt(Interruption),
    /// An SMI between two addresses, instructions in SMM, and RSM behind them.
    Smm([u64; 2], Vec<Lane>),
    /// RDMSR.
    Read(u32),
    /// RDMSR of the newest entries of the stack, and of the last exception record.
    Look,
    /// WRMSR.
    Write(u32, u64),
    /// WRMSR of IA32_PEBS_ENABLE with those of these counters that can store records.
    Enable(u8),
    /// WRMSR of IA32_DEBUGCTL with those of these bits that exist.
    Control(u64),
    /// Software sets up a buffer in memory.
    Buffer(Buffer),
    /// A page is present, or is not.
    Present(bool),
    /// An access page-faults.
    Fault(Fault),
    /// Mode and segments change: base of CS, base and mode behind far transfers.
    Mode(Mode, [u64; 2], bool),
    /// Nothing, for some cycles.
    Rest(u8),
    /// The unit is reset, at once or in the first cycle of a pulse that comes soon.
    Reset(Pulse),
}

/// The access that page-faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The one behind so many others.
    Behind(u8),
    /// The next write of an index.
    Index,
}

/// A pulse of the unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pulse {
    /// None is waited for.
    None,
    /// Of a record that is stored or lost.
    Notice,
    /// Of a counter that is to be set.
    Reload,
}

/// One of the two buffers, as software describes it in the management area.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer {
    /// It is the PEBS buffer.
    pub(super) pebs: bool,
    /// In the format that the unit does not have in this mode.
    pub(super) other: bool,
    /// Records that fit in.
    pub(super) records: u64,
    /// Bytes behind them that are not used, and bytes by which the buffer is misaligned.
    pub(super) rest: [u64; 2],
    /// Records before the index, and before the threshold.
    pub(super) filled: u64,
    pub(super) threshold: u64,
}

/// Generates the cycles of a core that executes up to `steps` steps, for the model with these sizes.
pub fn program<const LANES: usize, const ENTRIES: usize>(steps: usize) -> BoxedStrategy<Scenario<LANES>>
where
    TraceUnit<LANES, ENTRIES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit,
{
    let memory = (1..4_u8, 0..4_u8, any::<bool>());
    (straps(ENTRIES), memory, arm(), vec(step(LANES), 1..=steps))
        .prop_map(|(straps, memory, arm, steps)| {
            let mut core = Core::<LANES, ENTRIES>::new(straps, memory);
            arm.into_iter().chain(steps).for_each(|step| core.step(step));
            Scenario { straps, cycles: core.into_cycles() }
        })
        .boxed()
}

/// Generates the set-up: a mode, both buffers in its format, the area's address, counters, IA32_DEBUGCTL.
fn arm() -> BoxedStrategy<Vec<Step>> {
    let flags = prop_oneof![3 => Just(0xC1_u64), 2 => Just(0x1C1), 1 => Just(0x41), 1 => 0..2_u64, 2 => Just(0x801)];
    let on = (flags, prop_oneof![2 => Just(0), 1 => any::<u64>()]).prop_map(|(flags, more)| flags | more & 0xD800);
    let op_mode = prop_oneof![1 => Just(OpMode::Long64), 1 => select(OpMode::ALL)];
    (
        op_mode,
        vec(buffer(), 2),
        1..16_u8,
        prop_oneof![6 => on.prop_map(Step::Control), 1 => control().prop_map(|on| Step::Write(0x1D9, on))],
    )
        .prop_map(|(op_mode, buffers, counters, on)| {
            let long = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
            let mode = |op_mode| Step::Mode(Mode { op_mode, ..long }, [0, 0], op_mode == OpMode::Long64);
            let buffers = buffers.into_iter().zip([false, true]);
            let buffers = buffers.map(|(buffer, pebs)| Step::Buffer(Buffer { pebs, other: false, ..buffer }));
            let writes = [Step::Write(0x600, AREA), Step::Enable(counters), on];
            // The registers come first: in virtual-8086 mode WRMSR faults.
            writes.into_iter().chain([mode(op_mode)]).chain(buffers).collect()
        })
        .boxed()
}

fn buffer() -> BoxedStrategy<Buffer> {
    let rest = (prop_oneof![3 => Just(0), 1 => 0..24_u64], prop_oneof![12 => Just(0), 1 => 1..8_u64]);
    let filled = prop_oneof![3 => Just(0), 2 => 0..5_u64];
    let threshold = prop_oneof![2 => 1..4_u64, 1 => 0..7_u64];
    (any::<bool>(), prop::bool::weighted(0.1), 0..6_u64, rest, filled, threshold)
        .prop_map(|(pebs, other, records, (rest, misaligned), filled, threshold)| Buffer {
            pebs,
            other,
            records,
            rest: [rest, misaligned],
            filled,
            threshold,
        })
        .boxed()
}

fn pulse() -> BoxedStrategy<Pulse> {
    prop_oneof![1 => Just(Pulse::None), 1 => Just(Pulse::Notice), 2 => Just(Pulse::Reload)].boxed()
}

/// A branch in this lane that is taken.
fn taken(lane: Lane) -> Lane {
    let kind = if lane.branch.kind == BranchKind::None { BranchKind::JmpRel } else { lane.branch.kind };
    Lane {
        retired: Retired { valid: true, ..lane.retired },
        branch: Branch { kind, taken: true, ..lane.branch },
        ..lane
    }
}

fn step(lanes: usize) -> BoxedStrategy<Step> {
    let events = prop_oneof![2 => Just(0), 1 => 1..16_u8];
    let number = select(vec![0x1D9_u32, 0x1C9, 0x1DD, 0x1DE, 0x680, 0x681, 0x6C1, 0xDC1, 0x40, 0x61, 0x600, 0x3F1]);
    let bases = prop_oneof![3 => Just([0, 0]), 1 => any::<[u16; 2]>().prop_map(|bases| bases.map(|base| u64::from(base) << 12))];
    prop_oneof![
        40 => (vec(lane(), 1..=lanes), events).prop_map(|(lanes, events)| Step::Group(lanes, events)),
        2 => vec(lane().prop_map(taken), lanes).prop_map(|lanes| Step::Group(lanes, 0)),
        6 => (1..16_u8).prop_map(Step::Overflow),
        2 => Just(Step::Pmi),
        6 => interruption().prop_map(Step::Interrupt),
        1 => ([address(), address()], vec(lane(), lanes)).prop_map(|(addresses, lanes)| Step::Smm(addresses, lanes)),
        3 => number.prop_map(Step::Read),
        2 => Just(Step::Look),
        3 => control().prop_map(|value| Step::Write(0x1D9, value)),
        1 => (0..16_u64).prop_map(|value| Step::Write(0x3F1, value)),
        1 => any::<u8>().prop_map(Step::Enable),
        1 => any::<u64>().prop_map(Step::Control),
        2 => buffer().prop_map(Step::Buffer),
        1 => prop::bool::weighted(0.8).prop_map(Step::Present),
        1 => prop_oneof![1 => (0..24_u8).prop_map(Fault::Behind), 2 => Just(Fault::Index)].prop_map(Step::Fault),
        1 => (0..32_u64).prop_map(|top| Step::Write(0x1C9, top)),
        2 => (mode(), bases, any::<bool>()).prop_map(|(mode, bases, long)| Step::Mode(mode, bases, long)),
        4 => (1..40_u8).prop_map(Step::Rest),
        1 => prop_oneof![5 => Just(Step::Rest(1)), 1 => pulse().prop_map(Step::Reset)],
    ]
    .boxed()
}
