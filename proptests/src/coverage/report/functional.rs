//! The crosses in the report.

use super::super::{Bin, Claims, Totals};
use super::Share;
use serde::Serialize;

/// A cross.
#[derive(Clone, Debug, Serialize)]
pub struct CrossReport {
    /// Its id.
    pub id: &'static str,
    /// What it counts.
    pub title: &'static str,
    /// Names of its axes.
    pub axes: Vec<&'static str>,
    /// How much was met.
    pub share: Share,
    /// Its bins: holes first, then those met by how rarely they were, then those out of reach.
    pub bins: Vec<BinReport>,
}

/// A bin.
#[derive(Clone, Debug, Serialize)]
pub struct BinReport {
    /// Its name.
    pub name: String,
    /// How often it was met.
    pub count: u64,
    /// Why it cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreachable: Option<String>,
}

pub(super) fn crosses(totals: &Totals, claims: &Claims) -> Vec<CrossReport> {
    let layout = totals.layout;
    let of = |(at, cross): (usize, &super::super::Cross)| {
        let mut bins: Vec<BinReport> = (0..cross.bins())
            .map(|index| BinReport {
                name: cross.name(index),
                count: totals.counts[cross.offset + index],
                unreachable: claims.about(Bin { cross: at, index }).map(|claim| claim.reason.clone()),
            })
            .collect();
        bins.sort_by_key(|bin| (bin.unreachable.is_some(), bin.count));
        let share = Share {
            met: bins.iter().filter(|bin| bin.unreachable.is_none() && bin.count != 0).count(),
            unreachable: bins.iter().filter(|bin| bin.unreachable.is_some()).count(),
            all: bins.len(),
        };
        let axes = cross.axes.iter().map(|axis| axis.name).collect();
        CrossReport { id: cross.id, title: cross.title, axes, share, bins }
    };
    layout.crosses.iter().enumerate().map(of).collect()
}
