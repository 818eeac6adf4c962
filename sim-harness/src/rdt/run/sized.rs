//! Sessions of any size that the unit allows, of which only some have a build of the RTL.

use crate::rdt::session::{Defaults, Session};
use crate::rtl::BuildId;
use crate::session::{self, SessionError};
use serde::Deserialize;
use std::path::Path;
use toml::{Spanned, Value};

/// Sets of the largest L3 cache and of the largest L2 cache.
const MOST: [u64; 2] = [4096, 1024];

/// A session, and the size of the unit that runs it.
#[derive(Clone, Debug)]
pub(super) struct Sized {
    /// The session. Its build is that of the unit unless the caches are larger.
    pub(super) session: Session,
    /// The caches have more sets than any build of the RTL.
    pub(super) larger: bool,
}

/// The keys of a session file that may be larger than in any build.
#[derive(Default, Deserialize)]
struct Sizes {
    #[serde(default)]
    cache: Sets,
    #[serde(default)]
    l2: Sets,
}

#[derive(Default, Deserialize)]
struct Sets {
    sets: Option<Spanned<Value>>,
}

impl Sized {
    /// Reads a session file.
    pub(super) fn load(path: &Path, defaults: &Defaults) -> Result<Self, SessionError> {
        session::load(path, |name, text| Self::parse(name, text, defaults))
    }

    /// Reads a session from text, which complaints call `name`.
    pub(super) fn parse(name: &str, text: &str, defaults: &Defaults) -> Result<Self, SessionError> {
        // What is not as expected here is told by the session itself.
        let sizes: Sizes = toml::from_str(text).unwrap_or_default();
        let mut reduced = text.to_owned();
        let mut logarithms = [None; 2];
        for (at, sets) in [sizes.cache.sets, sizes.l2.sets].into_iter().enumerate() {
            let Some(sets) = sets else { continue };
            let (place, Some(value)) = (sets.span(), sets.get_ref().as_integer()) else { continue };
            let largest = largest(["L3Sets", "L2Sets"][at]);
            let value = value.unsigned_abs();
            if value <= largest || !value.is_power_of_two() {
                continue;
            }
            if value > MOST[at] {
                let what = format!("a cache of {value} sets is too large: {} at most", MOST[at]);
                return Err(SessionError::invalid(name, text, (what, Some(place))));
            }
            // The other rules of the session do not depend on the sets. All places stay as they are.
            reduced.replace_range(place.clone(), &format!("{largest:<width$}", width = place.len()));
            logarithms[at] = Some(value.ilog2() as u8);
        }
        let mut session = Session::parse(name, &reduced, defaults)?;
        let [l3, l2] = logarithms;
        session.straps.l3_sets = l3.unwrap_or(session.straps.l3_sets);
        session.straps.l2_sets = l2.unwrap_or(session.straps.l2_sets);
        Ok(Self { session, larger: l3.is_some() || l2.is_some() })
    }
}

/// The largest value of a parameter of all builds of the unit.
fn largest(parameter: &str) -> u64 {
    BuildId::of_unit("rdt").filter_map(|build| build.parameter(parameter)).max().unwrap_or(0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Sized, String> {
        Sized::parse("s", text, &Defaults { programs: 2, l2: false }).map_err(|error| error.to_string())
    }

    #[test]
    fn caches_may_be_larger_than_a_build() {
        let large = parse("[cache]\nsets = 4096\nways = 16\n[[class]]\nl3_mask = 0xff00\n").unwrap();
        assert_eq!((large.session.straps.l3_sets, large.session.straps.l3_ways, large.larger), (12, 16, true));
        let large = parse("[cache]\nsets = 64\n[l2]\nsets = 1_024\nways = 8\n").unwrap();
        assert_eq!((large.session.straps.l2_sets, large.larger), (10, true));
        let small = parse("[cache]\nsets = 64\nways = 16\n").unwrap();
        assert_eq!((small.session.straps.l3_sets, small.larger), (6, false));
    }

    #[test]
    fn what_is_too_large_is_refused_at_its_place() {
        let error = parse("[cache]\nways = 4\nsets = 8192\n").unwrap_err();
        assert!(error.starts_with("s, line 3, column 8: a cache of 8192 sets is too large: 4096"), "{error}");
        assert!(parse("[cache]\nsets = 512\nways = 17\n").unwrap_err().contains("line 3"));
        assert!(parse("[cache]\nsets = 100\n").unwrap_err().contains("line 2"));
        assert!(parse("[cache]\nsets = 512\n\n[[program]]\nrmid = 99\n").unwrap_err().contains("line 5, column 8"));
    }
}
