//! A row of inputs in words, after the table "The flat image" in the book.

use std::fmt::Write;

/// Words of a row before the lanes, and of a lane.
const COMMON: usize = 12;
const LANE: usize = 11;

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

/// What the inputs of a cycle say; idle parts are left out.
pub(super) fn describe(row: &[u32]) -> String {
    let common = row[0];
    let bit = |index: u32| common >> index & 1 == 1;
    let mut text = format!("cpl {}", common >> 2 & 3);
    let parts =
        [(bit(1), " smm"), (common >> 4 & 7 != 4, " not in 64-bit mode"), (!bit(0), " reset"), (bit(7), " partial")];
    parts.iter().filter(|(shown, _)| *shown).for_each(|(_, part)| text.push_str(part));
    if bit(8) {
        let (code, value) = (common >> 9 & 15, long(row, 1));
        match OPERATIONS.get(code as usize) {
            Some(operation) if code >= 6 => {
                text_of(&mut text, format_args!(", {operation} {} {value:#x}", row[7] & 15));
            }
            Some(operation) => text_of(&mut text, format_args!(", {operation} {value:#x}")),
            None => text_of(&mut text, format_args!(", operation {code} {value:#x}")),
        }
    }
    if bit(14) {
        let answer = if bit(15) { "page fault".to_owned() } else { format!("{:#018x}", long(row, 5)) };
        text_of(&mut text, format_args!(", memory answers {answer}"));
    }
    let parts = [
        (bit(13), ", memory grants"),
        (bit(16), ", page fault taken"),
        (bit(17), ", interrupt taken"),
        (bit(18), ", replay aborted"),
    ];
    parts.iter().filter(|(shown, _)| *shown).for_each(|(_, part)| text.push_str(part));
    if bit(19) {
        text_of(&mut text, format_args!(", load takes entry {}", common >> 20 & 7));
    }
    if bit(23) {
        let (entry, source, ip) = (common >> 24 & 7, common >> 27 & 7, long(row, 8));
        text_of(&mut text, format_args!(", data of entry {entry} from source {source} for ip {ip:#x}"));
    }
    for (number, lane) in row[COMMON..].chunks_exact(LANE).enumerate().filter(|(_, lane)| lane[0] & 1 == 1) {
        describe_lane(&mut text, number, lane);
    }
    text
}

fn describe_lane(text: &mut String, number: usize, lane: &[u32]) {
    let bits = lane[0];
    let branch = BRANCHES.get((bits >> 2 & 15) as usize).unwrap_or(&" unknown branch");
    text_of(text, format_args!(", lane {number} ip {:#x}{branch}", long(lane, 1)));
    if !branch.is_empty() {
        let taken = if bits >> 6 & 1 == 1 { "taken" } else { "not taken" };
        let predicted = match bits >> 7 & 3 {
            1 => ", mispredicted",
            3 => ", predicted",
            _ => "",
        };
        text_of(text, format_args!(" ({taken}{predicted}) to {:#x}", long(lane, 3)));
    }
    for (shift, words, tagged) in [(9, 5, 19), (14, 8, 20)] {
        let load = bits >> shift;
        if load & 1 == 1 {
            let address =
                if load & 2 == 2 { format!("{:#x}", long(lane, words)) } else { "unknown address".to_owned() };
            let (latency, source) = (lane[words + 2], load >> 2 & 7);
            text_of(text, format_args!(" miss {address} latency {latency} source {source}"));
        }
        if bits >> tagged & 1 == 1 {
            text_of(text, format_args!(" tagged load {:#x}", long(lane, words)));
        }
    }
}

fn long(words: &[u32], at: usize) -> u64 {
    u64::from(words[at]) | u64::from(words[at + 1]) << 32
}

/// Appends; a `String` takes everything.
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
