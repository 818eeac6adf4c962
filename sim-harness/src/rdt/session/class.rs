//! Tables `[cdp]`, `[[class]]` and `[[program]]`: what the operating system writes, by the rules of `lwp-regs`.

use crate::rdt::environment::{Assigned, Write};
use crate::session::{Complaint, Flag, Number, Number32};
use lwp_model::rdt::Config;
use lwp_regs::Refused;
use lwp_regs::rdt::{CacheLevel, CapacityMask, CatCaps, Cos, L2, L3, MaskIndex, MbaThrottle, PqrAssoc, RdtCaps, Rmid};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CdpTable {
    l3: Option<Spanned<Flag>>,
    l2: Option<Spanned<Flag>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassTable {
    pub(super) l3_mask: Option<Spanned<Number32>>,
    pub(super) l3_code_mask: Option<Spanned<Number32>>,
    pub(super) l3_data_mask: Option<Spanned<Number32>>,
    pub(super) l2_mask: Option<Spanned<Number32>>,
    pub(super) l2_code_mask: Option<Spanned<Number32>>,
    pub(super) l2_data_mask: Option<Spanned<Number32>>,
    pub(super) delay: Option<Spanned<Number<0xFFFF>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramTable {
    rmid: Option<Spanned<Number<0xFFFF>>>,
    class: Option<Spanned<Number<0xFFFF>>>,
}

/// Whether code and data are apart, of each cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cdp {
    /// In the L3 cache.
    pub l3: bool,
    /// In the L2 cache.
    pub l2: bool,
}

/// What the processor has, and whether code and data are apart.
pub(super) struct Rules {
    caps: RdtCaps,
    cdp: Cdp,
    /// Classes that a resource has.
    classes: u32,
}

/// A mask of the file, and the register that it goes to.
type Given<'a> = Option<&'a Spanned<Number32>>;

impl Rules {
    /// Reads the table `[cdp]`.
    pub(super) fn new(table: &CdpTable, straps: &Config) -> Result<Self, Complaint> {
        let flag = |given: &Option<Spanned<Flag>>, has: bool, strap: &str| match given {
            Some(flag) if flag.get_ref().0 && !has => {
                Err((format!("CDP of this cache needs the strap `{strap}`"), Some(flag.span())))
            }
            given => Ok(given.as_ref().is_some_and(|flag| flag.get_ref().0)),
        };
        let cdp = Cdp { l3: flag(&table.l3, straps.l3_cdp, "l3_cdp")?, l2: flag(&table.l2, straps.l2_cdp, "l2_cdp")? };
        let of = |exists: bool, cos: u8, cdp: bool| (u32::from(cos) + 1) / (1 + u32::from(cdp)) * u32::from(exists);
        let classes = of(straps.l3_cat, straps.l3_cos, cdp.l3)
            .max(of(straps.l2_cat, straps.l2_cos, cdp.l2))
            .max(of(straps.mba, straps.mba_cos, false))
            .max(1);
        Ok(Self { caps: straps.caps(), cdp, classes })
    }

    /// Whether code and data are apart.
    pub(super) const fn cdp(&self) -> Cdp {
        self.cdp
    }

    /// The writes that switch CDP on.
    pub(super) fn enable(&self) -> Vec<Write> {
        let mut writes = Vec::new();
        if self.cdp.l3 {
            writes.push(write(L3::QOS_CFG.address(), 1));
        }
        if self.cdp.l2 {
            writes.push(write(L2::QOS_CFG.address(), 1));
        }
        writes
    }

    /// The class with this number; `place` is that of the number or of the table.
    fn class(&self, class: u64, place: &Range<usize>) -> Result<Cos, Complaint> {
        let complain = || {
            let last = self.classes - 1;
            let with = if self.cdp == Cdp::default() { "" } else { " with CDP" };
            let what = format!(
                "there is no class {class}: the processor has classes 0 to {last}{with} (straps `l3_cos`, `l2_cos`, `mba_cos`)"
            );
            (what, Some(place.clone()))
        };
        let number = u32::try_from(class).ok().filter(|class| *class < self.classes).ok_or_else(complain)?;
        Cos::new(number, &self.caps).map_err(|_| complain())
    }

    /// The writes of a table `[[class]]`, the class with this number.
    pub(super) fn limits(&self, class: u64, table: &ClassTable, place: &Range<usize>) -> Result<Vec<Write>, Complaint> {
        let cos = self.class(class, place)?;
        let mut writes = Vec::new();
        let allocation = self.caps.allocation.as_ref();
        let l3 = [&table.l3_mask, &table.l3_code_mask, &table.l3_data_mask].map(Option::as_ref);
        masks(allocation.and_then(|caps| caps.l3.as_ref()), self.cdp.l3, cos, l3, "l3", &mut writes)?;
        let l2 = [&table.l2_mask, &table.l2_code_mask, &table.l2_data_mask].map(Option::as_ref);
        masks(allocation.and_then(|caps| caps.l2.as_ref()), self.cdp.l2, cos, l2, "l2", &mut writes)?;
        if let Some(delay) = &table.delay {
            let refuse = |refused: Refused| (refused.to_string(), Some(delay.span()));
            let mba = allocation.and_then(|caps| caps.mba.as_ref());
            let mba = mba.ok_or_else(|| ("a delay needs the strap `mba`".to_owned(), Some(delay.span())))?;
            let register = MbaThrottle::msr(mba.throttle(cos).map_err(refuse)?);
            let value = mba.delay(delay.get_ref().0 as u16).map_err(refuse)?;
            writes.push(write(register.address(), value.into_bits()));
        }
        Ok(writes)
    }

    /// RMID and class of a table `[[program]]`, which is a copy of `default` where it has no key.
    pub(super) fn program(
        &self,
        table: &ProgramTable,
        default: Assigned,
        place: &Range<usize>,
    ) -> Result<Assigned, Complaint> {
        let ProgramTable { rmid, class } = table;
        let of = |given: &Option<Spanned<Number<0xFFFF>>>, default: u8| {
            given.as_ref().map_or((default.into(), place.clone()), |given| (given.get_ref().0, given.span()))
        };
        self.assigned(of(rmid, default.rmid), of(class, default.class))
    }

    /// RMID and class that exist.
    pub(super) fn assigned(
        &self,
        (rmid, of_rmid): (u64, Range<usize>),
        (class, of_class): (u64, Range<usize>),
    ) -> Result<Assigned, Complaint> {
        let most = self.caps.max_rmid();
        Rmid::new(rmid as u32, &self.caps).map_err(|_| {
            (format!("there is no RMID {rmid}: the processor has RMIDs 0 to {most} (strap `max_rmid`)"), Some(of_rmid))
        })?;
        self.class(class, &of_class)?;
        Ok(Assigned { rmid: rmid as u8, class: class as u8 })
    }

    /// The write that gives a logical processor its RMID and class, if the register exists.
    pub(super) fn assign(&self, lp: u8, assigned: Assigned) -> Option<Write> {
        if self.caps.monitoring.is_none() && self.caps.allocation.is_none() {
            return None;
        }
        let rmid = Rmid::new(assigned.rmid.into(), &self.caps).ok()?;
        let cos = Cos::new(assigned.class.into(), &self.caps).ok()?;
        let value = PqrAssoc::of(rmid, cos).into_bits();
        Some(Write { lp, number: PqrAssoc::MSR.address(), value, assigns: Some(assigned) })
    }

    /// Events that are monitored.
    pub(super) fn events(&self) -> u32 {
        self.caps.monitoring.and_then(|caps| caps.l3).map_or(0, |l3| l3.events.bits().count_ones())
    }
}

const fn write(number: u32, value: u64) -> Write {
    Write { lp: 0, number, value, assigns: None }
}

/// The writes of the masks of a cache: of both, of code, of data.
fn masks<L: CacheLevel>(
    caps: Option<&CatCaps<L>>,
    cdp: bool,
    cos: Cos,
    [both, code, data]: [Given<'_>; 3],
    cache: &str,
    writes: &mut Vec<Write>,
) -> Result<(), Complaint> {
    let Some(first) = both.or(code).or(data) else { return Ok(()) };
    let caps = caps.ok_or_else(|| (format!("a mask needs the strap `{cache}_cat`"), Some(first.span())))?;
    if let Some(apart) = code.or(data).filter(|_| !cdp) {
        return Err((format!("masks of code and data need `{cache} = true` in the table [cdp]"), Some(apart.span())));
    }
    if let (Some(both), Some(_)) = (both, code.or(data)) {
        return Err(("a mask of both comes with none of code or data".to_owned(), Some(both.span())));
    }
    let mut add = |given: Given<'_>, index: fn(&CatCaps<L>, Cos) -> Result<MaskIndex<L>, Refused>| {
        let Some(given) = given else { return Ok(()) };
        let refuse = |refused: Refused| (refused.to_string(), Some(given.span()));
        let register = L::mask(index(caps, cos).map_err(refuse)?);
        let mask: CapacityMask<L> = caps.capacity(given.get_ref().u32()).map_err(refuse)?;
        writes.push(write(register.address(), mask.bits().into()));
        Ok(())
    };
    if cdp {
        add(both.or(data), CatCaps::data_mask)?;
        add(both.or(code), CatCaps::code_mask)
    } else {
        add(both, CatCaps::mask)
    }
}
