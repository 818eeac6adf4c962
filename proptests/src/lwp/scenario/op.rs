//! Operations: the actions of a scenario.

use super::bias::{Bias, OpKind};
use super::block::{Block, block};
use super::lane::{lane, plain_lane};
use lwp_model::lwp::{Buffer, CtlOp, Lane, Mode, OpMode};
use proptest::prelude::*;

/// The source of the value of `ctl_wdata`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The value 0: disable, or clear the register.
    Zero,
    /// The address of one of the bench's blocks.
    Block(u8),
    /// That address plus 8, which is not aligned.
    Misaligned(u8),
    /// Legal bits of LWPMSR0, more or fewer of them.
    Features(u8),
    /// Any value.
    Wild(u64),
}

/// A move of the tail in memory by software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TailMove {
    /// A move to the head, after everything has been read.
    Drain,
    /// A move by this many records that have been read.
    By(u8),
    /// A value that software writes in error.
    Wild(u32),
}

/// A field that software must not write while a session runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scribble {
    /// The Flags word.
    Flags,
    /// The word of BufferSize and Random.
    Size,
    /// The BufferHeadOffset field.
    Head,
    /// The interval and EventId of a slot.
    Slot(u8),
    /// The counter of a slot.
    Counter(u8),
}

/// One action of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Instructions that retire together; lanes that the unit does not have are left out.
    Retire(Vec<Lane>),
    /// Loads of an instruction that retires later.
    Partial(Lane),
    /// An instruction whose first load misses: the load takes an entry of the miss address buffer, waits for this many
    /// cycles, and receives its data. If it is tagged then, the last field selects whether its replay is aborted.
    Miss(Lane, u8, bool),
    /// Inputs at the miss address buffer, independent of the loads.
    Buffer(Buffer),
    /// A number of cycles without any action.
    Idle(u8),
    /// A change of the mode.
    Enter(Mode),
    /// A system call or an interrupt: after some cycles the processor leaves for another mode, and returns after some
    /// more cycles.
    Excursion(u8, Mode, u8),
    /// An operation of the control port.
    Control(CtlOp, Argument, u32),
    /// A save (false) or restore (true) of a single context word.
    Context(bool, u8, u64),
    /// A switch to the other thread by the system, through the save and restore ports.
    Switch,
    /// System management mode: it saves everything, loses power (true) or not, and restores everything.
    Smm(bool),
    /// A move of the tail of block 0 or 1 by software.
    Tail(u8, TailMove),
    /// A new content that software writes to a block.
    Rewrite(u8, Block),
    /// A move by software of block 0 or 1, or of the ring of both (2), to this address. (Not generated on its own.)
    Place(u8, u64),
    /// A word of a block that software writes while hardware uses it, against its contract.
    Scribble(u8, Scribble, u32),
    /// The removal of the page of a block (0, 1) or of the buffer (2).
    PageOut(u8),
    /// The return of all pages.
    PageIn,
    /// The acknowledgement of the interrupt by the core.
    AckInterrupt,
    /// The acknowledgement of the page-fault trap by the core.
    AckPageFault,
    /// A reset of this many cycles.
    Reset(u8),
}

fn percent(chance: u32) -> prop::bool::Weighted {
    prop::bool::weighted(f64::from(chance) / 100.0)
}

fn mode(bias: &Bias) -> BoxedStrategy<Mode> {
    use OpMode::{Compatibility, Long64, Protected, Real, Virtual8086};
    let op_mode = prop_oneof![
        bias.op_mode[0] => Just(Long64),
        bias.op_mode[1] => prop::sample::select(vec![Compatibility, Protected]),
        bias.op_mode[2] => prop::sample::select(vec![Real, Virtual8086]),
    ];
    let cpl = prop_oneof![bias.cpl[0] => Just(3_u8), bias.cpl[1] => Just(0), bias.cpl[2] => 1_u8..3];
    (cpl, percent(bias.smm), op_mode).prop_map(|(cpl, smm, op_mode)| Mode { cpl, smm, op_mode }).boxed()
}

fn control(bias: &Bias) -> BoxedStrategy<Op> {
    use CtlOp::{Llwpcb, ReadMsr0, ReadMsr1, Reserved8, Reserved15, Slwpcb, WriteMsr0, WriteMsr1};
    let op = prop_oneof![
        bias.control[0] => Just(Llwpcb),
        bias.control[1] => Just(Slwpcb),
        bias.control[2] => Just(WriteMsr0),
        bias.control[3] => Just(WriteMsr1),
        bias.control[4] => prop::sample::select(vec![ReadMsr0, ReadMsr1, Reserved8, Reserved15]),
    ];
    let argument = prop_oneof![
        bias.argument[0] => Just(Argument::Zero),
        bias.argument[1] => (0_u8..2).prop_map(Argument::Block),
        bias.argument[2] => (0_u8..2).prop_map(Argument::Misaligned),
        bias.argument[3] => any::<u64>().prop_map(Argument::Wild),
    ];
    let ds_base = prop_oneof![6 => Just(0_u32), 1 => any::<u32>().prop_map(|base| base & !15)];
    (op, argument, any::<u8>(), ds_base)
        .prop_map(|(op, argument, features, ds_base)| {
            let argument = match (op, argument) {
                (WriteMsr0, Argument::Block(_)) => Argument::Features(features),
                (_, argument) => argument,
            };
            Op::Control(op, argument, ds_base)
        })
        .boxed()
}

fn tail(bias: &Bias) -> BoxedStrategy<Op> {
    let how = prop_oneof![
        bias.tail[0] => Just(TailMove::Drain),
        bias.tail[1] => (1_u8..4).prop_map(TailMove::By),
        bias.tail[2] => any::<u32>().prop_map(TailMove::Wild),
        bias.tail[3] => (0_u32..300).prop_map(TailMove::Wild),
    ];
    (0_u8..2, how).prop_map(|(block, how)| Op::Tail(block, how)).boxed()
}

fn miss() -> BoxedStrategy<Op> {
    let wait = prop_oneof![4 => 1_u8..40, 1 => any::<u8>()];
    (plain_lane(), wait, prop::bool::weighted(0.2))
        .prop_map(|(mut lane, wait, abort)| {
            lane.loads[0].miss = true;
            Op::Miss(lane, wait, abort)
        })
        .boxed()
}

/// Generates any inputs at the ports of the miss address buffer.
pub fn buffer() -> BoxedStrategy<Buffer> {
    let latency = prop_oneof![0_u32..64, (0_u32..64).prop_map(|units| units * 16)];
    let alloc = (any::<bool>(), 0_u8..8);
    let fill = (any::<bool>(), 0_u8..8, any::<u64>(), latency, 0_u8..8);
    (alloc, fill, prop::bool::weighted(0.1))
        .prop_map(
            |(
                (alloc_valid, alloc_entry),
                (fill_valid, fill_entry, fill_ip, fill_latency, fill_source),
                replay_abort,
            )| {
                Buffer {
                    alloc_valid,
                    alloc_entry,
                    fill_valid,
                    fill_entry,
                    fill_ip,
                    fill_latency,
                    fill_source,
                    replay_abort,
                }
            },
        )
        .boxed()
}

/// Generates values near those that the hardware itself would give, so that a restored session sometimes runs.
fn context(bias: &Bias) -> BoxedStrategy<Op> {
    let value = prop_oneof![
        2 => any::<u64>(),
        1 => Just(0),
        2 => (0_u64..9, 0_u64..9).prop_map(|(high, low)| high << 32 | low),
        2 => (0_u64..4, 0_u64..4, 0_u64..9).prop_map(|(missed, flags, head)| missed << 48 | flags << 32 | head << 5),
        1 => prop::sample::select(super::super::bench::BLOCKS.to_vec()),
    ];
    (percent(bias.restore), 0_u8..12, value)
        .prop_map(|(restore, word, value)| Op::Context(restore, word, value))
        .boxed()
}

fn scribble() -> BoxedStrategy<Op> {
    let what = prop_oneof![
        Just(Scribble::Flags),
        Just(Scribble::Size),
        Just(Scribble::Head),
        (0_u8..4).prop_map(Scribble::Slot),
        (0_u8..4).prop_map(Scribble::Counter),
    ];
    let value = prop_oneof![any::<u32>(), 0_u32..300, (0_u32..4, 0_u32..9).prop_map(|(id, low)| id << 26 | low)];
    (0_u8..2, what, value).prop_map(|(block, what, value)| Op::Scribble(block, what, value)).boxed()
}

/// Generates any operation, weighted so that sessions run long enough to record something.
pub fn op() -> BoxedStrategy<Op> {
    op_with(&Bias::default()).boxed()
}

/// Generates any operation, with these weights.
pub fn op_with(bias: &Bias) -> BoxedStrategy<Op> {
    use OpKind::{
        AckInterrupt, AckPageFault, Buffer, Context, Control, Enter, Excursion, Idle, Miss, PageIn, PageOut, Partial,
        Reset, Retire, Rewrite, Scribble, Smm, Switch, Tail,
    };
    let weight = |kind: OpKind| bias.ops[kind as usize];
    let changed = bias.clone();
    let rewrite = (0_u8..2, block()).prop_map(move |(at, block)| Op::Rewrite(at, changed.apply_block(block)));
    let excursion = (0_u8..26, mode(bias), 0_u8..12);
    prop_oneof![
        weight(Retire) => prop::collection::vec(lane(), 1..9).prop_map(Op::Retire),
        weight(Partial) => lane().prop_map(Op::Partial),
        weight(Miss) => miss(),
        weight(Buffer) => buffer().prop_map(Op::Buffer),
        weight(Idle) => (1_u8..30).prop_map(Op::Idle),
        weight(Enter) => mode(bias).prop_map(Op::Enter),
        weight(Excursion) => excursion.prop_map(|(before, mode, away)| Op::Excursion(before, mode, away)),
        weight(Control) => control(bias),
        weight(Context) => context(bias),
        weight(Switch) => Just(Op::Switch),
        weight(Smm) => any::<bool>().prop_map(Op::Smm),
        weight(Tail) => tail(bias),
        weight(Rewrite) => rewrite,
        weight(Scribble) => scribble(),
        weight(PageOut) => (0_u8..3).prop_map(Op::PageOut),
        weight(PageIn) => Just(Op::PageIn),
        weight(AckInterrupt) => Just(Op::AckInterrupt),
        weight(AckPageFault) => Just(Op::AckPageFault),
        weight(Reset) => (1_u8..4).prop_map(Op::Reset),
    ]
    .boxed()
}
