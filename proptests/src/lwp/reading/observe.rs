//! The front end: turns the cycles at the ports into happenings in program order.
//!
//! Everything here follows from the chapter about the ports: when lanes are accepted, what a cut and a partial cycle
//! mean, and what the core must not do. A core that does it anyway is reported ([`Happening::Broken`]).

use super::buffer::Latencies;
use super::happening::{Access, Answer, Cut, Fill, Happening, Instruction, Look, Miss, Operation};
use lwp_model::lwp::{Config, Inputs, Lane, LatencySource, MemCmd, Mode, Outputs};

/// An observer of the ports.
#[derive(Clone, Debug)]
pub(super) struct Observer {
    straps: Config,
    bits: u32,
    time: u64,
    latencies: Latencies,
    mode: Mode,
    steady: u32,
    /// The instructions that were accepted in the previous cycle, the oldest first, with their lanes.
    group: Vec<(usize, Instruction)>,
    loads: Option<Instruction>,
    fill: Option<Fill>,
    accepted: Option<Operation>,
    /// Whether the instruction counts of which only loads have been seen, if there is one.
    open: Option<bool>,
    operating: bool,
    awaited: bool,
    irq: bool,
    pf: bool,
}

impl Observer {
    pub(super) fn new(straps: &Config, bits: u32) -> Self {
        Self {
            straps: *straps,
            bits,
            time: 0,
            latencies: Latencies::default(),
            mode: Mode::default(),
            steady: 0,
            group: Vec::new(),
            loads: None,
            fill: None,
            accepted: None,
            open: None,
            operating: false,
            awaited: false,
            irq: false,
            pf: false,
        }
    }

    /// Observes one cycle and appends its happenings to `list`.
    pub(super) fn cycle<const W: usize>(
        &mut self,
        rst_n: bool,
        inputs: &Inputs<W>,
        out: &Outputs,
        list: &mut Vec<Happening>,
    ) -> Result<(), String> {
        self.time += 1;
        if !rst_n {
            *self = Self { time: self.time, mode: inputs.mode, ..Self::new(&self.straps, self.bits) };
            list.push(Happening::Reset);
            return Ok(());
        }
        let changed = inputs.mode != self.mode;
        self.settle(changed, out, list)?;
        // The requests in the first cycle of a mode were decided in the last cycle of the previous mode.
        self.requests(out, list)?;
        let left = self.mode.ring3() && !inputs.mode.ring3();
        self.change_mode(changed, inputs.mode, list);
        self.look(out, list)?;
        if inputs.buffer.fill_valid && self.mode.ring3() {
            list.push(Happening::FillArrives);
        }
        self.memory(inputs, out, list);
        if left {
            // An access that is requested in this cycle may still be granted.
            list.push(Happening::Left);
            if out.drain {
                list.push(Happening::Broken("ring 3 is left against drain"));
            }
        }
        self.take(inputs, out, changed, list);
        Ok(())
    }

    /// Adds what was accepted in the previous cycle. Only now is it known where the group was cut.
    fn settle(&mut self, leaving: bool, out: &Outputs, list: &mut Vec<Happening>) -> Result<(), String> {
        let cut = out.cut_valid.then_some(usize::from(out.cut_lane));
        if cut.is_some_and(|lane| !self.group.iter().any(|(at, _)| *at == lane)) && self.loads.is_none() {
            return Err(format!("a cut after lane {} of a group that has no instruction there", out.cut_lane));
        }
        if self.fill.is_none() && out.flush_req {
            return Err("a replay is requested, but no data returned in the cycle before".into());
        }
        list.extend(self.loads.take().map(Happening::Loads));
        let last = self.group.last().map(|(lane, _)| *lane);
        for (lane, mut instruction) in core::mem::take(&mut self.group) {
            instruction.cut = match cut {
                Some(end) if end == lane => Cut::Here,
                Some(end) if lane > end => continue,
                _ if last == Some(lane) => Cut::Last,
                _ => Cut::No,
            };
            list.push(Happening::Retired(instruction));
        }
        let fill = self.fill.take();
        let cut_short = leaving || self.accepted.is_some();
        list.extend(fill.map(|fill| {
            Happening::Fill(Fill { flushed: out.flush_req, cut_short: cut_short || fill.cut_short, ..fill })
        }));
        list.extend(self.accepted.take().map(Happening::Accepted));
        Ok(())
    }

    fn change_mode(&mut self, changed: bool, mode: Mode, list: &mut Vec<Happening>) {
        self.steady = if changed { 0 } else { self.steady.saturating_add(1) };
        if changed && self.open.is_some() {
            list.push(Happening::Broken("the mode changes within an instruction"));
            self.open = None;
        }
        if changed && self.operating {
            list.push(Happening::Broken("the mode changes during an operation"));
        }
        if !self.mode.ring3() && mode.ring3() {
            list.push(Happening::Entered);
        }
        self.mode = mode;
    }

    fn requests(&mut self, out: &Outputs, list: &mut Vec<Happening>) -> Result<(), String> {
        if out.pf_valid && !self.pf {
            list.push(Happening::PageFault { write: out.pf_write, abort: out.pf_abort, addr: out.pf_addr });
        } else if self.pf && !out.pf_valid {
            return Err("a page fault is withdrawn without acknowledgement".into());
        }
        if out.irq && !self.irq {
            list.push(Happening::Interrupt);
        } else if self.irq && !out.irq {
            return Err("the interrupt is withdrawn without acknowledgement".into());
        }
        (self.pf, self.irq) = (out.pf_valid, out.irq);
        if out.rsp_valid {
            if !self.operating {
                return Err("an answer without an operation".into());
            }
            self.operating = false;
            let (fault, write) = (out.rsp_fault, out.rsp_fault_write);
            list.push(Happening::Done(Answer { fault, write, addr: out.rsp_fault_addr, rdata: out.rsp_rdata }));
        }
        Ok(())
    }

    fn look(&self, out: &Outputs, list: &mut Vec<Happening>) -> Result<(), String> {
        if out.mem_req && !self.mode.ring3() && self.steady > 0 && !self.operating {
            return Err(format!("a memory request for {:#x} outside ring 3", out.mem_addr));
        }
        list.push(Happening::Cycle(Look {
            time: self.time,
            ring3: self.mode.ring3(),
            steady: self.steady > 1,
            operating: self.operating,
            busy: out.mem_req || self.awaited,
            irq: out.irq,
            pf: out.pf_valid,
            drain: out.drain,
            track: out.addr_track,
            msr0: out.msr0,
        }));
        Ok(())
    }

    fn memory<const W: usize>(&mut self, inputs: &Inputs<W>, out: &Outputs, list: &mut Vec<Happening>) {
        let mem = &inputs.mem;
        if mem.rvalid && self.awaited {
            self.awaited = false;
            let pending = list.iter_mut().rev().find_map(|happening| match happening {
                Happening::Granted(access) => Some(access),
                _ => None,
            });
            if let Some(access) = pending {
                (access.rdata, access.err) = (mem.rdata, mem.err);
            }
            list.push(Happening::Answered);
        }
        if out.mem_req && mem.gnt {
            if self.awaited {
                list.push(Happening::Broken("the memory grants a second access before it answers the first"));
            }
            self.awaited = true;
            let (cmd, addr, be, wdata) = (out.mem_cmd, out.mem_addr, out.mem_be, out.mem_wdata);
            list.push(Happening::Granted(Access { cmd, addr, be, wdata, rdata: 0, err: false }));
        }
    }

    /// Whether an access still waits for its response.
    pub(super) fn awaits(&self) -> bool {
        self.awaited
    }

    /// Records what the core does in this cycle.
    fn take<const W: usize>(&mut self, inputs: &Inputs<W>, out: &Outputs, changed: bool, list: &mut Vec<Happening>) {
        let filled = self.latencies_now(inputs);
        let any = inputs.lanes.iter().any(|lane| lane.valid);
        if !out.stall && any && changed {
            list.push(Happening::Broken("something retires in the cycle of a mode change"));
        } else if !out.stall && any && out.pf_valid && !inputs.partial && self.mode.ring3() {
            list.push(Happening::Broken("something retires before the page fault is taken"));
        }
        if !out.stall && self.mode.ring3() {
            let (first, counts) = (&inputs.lanes[0], self.open.unwrap_or(inputs.lanes[0].counts));
            if self.open.is_some() && any && (!first.valid || first.counts != counts) {
                list.push(Happening::Broken("the instruction of a partial cycle does not retire in lane 0"));
            }
            self.lanes(inputs);
        }
        self.cycle_latencies(inputs);
        if inputs.buffer.fill_valid && self.mode.ring3() {
            let (mode, ip, source) = (self.mode, inputs.buffer.fill_ip, inputs.buffer.fill_source & 7);
            let cut_short = out.pf_valid || inputs.buffer.replay_abort || self.operating || out.stall;
            self.fill = Some(Fill { mode, ip, latency: filled, source, flushed: false, cut_short });
        }
        if inputs.buffer.replay_abort {
            list.push(Happening::ReplayAborted);
        }
        if inputs.ctl.valid && !out.stall {
            if self.open.is_some() {
                list.push(Happening::Broken("an operation within an instruction"));
                self.open = None;
            }
            if out.pf_valid && self.mode.ring3() {
                list.push(Happening::Broken("an operation before the page fault is taken"));
            }
            self.accepted = Some(Operation { ctl: inputs.ctl, mode: self.mode });
            self.operating = true;
        }
        if inputs.pf_ack && self.pf {
            list.push(Happening::PageFaultTaken);
            self.pf = false;
        }
        if inputs.irq_ack && self.irq {
            list.push(Happening::InterruptTaken);
            self.irq = false;
        }
    }

    /// Returns the latency of the load whose data returns in this cycle.
    fn latencies_now<const W: usize>(&self, inputs: &Inputs<W>) -> u32 {
        match self.straps.latency_source {
            LatencySource::Core => inputs.buffer.fill_latency & self.mask(),
            LatencySource::Buffer => self.latencies.clone().cycle(&self.straps, self.bits, &inputs.buffer),
        }
    }

    fn cycle_latencies<const W: usize>(&mut self, inputs: &Inputs<W>) {
        if self.straps.latency_source == LatencySource::Buffer {
            self.latencies.cycle(&self.straps, self.bits, &inputs.buffer);
        }
    }

    const fn mask(&self) -> u32 {
        (1 << self.bits) - 1
    }

    fn lanes<const W: usize>(&mut self, inputs: &Inputs<W>) {
        if inputs.partial {
            if inputs.lanes[0].valid {
                self.loads = Some(self.instruction(&inputs.lanes[0]));
                self.open = Some(inputs.lanes[0].counts);
            }
            return;
        }
        let lanes = inputs.lanes.iter().enumerate().filter(|(_, lane)| lane.valid);
        self.group = lanes.map(|(at, lane)| (at, self.instruction(lane))).collect();
        if !self.group.is_empty() {
            self.open = None;
        }
    }

    fn instruction(&self, lane: &Lane) -> Instruction {
        let misses = lane.loads.iter().filter(|load| load.miss || load.tagged).map(|load| Miss {
            missed: load.miss,
            tagged: load.tagged,
            addr_valid: load.addr_valid,
            addr: load.addr,
            latency: match self.straps.latency_source {
                LatencySource::Core => load.latency & self.mask(),
                LatencySource::Buffer => self.latencies.reported(&self.straps, load.latency),
            },
            source: load.source & 7,
        });
        Instruction {
            mode: self.mode,
            counts: lane.counts,
            ip: lane.ip,
            kind: lane.branch_kind,
            taken: lane.branch_taken,
            pred_valid: lane.branch_pred_valid,
            pred_ok: lane.branch_pred_ok,
            next: lane.branch_next,
            misses: misses.collect(),
            cut: Cut::Last,
        }
    }
}

/// Checks that the access is to an aligned word, and that a write is zero outside its bytes.
pub(super) fn well_formed(access: &Access) -> Result<(), String> {
    let lanes = (0..8).filter(|byte| access.be >> byte & 1 == 1).fold(0, |mask, byte| mask | 0xFF << (8 * byte));
    if access.addr & 7 != 0 || access.be == 0 {
        return Err(format!("a request for no aligned word: {access:x?}"));
    }
    if access.cmd == MemCmd::Write && access.wdata & !lanes != 0_u64 {
        return Err(format!("a write with data outside its bytes: {access:x?}"));
    }
    Ok(())
}
