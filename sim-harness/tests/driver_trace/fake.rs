//! The scripted fake: registers in a variable, and a test that plays the processor that fills them and the area.

use super::{HANDLER, Memory, ends, record};
use lwp_regs::delivery::LvtPerformance;
use lwp_regs::fake::FakeMsrs;
use lwp_regs::trace::{AtEnd, BtsRecord, DebugCtl, DsBuffer, DsFormat, LbrRecord, LbrStack, LbrTos, TraceSink};
use std::cell::{Cell, RefCell};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

const DEBUGCTL: u32 = 0x1D9;
const DS_AREA: u32 = 0x600;
const PEBS_ENABLE: u32 = 0x3F1;
const TOS: u32 = 0x1C9;

/// A processor.
pub(super) struct Fake {
    pub(super) cpu: RefCell<FakeMsrs<'static, 120>>,
    stack: Option<LbrStack>,
    /// The precise counter, and whether its next event stores a record.
    counter: Cell<u64>,
    armed: Cell<bool>,
}

impl Fake {
    /// One with this LBR stack.
    pub(super) fn new(stack: Option<LbrStack>) -> Self {
        let mut cpu = FakeMsrs::new();
        for number in [DEBUGCTL, DS_AREA, PEBS_ENABLE, TOS, 0x80B] {
            cpu.define_number(number, 0);
        }
        cpu.define(LvtPerformance::MSR, LvtPerformance::new().masked());
        let entries = (0..32).filter_map(|index| stack?.layout().entry(index));
        for entry in entries {
            cpu.define(entry.from, Default::default());
            entry.to.map(|to| cpu.define(to, Default::default()));
            entry.info.map(|info| cpu.define(info, Default::default()));
        }
        Self { cpu: RefCell::new(cpu), stack, counter: Cell::new(0), armed: Cell::new(false) }
    }

    fn debugctl(&self) -> DebugCtl {
        DebugCtl::from_bits(self.cpu.borrow().value(DEBUGCTL).unwrap())
    }

    /// A taken branch of the program; whether the performance interrupt comes behind it.
    pub(super) fn branch(&self, number: u64) -> bool {
        let due = self.transfer(&record(number));
        if !due || self.cpu.borrow().get(LvtPerformance::MSR).mask() {
            return false;
        }
        let frozen = self.debugctl();
        if frozen.freeze_lbrs_on_pmi() {
            self.cpu.borrow_mut().set_value(DEBUGCTL, frozen.with_lbr(false).into_bits());
        }
        let entry = self.cpu.borrow().get(LvtPerformance::MSR);
        self.cpu.borrow_mut().set(LvtPerformance::MSR, entry.masked());
        self.transfer(&BtsRecord { from: ends(number).1, to: HANDLER, ..BtsRecord::default() });
        true
    }

    /// A transfer of control at level 3.
    fn transfer(&self, record: &BtsRecord) -> bool {
        let debugctl = self.debugctl();
        if debugctl.lbr() {
            self.push(record);
        }
        if debugctl.trace_sink() != TraceSink::Buffer || !debugctl.traces_at(3) {
            return false;
        }
        let at_end = if debugctl.btint() { AtEnd::Interrupt } else { AtEnd::Circular };
        let bytes = record.to_bytes(DsFormat::Bits64);
        store(self.area(), at_end, &bytes)
    }

    fn area(&self) -> u64 {
        self.cpu.borrow().value(DS_AREA).unwrap()
    }

    fn push(&self, record: &BtsRecord) {
        let Some(stack) = self.stack else { return };
        let mut cpu = self.cpu.borrow_mut();
        let depth = stack.layout().depth();
        let tos = (cpu.value(TOS).unwrap() + 1) % u64::from(depth.get());
        cpu.set_value(TOS, tos);
        let known = !record.flags.predicted() && record.to != HANDLER;
        let decoded = stack.format().decode(Default::default()).unwrap();
        let record = LbrRecord {
            from: record.from,
            to: record.to,
            mispredicted: decoded.mispredicted.map(|_| known),
            ..decoded
        };
        let registers = stack.encode(&record).unwrap();
        let entry = stack.layout().entry(depth.newest(LbrTos::from_bits(tos))).unwrap();
        cpu.set(entry.from, registers.from);
        if let Some(to) = entry.to {
            cpu.set(to, registers.to);
        }
        if let Some(info) = entry.info {
            cpu.set(info, registers.info);
        }
    }

    /// Sets the precise counter.
    pub(super) fn set_counter(&self, value: u64) {
        self.counter.set(value);
    }

    /// An instruction of the program, which the precise counter counts; whether the performance interrupt comes behind it.
    pub(super) fn instruction(&self, behind: u64) -> bool {
        let enabled = self.cpu.borrow().value(PEBS_ENABLE) == Some(1);
        if !(self.armed.get() && enabled) {
            let (counter, overflowed) = self.counter.get().overflowing_add(1);
            self.counter.set(counter);
            self.armed.set(overflowed && enabled);
            return false;
        }
        let mut bytes = [0; 144];
        bytes[8..16].copy_from_slice(&behind.to_le_bytes());
        let due = store(self.area() + 0x20, AtEnd::Interrupt, &bytes);
        self.counter.set(read(self.area() + 0x40));
        self.armed.set(false);
        let entry = self.cpu.borrow().get(LvtPerformance::MSR);
        if due {
            self.cpu.borrow_mut().set(LvtPerformance::MSR, entry.masked());
        }
        due && !entry.mask()
    }
}

/// Stores a record in the buffer that these four fields describe; whether it reaches the threshold.
fn store(fields: u64, at_end: AtEnd, bytes: &[u8]) -> bool {
    let [base, index, absolute_maximum, interrupt_threshold] = [0, 8, 16, 24].map(|offset| read(fields + offset));
    let buffer = DsBuffer { base, index, absolute_maximum, interrupt_threshold };
    let (next, stored) = buffer.store(bytes.len() as u64, at_end);
    let at = stored.at.expect("a place for the record");
    for (offset, field) in (0..).step_by(8).zip(bytes.chunks_exact(8)) {
        write(at + offset, u64::from_le_bytes(field.try_into().unwrap()));
    }
    write(fields + 8, next.index);
    stored.interrupt
}

fn read(address: u64) -> u64 {
    let at = with_exposed_provenance::<u64>(address as usize);
    // SAFETY: the fields that the driver has pointed the processor at: a `Memory` of the test.
    unsafe { at.read_volatile() }
}

fn write(address: u64, value: u64) {
    let at = with_exposed_provenance_mut::<u64>(address as usize);
    // SAFETY: as for `read`; the place was checked against the buffer.
    unsafe { at.write_volatile(value) };
}

/// The memory is where the fake finds it without being mapped.
pub(super) fn memory() -> Box<Memory> {
    Box::default()
}
