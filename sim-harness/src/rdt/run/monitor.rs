//! `lwp-sim rdt monitor`: RMIDs for programs, and what each uses over time.

use super::error::RunError;
use super::measured::{Measured, Point, Said};
use super::scenario::Scenario;
use super::sized::Sized;
use super::text::table;
use crate::rdt::environment::{Assigned, Write as Wrmsr};
use crate::report::grouped;
use lwp_regs::rdt::{Cos, PqrAssoc, Rmid};
use std::fmt::Write;

/// Gives each program an RMID of its own, from 1 upwards: RMID 0 is for everything else. Classes stay.
pub(super) fn assign(sized: &mut Sized, programs: usize) -> Result<(), RunError> {
    let session = &mut sized.session;
    let caps = session.straps.caps();
    let most = caps.monitoring.and_then(|caps| caps.l3).map(|l3| l3.max_rmid);
    let most = most.ok_or_else(|| {
        RunError::options("the unit monitors nothing (strap `events`)", "set the strap `events` to 7")
    })?;
    if programs as u32 > most {
        let what =
            format!("{programs} programs need {programs} RMIDs besides RMID 0, and RMIDs up to {most} are monitored");
        return Err(RunError::options(
            what,
            "give fewer programs, or a session with larger `max_rmid` and `l3_max_rmid`",
        ));
    }
    session.writes.retain(|write| write.assigns.is_none());
    for (lp, assigned) in session.programs.iter_mut().enumerate().take(programs) {
        let class = assigned.class;
        *assigned = Assigned { rmid: lp as u8 + 1, class };
        let refused = |refused: lwp_regs::Refused| RunError::options(refused.to_string(), "correct the session");
        let (rmid, cos) =
            (Rmid::new(lp as u32 + 1, &caps).map_err(refused)?, Cos::new(class.into(), &caps).map_err(refused)?);
        let value = PqrAssoc::of(rmid, cos).into_bits();
        session.writes.push(Wrmsr { lp: lp as u8, number: PqrAssoc::MSR.address(), value, assigns: Some(*assigned) });
    }
    Ok(())
}

/// A table for each reading of all RMIDs, as `pqos` prints it.
pub(super) fn text(scenario: &Scenario, measured: &Measured) -> String {
    let mut text = super::text::head(scenario, std::iter::once(measured));
    let mut before: Vec<Option<Point>> = vec![None; 32];
    let mut rest = measured.points.as_slice();
    while let Some(first) = rest.first() {
        // A reading has each RMID once, in the order of the programs.
        let length = rest.iter().skip(1).position(|point| point.rmid == first.rmid).map_or(rest.len(), |at| at + 1);
        let (reading, behind) = rest.split_at(length);
        let _ = writeln!(text, "\ncycle {}", grouped(first.cycle.saturating_sub(measured.begin)));
        let names = ["  LP", "RMID", "PROGRAM", "LLC[KB]", "LINES", "MBT[B/kcycle]", "MBL[B/kcycle]", "MBR[B/kcycle]"];
        let mut rows = vec![names.iter().map(ToString::to_string).collect::<Vec<_>>()];
        for point in reading {
            let then = before[usize::from(point.rmid)].replace(*point);
            rows.push(row(scenario, measured, point, then));
        }
        text.push_str(&table(&rows));
        rest = behind;
    }
    text
}

fn row(scenario: &Scenario, measured: &Measured, point: &Point, before: Option<Point>) -> Vec<String> {
    let program = measured.programs.iter().find(|program| program.assigned.rmid == point.rmid);
    let number = |said: Option<Said>| match said {
        Some(Said::Number(number)) => Some(number),
        _ => None,
    };
    let cycles = point.cycle.saturating_sub(before.map_or(measured.begin, |before| before.cycle));
    let rate = |now: Option<Said>, then: Option<Said>| {
        let bytes = number(now)?.checked_sub(number(then).unwrap_or(0))?;
        (cycles > 0).then(|| bytes * 1000 / cycles)
    };
    let total = rate(point.total, before.and_then(|before| before.total));
    let local = rate(point.local, before.and_then(|before| before.local));
    let remote = total.zip(local).map(|(total, local)| total.saturating_sub(local));
    let shown = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), grouped);
    let lines = number(point.lines);
    let kilobytes = lines.map(|lines| format!("{:.1}", (lines << scenario.straps().line) as f64 / 1024.0));
    let mut row = vec![program.map_or_else(|| "   -".to_owned(), |program| format!("{:>4}", program.lp))];
    row.push(point.rmid.to_string());
    row.push(program.map_or_else(|| "-".to_owned(), |program| scenario.names[program.lp].clone()));
    row.push(kilobytes.unwrap_or_else(|| "-".to_owned()));
    row.extend([lines, total, local, remote].map(shown));
    row
}
