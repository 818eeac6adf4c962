//! A small unit for random inputs, so that the reading is run with what no test by hand has. It takes one of the ways that the document
//! leaves open, and can have one of 25 bugs.

use super::super::{PortsIn, PortsOut, Straps};
use std::collections::{HashMap, VecDeque};

/// A branch record.
#[derive(Clone, Copy)]
struct Record {
    from: u64,
    to: u64,
    predicted: bool,
    store: bool,
    circular: bool,
}

/// What the unit does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Idle,
    Fetch(u64),
    Data(u64),
    Index,
    Threshold,
    Reload,
}

/// The unit: LIP format, 64-bit format of the debug store, `BUG` picks a bug.
pub(super) struct Fake {
    straps: Straps,
    bug: u32,
    pub(super) ctl: u64,
    saved: u64,
    area: u64,
    pub(super) enable: u8,
    armed: u8,
    stack: Vec<(u64, u64)>,
    top: usize,
    last: (u64, u64),
    ler: (u64, u64),
    queue: VecDeque<Record>,
    pub(super) sample: Option<u8>,
    /// The record in progress is a PEBS record.
    sampling: bool,
    state: HashMap<u64, u64>,
    fields: [u64; 11],
    at: u64,
    step: Step,
    waiting: bool,
    pulses: PortsOut,
}

impl Fake {
    pub(super) fn new(straps: Straps, bug: u32) -> Self {
        Self {
            straps,
            bug,
            ctl: 0,
            saved: 0,
            area: 0,
            enable: 0,
            armed: 0,
            stack: vec![(0, 0); 4],
            top: 0,
            last: (0, 0),
            ler: (0, 0),
            queue: VecDeque::new(),
            sample: None,
            sampling: false,
            state: HashMap::new(),
            fields: [0; 11],
            at: 0,
            step: Step::Idle,
            waiting: false,
            pulses: PortsOut::default(),
        }
    }

    fn bug(&self, number: u32) -> bool {
        self.bug == number
    }

    pub(super) fn outputs(&self) -> PortsOut {
        let bit = |at: u32| self.ctl >> at & 1 == 1;
        let mut out = self.pulses;
        out.stall = self.queue.len() > 1 && !self.bug(1) || self.sample.is_some();
        out.reg_ready = self.queue.is_empty() && self.sample.is_none() && self.step == Step::Idle || self.bug(2);
        (out.btf, out.freeze_on_pmi, out.freeze_while_smm, out.rtm_debug) = (bit(1), bit(12), bit(14), bit(15));
        out.pebs_armed = self.armed;
        if let Some(record) = self.queue.front().filter(|record| !record.store) {
            (out.btm_valid, out.btm_from, out.btm_to) = (true, record.from, record.to);
            out.btm_predicted = record.predicted ^ self.bug(3);
        }
        if let Step::Data(field) = self.step {
            out.state_index = u8::try_from(field).unwrap_or(0);
        }
        if let (false, Some((write, addr, data))) = (self.waiting, self.access()) {
            (out.mem_req, out.mem_be, out.mem_addr) = (true, 0xFF, addr);
            (out.mem_cmd, out.mem_wdata) = (u8::from(write), if write { data } else { 0 });
        }
        out
    }

    fn words(&self) -> u64 {
        if self.sampling { 18 } else { 3 }
    }

    fn access(&self) -> Option<(bool, u64, u64)> {
        let first = if self.sampling { 4 } else { 0 };
        match self.step {
            Step::Fetch(field) => Some((false, self.area + 8 * field, 0)),
            Step::Data(field) => {
                let record = self.queue.front().copied();
                let value = match (self.sampling, record) {
                    (false, Some(record)) => [record.from, record.to, u64::from(record.predicted) << 4][field as usize],
                    _ => *self.state.get(&field)?,
                };
                Some((true, self.at + 8 * field, value ^ u64::from(self.bug(4)) << 8))
            }
            Step::Index => {
                Some((true, self.area + 8 * (first + 1), self.at + 8 * self.words() + 8 * u64::from(self.bug(5))))
            }
            _ => None,
        }
    }

    pub(super) fn clock(&mut self, inputs: &PortsIn, out: &PortsOut) {
        self.pulses = PortsOut::default();
        self.work(inputs, out);
        if out.btm_valid && inputs.btm_ready {
            self.queue.pop_front();
        }
        let accepted =
            inputs.reg_valid && out.reg_ready && !inputs.int_valid && !inputs.lanes.iter().any(|lane| lane.valid);
        if inputs.pmi && self.ctl >> 11 & 1 == 1 && !self.bug(6) {
            self.ctl &= !1;
        }
        self.armed |= inputs.pebs_overflow & self.enable;
        if !out.stall {
            self.events(inputs);
            self.samples(inputs);
        }
        if accepted {
            self.request(inputs);
        }
    }

    fn events(&mut self, inputs: &PortsIn) {
        if inputs.int_valid {
            let debug = inputs.int_kind == 1 && inputs.int_vector == 1;
            if inputs.int_kind < 3 && self.ctl & 1 == 1 && !self.bug(7) {
                self.ler = self.last;
            }
            if !debug && inputs.int_kind < 3 || self.bug(8) && debug {
                self.record((inputs.int_from, inputs.int_to), false);
            }
            if debug {
                self.trace((inputs.int_from, inputs.int_to), false, inputs);
                self.ctl &= if self.bug(9) { !1 } else { !3 };
            } else if inputs.int_kind == 3 && self.ctl >> 14 & 1 == 1 {
                (self.saved, self.ctl) = (self.ctl, self.ctl & if self.bug(10) { !0x83 } else { !0xC3 });
            } else if inputs.int_kind == 4 && self.ctl >> 14 & 1 == 1 {
                self.ctl = self.saved | u64::from(self.bug(11)) << 9;
            } else if inputs.int_kind < 3 {
                self.trace((inputs.int_from, inputs.int_to), false, inputs);
            }
            return;
        }
        let lane = inputs.lanes[0];
        if lane.valid && !inputs.partial && lane.branch_kind != 0 && (lane.branch_taken || self.bug(12)) {
            self.record((lane.ip, lane.branch_next), true);
            self.trace((lane.ip, lane.branch_next), lane.branch_pred_ok, inputs);
        }
    }

    fn record(&mut self, pair: (u64, u64), branch: bool) {
        if self.ctl & 1 == 1 || self.bug(13) {
            self.top = (self.top + 1) % if self.bug(14) { 3 } else { 4 };
            self.stack[self.top] = pair;
            if branch {
                self.last = pair;
            }
        }
    }

    fn trace(&mut self, (from, to): (u64, u64), predicted: bool, inputs: &PortsIn) {
        let off = if (inputs.cpl == 0) ^ self.bug(15) { 1 << 9 } else { 1 << 10 };
        if self.ctl >> 6 & 1 == 1 && self.ctl & off == 0 {
            let (store, circular) = (self.ctl >> 7 & 1 == 1, self.ctl >> 8 & 1 == 0);
            self.queue.push_back(Record { from, to, predicted, store, circular });
        }
    }

    fn samples(&mut self, inputs: &PortsIn) {
        let counters = inputs.pebs_event & self.armed & self.enable;
        let retires = inputs.lanes[0].valid && !inputs.partial && !inputs.int_valid;
        if counters != 0 && retires {
            self.armed &= !counters;
            self.state.clear();
            self.sample = Some(counters);
        }
    }

    fn work(&mut self, inputs: &PortsIn, out: &PortsOut) {
        if let (Step::Data(field), true) = (self.step, self.sampling) {
            self.state.entry(field).or_insert(inputs.state_value);
        }
        let stores = self.sample.is_some() || self.queue.front().is_some_and(|record| record.store);
        if self.step == Step::Idle && stores {
            (self.step, self.sampling) = (Step::Fetch(0), self.sample.is_some());
            return;
        }
        if self.step == Step::Threshold || self.step == Step::Reload {
            self.finish();
            return;
        }
        if out.mem_req && inputs.mem_gnt {
            self.waiting = true;
        } else if self.waiting && inputs.mem_rvalid {
            self.waiting = false;
            if inputs.mem_err {
                self.leave(true);
            } else {
                self.next(inputs.mem_rdata);
            }
        }
    }

    fn next(&mut self, data: u64) {
        let first = if self.sampling { 4 } else { 0 };
        self.step = match self.step {
            Step::Fetch(field) => {
                self.fields[field as usize] = data;
                if field < 10 { Step::Fetch(field + 1) } else { return self.place(first) }
            }
            Step::Data(field) if field + 1 < self.words() - u64::from(self.bug(16)) => Step::Data(field + 1),
            Step::Data(_) => Step::Index,
            _ => Step::Threshold,
        };
    }

    fn place(&mut self, first: usize) {
        let [base, index, maximum] = [0, 1, 2].map(|field| self.fields[first + field]);
        let circular = !self.sampling && self.queue.front().is_some_and(|record| record.circular);
        let fits = |at: u64| at >= base && at + 8 * self.words() <= maximum + 24 * u64::from(self.bug(17));
        if fits(index) && !self.bug(18) {
            self.at = index;
        } else if circular && fits(base) {
            self.at = base;
        } else {
            return self.leave(true);
        }
        self.step = Step::Data(0);
    }

    fn finish(&mut self) {
        let sample = self.sampling;
        let (first, new) = (if sample { 4 } else { 0 }, self.at + 8 * self.words());
        let asks = sample || self.queue.front().is_some_and(|record| !record.circular) || self.bug(19);
        if self.step == Step::Threshold {
            let threshold = self.fields[first + 3];
            self.pulses.ds_pmi = asks && threshold <= new && (self.at < threshold || !self.bug(20));
            self.pulses.ds_pmi ^= self.bug(20) && new > threshold + 60;
            self.pulses.stored = !self.bug(21);
            self.step = Step::Reload;
            if !sample {
                self.leave(false);
            }
            return;
        }
        let counters = self.sample.unwrap_or(0);
        let counter = counters.trailing_zeros();
        let value = self.fields[8 + (counter as usize).min(2)];
        (self.pulses.reload_valid, self.pulses.reload_counter) = (!self.bug(22), u8::try_from(counter).unwrap_or(0));
        self.pulses.reload_value = if self.bug(22) { 0 } else { value + u64::from(self.bug(23)) };
        self.sample = Some(counters & (counters - 1)).filter(|&rest| rest != 0);
        if self.sample.is_none() {
            self.leave(false);
        }
    }

    fn leave(&mut self, lost: bool) {
        self.pulses.lost = lost && !self.bug(24);
        self.step = Step::Idle;
        if self.sampling {
            self.sample = None;
        } else {
            self.queue.pop_front();
        }
    }

    fn request(&mut self, inputs: &PortsIn) {
        self.pulses.reg_done = true;
        if inputs.cpl != 0 && !self.bug(25) {
            self.pulses.reg_result = 2;
            return;
        }
        let number = inputs.reg_number;
        if inputs.reg_op == 1 {
            let data = inputs.reg_wdata;
            match number {
                0x1D9 => self.ctl = data & self.straps.debugctl(),
                0x600 => self.area = data,
                0x3F1 => {
                    self.enable = u8::try_from(data & 7).unwrap_or(0);
                    self.armed &= self.enable;
                }
                _ => self.pulses.reg_result = 2,
            }
            return;
        }
        self.pulses.reg_rdata = match number {
            0x1D9 => self.ctl,
            0x600 => self.area,
            0x3F1 => u64::from(self.enable),
            0x1C9 => self.top as u64,
            0x1DD => self.ler.0,
            0x1DE => self.ler.1,
            0x680..0x684 => self.stack[number as usize - 0x680].0,
            _ => self.stack[number as usize & 3].1,
        };
    }
}
