//! What happens in a cycle, in words: what comes from outside, and what the registers make of it.

use super::meaning::{control_operation, meaning, source};
use super::moment::InputRow;
use crate::lockstep::Field;
use crate::lwp::fields::FIELDS;
use crate::lwp::unflat::unpack_state;
use lwp_model::lwp::CtlOp;

const BRANCHES: [&str; 11] = [
    "",
    "jump",
    "conditional branch",
    "indirect jump",
    "call",
    "indirect call",
    "return",
    "far jump",
    "far call",
    "far return",
    "system transfer",
];

/// The same, short enough for a waveform.
const SHORT_BRANCHES: [&str; 11] =
    ["-", "jmp", "jcc", "jmp ind", "call", "call ind", "ret", "far jmp", "far call", "far ret", "system"];

/// The name of an input's value, where it is a code.
pub(super) fn input_name(input: &str, value: u64) -> Option<String> {
    match input.rsplit('.').next()? {
        "branch_kind" => SHORT_BRANCHES.get(usize::try_from(value).ok()?).map(|name| (*name).to_owned()),
        "ctl_op" => Some(control_operation(*CtlOp::ALL.get(usize::try_from(value).ok()?)?)),
        _ => None,
    }
}

/// Registers that change without meaning anything by it.
const RESTLESS: [&str; 2] = ["state.mab_phase", "state.was_ring3"];

/// What the inputs of a cycle bring, one thing each; empty for a cycle in which nothing comes.
pub(super) fn inputs(row: &[u32]) -> Vec<String> {
    let inputs = InputRow(row);
    let mut said = Vec::new();
    if !inputs.bit(0) {
        said.push("reset is asserted".to_owned());
    }
    if inputs.bit(8) {
        said.push(operation(row));
    }
    let together = plain_lanes(inputs);
    let alone = |lane: &[u32]| together.is_none() || !is_plain(lane);
    let others = inputs.lanes().enumerate().filter(|(_, lane)| alone(lane));
    said.extend(together.clone());
    said.extend(others.flat_map(|(at, lane)| lane_text(at, lane, inputs.bit(7))));
    if inputs.bit(13) {
        said.push("memory grants the request".to_owned());
    }
    match (inputs.bit(14), inputs.bit(15)) {
        (true, true) => said.push("memory answers: page fault".to_owned()),
        (true, false) => said.push(format!("memory answers {:#x}", long(row, 5))),
        _ => {}
    }
    let parts =
        [(16, "the core takes the page fault"), (17, "the core takes the interrupt"), (18, "the replay is aborted")];
    said.extend(parts.iter().filter(|(bit, _)| inputs.bit(*bit)).map(|(_, text)| (*text).to_owned()));
    if inputs.bit(19) {
        said.push(format!("a load takes entry {}", row[0] >> 20 & 7));
    }
    if inputs.bit(23) {
        let (entry, latency) = (row[0] >> 24 & 7, row[10]);
        said.push(format!("data of entry {entry} for {:#x} after {latency} cycles", long(row, 8)));
    }
    said
}

/// The mode of a cycle: `ring 3`, `cpl 0`, with what is unusual about it.
pub(super) fn mode(row: &[u32]) -> String {
    let inputs = InputRow(row);
    let mut text = if inputs.cpl() == 3 { "ring 3".to_owned() } else { format!("cpl {}", inputs.cpl()) };
    if inputs.bit(1) {
        text.push_str(", SMM");
    }
    match row[0] >> 4 & 7 {
        4 => {}
        0 => text.push_str(", real mode"),
        1 => text.push_str(", virtual-8086"),
        3 => text.push_str(", compatibility mode"),
        _ => text.push_str(", protected mode"),
    }
    text
}

fn operation(row: &[u32]) -> String {
    let (op, value) = (CtlOp::ALL[(row[0] >> 9 & 15) as usize], long(row, 1));
    match op {
        CtlOp::Save => format!("save of context word {}", row[7] & 15),
        CtlOp::Restore => format!("restore of context word {} with {value:#x}", row[7] & 15),
        CtlOp::Llwpcb | CtlOp::WriteMsr0 | CtlOp::WriteMsr1 => format!("{} {value:#x}", control_operation(op)),
        _ => control_operation(op),
    }
}

/// An instruction that counts, with neither branch nor missing load.
fn is_plain(lane: &[u32]) -> bool {
    const LOADS: u32 = 1 << 9 | 1 << 14 | 1 << 19 | 1 << 20;
    lane[0] & 3 == 3 && lane[0] >> 2 & 15 == 0 && lane[0] & LOADS == 0
}

/// Several lanes that need no line of their own.
fn plain_lanes(inputs: InputRow<'_>) -> Option<String> {
    let plain = inputs.lanes().enumerate().filter(|(_, lane)| !inputs.bit(7) && is_plain(lane));
    let (lanes, ips): (Vec<String>, Vec<String>) =
        plain.map(|(at, lane)| (at.to_string(), format!("{:#x}", long(lane, 1)))).unzip();
    (lanes.len() > 1).then(|| format!("lanes {} retire {}", lanes.join(", "), ips.join(", ")))
}

/// A lane's instruction, then its loads.
fn lane_text(at: usize, lane: &[u32], partial: bool) -> Vec<String> {
    let bits = lane[0];
    if bits & 1 == 0 {
        return Vec::new();
    }
    let ip = long(lane, 1);
    let branch = BRANCHES.get((bits >> 2 & 15) as usize).copied().unwrap_or("unknown branch");
    let what = match (partial, branch) {
        (true, _) => format!("lane {at} brings loads of {ip:#x}"),
        (_, "") => format!("lane {at} retires {ip:#x}"),
        _ => {
            let taken = if bits >> 6 & 1 == 1 { "taken" } else { "not taken" };
            let guess = ["", ", mispredicted", "", ", predicted"][(bits >> 7 & 3) as usize];
            format!("lane {at} retires a {branch} at {ip:#x} ({taken}{guess}) to {:#x}", long(lane, 3))
        }
    };
    let uncounted = if bits >> 1 & 1 == 0 { " which does not count" } else { "" };
    let mut said = vec![format!("{what}{uncounted}")];
    for (shift, words, tagged) in [(9, 5, 19), (14, 8, 20)] {
        let load = bits >> shift;
        let place = if load & 2 == 2 { format!("{:#x}", long(lane, words)) } else { "an unknown address".to_owned() };
        if load & 1 == 1 {
            said.push(format!(
                "a load of {place} in lane {at} missed: {} cycles, {}",
                lane[words + 2],
                source((load >> 2 & 7).into())
            ));
        }
        if bits >> tagged & 1 == 1 {
            said.push(format!("the load of {place} in lane {at} is the tagged one"));
        }
    }
    said
}

fn long(words: &[u32], at: usize) -> u64 {
    u64::from(words[at]) | u64::from(words[at + 1]) << 32
}

/// The registers that change from one row to the next: `store_st tail -> head`.
pub(super) fn changes(before: &[u32], after: &[u32]) -> Vec<String> {
    let (old, new) = (unpack_state(before), unpack_state(after));
    let register = |field: &&Field| field.name.starts_with("state.") && !RESTLESS.contains(&field.name);
    let change = |field: &Field| {
        let (from, to) = (field.of(before), field.of(after));
        let short = |value: u64, state| match meaning(field.name, value, state) {
            Some(name) if coded(field.name) => name,
            _ if field.width > 8 && !field.name.ends_with("counter") => format!("{value:#x}"),
            _ => value.to_string(),
        };
        let name = field.name.strip_prefix("state.").unwrap_or(field.name);
        (from != to).then(|| format!("{name} {} -> {}", short(from, &old), short(to, &new)))
    };
    FIELDS.iter().filter(register).filter_map(change).collect()
}

/// Whether the name of a value says all about it.
pub(super) fn coded(field: &str) -> bool {
    ["store_st", "ctl_st", "ctl_op", "ctl_fault", "rsp_fault", "mem_cmd"].iter().any(|name| field.ends_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::{OUT_WORDS, in_words, pack_inputs};
    use lwp_model::lwp::{BranchKind, Control, Inputs, Lane, Load, Memory, Mode};

    #[test]
    fn inputs_in_words() {
        let mut packed = Inputs::<2> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
        packed.mem = Memory { rvalid: true, err: true, ..Memory::default() };
        packed.ctl = Control { valid: true, op: CtlOp::Llwpcb, wdata: 0x5000, ..Control::default() };
        let load = Load { miss: true, addr_valid: true, addr: 0x7000, latency: 200, source: 3, ..Load::default() };
        packed.lanes[0] =
            Lane { valid: true, counts: true, ip: 0x400ffe, loads: [load, Load::default()], ..Lane::default() };
        packed.lanes[1] = Lane {
            valid: true,
            ip: 0x401000,
            branch_kind: BranchKind::Jcc,
            branch_taken: true,
            branch_pred_valid: true,
            branch_next: 0x402000,
            ..Lane::default()
        };
        let mut row = vec![0; in_words(2)];
        pack_inputs(&packed, true, &mut row);
        let expected = [
            "LLWPCB 0x5000",
            "lane 0 retires 0x400ffe",
            "a load of 0x7000 in lane 0 missed: 200 cycles, DRAM",
            "lane 1 retires a conditional branch at 0x401000 (taken, mispredicted) to 0x402000 which does not count",
            "memory answers: page fault",
        ];
        assert_eq!(inputs(&row), expected);
        assert_eq!(mode(&row), "ring 3");
    }

    #[test]
    fn changes_in_words() {
        let (mut before, mut after) = (vec![0; OUT_WORDS], vec![0; OUT_WORDS]);
        (before[65], after[65]) = (3, 4);
        (before[27], after[27]) = (3, 2);
        (before[38], after[38]) = (0, 1 << 22);
        after[67] = 0x5010;
        assert_eq!(
            changes(&before, &after),
            ["events[1].counter 3 -> 2", "store_st tail -> head", "mem_addr 0x0 -> 0x5010"]
        );
    }
}
