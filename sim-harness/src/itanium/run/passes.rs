//! Passes: a program runs once for what the registers can count at once.

use super::histogram::Row;
use crate::itanium::events::Selected;
use crate::itanium::machine::File;
use lwp_model::itanium::{COUNTERS, RegOp, RegRequest};
use lwp_regs::itanium::{Dbr, Ibr, Pmc89, Psr};

/// Which code and data count, at which levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Levels, a bit each.
    pub(super) levels: u8,
    /// Block of code.
    pub(super) code: Option<Ibr>,
    /// Block of data.
    pub(super) data: Option<Dbr>,
}

/// What a run counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    /// What firmware writes.
    pub(super) requests: Vec<RegRequest>,
    /// For each counter the number of what it counts.
    pub(super) counts: [Option<usize>; COUNTERS],
}

/// IA64_TAGGED_INSTRS_RETIRED.
const TAGGED: u8 = 0x08;
/// Its unit masks for PMC\[8\] and PMC\[9\].
const TAGGED_BY: [u8; 2] = [3, 2];

/// Returns the passes that count the rows of a histogram: two patterns each, one for each matcher. Counted are the numbers of rows.
pub(super) fn histogram(rows: &[Row], limits: &Limits) -> Vec<Pass> {
    let numbered = rows.iter().enumerate();
    let all: Vec<(usize, Pmc89)> =
        numbered.flat_map(|(number, row)| row.patterns.iter().map(move |pattern| (number, *pattern))).collect();
    all.chunks(2).map(|two| tagged(two, limits)).collect()
}

fn tagged(patterns: &[(usize, Pmc89)], limits: &Limits) -> Pass {
    let mut pass = Pass { requests: shared(limits), counts: [None; COUNTERS] };
    // Without a second pattern PMC[9] matches nothing: no kind of slot.
    let second = patterns.get(1).map_or(Pmc89::new(), |(_, pattern)| *pattern);
    for (index, value) in [(8, patterns[0].1), (9, second)] {
        pass.requests.push(write(File::Pmc, index, value.into_bits()));
    }
    for (c, ((number, _), umask)) in patterns.iter().zip(TAGGED_BY).enumerate() {
        pass.counts[c] = Some(*number);
        pass.requests.push(counter(c, TAGGED, umask, limits));
    }
    begin(&mut pass);
    pass
}

/// Returns the passes that count events, four each. Counted are the numbers of events.
pub(super) fn events(events: &[Selected], limits: &Limits) -> Vec<Pass> {
    let numbered: Vec<_> = events.iter().enumerate().collect();
    let pass = |four: &[(usize, &Selected)]| {
        let mut pass = Pass { requests: shared(limits), counts: [None; COUNTERS] };
        for (c, (number, event)) in four.iter().enumerate() {
            pass.counts[c] = Some(*number);
            pass.requests.push(counter(c, event.es, event.umask, limits));
        }
        begin(&mut pass);
        pass
    };
    numbered.chunks(COUNTERS).map(pass).collect()
}

/// Returns the pass of a program that sets up the counters itself.
pub(super) fn own() -> Pass {
    Pass { requests: Vec::new(), counts: std::array::from_fn(Some) }
}

/// PMC\[4 + c\], enabled by PSR.up.
fn counter(c: usize, es: u8, umask: u8, limits: &Limits) -> RegRequest {
    let value = u64::from(limits.levels) | u64::from(es) << 8 | u64::from(umask) << 16;
    write(File::Pmc, 4 + c as u8, value)
}

/// Ranges of code and data.
fn shared(limits: &Limits) -> Vec<RegRequest> {
    let mut requests = Vec::new();
    if let Some(Ibr { addr, mask }) = limits.code {
        requests.extend([write(File::Ibr, 0, addr), write(File::Ibr, 1, mask.into_bits())]);
        requests.push(write(File::Pmc, 13, 0));
    }
    if let Some(Dbr { addr, mask }) = limits.data {
        requests.extend([write(File::Dbr, 0, addr), write(File::Dbr, 1, mask.into_bits())]);
        requests.push(write(File::Pmc, 11, 0));
    }
    requests
}

/// PSR.up is set, and monitoring begins.
fn begin(pass: &mut Pass) {
    let wdata = Psr::new().with_up(true).into_bits();
    pass.requests.push(RegRequest { valid: true, op: RegOp::Ssm, lp: 0, number: 0, wdata });
    pass.requests.push(write(File::Pmc, 0, 0));
}

const fn write(file: File, index: u8, wdata: u64) -> RegRequest {
    RegRequest { valid: true, op: RegOp::WriteFile, lp: 0, number: file.number(index), wdata }
}
