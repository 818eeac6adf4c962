//! The weights that make the values of a bin likely.

use crate::coverage::Bin;
use crate::lwp::coverage::layout;
use crate::lwp::scenario::straps::FACTORS;
use crate::lwp::scenario::{Bias, MemoryBias, OpKind, RingBias, ThresholdBias};

/// Returns the weights that make a bin likely; `draw` selects one of several ways.
pub(super) fn toward(bin: Bin, draw: u64) -> Bias {
    let layout = layout();
    let cross = &layout.crosses[bin.cross];
    let mut bias = live();
    for (axis, value) in cross.axes.iter().zip(cross.values(bin.index)) {
        let value = axis.values[value].as_str();
        match axis.name {
            "strap" => strap(&mut bias, value),
            "store" | "then" => store(&mut bias, value, draw),
            "control" => control_state(&mut bias, value),
            "access" => access(&mut bias, value, draw),
            "ending" => ending(&mut bias, value),
            "ring" | "shape" | "head" | "record" | "missed" => ring(&mut bias, value, draw),
            "threshold" => threshold(&mut bias, value, draw),
            "interrupt" => interrupt(&mut bias, value, draw),
            "operation" | "answer" | "context" | "word" => operation(&mut bias, value),
            "for" | "loaded by" | "block" => purpose(&mut bias, value),
            "session" => session(&mut bias, value),
            "fate" | "candidate" | "tag" | "load" => fate(&mut bias, value),
            "queue" | "gathered" => queue(&mut bias, value),
            "op_mode" | "privilege" | "cpl" | "smm" => mode(&mut bias, value),
            name => set(&mut bias, name, value),
        }
    }
    bias
}

/// The factor by which the weights of operations are finer than those of unsteered cases.
const FINER: u32 = 16;

/// Returns weights with which a session runs for a while without interference, as most bins need.
fn live() -> Bias {
    let mut bias = Bias { cpl: [12, 2, 1], smm: 4, ..Bias::default() };
    bias.finer(FINER);
    for kind in [OpKind::Enter, OpKind::Switch, OpKind::Control] {
        bias.less(kind, 3);
    }
    bias.hardly(OpKind::Reset);
    bias.more(OpKind::Retire, 2);
    bias
}

/// Sets a strap that has an axis of its own, if there is such a strap.
fn set(bias: &mut Bias, name: &str, value: &str) {
    let Some(factor) = FACTORS.iter().position(|factor| factor.name == name) else { return };
    let Some(level) = (0..FACTORS[factor].levels).find(|level| FACTORS[factor].label(*level) == value) else {
        return;
    };
    if bias.straps.iter().all(|(known, _)| *known != factor) {
        bias.straps.push((factor, level));
    }
}

/// Sets the strap of `name:value` on the axis of all straps. A value that is itself the target takes precedence over
/// those that others need.
fn strap(bias: &mut Bias, both: &str) {
    if let Some((name, value)) = both.split_once(':') {
        set(bias, name, value);
    }
}

/// Makes the ring fill up: software hardly ever reads it.
fn fill(bias: &mut Bias, draw: u64) {
    bias.hardly(OpKind::Tail);
    bias.hardly(OpKind::Rewrite);
    bias.hardly(OpKind::Scribble);
    bias.hardly(OpKind::Switch);
    bias.less(OpKind::Control, 3);
    bias.more(OpKind::Retire, 2);
    bias.more(OpKind::AckPageFault, 2);
    if bias.ring.is_none() {
        bias.ring = Some(RingBias::Places(2 + (draw >> 40) as u32 % 3));
    }
}

fn store(bias: &mut Bias, state: &str, draw: u64) {
    match state {
        "interval" => set(bias, "interval_source", "reread"),
        "tail" => bias.more(OpKind::Tail, 2),
        "full_head" => {
            set(bias, "head_flush", "deferred");
            fill(bias, draw);
        }
        "miss_read" | "miss_write" => {
            set(bias, "missed_mode", "memory");
            fill(bias, draw);
        }
        "reset" if draw >> 50 & 1 == 1 => fill(bias, draw),
        "head" | "report" => bias.more(OpKind::Tail, 4),
        "probe" | "flush" | "load" | "flags" | "wait" | "done" => control_state(bias, state),
        // The axis `then` has the operating modes, too.
        mode_name => mode(bias, mode_name),
    }
}

fn control_state(bias: &mut Bias, state: &str) {
    if state == "idle" {
        return;
    }
    bias.more(OpKind::Control, 8);
    match state {
        "flush" => bias.control = [8, 8, 1, 1, 1],
        "probe" | "load" | "flags" => bias.control = [12, 1, 1, 3, 1],
        _ => {}
    }
}

fn access(bias: &mut Bias, name: &str, draw: u64) {
    match name {
        "interval" => store(bias, "interval", draw),
        "tail" => store(bias, "tail", draw),
        "head" => store(bias, "head", draw),
        "head of a full ring" => store(bias, "full_head", draw),
        "missed read" | "missed write" => store(bias, "miss_read", draw),
        "flush missed read" | "flush missed write" => {
            set(bias, "missed_mode", "cached");
            fill(bias, draw);
            control_state(bias, "flush");
        }
        "flush head" | "flush counter" => control_state(bias, "flush"),
        "probe first" | "probe last" | "load header" | "load slot" | "flags" => control_state(bias, "load"),
        _ => {}
    }
}

fn ending(bias: &mut Bias, name: &str) {
    match name {
        "answered" => {}
        "answered after a fault" => {
            bias.memory = Some(MemoryBias::Faulty);
            bias.more(OpKind::AckPageFault, 3);
        }
        "aborted" => {
            set(bias, "fault_policy", "fault");
            bias.memory = Some(MemoryBias::Faulty);
            bias.more(OpKind::AckPageFault, 2);
        }
        "trapped" | "failed the operation" => {
            bias.memory = Some(MemoryBias::Faulty);
            bias.more(OpKind::AckPageFault, 2);
        }
        "faulted in silence" => {
            bias.memory = Some(MemoryBias::SlowAndFaulty);
            leaving(bias);
        }
        _ => {
            bias.memory = Some(MemoryBias::Slow);
            leaving(bias);
        }
    }
}

/// Makes the core leave ring 3 often, and enter it again soon.
fn leaving(bias: &mut Bias) {
    bias.more(OpKind::Excursion, 4);
    bias.cpl = [2, 6, 1];
    bias.smm = 25;
    bias.less(OpKind::Enter, 4);
}

fn ring(bias: &mut Bias, name: &str, draw: u64) {
    match name {
        "full and owed" | "missed" | "missed after a head" | "several" | "65535" => {
            if name == "missed after a head" {
                set(bias, "head_flush", "deferred");
            }
            if name == "missed" {
                set(bias, "head_flush", "each");
            }
            if name != "missed" && name != "missed after a head" {
                set(bias, "missed_mode", "cached");
            }
            fill(bias, draw);
        }
        "full" | "full less 1" => fill(bias, draw),
        "2 places" => bias.ring = Some(RingBias::Places(2)),
        "odd" => bias.ring = Some(RingBias::Places(3 + 2 * ((draw >> 40) as u32 % 2))),
        "even" => bias.ring = Some(RingBias::Places(6)),
        "power of two" => bias.ring = Some(RingBias::Places(4)),
        "large" | "last place" if bias.ring.is_none() || name == "large" => bias.ring = Some(RingBias::Large),
        "at threshold" | "threshold less 1" | "above threshold" => threshold(bias, name, draw),
        "published in the register" => {
            set(bias, "head_flush", "deferred");
            bias.threshold = Some(ThresholdBias::Records(4));
        }
        "empty" | "published" => bias.more(OpKind::Tail, 3),
        _ => {}
    }
}

fn threshold(bias: &mut Bias, name: &str, draw: u64) {
    let small = 1 + (draw >> 44) as u32 % 3;
    bias.threshold = Some(match name {
        "none" => ThresholdBias::None,
        "beyond the ring" => ThresholdBias::OutOfReach,
        "ahead" => ThresholdBias::Records(4),
        _ => ThresholdBias::Records(small),
    });
    if name == "above threshold" || name == "exceeded" {
        bias.ring = Some(RingBias::Places(8));
        bias.hardly(OpKind::Tail);
    }
    bias.more(OpKind::Retire, 2);
}

fn interrupt(bias: &mut Bias, name: &str, draw: u64) {
    set(bias, "avail_int", "1");
    threshold(bias, "met", draw);
    bias.more(OpKind::Tail, 5);
    match name {
        "delay started" | "merged with a delayed one" | "raised after the delay" | "masked after the delay" => {
            set(bias, "irq_delay", "9 or more");
        }
        "restored" => {
            bias.more(OpKind::Smm, 12);
            bias.more(OpKind::Context, 6);
        }
        "raised" | "crossed while it stands" | "taken" | "raised while taken" => set(bias, "irq_delay", "0"),
        _ => {}
    }
    match name {
        "taken" | "raised while taken" | "acknowledged without cause" => {
            bias.more(OpKind::AckInterrupt, 12);
            bias.polite = Some(false);
        }
        "crossed while it stands" | "merged with a delayed one" => {
            bias.polite = Some(false);
            bias.hardly(OpKind::AckInterrupt);
            bias.threshold = Some(ThresholdBias::Records(1));
        }
        "masked by LWPMSR0" | "masked after the delay" => {
            bias.more(OpKind::Control, 4);
            bias.control = [2, 1, 12, 1, 1];
            bias.cpl = [6, 6, 1];
        }
        "masked by Flags" => set(bias, "avail_int", "0"),
        _ => {}
    }
}

fn operation(bias: &mut Bias, name: &str) {
    bias.more(OpKind::Control, 6);
    match name {
        "LLWPCB" => bias.control = [16, 2, 1, 1, 1],
        "LLWPCB 0" => (bias.control, bias.argument) = ([16, 2, 1, 1, 1], [8, 8, 1, 1]),
        "SLWPCB" => bias.control = [4, 16, 1, 1, 1],
        "RDMSR LWPMSR0" | "RDMSR LWPMSR1" | "reserved code" => (bias.control, bias.cpl) = ([4, 1, 1, 1, 16], [6, 6, 1]),
        "WRMSR LWPMSR0" => (bias.control, bias.cpl) = ([4, 1, 12, 1, 1], [6, 6, 1]),
        "WRMSR LWPMSR1" | "WRMSR LWPMSR1 0" => (bias.control, bias.cpl) = ([4, 1, 1, 12, 1], [6, 6, 1]),
        "save" | "restore" | "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10 to 15" => {
            bias.less(OpKind::Control, 6);
            bias.more(OpKind::Context, 12);
            bias.restore = if name == "save" { 30 } else { 70 };
        }
        "#PF and back" | "#PF and back later" | "#PF and lost" | "#PF read" | "#PF write" => {
            bias.memory = Some(MemoryBias::Faulty);
            if name == "#PF and lost" {
                bias.more(OpKind::Scribble, 8);
            }
        }
        "#GP" => bias.argument = [2, 6, 4, 4],
        _ => {}
    }
}

fn purpose(bias: &mut Bias, name: &str) {
    match name {
        "initialisation" => {
            bias.control = [8, 2, 1, 8, 1];
            bias.cpl = [6, 6, 1];
            bias.more(OpKind::Control, 4);
            bias.more(OpKind::Excursion, 2);
        }
        "reload" => bias.more(OpKind::Switch, 8),
        "size unusable" | "no event" => {
            bias.more(OpKind::Scribble, 8);
            bias.more(OpKind::Rewrite, 4);
            bias.more(OpKind::Control, 3);
        }
        "going back" => {
            operation(bias, "LLWPCB");
            bias.more(OpKind::Scribble, 4);
            bias.memory = Some(MemoryBias::Faulty);
        }
        "the kernel" => leaving(bias),
        "SMM" => {
            leaving(bias);
            bias.smm = 70;
        }
        "good" | "operation" => {}
        name => {
            operation(bias, name);
            bias.memory = Some(MemoryBias::Faulty);
        }
    }
}

fn session(bias: &mut Bias, name: &str) {
    match name {
        "to be loaded" => purpose(bias, "initialisation"),
        "to be reloaded" => purpose(bias, "reload"),
        "record pending" => {
            set(bias, "fault_policy", "trap+pending");
            bias.memory = Some(MemoryBias::Faulty);
            leaving(bias);
        }
        "recording" => {
            set(bias, "leave_policy", "hold");
            leaving(bias);
        }
        _ => {}
    }
}

fn fate(bias: &mut Bias, name: &str) {
    match name {
        "undone" => {
            set(bias, "fault_policy", "fault");
            bias.memory = Some(MemoryBias::Faulty);
            bias.more(OpKind::Partial, 5);
            bias.more(OpKind::Miss, 3);
        }
        "dropped by a fault" => bias.memory = Some(MemoryBias::Faulty),
        "dropped on leaving" | "lost on leaving" => leaving(bias),
        "dropped by an operation" => bias.more(OpKind::Control, 6),
        "tagged" | "became the candidate" | "used up without a record" | "aborted" => {
            set(bias, "address_policy", "replay");
            bias.more(OpKind::Miss, 6);
            bias.more(OpKind::Partial, 8);
            bias.more(OpKind::Buffer, 3);
        }
        "kept" | "retired without a record" | "lost in a reload" => bias.more(OpKind::Partial, 8),
        _ => {}
    }
}

fn queue(bias: &mut Bias, number: &str) {
    if number == "2" || number == "3" {
        set(bias, "gather_policy", "all");
        set(bias, "collision", "delay");
        set(bias, "store_timing", "async");
        set(bias, "one_per_instr", "0");
        for avail in ["avail_ire", "avail_bre", "avail_dme"] {
            set(bias, avail, "1");
        }
    }
}

fn mode(bias: &mut Bias, name: &str) {
    match name {
        "real" | "virtual-8086" => (bias.op_mode, bias.ops[OpKind::Enter as usize]) = ([3, 2, 10], 6 * FINER),
        "protected" | "compatibility" => (bias.op_mode, bias.ops[OpKind::Enter as usize]) = ([3, 10, 2], 6 * FINER),
        "ring 0" => (bias.cpl, bias.ops[OpKind::Enter as usize]) = ([6, 6, 1], 6 * FINER),
        "ring 1 or 2" => (bias.cpl, bias.ops[OpKind::Enter as usize]) = ([6, 1, 6], 6 * FINER),
        "SMM" => (bias.smm, bias.ops[OpKind::Enter as usize]) = (50, 6 * FINER),
        _ => {}
    }
}
