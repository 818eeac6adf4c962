//! The operating system's memory: the management area and the two buffers, and the memory port's other side.

use super::setup::{Plan, Setup};
use lwp_model::retire::{MemAnswer, MemCmd, MemRequest};
use lwp_regs::trace::{BtsRecord, DsBuffer, DsFormat, PebsFormat, PebsRecord};
use std::ops::Range;

/// Offset of the BTS buffer from the management area.
const BTS: u64 = 0x1000;

/// An access that was granted.
#[derive(Clone, Copy, Debug)]
struct Granted {
    request: MemRequest,
    left: u64,
}

/// Memory from the management area upwards.
#[derive(Debug)]
pub(super) struct Memory {
    area: u64,
    words: Vec<u64>,
    format: DsFormat,
    pebs_format: PebsFormat,
    latency: u64,
    /// Where no page is present.
    absent: Range<u64>,
    /// Cycles that a request has waited.
    waited: u64,
    granted: Option<Granted>,
    /// The buffers as they were set up.
    pub(super) bts: DsBuffer,
    pub(super) pebs: Option<DsBuffer>,
}

impl Memory {
    /// Lays out area and buffers, and writes the management area.
    pub(super) fn new(setup: &Setup, plan: &Plan) -> Self {
        let area: u64 = if plan.format.is_64() && plan.long { 0xFFFF_8880_0010_0000 } else { 0xC010_0000 };
        let record = plan.format.bts_record_bytes();
        let buffer = setup.buffer;
        let bts = DsBuffer::empty(area + BTS, record, buffer.records, buffer.threshold).unwrap_or_default();
        let second = (bts.absolute_maximum + 0xFFF) & !0xFFF;
        let pebs = setup.pebs.and_then(|pebs| {
            let bytes = plan.pebs_format.record_bytes(plan.format);
            DsBuffer::empty(second, bytes, pebs.records, pebs.records.div_ceil(2))
        });
        let end = pebs.map_or(second, |pebs| pebs.absolute_maximum);
        let mut memory = Self {
            area,
            words: vec![0; ((end - area) / 8 + 1) as usize],
            format: plan.format,
            pebs_format: plan.pebs_format,
            latency: setup.latency,
            absent: buffer.present.map_or(0..0, |records| (bts.base + records * record).next_multiple_of(8)..second),
            waited: 0,
            granted: None,
            bts,
            pebs,
        };
        memory.describe(0, &bts);
        if let (Some(pebs), Some(sampling)) = (pebs, setup.pebs) {
            memory.describe(4, &pebs);
            let reset = if plan.format.is_64() { 0x40 } else { 0x20 };
            memory.set(area + reset, 8, sampling.period.wrapping_neg());
        }
        memory
    }

    /// Address of the management area.
    pub(super) const fn area(&self) -> u64 {
        self.area
    }

    /// Writes the four fields of a buffer from this one on.
    fn describe(&mut self, first: u64, buffer: &DsBuffer) {
        let fields = [buffer.base, buffer.index, buffer.absolute_maximum, buffer.interrupt_threshold];
        for (at, value) in (first..).zip(fields) {
            self.set_field(at, value);
        }
    }

    fn set_field(&mut self, at: u64, value: u64) {
        let bytes = self.format.field_bytes() as u64;
        self.set(self.area + bytes * at, bytes, value);
    }

    fn field(&self, at: u64) -> u64 {
        let bytes = self.format.field_bytes() as u64;
        self.get(self.area + bytes * at, bytes)
    }

    fn get(&self, address: u64, bytes: u64) -> u64 {
        let offset = address - self.area;
        let word = self.words[(offset / 8) as usize];
        if bytes == 8 { word } else { word >> (8 * (offset & 4)) & 0xFFFF_FFFF }
    }

    fn set(&mut self, address: u64, bytes: u64, value: u64) {
        let offset = address - self.area;
        let word = &mut self.words[(offset / 8) as usize];
        let (shift, mask) = if bytes == 8 { (0, u64::MAX) } else { (8 * (offset & 4), 0xFFFF_FFFF) };
        *word = *word & !(mask << shift) | (value & mask) << shift;
    }

    /// The bytes of a record.
    fn bytes(&self, address: u64, bytes: u64) -> Vec<u8> {
        let words = (address..address + bytes).step_by(4).map(|at| self.get(at, 4) as u32);
        words.flat_map(u32::to_le_bytes).collect()
    }

    /// Gives every branch record that is in the buffer to `take`, oldest first, and empties it. The error is the index if it is not at a
    /// record.
    pub(super) fn drain_branches(&mut self, circular: bool, mut take: impl FnMut(BtsRecord)) -> Result<(), u64> {
        let (buffer, record) = (self.bts, self.format.bts_record_bytes());
        let index = self.field(1);
        let filled = checked(index, &buffer, record)?;
        let each = |from: u64, to: u64| (from..to).step_by(record as usize);
        let older = if circular { each(index, buffer.absolute_maximum) } else { each(0, 0) };
        let places: Vec<u64> = older.chain(each(buffer.base, buffer.base + filled)).collect();
        for place in places {
            let bytes = self.bytes(place, record);
            let decoded = BtsRecord::from_bytes(self.format, &bytes).unwrap_or_default();
            if !decoded.is_empty() {
                take(decoded);
            }
            (place..place + record).step_by(4).for_each(|at| self.set(at, 4, 0));
        }
        self.set_field(1, buffer.base);
        Ok(())
    }

    /// The same for the PEBS records.
    pub(super) fn drain_precise(&mut self, mut take: impl FnMut(PebsRecord)) -> Result<(), u64> {
        let Some(buffer) = self.pebs else { return Ok(()) };
        let record = self.pebs_format.record_bytes(self.format);
        let filled = checked(self.field(5), &buffer, record)?;
        for place in (buffer.base..buffer.base + filled).step_by(record as usize) {
            let bytes = self.bytes(place, record);
            if let Some(decoded) = PebsRecord::from_bytes(self.format, self.pebs_format, &bytes) {
                take(decoded);
            }
        }
        self.set_field(5, buffer.base);
        Ok(())
    }

    /// What memory answers in a cycle in which the unit shows this request.
    #[inline]
    pub(super) fn cycle(&mut self, request: &MemRequest) -> MemAnswer {
        if let Some(granted) = &mut self.granted {
            if granted.left > 0 {
                granted.left -= 1;
                return MemAnswer::default();
            }
            let request = granted.request;
            self.granted = None;
            return self.access(&request);
        }
        if !request.req {
            return MemAnswer::default();
        }
        if self.waited < self.latency {
            self.waited += 1;
            return MemAnswer::default();
        }
        self.waited = 0;
        self.granted = Some(Granted { request: *request, left: self.latency });
        MemAnswer { gnt: true, ..MemAnswer::default() }
    }

    /// Whether an access is in progress.
    pub(super) const fn is_busy(&self) -> bool {
        self.granted.is_some()
    }

    fn access(&mut self, request: &MemRequest) -> MemAnswer {
        let offset = request.addr.wrapping_sub(self.area);
        let present = !self.absent.contains(&request.addr);
        let Some(word) = self.words.get_mut((offset / 8) as usize).filter(|_| present) else {
            return MemAnswer { rvalid: true, err: true, ..MemAnswer::default() };
        };
        if request.cmd == MemCmd::Write {
            let byte = |bit: u32| if request.be >> bit & 1 == 1 { 0xFF_u64 << (8 * bit) } else { 0 };
            let mask = (0..8).fold(0, |mask, bit| mask | byte(bit));
            *word = *word & !mask | request.wdata & mask;
            return MemAnswer { rvalid: true, ..MemAnswer::default() };
        }
        MemAnswer { rvalid: true, rdata: *word, ..MemAnswer::default() }
    }
}

/// Bytes before an index that is at a record.
fn checked(index: u64, buffer: &DsBuffer, record: u64) -> Result<u64, u64> {
    let inside = index >= buffer.base && index <= buffer.absolute_maximum;
    if inside && (index - buffer.base).is_multiple_of(record) { Ok(index - buffer.base) } else { Err(index) }
}
