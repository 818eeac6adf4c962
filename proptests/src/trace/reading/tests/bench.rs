//! A core, a memory and a unit, of which a test says each cycle.

use super::super::{LaneIn, PortsIn, PortsOut, Reading, Straps, Violation};
use std::collections::HashMap;

/// IA32_DEBUGCTL.
pub(super) const DEBUGCTL: u32 = 0x1D9;
/// IA32_DS_AREA.
pub(super) const DS_AREA: u32 = 0x600;
/// IA32_PEBS_ENABLE.
pub(super) const PEBS_ENABLE: u32 = 0x3F1;
/// MSR_LASTBRANCH_TOS.
pub(super) const TOS: u32 = 0x1C9;

/// A run.
pub(super) struct Bench {
    reading: Reading,
    memory: HashMap<u64, u64>,
    /// Inputs of a cycle in which nothing happens.
    pub(super) inputs: PortsIn,
    /// Outputs of a cycle in which nothing happens.
    pub(super) out: PortsOut,
    /// The first violation.
    pub(super) found: Option<Violation>,
}

/// Returns a taken branch that was predicted correctly.
pub(super) fn jump(from: u64, to: u64) -> LaneIn {
    LaneIn {
        valid: true,
        counts: true,
        ip: from,
        branch_kind: 1,
        branch_taken: true,
        branch_pred_valid: true,
        branch_pred_ok: true,
        branch_next: to,
        ..LaneIn::default()
    }
}

impl Bench {
    /// Returns a run in 64-bit mode at level 0, with one lane.
    pub(super) fn new(straps: Straps) -> Self {
        let inputs = PortsIn { lanes: vec![LaneIn::default()], op_mode: 4, far_long: true, ..PortsIn::default() };
        let out = PortsOut { reg_ready: true, ..PortsOut::default() };
        Self { reading: Reading::new(straps, 1), memory: HashMap::new(), inputs, out, found: None }
    }

    /// Runs a cycle.
    pub(super) fn cycle(&mut self, inputs: &PortsIn, out: &PortsOut) {
        if self.found.is_none() {
            self.found = self.reading.cycle(inputs, out).err();
        }
    }

    /// Runs a cycle in which nothing else happens.
    pub(super) fn with(&mut self, change: impl FnOnce(&mut PortsIn, &mut PortsOut)) {
        let (mut inputs, mut out) = (self.inputs.clone(), self.out);
        change(&mut inputs, &mut out);
        self.cycle(&inputs, &out);
    }

    /// Runs cycles in which nothing happens.
    pub(super) fn idle(&mut self, cycles: u32) {
        (0..cycles).for_each(|_| self.with(|_, _| ()));
    }

    /// The unit is busy from now on, or no longer.
    pub(super) fn busy(&mut self, busy: bool) {
        self.out.reg_ready = !busy;
    }

    /// An instruction retires.
    pub(super) fn lane(&mut self, lane: LaneIn) {
        self.with(|inputs, _| inputs.lanes = vec![lane]);
    }

    /// An interruption is delivered.
    pub(super) fn interruption(&mut self, kind: u8, vector: u8, (from, to): (u64, u64)) {
        self.with(|inputs, _| {
            (inputs.int_valid, inputs.int_kind, inputs.int_vector) = (true, kind, vector);
            (inputs.int_from, inputs.int_to) = (from, to);
        });
    }

    /// A performance interrupt is asked for.
    pub(super) fn pmi(&mut self) {
        self.with(|inputs, _| inputs.pmi = true);
    }

    /// A request with its answer.
    pub(super) fn request(&mut self, (op, number, data): (u8, u32, u64), (result, value): (u8, u64)) {
        self.with(|inputs, _| {
            (inputs.reg_valid, inputs.reg_op, inputs.reg_number, inputs.reg_wdata) = (true, op, number, data);
        });
        if number == DEBUGCTL && op == 1 && result == 0 {
            self.shows(data);
        }
        self.with(|_, out| (out.reg_done, out.reg_result, out.reg_rdata) = (true, result, value));
    }

    /// The outputs show this IA32_DEBUGCTL from now on.
    pub(super) fn shows(&mut self, value: u64) {
        let bit = |at: u32| value >> at & 1 == 1;
        (self.out.btf, self.out.freeze_on_pmi) = (bit(1), bit(12));
        (self.out.freeze_while_smm, self.out.rtm_debug) = (bit(14), bit(15));
    }

    /// WRMSR.
    pub(super) fn write(&mut self, number: u32, data: u64) {
        self.request((1, number, data), (0, 0));
    }

    /// WRMSR that faults.
    pub(super) fn faults(&mut self, number: u32, data: u64) {
        self.request((1, number, data), (2, 0));
    }

    /// RDMSR that shows `value`.
    pub(super) fn read(&mut self, number: u32, value: u64) {
        self.request((0, number, 0), (0, value));
    }

    /// The environment writes 8 bytes of memory.
    pub(super) fn poke(&mut self, at: u64, value: u64) {
        self.memory.insert(at, value);
    }

    /// The unit reads the 8 bytes at `at`.
    pub(super) fn fetch(&mut self, at: u64) {
        let value = self.memory.get(&at).copied().unwrap_or(0);
        self.with(|inputs, out| {
            (out.mem_req, out.mem_be, out.mem_addr, inputs.mem_gnt) = (true, 0xFF, at, true);
        });
        self.with(|inputs, _| (inputs.mem_rvalid, inputs.mem_rdata) = (true, value));
    }

    /// The unit writes `size` bytes at `at`, which do not cross 8 bytes.
    pub(super) fn store(&mut self, at: u64, value: u64, size: u64) {
        let (shift, ones) = (8 * (at & 7), if size == 8 { u64::MAX } else { (1 << (8 * size)) - 1 });
        let (mask, data) = (ones << shift, (value & ones) << shift);
        let be = u8::try_from(((1_u64 << size) - 1) << (at & 7)).unwrap_or(0);
        self.with(|inputs, out| {
            (out.mem_req, out.mem_cmd, out.mem_be, out.mem_addr, out.mem_wdata) = (true, 1, be, at & !7, data);
            inputs.mem_gnt = true;
        });
        let word = self.memory.entry(at & !7).or_default();
        *word = *word & !mask | data;
        self.with(|inputs, _| inputs.mem_rvalid = true);
    }

    /// The unit's next access page-faults.
    pub(super) fn page_fault(&mut self, at: u64) {
        self.with(|inputs, out| (out.mem_req, out.mem_be, out.mem_addr, inputs.mem_gnt) = (true, 0xFF, at, true));
        self.with(|inputs, _| (inputs.mem_rvalid, inputs.mem_err) = (true, true));
    }

    /// The unit sends a message, which the bus takes at once.
    pub(super) fn message(&mut self, from: u64, to: u64, predicted: bool) {
        self.with(|inputs, out| {
            (out.btm_valid, out.btm_from, out.btm_to, out.btm_predicted) = (true, from, to, predicted);
            inputs.btm_ready = true;
        });
    }

    /// The pulses of a stored record.
    pub(super) fn stored(&mut self, ds_pmi: bool) {
        self.with(|_, out| (out.stored, out.ds_pmi) = (true, ds_pmi));
    }

    /// A record is lost.
    pub(super) fn lost(&mut self) {
        self.with(|_, out| out.lost = true);
    }

    /// No violation was found, and none is left.
    #[track_caller]
    pub(super) fn right(mut self) {
        self.idle(20);
        let found = self.found.or(self.reading.finish().err());
        assert!(found.is_none(), "{}", found.map_or_else(String::new, |found| found.to_string()));
    }

    /// A violation of `row` was found.
    #[track_caller]
    pub(super) fn wrong(mut self, row: &str) {
        self.idle(20);
        let found = self.found.or(self.reading.finish().err());
        assert!(found.as_ref().is_some_and(|found| found.row.starts_with(row)), "{row} expected, but {found:?}");
    }
}
