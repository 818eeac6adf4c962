//! Straps, inputs and outputs of the unit, in plain numbers.

use super::plain::{Ask, Delays, In, Level, Op, Out, Straps, Told, Transfer, Wanted};
use lwp_model::rdt::{Config, Inputs, Outputs, Scope, Select, Vendor};
use lwp_model::retire::{IntKind, OpMode, RegOp, RegResult};

/// Returns the straps of a unit with so many logical processors.
pub(super) fn straps(config: &Config, processors: usize) -> Straps {
    let cache = |exists: bool, sets: u8, ways: u8, masks: bool, cdp: bool, highest: u8| match exists {
        true => Level { sets: 1 << sets, ways: ways.into(), masks, cdp, highest: highest.into() },
        false => Level::default(),
    };
    let Config { l3_sets, l3_ways, l3_cat, l3_cdp, l3_cos, l2, l2_sets, l2_ways, l2_cat, l2_cdp, l2_cos, .. } = *config;
    let levels =
        [cache(true, l3_sets, l3_ways, l3_cat, l3_cdp, l3_cos), cache(l2, l2_sets, l2_ways, l2_cat, l2_cdp, l2_cos)];
    let delays = Delays {
        highest: config.mba_cos.into(),
        most: config.mba_max.into(),
        linear: config.mba_linear,
        core: config.mba_scope == Scope::Core,
        period: config.mba_period.into(),
    };
    Straps {
        processors,
        line: config.line.into(),
        levels,
        amd: config.vendor == Vendor::Amd,
        sparse: config.sparse,
        events: config.events.into(),
        max_rmid: config.max_rmid.into(),
        monitored: config.l3_max_rmid.into(),
        width: config.width.into(),
        scale: config.scale.into(),
        start: config.start,
        write_backs: config.write_backs,
        package: config.select == Select::Package,
        settle: config.settle.into(),
        delays: config.mba.then_some(delays),
    }
}

/// Returns the inputs of a cycle.
pub(super) fn input<const LPS: usize>(inputs: &Inputs<LPS>) -> In {
    let Inputs { lp, mem, power, qm_unavailable, mode, reg, .. } = inputs;
    let mut input = In {
        gnt: mem.mem_gnt,
        local: mem.mem_local,
        rvalid: mem.mem_rvalid,
        power: [power.l3_power.into(), power.l2_power.into()],
        unavailable: *qm_unavailable,
        ..In::default()
    };
    for (to, from) in input.lp.iter_mut().zip(lp) {
        *to = Wanted { valid: from.req_valid, write: from.req_write, code: from.req_code, addr: from.req_addr };
        input.smi |= from.int_valid && from.int_kind == IntKind::Smi;
    }
    // Real mode has level 0, virtual-8086 mode 3.
    let level = match mode.op_mode {
        OpMode::Real => 0,
        OpMode::Virtual8086 => 3,
        _ => mode.cpl & 3,
    };
    let op = match reg.op {
        RegOp::Rdmsr => Op::Read,
        RegOp::Wrmsr => Op::Write(reg.wdata),
        _ => Op::Other,
    };
    // The lowest log2(LPS) bits are used.
    input.ask = reg.valid.then_some(Ask { op, lp: usize::from(reg.lp) % LPS, number: reg.number, level });
    input
}

/// Returns the outputs of a cycle.
pub(super) fn out<const LPS: usize>(outputs: &Outputs<LPS>) -> Out {
    let mut out = Out {
        mem_req: outputs.mem_req,
        mem: Transfer {
            write: outputs.mem_write,
            addr: outputs.mem_addr,
            rmid: outputs.mem_rmid.into(),
            cos: outputs.mem_cos.into(),
        },
        on: [outputs.l3_on.into(), outputs.l2_on.into()],
        walking: outputs.walking,
        reg_done: outputs.reg_done,
        reg_result: match outputs.reg_result {
            RegResult::Done => 0,
            RegResult::InvalidOpcode => 1,
            RegResult::GeneralProtection => 2,
            RegResult::PageFault => 3,
            RegResult::NotMine => 4,
            RegResult::Debug => 5,
        },
        reg_rdata: outputs.reg_rdata,
        ..Out::default()
    };
    for (to, from) in out.lp.iter_mut().zip(&outputs.lp) {
        *to = Told { ready: from.req_ready, done: from.done, l2_hit: from.l2_hit, l3_hit: from.l3_hit };
    }
    out
}
