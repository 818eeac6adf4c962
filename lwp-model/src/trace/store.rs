//! Stage store: one record through the debug store.

use super::config::{Config, ds_format};
use super::port::{PageFault, PortCycle};
use super::state::{Control, Notice, Pebs, Port, Queue, Reload, Step, Store};
use crate::retire::MemAnswer;
use core::mem::{offset_of, size_of};
use lwp_regs::trace::{AtEnd, BtsFlags, DsBuffer, DsFormat, DsManagement32, DsManagement64};

/// Bits of an address that are 0 at a multiple of 8.
const MISALIGNED: u64 = 0b111;

/// Number of the field of a PEBS record that the unit itself fills.
const COUNTER_FIELD: u8 = 18;

/// Offsets of base, index, maximum and threshold, of the BTS and of the PEBS buffer, in the 32-bit format.
const NARROW: [[usize; 4]; 2] = [
    [
        offset_of!(DsManagement32, bts_buffer_base),
        offset_of!(DsManagement32, bts_index),
        offset_of!(DsManagement32, bts_absolute_maximum),
        offset_of!(DsManagement32, bts_interrupt_threshold),
    ],
    [
        offset_of!(DsManagement32, pebs_buffer_base),
        offset_of!(DsManagement32, pebs_index),
        offset_of!(DsManagement32, pebs_absolute_maximum),
        offset_of!(DsManagement32, pebs_interrupt_threshold),
    ],
];

/// The same in the 64-bit format.
const WIDE: [[usize; 4]; 2] = [
    [
        offset_of!(DsManagement64, bts_buffer_base),
        offset_of!(DsManagement64, bts_index),
        offset_of!(DsManagement64, bts_absolute_maximum),
        offset_of!(DsManagement64, bts_interrupt_threshold),
    ],
    [
        offset_of!(DsManagement64, pebs_buffer_base),
        offset_of!(DsManagement64, pebs_index),
        offset_of!(DsManagement64, pebs_absolute_maximum),
        offset_of!(DsManagement64, pebs_interrupt_threshold),
    ],
];

/// What the store reads of the other stages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources<'a> {
    pub(super) control: &'a Control,
    pub(super) queue: &'a Queue,
    pub(super) pebs: &'a Pebs,
    pub(super) straps: &'a Config,
    pub(super) mem: &'a MemAnswer,
    pub(super) state_value: u64,
}

/// The record that the store has done with in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ended {
    /// None.
    #[default]
    Nothing,
    /// The first one of the queue.
    Branch,
    /// The PEBS record of this counter, a bit.
    Precise(u8),
}

/// What a cycle of the store has led to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    pub(super) ended: Ended,
    pub(super) notice: Notice,
    pub(super) reload: Reload,
}

impl Outcome {
    /// A record that is dropped.
    const LOST: Notice = Notice { ds_pmi: false, stored: false, lost: true };
}

impl Store {
    /// A cycle.
    #[inline]
    pub(super) fn step(&mut self, port: &mut Port, sources: &Sources<'_>) -> Outcome {
        match self.step {
            Step::Idle => self.begin(sources),
            Step::Place => self.place(sources.straps),
            _ => match port.step(sources.mem) {
                PortCycle::Free => {
                    self.issue(port, sources);
                    Outcome::default()
                }
                PortCycle::Busy => Outcome::default(),
                PortCycle::Answered(answer) => self.answered(answer, sources.straps),
            },
        }
    }

    /// Begins the next record, if there is one.
    #[inline]
    fn begin(&mut self, sources: &Sources<'_>) -> Outcome {
        let next = match sources.queue.first() {
            Some(record) if record.store => Self { wide: record.wide, circular: record.circular, ..Self::default() },
            None if sources.pebs.pending != 0 => Self {
                pebs: true,
                wide: sources.pebs.pending_wide,
                counter: sources.pebs.pending.trailing_zeros() as u8,
                ..Self::default()
            },
            _ => return Outcome::default(),
        };
        *self = Self { step: Step::Base, ..next };
        if sources.control.ds_area & MISALIGNED != 0 { self.lose() } else { Outcome::default() }
    }

    /// Decides where the record goes.
    #[inline]
    fn place(&mut self, straps: &Config) -> Outcome {
        let buffer = self.buffer();
        let aligned = buffer.is_aligned(ds_format(self.wide));
        match buffer.place(self.record_bytes(straps), self.at_end()).filter(|_| aligned) {
            Some(index) => {
                (self.index, self.step) = (index, Step::Record);
                Outcome::default()
            }
            None if self.pebs => {
                self.step = Step::Reset;
                Outcome { notice: Outcome::LOST, ..Outcome::default() }
            }
            None => self.lose(),
        }
    }

    /// Issues the access of the step.
    #[inline]
    fn issue(&self, port: &mut Port, sources: &Sources<'_>) {
        let area = sources.control.ds_area;
        match self.step {
            Step::Record => port.write(self.field_address(), self.wide, self.value(sources)),
            Step::Publish => {
                let (next, _) = self.buffer().advance(self.record_bytes(sources.straps), self.at_end());
                port.write(area.wrapping_add(self.offset()), self.wide, next);
            }
            _ => port.read(area.wrapping_add(self.offset())),
        }
    }

    /// Takes the response to the access of the step.
    #[inline]
    fn answered(&mut self, answer: Result<u64, PageFault>, straps: &Config) -> Outcome {
        let Ok(word) = answer else {
            // The record of a counter that is reset is in memory, or is lost already.
            return if self.step == Step::Reset { self.end(Notice::default()) } else { self.lose() };
        };
        match self.step {
            Step::Record => {
                self.field += 1;
                if u64::from(self.field) == self.record_bytes(straps) / ds_format(self.wide).field_bytes() as u64 {
                    (self.field, self.step) = (0, Step::Publish);
                }
                Outcome::default()
            }
            Step::Publish => {
                let (_, ds_pmi) = self.buffer().advance(self.record_bytes(straps), self.at_end());
                let notice = Notice { ds_pmi, stored: true, lost: false };
                if self.pebs {
                    self.step = Step::Reset;
                    Outcome { notice, ..Outcome::default() }
                } else {
                    self.end(notice)
                }
            }
            Step::Reset => {
                let reload = Reload { reload_valid: true, reload_counter: self.counter, reload_value: word };
                Outcome { reload, ..self.end(Notice::default()) }
            }
            _ => {
                self.take(word);
                Outcome::default()
            }
        }
    }

    /// Takes a word of the management area: one field, or two of the 32-bit format.
    #[inline]
    const fn take(&mut self, word: u64) {
        let (low, high) = (word & u32::MAX as u64, word >> 32);
        self.step = match (self.step, self.wide) {
            (Step::Base, true) => {
                self.base = word;
                Step::Index
            }
            (Step::Base, false) => {
                (self.base, self.index) = (low, high);
                Step::Maximum
            }
            (Step::Index, _) => {
                self.index = word;
                Step::Maximum
            }
            (Step::Maximum, true) => {
                self.maximum = word;
                Step::Threshold
            }
            (Step::Maximum, false) => {
                (self.maximum, self.threshold) = (low, high);
                Step::Place
            }
            _ => {
                self.threshold = word;
                Step::Place
            }
        };
    }

    /// Drops the record.
    #[inline]
    fn lose(&mut self) -> Outcome {
        self.end(Outcome::LOST)
    }

    /// Has done with the record.
    #[inline]
    fn end(&mut self, notice: Notice) -> Outcome {
        let ended = if self.pebs { Ended::Precise(1 << self.counter) } else { Ended::Branch };
        *self = Self::default();
        Outcome { ended, notice, reload: Reload::default() }
    }

    /// The buffer as the management area describes it.
    #[inline]
    const fn buffer(&self) -> DsBuffer {
        let Self { base, index, maximum, threshold, .. } = *self;
        DsBuffer { base, index, absolute_maximum: maximum, interrupt_threshold: threshold }
    }

    #[inline]
    const fn at_end(&self) -> AtEnd {
        if self.circular { AtEnd::Circular } else { AtEnd::Interrupt }
    }

    #[inline]
    const fn record_bytes(&self, straps: &Config) -> u64 {
        let format = ds_format(self.wide);
        if self.pebs { straps.pebs_records().record_bytes(format) } else { format.bts_record_bytes() }
    }

    /// Where the next field of the record goes.
    #[inline]
    const fn field_address(&self) -> u64 {
        self.index.wrapping_add(self.field as u64 * ds_format(self.wide).field_bytes() as u64)
    }

    /// Offset of the field of the management area that the step accesses.
    #[inline]
    const fn offset(&self) -> u64 {
        let number = match self.step {
            Step::Index | Step::Publish => 1,
            Step::Maximum => 2,
            Step::Threshold => 3,
            Step::Reset => return reset_offset(ds_format(self.wide), self.counter),
            _ => 0,
        };
        let offsets = if self.wide { WIDE } else { NARROW };
        offsets[self.pebs as usize][number] as u64
    }

    /// The value of the next field of the record.
    #[inline]
    fn value(&self, sources: &Sources<'_>) -> u64 {
        match (self.pebs, self.field) {
            (true, COUNTER_FIELD) => 1 << self.counter,
            (true, _) => sources.state_value,
            (false, 0) => sources.queue.record[0].from,
            (false, 1) => sources.queue.record[0].to,
            (false, _) => BtsFlags::new().with_predicted(sources.queue.record[0].predicted).into_bits(),
        }
    }
}

/// Offset of the reset value of a counter. The 32-bit format has one for all.
const fn reset_offset(format: DsFormat, counter: u8) -> u64 {
    match format {
        DsFormat::Bits32 => size_of::<DsManagement32>() as u64,
        _ => size_of::<DsManagement64>() as u64 + 8 * counter as u64,
    }
}
