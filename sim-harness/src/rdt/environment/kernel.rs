//! The operating system: writes the unit's registers, a register per cycle, and reads its counters.

use super::RdtFailure;
use super::setup::{Assigned, Setup, Write};
use crate::rdt::records::{Reading, Recorder, Sample};
use lwp_model::Choice;
use lwp_model::retire::{RegAnswer, RegOp, RegRequest, RegResult};
use lwp_regs::rdt::{L3Monitoring, MonitoringEvent, NoCount, QmCtr, QmEvtsel};
use std::collections::VecDeque;

/// Events in the order in which they are read.
const EVENTS: [MonitoringEvent; 3] =
    [MonitoringEvent::L3Occupancy, MonitoringEvent::L3TotalBandwidth, MonitoringEvent::L3LocalBandwidth];

/// What the operating system does.
#[derive(Clone, Copy, Debug)]
enum Step {
    Write(Write),
    /// It selects an event of an RMID.
    Select(u8, MonitoringEvent),
    /// It reads the event that is selected. The last one completes a sample.
    Read(u8, MonitoringEvent, bool),
}

/// State of the operating system.
#[derive(Debug)]
pub(super) struct Kernel {
    l3: Option<L3Monitoring>,
    /// Bytes of a line.
    line: u64,
    settle: u64,
    steps: VecDeque<Step>,
    /// Cycles until the next step.
    waits: u64,
    /// Step of the last cycle, and its cycle.
    asked: Option<(Step, u64)>,
    /// RMID and class of each logical processor.
    assigned: [Assigned; 8],
    /// RMIDs that are read, each with the class that it had last.
    rmids: Vec<Assigned>,
    /// The next cycle of each timer, and its period.
    timers: Vec<(u64, u64)>,
    sample: Sample,
}

impl Kernel {
    pub(super) fn new(setup: &Setup) -> Self {
        Self {
            l3: setup.straps.caps().monitoring.and_then(|caps| caps.l3),
            line: 1 << setup.straps.line,
            settle: setup.straps.settle.into(),
            steps: setup.writes.iter().copied().map(Step::Write).collect(),
            waits: 0,
            asked: None,
            assigned: [Assigned::default(); 8],
            rmids: setup.rmids.clone(),
            timers: setup.samples.iter().map(|&period| (period, period)).collect(),
            sample: Sample::default(),
        }
    }

    /// Whether everything is done that was to be done.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.steps.is_empty() && self.asked.is_none()
    }

    /// RMID and class of a logical processor.
    pub(super) const fn assigned(&self, lp: usize) -> Assigned {
        self.assigned[lp]
    }

    /// Takes no more samples of its own accord.
    pub(super) fn stop_timers(&mut self) {
        self.timers.clear();
    }

    /// Writes registers as soon as it can.
    pub(super) fn write(&mut self, writes: &[Write]) {
        self.steps.extend(writes.iter().copied().map(Step::Write));
    }

    /// Reads all counters as soon as it can.
    #[cold]
    pub(super) fn read(&mut self) {
        let Some(l3) = self.l3 else { return };
        for Assigned { rmid, .. } in &self.rmids {
            let events = EVENTS.into_iter().filter(|&event| l3.events.has(event));
            let last = events.clone().next_back();
            for event in events {
                self.steps.extend([Step::Select(*rmid, event), Step::Read(*rmid, event, Some(event) == last)]);
            }
        }
    }

    /// Takes the answer to the request of the last cycle.
    #[inline]
    pub(super) fn take(&mut self, answer: &RegAnswer, records: &mut Recorder) -> Result<(), RdtFailure> {
        match self.asked.take() {
            Some((step, cycle)) => self.answered(step, cycle, answer, records),
            None => Ok(()),
        }
    }

    #[cold]
    fn answered(
        &mut self,
        step: Step,
        cycle: u64,
        answer: &RegAnswer,
        records: &mut Recorder,
    ) -> Result<(), RdtFailure> {
        if !answer.done {
            return Err(RdtFailure::NoAnswer { cycle });
        }
        if answer.result != RegResult::Done {
            let (what, number) = match step {
                Step::Write(write) => ("WRMSR", write.number),
                Step::Select(..) => ("WRMSR", QmEvtsel::MSR.address()),
                Step::Read(..) => ("RDMSR", QmCtr::MSR.address()),
            };
            return Err(RdtFailure::NotDone { what, number, cycle, result: answer.result.name() });
        }
        match step {
            Step::Write(Write { lp, assigns: Some(assigned), .. }) => self.assign(lp, assigned),
            Step::Write(_) => {}
            Step::Select(..) => self.waits = self.settle,
            Step::Read(rmid, event, last) => self.counted(rmid, event, last, answer.rdata, records),
        }
        Ok(())
    }

    fn assign(&mut self, lp: u8, assigned: Assigned) {
        self.assigned[usize::from(lp)] = assigned;
        if let Some(known) = self.rmids.iter_mut().find(|known| known.rmid == assigned.rmid) {
            known.class = assigned.class;
        }
    }

    /// An event of an RMID has been read.
    fn counted(&mut self, rmid: u8, event: MonitoringEvent, last: bool, value: u64, records: &mut Recorder) {
        let Some(l3) = self.l3 else { return };
        let reading = match QmCtr::from_bits(value).count() {
            Ok(count) => Reading::Number(l3.bytes(count)),
            Err(NoCount::Unavailable) => Reading::Unavailable,
            Err(_) => Reading::Error,
        };
        match (event, reading) {
            (MonitoringEvent::L3Occupancy, Reading::Number(bytes)) => {
                self.sample.lines = Some(Reading::Number(bytes / u128::from(self.line)));
            }
            (MonitoringEvent::L3Occupancy, _) => self.sample.lines = Some(reading),
            (MonitoringEvent::L3TotalBandwidth, _) => self.sample.total_bytes = Some(reading),
            _ => self.sample.local_bytes = Some(reading),
        }
        if last {
            let known = self.rmids.iter().find(|known| known.rmid == rmid);
            let class = known.map_or(0, |known| known.class);
            records.sampled(Sample { rmid, class, ..std::mem::take(&mut self.sample) });
        }
    }

    /// One cycle: the request that it makes.
    #[inline]
    pub(super) fn cycle(&mut self, cycle: u64) -> Option<RegRequest> {
        if self.timers.iter().any(|(due, _)| *due <= cycle) {
            self.ring(cycle);
        }
        if self.waits > 0 {
            self.waits -= 1;
            return None;
        }
        if self.steps.is_empty() { None } else { self.step(cycle) }
    }

    /// A timer is due. What it asks for while the reading before is not complete is left out.
    #[cold]
    fn ring(&mut self, cycle: u64) {
        for (due, period) in &mut self.timers {
            while *due <= cycle {
                *due += *period;
            }
        }
        if !self.steps.iter().any(|step| matches!(step, Step::Read(..))) {
            self.read();
        }
    }

    #[cold]
    fn step(&mut self, cycle: u64) -> Option<RegRequest> {
        let step = self.steps.pop_front()?;
        self.asked = Some((step, cycle));
        let (op, lp, number, wdata) = match step {
            Step::Write(Write { lp, number, value, .. }) => (RegOp::Wrmsr, lp, number, value),
            Step::Select(rmid, event) => {
                if self.sample == Sample::default() {
                    self.sample.cycle = cycle;
                }
                (RegOp::Wrmsr, 0, QmEvtsel::MSR.address(), u64::from(event.id()) | u64::from(rmid) << 32)
            }
            Step::Read(..) => (RegOp::Rdmsr, 0, QmCtr::MSR.address(), 0),
        };
        Some(RegRequest { valid: true, op, lp, number, wdata })
    }
}
