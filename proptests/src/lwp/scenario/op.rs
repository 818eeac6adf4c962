//! One thing that happens.

use super::bias::{Bias, OpKind};
use super::block::{Block, block};
use super::lane::{lane, plain_lane};
use lwp_model::lwp::{Buffer, CtlOp, Lane, Mode, OpMode};
use proptest::prelude::*;

/// What goes into `ctl_wdata`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// 0: disable, or clear the register.
    Zero,
    /// The address of one of the bench's blocks.
    Block(u8),
    /// That address plus 8, which is not aligned.
    Misaligned(u8),
    /// Legal bits of LWPMSR0, more or fewer.
    Features(u8),
    /// Anything.
    Wild(u64),
}

/// How software moves the tail in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TailMove {
    /// Everything has been read: tail := head.
    Drain,
    /// Some records have been read.
    By(u8),
    /// Software errs.
    Wild(u32),
}

/// What software must not write while a session runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scribble {
    /// Flags.
    Flags,
    /// BufferSize and Random.
    Size,
    /// BufferHeadOffset.
    Head,
    /// Interval and EventId of a slot.
    Slot(u8),
    /// The counter of a slot.
    Counter(u8),
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Instructions retire together; lanes that the unit does not have are left out.
    Retire(Vec<Lane>),
    /// Loads of an instruction that retires later.
    Partial(Lane),
    /// An instruction whose first load misses: it takes an entry of the miss address buffer, waits for so many cycles, and has
    /// its data returned. If it is tagged then, its replay is aborted or not.
    Miss(Lane, u8, bool),
    /// Something at the miss address buffer, whatever the loads do.
    Buffer(Buffer),
    /// Nothing happens for some cycles.
    Idle(u8),
    /// The mode changes.
    Enter(Mode),
    /// After some cycles the processor leaves for another mode, and comes back after some more: a system call, an interrupt.
    Excursion(u8, Mode, u8),
    /// An operation of the control port.
    Control(CtlOp, Argument, u32),
    /// A save (false) or restore (true) of a context word, by itself.
    Context(bool, u8, u64),
    /// The system switches to the other thread through the save and restore ports.
    Switch,
    /// System management mode saves everything, loses power or not, and brings it back.
    Smm(bool),
    /// Software moves the tail of block 0 or 1.
    Tail(u8, TailMove),
    /// Software writes a block anew.
    Rewrite(u8, Block),
    /// Software moves block 0 or 1, or the ring of both (2), to this address. (Not drawn by itself.)
    Place(u8, u64),
    /// Software breaks its contract: it writes a word of a block while hardware uses it.
    Scribble(u8, Scribble, u32),
    /// The page of a block (0, 1) or of the buffer (2) goes.
    PageOut(u8),
    /// All pages are back.
    PageIn,
    /// The core takes the interrupt.
    AckInterrupt,
    /// The core takes the page-fault trap.
    AckPageFault,
    /// Reset is active for some cycles.
    Reset(u8),
}

fn percent(chance: u32) -> prop::bool::Weighted {
    prop::bool::weighted(f64::from(chance) / 100.0)
}

fn mode(bias: &Bias) -> impl Strategy<Value = Mode> + use<> {
    use OpMode::{Compatibility, Long64, Protected, Real, Virtual8086};
    let op_mode = prop_oneof![
        bias.op_mode[0] => Just(Long64),
        bias.op_mode[1] => prop::sample::select(vec![Compatibility, Protected]),
        bias.op_mode[2] => prop::sample::select(vec![Real, Virtual8086]),
    ];
    let cpl = prop_oneof![bias.cpl[0] => Just(3_u8), bias.cpl[1] => Just(0), bias.cpl[2] => 1_u8..3];
    (cpl, percent(bias.smm), op_mode).prop_map(|(cpl, smm, op_mode)| Mode { cpl, smm, op_mode })
}

fn control(bias: &Bias) -> impl Strategy<Value = Op> + use<> {
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
    (op, argument, any::<u8>(), ds_base).prop_map(|(op, argument, features, ds_base)| {
        let argument = match (op, argument) {
            (WriteMsr0, Argument::Block(_)) => Argument::Features(features),
            (_, argument) => argument,
        };
        Op::Control(op, argument, ds_base)
    })
}

fn tail(bias: &Bias) -> impl Strategy<Value = Op> + use<> {
    let how = prop_oneof![
        bias.tail[0] => Just(TailMove::Drain),
        bias.tail[1] => (1_u8..4).prop_map(TailMove::By),
        bias.tail[2] => any::<u32>().prop_map(TailMove::Wild),
        bias.tail[3] => (0_u32..300).prop_map(TailMove::Wild),
    ];
    (0_u8..2, how).prop_map(|(block, how)| Op::Tail(block, how))
}

fn miss() -> impl Strategy<Value = Op> {
    let wait = prop_oneof![4 => 1_u8..40, 1 => any::<u8>()];
    (plain_lane(), wait, prop::bool::weighted(0.2)).prop_map(|(mut lane, wait, abort)| {
        lane.loads[0].miss = true;
        Op::Miss(lane, wait, abort)
    })
}

/// Anything at the ports of the miss address buffer.
pub fn buffer() -> impl Strategy<Value = Buffer> {
    let latency = prop_oneof![0_u32..64, (0_u32..64).prop_map(|units| units * 16)];
    let alloc = (any::<bool>(), 0_u8..8);
    let fill = (any::<bool>(), 0_u8..8, any::<u64>(), latency, 0_u8..8);
    (alloc, fill, prop::bool::weighted(0.1)).prop_map(
        |((alloc_valid, alloc_entry), (fill_valid, fill_entry, fill_ip, fill_latency, fill_source), replay_abort)| {
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
}

/// Values near those that the hardware itself would give, so that a restored session sometimes runs.
fn context(bias: &Bias) -> impl Strategy<Value = Op> + use<> {
    let value = prop_oneof![
        2 => any::<u64>(),
        1 => Just(0),
        2 => (0_u64..9, 0_u64..9).prop_map(|(high, low)| high << 32 | low),
        2 => (0_u64..4, 0_u64..4, 0_u64..9).prop_map(|(missed, flags, head)| missed << 48 | flags << 32 | head << 5),
        1 => prop::sample::select(super::super::bench::BLOCKS.to_vec()),
    ];
    (percent(bias.restore), 0_u8..12, value).prop_map(|(restore, word, value)| Op::Context(restore, word, value))
}

fn scribble() -> impl Strategy<Value = Op> {
    let what = prop_oneof![
        Just(Scribble::Flags),
        Just(Scribble::Size),
        Just(Scribble::Head),
        (0_u8..4).prop_map(Scribble::Slot),
        (0_u8..4).prop_map(Scribble::Counter),
    ];
    let value = prop_oneof![any::<u32>(), 0_u32..300, (0_u32..4, 0_u32..9).prop_map(|(id, low)| id << 26 | low)];
    (0_u8..2, what, value).prop_map(|(block, what, value)| Op::Scribble(block, what, value))
}

/// Any operation, weighted so that sessions live long enough to do something.
pub fn op() -> impl Strategy<Value = Op> {
    op_with(&Bias::default())
}

/// Any operation, with these weights.
pub fn op_with(bias: &Bias) -> impl Strategy<Value = Op> + use<> {
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
}
