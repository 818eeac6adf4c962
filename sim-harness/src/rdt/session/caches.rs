//! Tables `[cache]` and `[l2]`: the sizes of the caches, as straps; and the build that has them.

use crate::rtl::BuildId;
use crate::session::{Complaint, Number64, StrapsTable};
use lwp_model::rdt::Config;
use serde::Deserialize;
use std::ops::Range;
use toml::{Spanned, Value};

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CacheTable {
    sets: Option<Spanned<Number64>>,
    ways: Option<Spanned<Number64>>,
    line: Option<Spanned<Number64>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct L2Table {
    sets: Option<Spanned<Number64>>,
    ways: Option<Spanned<Number64>>,
}

/// Straps of the L2 cache, which are 0 without it.
const OF_L2: [&str; 5] = ["l2_sets", "l2_ways", "l2_cat", "l2_cdp", "l2_cos"];

/// Straps that the tables of a session give, each at the place of its value.
pub(super) struct Sizes {
    straps: StrapsTable,
    /// Place of the table `[straps]`.
    place: Range<usize>,
}

impl Sizes {
    pub(super) fn new(straps: Option<Spanned<StrapsTable>>) -> Self {
        let place = straps.as_ref().map_or(0..0, Spanned::span);
        Self { straps: straps.map(Spanned::into_inner).unwrap_or_default(), place }
    }

    /// The table `[cache]`.
    pub(super) fn l3(&mut self, table: CacheTable) -> Result<(), Complaint> {
        self.set("l3_sets", "sets", table.sets, "L3Sets", logarithm)?;
        self.set("l3_ways", "ways", table.ways, "L3Ways", |ways| ways)?;
        if let Some(line) = &table.line
            && !matches!(line.get_ref().0, 16 | 32 | 64 | 128 | 256)
        {
            let what = format!("lines of {} bytes are not possible: 16, 32, 64, 128 or 256", line.get_ref().0);
            return Err((what, Some(line.span())));
        }
        self.set("line", "line", table.line, "", logarithm)
    }

    /// The table `[l2]`, or what is true without it.
    pub(super) fn l2(&mut self, table: Option<Spanned<L2Table>>, default: bool) -> Result<(), Complaint> {
        match table {
            Some(table) => {
                let place = table.span();
                let table = table.into_inner();
                if !self.straps.contains_key("l2") {
                    self.put("l2", &place, 1);
                }
                self.set("l2_sets", "sets", table.sets, "L2Sets", logarithm)?;
                self.set("l2_ways", "ways", table.ways, "L2Ways", |ways| ways)?;
            }
            None if !default && !self.straps.contains_key("l2") => self.put("l2", &(0..0), 0),
            None => {}
        }
        self.without_l2();
        Ok(())
    }

    /// Without an L2 cache its straps are 0 unless the file sets them.
    fn without_l2(&mut self) {
        let l2 = self.straps.get("l2");
        if let Some(place) = l2.filter(|l2| is_off(l2.get_ref())).map(Spanned::span) {
            for name in OF_L2 {
                if !self.straps.contains_key(name) {
                    self.put(name, &place, 0);
                }
            }
        }
    }

    pub(super) fn into_table(self) -> Spanned<StrapsTable> {
        Spanned::new(self.place, self.straps)
    }

    /// Sets a strap to a size of a cache. `size` is the parameter of the builds that is its limit.
    fn set(
        &mut self,
        strap: &str,
        key: &str,
        given: Option<Spanned<Number64>>,
        size: &str,
        strap_of: fn(u64) -> u64,
    ) -> Result<(), Complaint> {
        let Some(given) = given else { return Ok(()) };
        let (value, place) = (given.get_ref().0, given.span());
        if let Some((known, _)) = self.straps.get_key_value(strap) {
            return Err((format!("`{strap}` is set by the key `{key}` of its cache too"), Some(known.span())));
        }
        if key == "sets" && !(value.is_power_of_two() && value >= 2) {
            return Err((format!("{value} sets are not possible: a power of two from 2 on"), Some(place)));
        }
        let builds = || BuildId::of_unit("rdt").filter_map(|build| build.parameter(size));
        if value == 0 || (!size.is_empty() && !builds().any(|most| value <= most.into())) {
            let sizes: Vec<String> = builds().map(|most| most.to_string()).collect();
            let what = format!("no build has a cache of {value} {key}: the builds have up to {}", sizes.join(", "));
            return Err((what, Some(place)));
        }
        self.put(strap, &place, strap_of(value));
        Ok(())
    }

    fn put(&mut self, strap: &str, place: &Range<usize>, value: u64) {
        let value = Spanned::new(place.clone(), Value::Integer(value as i64));
        self.straps.insert(Spanned::new(place.clone(), strap.to_owned()), value);
    }
}

fn logarithm(value: u64) -> u64 {
    value.max(1).ilog2().into()
}

fn is_off(value: &Value) -> bool {
    matches!(value, Value::Boolean(false) | Value::Integer(0))
}

/// Returns the first build that has these straps and logical processors; without one, the last build that has the logical processors, which
/// refuses the straps.
pub(super) fn build(straps: &Config, processors: usize) -> Result<BuildId, Complaint> {
    let of = |build: &BuildId, name: &str| build.parameter(name).map_or(0, |size| size as usize);
    let enough = |build: &BuildId| of(build, "LogicalProcessors") >= processors;
    let Config { l3_sets, l3_ways, l2, l2_sets, l2_ways, max_rmid, l3_cos, l2_cos, mba_cos, .. } = *straps;
    let fits = |build: &BuildId| {
        let has = |name: &str, least: usize| of(build, name) >= least;
        let l3 = has("L3Sets", 1 << l3_sets) && has("L3Ways", l3_ways.into());
        let l2 = !l2 || has("L2Sets", 1 << l2_sets) && has("L2Ways", l2_ways.into());
        let classes = l3_cos.max(l2_cos).max(mba_cos);
        l3 && l2 && has("Rmids", usize::from(max_rmid) + 1) && has("Classes", usize::from(classes) + 1)
    };
    let all: Vec<BuildId> = BuildId::of_unit("rdt").collect();
    let mut builds = all.iter().filter(|build| enough(build));
    builds.clone().find(|build| fits(build)).or_else(|| builds.next_back()).copied().ok_or_else(|| {
        let most: Vec<String> = all.iter().map(|build| of(build, "LogicalProcessors").to_string()).collect();
        (format!("no build has {processors} logical processors: the builds have {}", most.join(", ")), None)
    })
}
