//! The result of a run: what the registers said over time, and what became of the accesses; the two are compared.

use super::engine::Ran;
use super::error::RunError;
use super::observed::Moved;
use super::program::Before;
use super::supply::Supply;
use crate::rdt::environment::{Assigned, Happening, Setup, Traffic};
use crate::report::MismatchReport;
use lwp_model::rdt::{Config, Vendor};
use lwp_regs::rdt::{Count, L3Monitoring, MonitoringEvent};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What IA32_QM_CTR said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A number: lines, or bytes since the beginning.
    Number(u64),
    /// The event or the RMID is not monitored.
    Error,
    /// There were no data.
    Unavailable,
}

/// A reading of an RMID. An event that the unit does not have is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// Cycle.
    pub(super) cycle: u64,
    /// RMID.
    pub(super) rmid: u8,
    /// Class of the logical processor that has the RMID.
    pub(super) class: u8,
    /// Lines in the L3 cache.
    pub(super) lines: Option<Said>,
    /// Bytes to and from memory since the beginning.
    pub(super) total: Option<Said>,
    /// Bytes of these that belong to memory of this package.
    pub(super) local: Option<Said>,
}

/// A program of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// Logical processor.
    pub(super) lp: usize,
    /// RMID and class at the beginning.
    pub(super) assigned: Assigned,
    /// What it did in front of the shared caches.
    pub(super) before: Before,
    /// What became of its accesses.
    pub(super) traffic: Traffic,
    /// Cycles from the first access of the run to its last one.
    pub(super) cycles: u64,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    /// Programs that ran, in the order of their logical processors.
    pub(super) programs: Vec<Ended>,
    /// Readings, in their order; the last one of each RMID comes behind the last access.
    pub(super) points: Vec<Point>,
    /// Accesses by RMID.
    pub(super) by_rmid: Vec<Traffic>,
    /// Cycle of the first access.
    pub(super) begin: u64,
    /// Cycles from then to the end.
    pub(super) cycles: u64,
    /// Cycles in which model and RTL were compared.
    pub(super) compared: u64,
    /// The first difference of model and RTL.
    pub(super) mismatch: Option<MismatchReport>,
    /// Events of the session whose cycle did not come.
    pub(super) events_left: usize,
}

/// A sample as the environment writes it.
#[derive(Deserialize)]
struct Sampled {
    cycle: u64,
    rmid: u8,
    class: u8,
    lines: Option<Value>,
    total_bytes: Option<Value>,
    local_bytes: Option<Value>,
}

/// Units of a counter: what was read last, and the sum of the differences.
#[derive(Clone, Copy, Debug)]
struct Running {
    last: Count,
    sum: u64,
}

impl Measured {
    /// The result of a run, whose registers are compared with the ports unless it ended early. `assigned` is RMID and class of each logical processor.
    pub(super) fn of(ran: Ran, setup: &Setup, assigned: &[Assigned], stopped: bool) -> Result<Self, RunError> {
        let points = points(&ran.samples, &setup.straps);
        if ran.mismatch.is_none() && !stopped {
            check(&points, &ran, setup)?;
        }
        let begin = ran.ports.begin.unwrap_or(0);
        let programs =
            ran.remains.programs.iter().enumerate().filter_map(|(lp, (supply, traffic, end))| match supply {
                Supply::Program(program) => {
                    let (before, cycles) = (program.before, end.saturating_sub(begin));
                    Some(Ended { lp, assigned: assigned[lp], before, traffic: *traffic, cycles })
                }
                Supply::Idle => None,
            });
        Ok(Self {
            programs: programs.collect(),
            points,
            begin,
            cycles: ran.remains.cycles.saturating_sub(begin),
            compared: ran.compared,
            mismatch: ran.mismatch,
            events_left: ran.remains.events_left,
            by_rmid: ran.remains.by_rmid,
        })
    }

    /// RMIDs that were read, in their order, each with its last reading.
    pub(super) fn last(&self) -> BTreeMap<u8, Point> {
        self.points.iter().map(|point| (point.rmid, *point)).collect()
    }

    /// The readings of an RMID.
    pub(super) fn of_rmid(&self, rmid: u8) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(move |point| point.rmid == rmid)
    }
}

/// The readings: bandwidth as bytes since the beginning, however often its counter has wrapped around.
fn points(samples: &str, straps: &Config) -> Vec<Point> {
    let Some(l3) = straps.caps().monitoring.and_then(|caps| caps.l3) else { return Vec::new() };
    let start = Count::new((straps.start >> straps.scale) & (u64::MAX >> (64 - u32::from(straps.width))));
    let mut running: BTreeMap<(u8, u8), Running> = BTreeMap::new();
    let mut bandwidth = |rmid: u8, event: MonitoringEvent, value: Option<Value>| {
        let running = running.entry((rmid, event.id())).or_insert(Running { last: start, sum: 0 });
        Some(match said(&value?) {
            Said::Number(bytes) => Said::Number(running.add(bytes, &l3)),
            other => other,
        })
    };
    let mut points = Vec::new();
    for line in samples.lines() {
        let Ok(sampled) = serde_json::from_str::<Sampled>(line) else { continue };
        let Sampled { cycle, rmid, class, lines, total_bytes, local_bytes } = sampled;
        points.push(Point {
            cycle,
            rmid,
            class,
            lines: lines.as_ref().map(said),
            total: bandwidth(rmid, MonitoringEvent::L3TotalBandwidth, total_bytes),
            local: bandwidth(rmid, MonitoringEvent::L3LocalBandwidth, local_bytes),
        });
    }
    points
}

impl Running {
    /// Adds what was counted since the last reading; the bytes of all of it are the result.
    fn add(&mut self, bytes: u64, l3: &L3Monitoring) -> u64 {
        let now = Count::new(bytes / u64::from(l3.upscaling.max(1)));
        self.sum += l3.since(self.last, now).units();
        self.last = now;
        u64::try_from(l3.bytes(Count::new(self.sum))).unwrap_or(u64::MAX)
    }
}

fn said(value: &Value) -> Said {
    match (value.as_u64(), value.as_str()) {
        (Some(number), _) => Said::Number(number),
        (None, Some("unavailable")) => Said::Unavailable,
        _ => Said::Error,
    }
}

/// Compares the last reading of each RMID with the transfers and accesses at the ports.
fn check(points: &[Point], ran: &Ran, setup: &Setup) -> Result<(), RunError> {
    let straps = &setup.straps;
    let last: BTreeMap<u8, Point> = points.iter().map(|point| (point.rmid, *point)).collect();
    let sum = |counted: u64| ((straps.start + counted) >> straps.scale) - (straps.start >> straps.scale);
    let bytes = |counted: u64| sum(counted) << (u32::from(straps.scale) + u32::from(straps.line));
    for (rmid, point) in last {
        let Moved { reads, local_reads, writes, local_writes } = ran.ports.moved[usize::from(rmid)];
        let counted = |reads: u64, writes: u64| bytes(reads + if straps.write_backs { writes } else { 0 });
        let total = (counted(reads, writes), "bytes in all", point.total);
        let local = (counted(local_reads, local_writes), "bytes of this package", point.local);
        let differs = |who, what, register, ports| Err(RunError::Differs { rmid, who, what, register, ports });
        for (ports, what, said) in [total, local] {
            if let Some(Said::Number(register)) = said.filter(|said| *said != Said::Number(ports)) {
                return differs("IA32_QM_CTR says", what, register, ports);
            }
        }
        // Each line that an RMID has was read for it.
        if let Some(Said::Number(lines)) = point.lines
            && lines > reads
        {
            return differs("IA32_QM_CTR says", "lines at most", lines, reads);
        }
        let misses = ran.remains.by_rmid[usize::from(rmid)].misses();
        let most = reads + if may_bypass(setup) { writes } else { 0 };
        if !(reads..=most).contains(&misses) {
            return differs("the accesses say", "misses", misses, reads);
        }
    }
    Ok(())
}

/// Whether a miss that writes may go to memory without reading its line: if a class may have an empty mask, or the cache is without power.
fn may_bypass(setup: &Setup) -> bool {
    let off = |event: &Happening| matches!(event, Happening::L3Power(0));
    setup.straps.vendor == Vendor::Amd || setup.events.iter().any(|(_, event)| off(event))
}
