//! The debug store: what is written through the memory port, and the notices.

use super::area::{Buffer, Fields};
use super::bits::Bits;
use super::coverage::Coverage;
use super::memory::{Access, Port, Step};
use super::pebs::{Pebs, Pending, number_in, reset_values};
use super::ports::{PortsIn, PortsOut, Straps};
use super::queue::Queue;
use super::record::{branch_record, pebs_record};
use super::threshold::{Asks, Thresholds, Window};
use super::violation::{Fault, check, fault};
use std::collections::BTreeMap;

/// Cycles in which the notices of a stored record may come.
const NOTICE: u64 = 16;

/// A record whose index is being written.
#[derive(Clone, Copy, Debug)]
struct Closing {
    buffer: Buffer,
    /// Number of the record in the queue, or the counters that a PEBS record names.
    number: usize,
    /// Address and bytes of the record.
    at: u64,
    size: u64,
}

/// The debug store.
#[derive(Clone, Debug)]
pub(super) struct Store {
    /// IA32_DS_AREA.
    pub(super) area: Bits,
    /// Records of branches.
    pub(super) queue: Queue,
    /// PEBS.
    pub(super) pebs: Pebs,
    port: Port,
    thresholds: Thresholds,
    /// Bytes of the record in progress.
    written: BTreeMap<u64, u8>,
    /// They may be bytes of a record that was dropped, too: it is not known whether of a branch or of PEBS.
    mixed: bool,
    closing: Option<Closing>,
    /// The buffer with unusual fields whose index was written last.
    unjudged: Option<Buffer>,
    /// An access page-faulted, and no record was stored since.
    trouble: bool,
    /// A record is stored, which `stored` must report until this cycle.
    unreported: Option<u64>,
    /// Cycles in which something is waiting and nothing happens, or the other way round.
    idle: u64,
    /// What was checked.
    pub(super) seen: Coverage,
}

impl Store {
    /// Returns the state after reset.
    pub(super) fn new() -> Self {
        Self {
            area: Bits::ANY,
            queue: Queue::default(),
            pebs: Pebs::new(),
            port: Port::new(),
            thresholds: Thresholds::new(),
            written: BTreeMap::new(),
            mixed: false,
            closing: None,
            unjudged: None,
            trouble: false,
            unreported: None,
            idle: 0,
            seen: Coverage::default(),
        }
    }

    /// Returns the state after another reset.
    pub(super) fn reset(&self) -> Self {
        let mut thresholds = self.thresholds.clone();
        thresholds.reset();
        Self { thresholds, seen: self.seen, ..Self::new() }
    }

    /// IA32_DS_AREA was written.
    pub(super) fn area_written(&mut self, area: Bits) {
        self.area = area;
        self.port.forget_all();
    }

    /// Software switched a part on: it may have changed the fields before.
    pub(super) fn switched_on(&mut self, straps: &Straps, buffer: Buffer) {
        let Some(area) = self.area.known() else { return };
        let (first, end) = match buffer {
            Buffer::Bts => (0, 0x20),
            Buffer::Pebs if straps.dtes64 => (0x20, 0x60),
            Buffer::Pebs => (0x10, 0x60),
        };
        self.port.forget(area.wrapping_add(first), end - first);
    }

    /// Follows a cycle: the outputs, and the inputs that answer them.
    pub(super) fn cycle(
        &mut self,
        (straps, lanes): (&Straps, usize),
        inputs: &PortsIn,
        out: &PortsOut,
        cycle: u64,
    ) -> Result<(), Fault> {
        if out.stored {
            self.report(straps, cycle)?;
        }
        check(self.unreported.is_none_or(|until| cycle < until), "ports, Outputs", || {
            "a record is in memory and its index is written, but `stored` does not come".into()
        })?;
        if out.lost {
            self.lost(straps, cycle)?;
        }
        self.thresholds.cycle(out.ds_pmi, cycle, &self.port)?;
        (self.seen.interrupts, self.seen.silent) = self.thresholds.judged;
        self.reload(straps, out)?;
        let sampling = self.pebs.pending.is_some();
        self.settle(inputs, out, straps, cycle)?;
        if out.reg_ready {
            let waiting = self.closing.is_some() || self.pebs.pending.is_some();
            check(!waiting, "ports, Register requests", || "reg_ready while a record is being stored".into())?;
            self.queue.ready(cycle)?;
            self.mixed = false;
            self.written.clear();
        }
        self.queue.stall(lanes, out.stall, sampling)?;
        self.pebs.check_armed(out)?;
        let sending = self.queue.bus(straps, out, inputs.btm_ready)?;
        self.seen.sent += u64::from(sending && inputs.btm_ready);
        match self.port.cycle(inputs, out)? {
            Step::Granted(access) if access.write => self.write(straps, access, cycle)?,
            Step::Done(access) if access.write => self.done(cycle)?,
            Step::Failed(access) => self.failed(access)?,
            _ => (),
        }
        self.live(out, sending)
    }

    /// Checks what is left at the end of a run.
    pub(super) fn finish(&mut self, cycle: u64) -> Result<(), Fault> {
        self.thresholds.cycle(false, cycle, &self.port)
    }

    fn fields(&self, straps: &Straps, buffer: Buffer) -> Vec<Fields> {
        let formats = match (buffer, &self.pebs.pending) {
            (Buffer::Bts, _) => self.queue.formats(),
            (Buffer::Pebs, Some(pending)) => pending.formats.clone(),
            (Buffer::Pebs, None) => Vec::new(),
        };
        let read = |format| Fields::read(straps, &self.port, self.area.known(), buffer, format);
        formats.into_iter().map(read).collect()
    }

    /// Follows a write that the memory takes. Rows: BTS-08, BTS-14, BTS-15, BTS-19.
    fn write(&mut self, straps: &Straps, access: Access, cycle: u64) -> Result<(), Fault> {
        let (mut strange, mut buffers) = (false, Vec::new());
        for buffer in [Buffer::Bts, Buffer::Pebs] {
            let all = self.fields(straps, buffer);
            let hit = all.iter().find(|fields| access.bytes().any(|(at, _)| fields.is_index(at)));
            if all.iter().any(|fields| fields.strange) {
                strange = true;
                self.unjudged = hit.map(|_| buffer).or(self.unjudged);
            } else if let Some(fields) = hit {
                return self.index(straps, access, buffer, fields, cycle);
            } else {
                buffers.extend(all);
            }
        }
        check(strange || !buffers.is_empty(), "BTS-08", || format!("{access:x?}, but no record is to be stored"))?;
        for (at, value) in access.bytes() {
            check(strange || buffers.iter().any(|fields| fields.holds(at)), "BTS-15", || {
                format!("a write at {at:#x}, which is neither in a buffer that the unit has read of nor an index")
            })?;
            self.written.insert(at, value);
        }
        Ok(())
    }

    /// Follows a write of an index: the record must be complete.
    fn index(
        &mut self,
        straps: &Straps,
        access: Access,
        buffer: Buffer,
        fields: &Fields,
        cycle: u64,
    ) -> Result<(), Fault> {
        let word = fields.format.word();
        let bytes: BTreeMap<u64, u8> = access.bytes().collect();
        let inside = bytes.keys().all(|&at| fields.is_index(at));
        check(inside, "BTS-19", || format!("{access:x?} writes more than the index at {:#x}", fields.index_at))?;
        let Some(new) = number_in(&bytes, fields.index_at, word) else {
            return fault("BTS-19", format!("{access:x?} writes only a part of the index at {:#x}", fields.index_at));
        };
        check(self.unreported.is_none(), "ports, Outputs", || "the record before was not reported by `stored`".into())?;
        let (number, at, asks) = match (buffer, &self.pebs.pending) {
            (Buffer::Pebs, Some(pending)) => {
                let (at, named) = pebs_record(&self.written, fields, pending, new)?;
                (named, at, Asks::Yes)
            }
            _ => branch_record(straps, &self.queue, &self.written, fields, new)?,
        };
        let other = if buffer == Buffer::Bts { Buffer::Pebs } else { Buffer::Bts };
        let others = self.fields(straps, other);
        let record = at..at + fields.size;
        let belongs = |at: &u64| record.contains(at) || others.iter().any(|fields| fields.strange || fields.holds(*at));
        if let Some(at) = self.written.keys().find(|at| !belongs(at)).filter(|_| !self.mixed) {
            return fault("BTS-15", format!("a write at {at:#x}, outside the record whose index is written"));
        }
        self.closing = Some(Closing { buffer, number, at, size: fields.size });
        let window = Window {
            bts: buffer == Buffer::Bts,
            at,
            size: fields.size,
            maximum: fields.maximum.unwrap_or(u64::MAX),
            threshold: fields.threshold,
            field: (fields.index_at + 2 * word, word),
            asks,
            pulses: 0,
            others: 0,
            until: cycle.saturating_add(1 << 32),
        };
        self.thresholds.open(window, &self.port)
    }

    /// A write has its response: if it was that of an index, the record is stored.
    fn done(&mut self, cycle: u64) -> Result<(), Fault> {
        let Some(closing) = self.closing.take() else { return Ok(()) };
        for at in closing.at..closing.at + closing.size {
            self.written.remove(&at);
        }
        match (closing.buffer, &mut self.pebs.pending) {
            (Buffer::Pebs, Some(pending)) => {
                pending.stored(u8::try_from(closing.number).unwrap_or(0))?;
                self.seen.samples += 1;
            }
            _ => {
                self.queue.take(closing.number)?;
                self.seen.branches += 1;
            }
        }
        (self.trouble, self.unreported) = (false, Some(cycle + NOTICE));
        self.thresholds.until(cycle + NOTICE);
        Ok(())
    }

    /// An access page-faulted: what it would have written is not there.
    fn failed(&mut self, access: Access) -> Result<(), Fault> {
        self.trouble = true;
        if access.write {
            if self.closing.take().is_some() {
                self.thresholds.cancel()?;
            }
            for (at, _) in access.bytes() {
                self.written.remove(&at);
            }
            self.unjudged = None;
        } else if let Some(pending) = &mut self.pebs.pending {
            pending.faulted();
        }
        Ok(())
    }

    /// `stored`.
    fn report(&mut self, straps: &Straps, cycle: u64) -> Result<(), Fault> {
        if self.unreported.take().is_some() {
            self.thresholds.until(cycle + NOTICE);
            return Ok(());
        }
        // With unusual fields the writes are not judged: any record of the buffer may be meant, and of any buffer if none has its index written.
        let unjudged = self.unjudged.take();
        let may_be = |buffer: Buffer| {
            unjudged.is_none_or(|seen| seen == buffer)
                && self.fields(straps, buffer).iter().any(|fields| fields.strange)
        };
        let (sample, branch) = (may_be(Buffer::Pebs), may_be(Buffer::Bts));
        if sample
            && let Some(pending) = &mut self.pebs.pending
            && pending.may_be_lost()
        {
            pending.lost();
        } else if branch && self.queue.first_stored().is_some() {
            self.queue.gone();
        } else {
            return fault("ports, Outputs", "`stored`, but no record was completed");
        }
        self.written.clear();
        self.seen.unjudged += 1;
        self.thresholds.allow(cycle + NOTICE);
        Ok(())
    }

    /// `lost`. Rows: BTS-08, BTS-48.
    fn lost(&mut self, straps: &Straps, cycle: u64) -> Result<(), Fault> {
        self.seen.lost += 1;
        let branch = self.queue.droppable();
        let branch = branch.map(|target| self.may_drop(straps, Buffer::Bts, target.circular, target.bounded));
        let pending = self.pebs.pending.as_ref().is_some_and(Pending::may_be_lost) || self.pebs.owes.is_some();
        let sample = pending.then(|| self.pebs.owes.is_some() || self.may_drop(straps, Buffer::Pebs, false, true));
        self.thresholds.allow(cycle + NOTICE);
        match (branch, sample) {
            (Some(true), Some(true)) => (self.queue.credit, self.mixed) = (self.queue.credit + 1, true),
            (Some(true), _) => {
                self.written.clear();
                self.queue.gone();
            }
            (_, Some(true)) => {
                self.written.clear();
                self.pebs.lost();
            }
            (None, None) => return fault("BTS-08", "`lost`, but no record for the debug store is waiting"),
            _ => return fault("BTS-08", "`lost`, but the record has room in its buffer and no access page-faulted"),
        }
        Ok(())
    }

    /// Whether the next record of a buffer may be dropped.
    fn may_drop(&self, straps: &Straps, buffer: Buffer, circular: bool, bounded: bool) -> bool {
        let full =
            |fields: &Fields| fields.strange || circular && fields.places(true).1 || bounded && fields.places(false).1;
        self.trouble || self.fields(straps, buffer).iter().any(full)
    }

    fn reload(&mut self, straps: &Straps, out: &PortsOut) -> Result<(), Fault> {
        let strange = self.trouble || self.fields(straps, Buffer::Pebs).iter().any(|fields| fields.strange);
        let judged = self.area.known().filter(|_| !strange).zip(self.pebs.pending.as_ref());
        let values = judged.map(|(area, pending)| reset_values(&self.port, area, &pending.formats, out.reload_counter));
        self.seen.reloads += u64::from(out.reload_valid && values.is_some());
        self.pebs.reload(out, values.as_deref())
    }

    fn settle(&mut self, inputs: &PortsIn, out: &PortsOut, straps: &Straps, cycle: u64) -> Result<(), Fault> {
        check(self.pebs.owes.is_none_or(|until| cycle < until), "BTS-09", || {
            "the event behind an overflow stored no PEBS record, and none is reported as lost".into()
        })?;
        if self.pebs.state(inputs, out, straps) {
            let busy = self.closing.is_some_and(|closing| closing.buffer == Buffer::Pebs);
            check(!busy, "BTS-09", || "stall ends before the index of the PEBS record is written".into())?;
            self.pebs.settle(cycle, &mut self.queue.credit)?;
        }
        Ok(())
    }

    /// Checks that waiting records leave, and that nothing is held up without one.
    fn live(&mut self, out: &PortsOut, sending: bool) -> Result<(), Fault> {
        let waiting = !self.queue.is_empty() || self.pebs.pending.is_some();
        let moves = self.port.busy() || sending || out.stored || out.lost || out.reload_valid;
        let wrong = if waiting { !moves } else { !moves && (out.stall || !out.reg_ready) };
        self.idle = if wrong { self.idle + 1 } else { 0 };
        check(!waiting || self.idle < 256, "BTS-08", || {
            "a record is waiting, but for 256 cycles it is neither stored nor sent nor reported as lost".into()
        })?;
        check(waiting || self.idle < 32, "ports, What the core does", || {
            format!("stall {}, reg_ready {}, but no record is waiting", out.stall, out.reg_ready)
        })
    }
}
