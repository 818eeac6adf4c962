//! The text of a row of inputs.

use crate::lwp::input_fields::unpack_any;
use lwp_model::lwp::{Inputs, Lane, OpMode};
use std::fmt::Write;

const OPERATIONS: [&str; 8] = [
    "LLWPCB",
    "SLWPCB",
    "RDMSR LWPMSR0",
    "WRMSR LWPMSR0",
    "RDMSR LWPMSR1",
    "WRMSR LWPMSR1",
    "save word",
    "restore word",
];
const BRANCHES: [&str; 11] =
    ["", " jmp", " jcc", " jmp_ind", " call", " call_ind", " ret", " far_jmp", " far_call", " far_ret", " system"];

/// Returns a description of the inputs of a cycle, without the idle ones.
pub(super) fn describe(row: &[u32]) -> String {
    let (Inputs { mode, partial, lanes, buffer, entropy: _, ctl, mem, pf_ack, irq_ack }, rst_n) = unpack_any(row);
    let mut text = format!("cpl {}", mode.cpl);
    let unusual = mode.op_mode != OpMode::Long64;
    let parts = [(mode.smm, " smm"), (unusual, " not in 64-bit mode"), (!rst_n, " reset"), (partial, " partial")];
    parts.iter().filter(|(shown, _)| *shown).for_each(|(_, part)| text.push_str(part));
    if ctl.valid {
        let (code, value) = (ctl.op as usize, ctl.wdata);
        match OPERATIONS.get(code) {
            Some(operation) if code >= 6 => text_of(&mut text, format_args!(", {operation} {} {value:#x}", ctl.word)),
            Some(operation) => text_of(&mut text, format_args!(", {operation} {value:#x}")),
            None => text_of(&mut text, format_args!(", operation {code} {value:#x}")),
        }
    }
    if mem.rvalid {
        let answer = if mem.err { "page fault".to_owned() } else { format!("{:#018x}", mem.rdata) };
        text_of(&mut text, format_args!(", memory answers {answer}"));
    }
    let parts = [
        (mem.gnt, ", memory grants"),
        (pf_ack, ", page fault taken"),
        (irq_ack, ", interrupt taken"),
        (buffer.replay_abort, ", replay aborted"),
    ];
    parts.iter().filter(|(shown, _)| *shown).for_each(|(_, part)| text.push_str(part));
    if buffer.alloc_valid {
        text_of(&mut text, format_args!(", load takes entry {}", buffer.alloc_entry));
    }
    if buffer.fill_valid {
        let (entry, source, ip) = (buffer.fill_entry, buffer.fill_source, buffer.fill_ip);
        text_of(&mut text, format_args!(", data of entry {entry} from source {source} for ip {ip:#x}"));
    }
    for (number, lane) in lanes.iter().enumerate().filter(|(_, lane)| lane.valid) {
        describe_lane(&mut text, number, lane);
    }
    text
}

fn describe_lane(text: &mut String, number: usize, lane: &Lane) {
    let branch = BRANCHES[lane.branch_kind as usize];
    text_of(text, format_args!(", lane {number} ip {:#x}{branch}", lane.ip));
    if !branch.is_empty() {
        let taken = if lane.branch_taken { "taken" } else { "not taken" };
        let predicted = match (lane.branch_pred_valid, lane.branch_pred_ok) {
            (false, _) => "",
            (true, false) => ", mispredicted",
            (true, true) => ", predicted",
        };
        text_of(text, format_args!(" ({taken}{predicted}) to {:#x}", lane.branch_next));
    }
    for load in &lane.loads {
        if load.miss {
            let address = if load.addr_valid { format!("{:#x}", load.addr) } else { "unknown address".to_owned() };
            text_of(text, format_args!(" miss {address} latency {} source {}", load.latency, load.source));
        }
        if load.tagged {
            text_of(text, format_args!(" tagged load {:#x}", load.addr));
        }
    }
}

/// Appends `part` to `text`. Writing to a `String` cannot fail.
fn text_of(text: &mut String, part: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(part);
}

#[cfg(test)]
mod tests {
    use super::describe;
    use crate::lwp::flat::{in_words, pack_inputs};
    use lwp_model::lwp::{BranchKind, Control, CtlOp, Inputs, Lane, Load, Memory, Mode};

    #[test]
    fn a_row_reads_as_it_was_packed() {
        let load = Load { miss: true, addr_valid: true, tagged: false, addr: 0x7000, latency: 200, source: 3 };
        let mut inputs = Inputs::<2> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
        inputs.mem = Memory { rvalid: true, rdata: 0x1234, ..Memory::default() };
        inputs.lanes[1] = Lane {
            valid: true,
            ip: 0x40_1000,
            branch_kind: BranchKind::Jcc,
            branch_pred_valid: true,
            branch_next: 0x40_1002,
            loads: [Load::default(), load],
            ..Lane::default()
        };
        let mut row = vec![0; in_words(2)];
        pack_inputs(&inputs, true, &mut row);
        let expected = "cpl 3, memory answers 0x0000000000001234, lane 1 ip 0x401000 jcc (not taken, mispredicted) to \
                        0x401002 miss 0x7000 latency 200 source 3";
        assert_eq!(describe(&row), expected);
    }

    #[test]
    fn operations_and_acknowledgements_are_named() {
        let ctl = Control { valid: true, op: CtlOp::WriteMsr0, wdata: 0x8000_000F, ..Control::default() };
        let inputs = Inputs::<1> { ctl, irq_ack: true, ..Inputs::default() };
        let mut row = vec![0; in_words(1)];
        pack_inputs(&inputs, true, &mut row);
        assert_eq!(describe(&row), "cpl 0, WRMSR LWPMSR0 0x8000000f, interrupt taken");
    }
}
