//! The events of a cycle in words: what the inputs bring, and in which mode.

use super::meaning::{control_operation, source};
use crate::lwp::input_fields::{LANES, unpack_any};
use lwp_model::lwp::{BranchKind, Control, CtlOp, Inputs, Lane, OpMode};

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

/// The same names, short enough for a waveform.
const SHORT_BRANCHES: [&str; 11] =
    ["-", "jmp", "jcc", "jmp ind", "call", "call ind", "ret", "far jmp", "far call", "far ret", "system"];

/// Returns the name of an input's value if the input is a code.
pub(super) fn input_name(input: &str, value: u64) -> Option<String> {
    match input.rsplit('.').next()? {
        "branch_kind" => SHORT_BRANCHES.get(usize::try_from(value).ok()?).map(|name| (*name).to_owned()),
        "ctl_op" => Some(control_operation(*CtlOp::ALL.get(usize::try_from(value).ok()?)?)),
        _ => None,
    }
}

/// Returns the events that the inputs of a cycle bring, one per entry; empty if they bring none.
pub(super) fn inputs(row: &[u32]) -> Vec<String> {
    let (inputs, rst_n) = unpack_any(row);
    let Inputs { mem, buffer, .. } = &inputs;
    let mut said = Vec::new();
    if !rst_n {
        said.push("reset is asserted".to_owned());
    }
    if inputs.ctl.valid {
        said.push(operation(&inputs.ctl));
    }
    let together = plain_lanes(&inputs);
    let alone = |lane: &Lane| together.is_none() || !is_plain(lane);
    let others = inputs.lanes.iter().enumerate().filter(|(_, lane)| alone(lane));
    said.extend(together.clone());
    said.extend(others.flat_map(|(at, lane)| lane_text(at, lane, inputs.partial)));
    if mem.gnt {
        said.push("memory grants the request".to_owned());
    }
    match (mem.rvalid, mem.err) {
        (true, true) => said.push("memory answers: page fault".to_owned()),
        (true, false) => said.push(format!("memory answers {:#x}", mem.rdata)),
        _ => {}
    }
    let parts = [
        (inputs.pf_ack, "the core takes the page fault"),
        (inputs.irq_ack, "the core takes the interrupt"),
        (buffer.replay_abort, "the replay is aborted"),
    ];
    said.extend(parts.iter().filter(|(so, _)| *so).map(|(_, text)| (*text).to_owned()));
    if buffer.alloc_valid {
        said.push(format!("a load takes entry {}", buffer.alloc_entry));
    }
    if buffer.fill_valid {
        let (entry, latency) = (buffer.fill_entry, buffer.fill_latency);
        said.push(format!("data of entry {entry} for {:#x} after {latency} cycles", buffer.fill_ip));
    }
    said
}

/// Returns the mode of a cycle, `ring 3` or `cpl 0`, followed by SMM and any mode other than 64-bit mode.
pub(super) fn mode(row: &[u32]) -> String {
    let mode = unpack_any(row).0.mode;
    let mut text = if mode.cpl == 3 { "ring 3".to_owned() } else { format!("cpl {}", mode.cpl) };
    if mode.smm {
        text.push_str(", SMM");
    }
    text.push_str(match mode.op_mode {
        OpMode::Long64 => "",
        OpMode::Real => ", real mode",
        OpMode::Virtual8086 => ", virtual-8086",
        OpMode::Compatibility => ", compatibility mode",
        OpMode::Protected => ", protected mode",
    });
    text
}

fn operation(ctl: &Control) -> String {
    let (word, value) = (ctl.word, ctl.wdata);
    match ctl.op {
        CtlOp::Save => format!("save of context word {word}"),
        CtlOp::Restore => format!("restore of context word {word} with {value:#x}"),
        op @ (CtlOp::Llwpcb | CtlOp::WriteMsr0 | CtlOp::WriteMsr1) => format!("{} {value:#x}", control_operation(op)),
        op => control_operation(op),
    }
}

/// Whether the lane holds an instruction that counts and has neither a branch nor a missed or tagged load.
fn is_plain(lane: &Lane) -> bool {
    let loads = lane.loads.iter().any(|load| load.miss || load.tagged);
    lane.valid && lane.counts && lane.branch_kind == BranchKind::None && !loads
}

/// Returns one line for all plain lanes, if there are several; such lanes need no line each.
fn plain_lanes(inputs: &Inputs<LANES>) -> Option<String> {
    let plain = inputs.lanes.iter().enumerate().filter(|(_, lane)| !inputs.partial && is_plain(lane));
    let (lanes, ips): (Vec<String>, Vec<String>) =
        plain.map(|(at, lane)| (at.to_string(), format!("{:#x}", lane.ip))).unzip();
    (lanes.len() > 1).then(|| format!("lanes {} retire {}", lanes.join(", "), ips.join(", ")))
}

/// Returns a lane's instruction, then its loads.
fn lane_text(at: usize, lane: &Lane, partial: bool) -> Vec<String> {
    if !lane.valid {
        return Vec::new();
    }
    let ip = lane.ip;
    let what = match (partial, BRANCHES[lane.branch_kind as usize]) {
        (true, _) => format!("lane {at} brings loads of {ip:#x}"),
        (_, "") => format!("lane {at} retires {ip:#x}"),
        (_, branch) => {
            let taken = if lane.branch_taken { "taken" } else { "not taken" };
            let guess = match (lane.branch_pred_valid, lane.branch_pred_ok) {
                (false, _) => "",
                (true, false) => ", mispredicted",
                (true, true) => ", predicted",
            };
            let article = if branch.starts_with('i') { "an" } else { "a" };
            format!("lane {at} retires {article} {branch} at {ip:#x} ({taken}{guess}) to {:#x}", lane.branch_next)
        }
    };
    let uncounted = if lane.counts { "" } else { " which does not count" };
    let mut said = vec![format!("{what}{uncounted}")];
    for load in &lane.loads {
        let place = if load.addr_valid { format!("{:#x}", load.addr) } else { "an unknown address".to_owned() };
        if load.miss {
            let (latency, source) = (load.latency, source(load.source.into()));
            said.push(format!("a load of {place} in lane {at} missed: {latency} cycles, {source}"));
        }
        if load.tagged {
            said.push(format!("the load of {place} in lane {at} is the tagged one"));
        }
    }
    said
}

/// Whether `field` is a code, so that the name of its value describes it completely.
pub(super) fn coded(field: &str) -> bool {
    ["store_st", "ctl_st", "ctl_op", "ctl_fault", "rsp_fault", "mem_cmd"].iter().any(|name| field.ends_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lwp::flat::{in_words, pack_inputs};
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
}
