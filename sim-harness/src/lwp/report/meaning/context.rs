//! Descriptions of the words of a context, field by field.
//!
//! Source: docs/src/lwp/context.md, the table of words.

use super::{event_name, record, words};
use lwp_model::lwp::{CtlOp, State};
use lwp_regs::lwp::{LwpMsr0, RecordWord};

/// Returns the number of the word that the control stage saves or restores; `None` in any other operation.
pub(in super::super) fn number(state: &State) -> Option<u8> {
    let moves = matches!(state.ctl.op, CtlOp::Save | CtlOp::Restore) && !state.ctl.init;
    moves.then_some(state.ctl.idx)
}

/// Returns the content of a word of the context, for a sentence.
pub(in super::super) fn content(number: u8) -> &'static str {
    match number {
        0 => "the pointer",
        1 => "head, session, pending, missed",
        2 => "the counters of instructions and branches retired",
        3 => "the counter of DCache misses, tail_skip, rotate",
        4 => "the first word of the record that is held",
        5 => "the address of its instruction",
        6 => "its second address",
        8 => "msr0, irq, irq_count",
        9 => "the random number",
        _ => "nothing",
    }
}

/// Returns the fields of a word of the context with their values.
pub(super) fn word(number: u8, value: u64) -> Option<String> {
    let bits = |from: u32, count: u32| value >> from & ((1 << count) - 1);
    let counter = |index: u8, from: u32| format!("{} counter {}", event_name(index + 1), bits(from, 26));
    Some(match number {
        0 => format!("lwpcb {value:#x}"),
        1 => format!(
            "head {:#x}, session {}, pending {}, missed {}",
            bits(0, 28),
            bits(32, 1),
            bits(33, 1),
            bits(48, 16)
        ),
        2 => format!("{}, {}", counter(0, 0), counter(1, 32)),
        3 => format!("{}, tail_skip {}, rotate {}", counter(2, 0), bits(32, 4), bits(36, 2)),
        4 => record::text_of(RecordWord::from_bits(value)),
        5 => format!("ip {value:#x}"),
        6 => format!("addr {value:#x}"),
        8 => {
            let msr0 = words::bits(&LwpMsr0::LAYOUT, bits(0, 32));
            format!("msr0 {msr0}, irq {}, irq_count {}", bits(32, 1), bits(40, 8))
        }
        9 => format!("lfsr {:#x}", bits(0, 32)),
        _ => return None,
    })
}
