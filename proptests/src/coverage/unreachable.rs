//! Claims that no run can meet certain bins, each with its reason. A run may disprove a claim.

use super::layout::{Bin, Cross, Layout};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Claim that bins of one cross cannot be met.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unreachable {
    /// Id of the cross.
    pub cross: String,
    /// Reason of the claim.
    pub reason: String,
    /// Axis and values: only bins with one of the values, on each of these axes.
    #[serde(default)]
    pub only: BTreeMap<String, Vec<String>>,
    /// Axis and values: no bins with one of the values, on any of these axes.
    #[serde(default)]
    pub but: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    unreachable: Vec<Unreachable>,
}

/// Claims about all bins of a unit.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The bins.
    pub layout: &'static Layout,
    /// The file that lists them.
    pub file: &'static str,
    list: Vec<Unreachable>,
    /// For each bin the claim that covers it.
    of: Vec<Option<usize>>,
}

impl Claims {
    /// The claims of a list that was compiled in.
    ///
    /// # Panics
    ///
    /// If the list is wrong; a test reads it.
    #[must_use]
    pub fn new(layout: &'static Layout, file: &'static str, text: &str) -> Self {
        Self::parse(layout, file, text).unwrap_or_else(|why| panic!("{file}: {why}"))
    }

    /// Reads a list.
    ///
    /// # Errors
    ///
    /// If it is not TOML of this form, names a cross, an axis or a value that is not there, or covers nothing.
    pub fn parse(layout: &'static Layout, file: &'static str, text: &str) -> Result<Self, String> {
        let list: List = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut of = vec![None; layout.total()];
        for (number, claim) in list.unreachable.iter().enumerate() {
            let cross = layout.cross(&claim.cross).ok_or_else(|| format!("there is no cross {}", claim.cross))?;
            let (only, but) = (named(cross, &claim.only)?, named(cross, &claim.but)?);
            if claim.reason.trim().is_empty() {
                return Err(format!("{}: a claim without a reason", claim.cross));
            }
            let mut covered = 0;
            for index in 0..cross.bins() {
                let values = cross.values(index);
                let is = |(axis, wanted): &(usize, Vec<usize>)| wanted.contains(&values[*axis]);
                if only.iter().all(is) && !but.iter().any(is) {
                    of[cross.offset + index].get_or_insert(number);
                    covered += 1;
                }
            }
            if covered == 0 {
                return Err(format!("{}: the claim \"{}\" covers no bin", claim.cross, claim.reason));
            }
        }
        Ok(Self { layout, file, list: list.unreachable, of })
    }

    /// Returns the claim about a bin.
    #[must_use]
    pub fn about(&self, bin: Bin) -> Option<&Unreachable> {
        self.of[self.layout.place(bin)].map(|number| &self.list[number])
    }

    /// Returns the number of bins without a claim.
    #[must_use]
    pub fn reachable(&self) -> usize {
        self.of.iter().filter(|claim| claim.is_none()).count()
    }

    /// Places of the bins that are claimed to be out of reach.
    #[must_use]
    pub fn places(&self) -> Vec<usize> {
        (0..self.of.len()).filter(|&place| self.of[place].is_some()).collect()
    }

    /// Returns bins that were met in spite of a claim.
    #[must_use]
    pub fn disproved(&self, counts: &[u64]) -> Vec<Bin> {
        let layout = self.layout;
        layout.bins().filter(|bin| counts[layout.place(*bin)] != 0 && self.about(*bin).is_some()).collect()
    }

    /// Returns bins that were not met and have no claim.
    #[must_use]
    pub fn holes(&self, counts: &[u64]) -> Vec<Bin> {
        let layout = self.layout;
        layout.bins().filter(|bin| counts[layout.place(*bin)] == 0 && self.about(*bin).is_none()).collect()
    }
}

/// Axes and values by their indices.
fn named(cross: &Cross, names: &BTreeMap<String, Vec<String>>) -> Result<Vec<(usize, Vec<usize>)>, String> {
    let find = |(axis, values): (&String, &Vec<String>)| {
        let at = cross.axes.iter().position(|known| known.name == axis);
        let at = at.ok_or_else(|| format!("{} has no axis \"{axis}\"", cross.id))?;
        let place = |value: &String| {
            let place = cross.axes[at].values.iter().position(|known| known == value);
            place.ok_or_else(|| format!("{}: the axis \"{axis}\" has no value \"{value}\"", cross.id))
        };
        Ok((at, values.iter().map(place).collect::<Result<_, String>>()?))
    };
    names.iter().map(find).collect()
}
