//! The result of a run as JSON Lines.

use super::measured::{Measured, Point, Said};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// A reading.
#[derive(Serialize)]
struct Sample<'a> {
    cycle: u64,
    rmid: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Said>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_bytes: Option<Said>,
    #[serde(skip_serializing_if = "Option::is_none")]
    local_bytes: Option<Said>,
    class: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a str>,
}

/// What an RMID did in the whole run.
#[derive(Serialize)]
struct Whole<'a> {
    rmid: u8,
    class: u8,
    hits: u64,
    misses: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Said>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_bytes: Option<Said>,
    #[serde(skip_serializing_if = "Option::is_none")]
    local_bytes: Option<Said>,
    #[serde(skip_serializing_if = "Option::is_none")]
    l2_hits: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    l2_misses: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a str>,
}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_u64(*number),
            Self::Error => serializer.serialize_str("error"),
            Self::Unavailable => serializer.serialize_str("unavailable"),
        }
    }
}

/// Writes a line for each reading, then one for each RMID. `l2` says whether there is an L2 cache; `run` names the run if there are several.
pub(super) fn write(output: &mut impl Write, measured: &Measured, l2: bool, run: Option<&str>) -> io::Result<()> {
    for Point { cycle, rmid, class, lines, total, local } in &measured.points {
        let (cycle, rmid, class) = (*cycle, *rmid, *class);
        let sample = Sample { cycle, rmid, lines: *lines, total_bytes: *total, local_bytes: *local, class, run };
        line(output, &sample)?;
    }
    for (rmid, point) in measured.last() {
        let traffic = &measured.by_rmid[usize::from(rmid)];
        let whole = Whole {
            rmid,
            class: point.class,
            hits: traffic.l3_hits,
            misses: traffic.misses(),
            lines: point.lines,
            total_bytes: point.total,
            local_bytes: point.local,
            l2_hits: l2.then_some(traffic.l2_hits),
            l2_misses: l2.then_some(traffic.accesses - traffic.l2_hits),
            run,
        };
        line(output, &whole)?;
    }
    Ok(())
}

fn line(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    output.write_all(b"\n")
}
