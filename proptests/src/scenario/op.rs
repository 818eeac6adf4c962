//! One thing that happens.

use super::block::{Block, block};
use super::lane::lane;
use lwp_model::lwp::{CtlOp, Lane, Mode, OpMode};
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

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Instructions retire together; lanes that the unit does not have are left out.
    Retire(Vec<Lane>),
    /// Loads of an instruction that retires later.
    Partial(Lane),
    /// Nothing happens for some cycles.
    Idle(u8),
    /// The mode changes.
    Enter(Mode),
    /// After some cycles the processor leaves for another mode, and comes back after some more: a system call, an interrupt.
    Excursion(u8, Mode, u8),
    /// An operation of the control port.
    Control(CtlOp, Argument, u32),
    /// Software moves the tail of block 0 or 1.
    Tail(u8, TailMove),
    /// Software writes a block anew.
    Rewrite(u8, Block),
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

fn mode() -> impl Strategy<Value = Mode> {
    use OpMode::{Compatibility, Long64, Protected, Real, Virtual8086};
    let op_mode = prop_oneof![
        12 => Just(Long64),
        2 => prop::sample::select(vec![Compatibility, Protected]),
        1 => prop::sample::select(vec![Real, Virtual8086]),
    ];
    let cpl = prop_oneof![6 => Just(3_u8), 3 => Just(0), 1 => 1_u8..3];
    (cpl, prop::bool::weighted(0.1), op_mode).prop_map(|(cpl, smm, op_mode)| Mode { cpl, smm, op_mode })
}

fn control() -> impl Strategy<Value = Op> {
    use CtlOp::{Llwpcb, ReadMsr0, ReadMsr1, Reserved6, Reserved7, Slwpcb, WriteMsr0, WriteMsr1};
    let op = prop_oneof![
        8 => Just(Llwpcb),
        6 => Just(Slwpcb),
        3 => Just(WriteMsr0),
        3 => Just(WriteMsr1),
        2 => prop::sample::select(vec![ReadMsr0, ReadMsr1, Reserved6, Reserved7]),
    ];
    let argument = prop_oneof![
        2 => Just(Argument::Zero),
        8 => (0_u8..2).prop_map(Argument::Block),
        1 => (0_u8..2).prop_map(Argument::Misaligned),
        1 => any::<u64>().prop_map(Argument::Wild),
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

fn tail() -> impl Strategy<Value = Op> {
    let how = prop_oneof![
        4 => Just(TailMove::Drain),
        3 => (1_u8..4).prop_map(TailMove::By),
        1 => any::<u32>().prop_map(TailMove::Wild),
        1 => (0_u32..300).prop_map(TailMove::Wild),
    ];
    (0_u8..2, how).prop_map(|(block, how)| Op::Tail(block, how))
}

/// Any operation, weighted so that sessions live long enough to do something.
pub fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        24 => prop::collection::vec(lane(), 1..5).prop_map(Op::Retire),
        4 => lane().prop_map(Op::Partial),
        10 => (1_u8..30).prop_map(Op::Idle),
        5 => mode().prop_map(Op::Enter),
        8 => (0_u8..26, mode(), 0_u8..12).prop_map(|(before, mode, away)| Op::Excursion(before, mode, away)),
        5 => control(),
        3 => tail(),
        1 => (0_u8..2, block()).prop_map(|(at, block)| Op::Rewrite(at, block)),
        1 => (0_u8..3).prop_map(Op::PageOut),
        2 => Just(Op::PageIn),
        2 => Just(Op::AckInterrupt),
        3 => Just(Op::AckPageFault),
        1 => (1_u8..4).prop_map(Op::Reset),
    ]
}
