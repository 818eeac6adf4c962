//! What a diagram shows: named rows with a value for each cycle.

use crate::bench::Sample;
use lwp_model::lwp::{CtlOp, MemCmd, StoreState};

/// How a row is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A line, low or high.
    Bit,
    /// Values in boxes; equal neighbours share one.
    Bus,
}

/// Who drives a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The core or the memory.
    Input,
    /// A register of the unit.
    Register,
    /// A word in memory.
    Memory,
}

/// A signal that a diagram may show.
#[derive(Clone, Copy)]
pub(crate) struct Signal {
    name: &'static str,
    kind: Kind,
    side: Side,
    value: fn(&Sample) -> String,
}

/// One row.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) side: Side,
    pub(crate) values: Vec<String>,
}

/// One diagram.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Row>,
    /// Cycles in one band of the drawing.
    pub(crate) wrap: usize,
}

impl Figure {
    pub(crate) fn new(
        name: &'static str,
        title: &'static str,
        wrap: usize,
        samples: &[Sample],
        signals: &[Signal],
    ) -> Self {
        let row = |signal: &Signal| Row {
            name: signal.name,
            kind: signal.kind,
            side: signal.side,
            values: samples.iter().map(signal.value).collect(),
        };
        Self { name, title, rows: signals.iter().map(row).collect(), wrap }
    }

    pub(crate) fn cycles(&self) -> usize {
        self.rows.first().map_or(0, |row| row.values.len())
    }

    /// The figure as a table, one line for each cycle.
    pub(crate) fn text(&self) -> String {
        let width = |row: &Row| row.values.iter().map(String::len).max().unwrap_or(0).max(row.name.len());
        let mut text = format!("{}\ncycle", self.title);
        for row in &self.rows {
            text += &format!("  {:>w$}", row.name, w = width(row));
        }
        for cycle in 0..self.cycles() {
            text += &format!("\n{cycle:>5}");
            for row in &self.rows {
                text += &format!("  {:>w$}", row.values[cycle], w = width(row));
            }
        }
        text + "\n"
    }
}

fn bit(value: bool) -> String {
    u8::from(value).to_string()
}

fn retiring(sample: &Sample, lane: usize) -> String {
    let lane = &sample.inputs.lanes[lane];
    if lane.valid { format!("{:x}", lane.ip) } else { String::new() }
}

macro_rules! signals {
    ($($constant:ident = $name:literal, $kind:ident, $side:ident, $value:expr;)+) => {
        $(pub(crate) const $constant: Signal =
            Signal { name: $name, kind: Kind::$kind, side: Side::$side, value: $value };)+
    };
}

signals! {
    CPL = "cpl", Bus, Input, |s| s.inputs.mode.cpl.to_string();
    RETIRE = "retire ip", Bus, Input, |s| retiring(s, 0);
    RETIRE1 = "in lane 1", Bus, Input, |s| retiring(s, 1);
    MISS_PORT = "miss", Bit, Input, |s| bit(s.inputs.lanes[0].loads[0].miss);
    TAGGED = "tagged", Bit, Input, |s| bit(s.inputs.lanes[0].loads[0].tagged);
    DATA = "addr", Bus, Input, |s| match s.inputs.lanes[0].loads[0] {
        load if load.addr_valid => format!("{:x}", load.addr),
        _ => String::new(),
    };
    FILL = "fill_ip", Bus, Input, |s| match s.inputs.buffer {
        fill if fill.fill_valid => format!("{:x}", fill.fill_ip),
        _ => String::new(),
    };
    OP = "ctl_op", Bus, Input, |s| match (s.inputs.ctl.valid, s.inputs.ctl.op) {
        (false, _) => String::new(),
        (true, CtlOp::Llwpcb) => "LLWPCB".into(),
        (true, CtlOp::WriteMsr1) => "WRMSR1".into(),
        (true, op) => format!("{op:?}"),
    };
    GNT = "mem_gnt", Bit, Input, |s| bit(s.inputs.mem.gnt);
    RVALID = "mem_rvalid", Bit, Input, |s| bit(s.inputs.mem.rvalid);
    ERR = "mem_err", Bit, Input, |s| bit(s.inputs.mem.err);
    PF_ACK = "pf_ack", Bit, Input, |s| bit(s.inputs.pf_ack);
    COUNTER = "counter", Bus, Register, |s| s.state.events[0].counter.to_string();
    MISSES = "counter", Bus, Register, |s| s.state.events[2].counter.to_string();
    RECORD = "record of", Bus, Register, |s| match s.state.records[0] {
        record if record.event != 0 => format!("{:x}", record.ip),
        _ => String::new(),
    };
    MISSED = "missed", Bus, Register, |s| s.state.ring.missed.to_string();
    TAG = "tag_valid", Bit, Register, |s| bit(s.state.tag.valid);
    FLUSH = "flush_req", Bit, Register, |s| bit(s.outputs.flush_req);
    CUT = "cut_valid", Bit, Register, |s| bit(s.outputs.cut_valid);
    CUT_LANE = "cut_lane", Bus, Register, |s| s.outputs.cut_lane.to_string();
    STORE = "store_st", Bus, Register, |s| match s.state.store.st {
        StoreState::Idle => "idle",
        StoreState::Interval => "interval",
        StoreState::Write => "write",
        StoreState::Tail => "tail",
        StoreState::Head => "head",
        StoreState::FullHead => "full_head",
        StoreState::MissRead => "miss_read",
        StoreState::MissWrite => "miss_write",
        StoreState::Report => "report",
        StoreState::Reset => "reset",
    }.into();
    BEAT = "store_beat", Bus, Register, |s| s.state.store.beat.to_string();
    REQ = "mem_req", Bit, Register, |s| bit(s.state.port.req);
    WAIT = "mem_wait", Bit, Register, |s| bit(s.state.port.wait);
    DROP = "mem_drop", Bit, Register, |s| bit(s.state.port.drop);
    CMD = "mem_cmd", Bus, Register, |s| match s.state.port.cmd {
        MemCmd::Read => "read",
        MemCmd::Write => "write",
        MemCmd::Probe => "probe",
    }.into();
    ADDR = "mem_addr", Bus, Register, |s| format!("{:x}", s.state.port.addr);
    HEAD = "head", Bus, Register, |s| s.state.ring.head.to_string();
    TAIL = "tail", Bus, Register, |s| s.state.ring.tail.to_string();
    IRQ = "irq", Bit, Register, |s| bit(s.state.irq.valid);
    PF_VALID = "pf_valid", Bit, Register, |s| bit(s.state.pf.valid);
    STALL = "stall", Bit, Register, |s| bit(s.outputs.stall);
    RSP = "rsp_valid", Bit, Register, |s| bit(s.outputs.rsp_valid);
    CTL = "ctl_st", Bus, Register, |s| format!("{:?}", s.state.ctl.st).to_lowercase();
    IDX = "ctl_idx", Bus, Register, |s| s.state.ctl.idx.to_string();
    LWPCB_PTR = "lwpcb", Bus, Register, |s| format!("{:x}", s.state.session.lwpcb);
    ACTIVE = "active", Bit, Register, |s| bit(s.state.session.active);
    PENDING = "init_pending", Bit, Register, |s| bit(s.state.session.init_pending);
    MEM_HEAD = "[lwpcb+16]", Bus, Memory, |s| s.memory_head.to_string();
    MEM_MISSED = "[lwpcb+24]", Bus, Memory, |s| s.memory_missed.to_string();
    MEM_FLAGS = "[lwpcb]", Bus, Memory, |s| format!("{:x}", s.memory_flags);
}
