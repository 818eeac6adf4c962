//! From goals and limits to classes, masks, delays and the writes of the drivers.

use super::bus::Registers;
use super::delay::{delay, share_of, values};
use super::error::PlanError;
use super::goals::{App, CacheGoal, DEFAULT};
use super::masks::{Claim, Layout, Masks, lay_out};
use super::share::Share;
use lwp_regs::rdt::{CacheLevel, Capacity, CatCaps, Cos, MbaCaps, RdtCaps, RdtError};
use std::fmt;

/// Where code and data are to be apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cdp {
    /// In the L3 cache.
    pub(super) l3: bool,
    /// In the L2 cache.
    pub(super) l2: bool,
}

/// The plan of a class.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    /// Number.
    pub(super) number: u32,
    /// Application.
    pub(super) app: String,
    /// Its part of the caches is for others too.
    pub(super) overlap: bool,
    /// Masks of the L3 cache, if it is divided.
    pub(super) l3: Option<Masks>,
    /// Masks of the L2 cache, if it is divided.
    pub(super) l2: Option<Masks>,
    /// Delay value, if bandwidth is limited.
    pub(super) delay: Option<u16>,
    /// What was asked for, and what the plan gives.
    pub(super) shares: Vec<Given>,
}

/// A share that was asked for, and the one that the plan gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Given {
    /// Of what.
    pub(super) of: Of,
    /// What was asked for.
    pub(super) asked: Share,
    /// What the plan gives, in percent.
    pub(super) planned: f64,
    /// The two differ by no more than this, in percent.
    pub(super) within: f64,
}

/// What is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// L3 cache.
    L3,
    /// L3 cache, for data.
    L3Data,
    /// L3 cache, for code.
    L3Code,
    /// L2 cache.
    L2,
    /// L2 cache, for data.
    L2Data,
    /// L2 cache, for code.
    L2Code,
    /// Memory bandwidth of a logical processor.
    Bandwidth,
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::L3 => "cache",
            Self::L3Data => "data",
            Self::L3Code => "code",
            Self::L2 => "l2",
            Self::L2Data => "l2-data",
            Self::L2Code => "l2-code",
            Self::Bandwidth => "bandwidth",
        })
    }
}

/// A plan.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// Limits that it was made for.
    pub(super) caps: RdtCaps,
    /// Where code and data are apart.
    pub(super) cdp: Cdp,
    /// Cycles of an undelayed request, if they are known.
    pub(super) period: Option<u32>,
    /// Classes, in the order of their numbers; the first is class 0.
    pub(super) classes: Vec<Class>,
    /// What the drivers write, in order.
    pub(super) writes: Vec<(u32, u64)>,
    /// What the user should know.
    pub(super) notes: Vec<String>,
}

/// The limits of the resources for which there are goals.
struct Needed<'a> {
    l3: Option<&'a CatCaps<lwp_regs::rdt::L3>>,
    l2: Option<&'a CatCaps<lwp_regs::rdt::L2>>,
    mba: Option<&'a MbaCaps>,
}

/// Makes a plan.
pub(super) fn plan(apps: &[App], caps: &RdtCaps, cdp: Cdp, period: Option<u32>) -> Result<Plan, PlanError> {
    let needed = needed(apps, caps, cdp)?;
    let apps = numbered(apps, &needed, cdp)?;
    let l3 = needed.l3.map(|l3| layout("L3", l3.cbm_len, &apps, App::l3_goal)).transpose()?;
    let l2 = needed.l2.map(|l2| layout("L2", l2.cbm_len, &apps, App::l2_goal)).transpose()?;
    let mut classes = Vec::new();
    for (number, app) in apps.iter().enumerate() {
        let mut shares = Vec::new();
        let length = |caps: Option<u8>| u32::from(caps.unwrap_or(1));
        let l3_length = length(needed.l3.map(|l3| l3.cbm_len));
        let l2_length = length(needed.l2.map(|l2| l2.cbm_len));
        let (l3, l2) = (masks(l3.as_ref(), number), masks(l2.as_ref(), number));
        given(&mut shares, app.l3_goal(), l3, l3_length, [Of::L3, Of::L3Data, Of::L3Code]);
        given(&mut shares, app.l2_goal(), l2, l2_length, [Of::L2, Of::L2Data, Of::L2Code]);
        let delay = needed.mba.map(|mba| delay_of(app, mba, period, &mut shares)).transpose()?;
        let (number, app, overlap) = (number as u32, app.name.clone(), app.overlap);
        classes.push(Class { number, app, overlap, l3, l2, delay, shares });
    }
    let notes = notes(&needed, &classes);
    let mut plan = Plan { caps: *caps, cdp, period, classes, writes: Vec::new(), notes };
    plan.writes = program(&plan, &needed)?;
    Ok(plan)
}

/// Finds the limits of what there are goals for.
fn needed<'a>(apps: &[App], caps: &'a RdtCaps, cdp: Cdp) -> Result<Needed<'a>, PlanError> {
    let Some(allocation) = &caps.allocation else {
        return Err(PlanError::limit(
            "the processor allocates nothing: CPUID.07H:EBX[15] is 0",
            "plan for another one",
        ));
    };
    let missing = |what: &str, leaf: u32| {
        PlanError::limit(
            format!("the processor has no {what}: CPUID.10H:EBX[{leaf}] is 0"),
            "leave the goals for it out, or plan for another processor",
        )
    };
    let (l3, l2) = (apps.iter().any(|app| app.l3_goal().is_some()), apps.iter().any(|app| app.l2_goal().is_some()));
    let l3 = l3.then(|| allocation.l3.as_ref().ok_or_else(|| missing("masks of the L3 cache", 1))).transpose()?;
    let l2 = l2.then(|| allocation.l2.as_ref().ok_or_else(|| missing("masks of the L2 cache", 2))).transpose()?;
    let mba = apps.iter().any(|app| app.bandwidth.is_some());
    let mba = mba.then(|| allocation.mba.as_ref().ok_or_else(|| missing("delay values", 3))).transpose()?;
    check_cdp("L3", l3.map(|l3| l3.cdp), cdp.l3, "--cdp l3", apps.iter().map(App::l3_goal))?;
    check_cdp("L2", l2.map(|l2| l2.cdp), cdp.l2, "--cdp l2", apps.iter().map(App::l2_goal))?;
    Ok(Needed { l3, l2, mba })
}

fn check_cdp(
    level: &str,
    has: Option<bool>,
    on: bool,
    option: &str,
    mut goals: impl Iterator<Item = Option<CacheGoal>>,
) -> Result<(), PlanError> {
    if on && has != Some(true) {
        let why = if has.is_none() { "there is no goal for it" } else { "the processor has no CDP of it" };
        return Err(PlanError::limit(
            format!("{level}: code and data cannot be apart: {why}"),
            format!("leave out {option}"),
        ));
    }
    if !on && goals.any(|goal| matches!(goal, Some(CacheGoal::Apart { .. }))) {
        let what = format!("{level}: code and data have shares of their own only with CDP");
        return Err(PlanError::limit(what, format!("give {option}, or one share for both")));
    }
    Ok(())
}

/// Puts the applications in the order of their classes; the first is `default`, which is for everything without a class of its own.
fn numbered(apps: &[App], needed: &Needed<'_>, cdp: Cdp) -> Result<Vec<App>, PlanError> {
    let unnamed = App { name: DEFAULT.to_owned(), ..App::default() };
    let default = apps.iter().find(|app| app.is_default()).cloned().unwrap_or(unnamed);
    let all: Vec<App> = std::iter::once(default).chain(apps.iter().filter(|app| !app.is_default()).cloned()).collect();
    let with = |cdp: bool, without: u32, with: u32| if cdp { with } else { without };
    let counts = [
        needed.l3.map(|l3| ("L3 masks", with(cdp.l3, l3.cos_count(), l3.cos_count_with_cdp()))),
        needed.l2.map(|l2| ("L2 masks", with(cdp.l2, l2.cos_count(), l2.cos_count_with_cdp()))),
        needed.mba.map(|mba| ("delay values", u32::from(mba.cos_max) + 1)),
    ];
    match counts.into_iter().flatten().min_by_key(|(_, count)| *count) {
        Some((what, count)) if all.len() as u32 > count => {
            let what = format!(
                "{} classes are needed, class 0 for everything else included, and there are {count} with {what}",
                all.len()
            );
            Err(PlanError::limit(what, "give fewer applications, or name one of them `default`"))
        }
        _ => Ok(all),
    }
}

fn layout(
    level: &str,
    length: u8,
    apps: &[App],
    goal: impl Fn(&App) -> Option<CacheGoal>,
) -> Result<Layout, PlanError> {
    let claim = |app| -> Claim<'_> {
        let app: &App = app;
        Claim { app: &app.name, goal: goal(app), overlap: app.overlap, default: app.is_default() }
    };
    // Class 0 comes last, so that it has the top of the cache, which devices often use too.
    let mut claims: Vec<Claim<'_>> = apps.iter().map(claim).collect();
    claims.rotate_left(1);
    let mut layout = lay_out(level, length.into(), &claims)?;
    layout.of.rotate_right(1);
    Ok(layout)
}

fn masks(layout: Option<&Layout>, number: usize) -> Option<Masks> {
    layout.map(|layout| layout.of[number])
}

/// Notes what a class gets of a cache. A mask differs from the share by less than a bit, or is the smallest that there is.
fn given(shares: &mut Vec<Given>, goal: Option<CacheGoal>, masks: Option<Masks>, length: u32, of: [Of; 3]) {
    let (Some(goal), Some(masks)) = (goal, masks) else { return };
    let bit = 100.0 / f64::from(length);
    let mut push = |of, asked: Share, mask: u32| {
        shares.push(Given { of, asked, planned: f64::from(mask.count_ones()) * bit, within: bit });
    };
    match goal {
        CacheGoal::Unified(share) => push(of[0], share, masks.data),
        CacheGoal::Apart { data, code } => {
            push(of[1], data, masks.data);
            push(of[2], code, masks.code);
        }
    }
}

fn delay_of(app: &App, mba: &MbaCaps, period: Option<u32>, shares: &mut Vec<Given>) -> Result<u16, PlanError> {
    let Some(asked) = app.bandwidth else { return Ok(0) };
    let value = delay(&app.name, asked, mba, period)?;
    let percent = |value: u16| share_of(value, mba, period).unwrap_or(100.0);
    let all = values(mba);
    let at = all.iter().position(|known| *known == value).unwrap_or_default();
    let apart = |other: Option<&u16>| other.map_or(0.0, |other| (percent(*other) - percent(value)).abs());
    let before = apart(at.checked_sub(1).and_then(|at| all.get(at)));
    let within = before.max(apart(all.get(at + 1))) / 2.0;
    shares.push(Given { of: Of::Bandwidth, asked, planned: percent(value), within });
    Ok(value)
}

fn notes(needed: &Needed<'_>, classes: &[Class]) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(l3) = needed.l3.filter(|l3| l3.shared != 0) {
        let shared = |class: &&Class| class.l3.is_some_and(|masks| (masks.data | masks.code) & l3.shared != 0);
        let names: Vec<&str> = classes.iter().filter(shared).map(|class| class.app.as_str()).collect();
        if !names.is_empty() {
            notes.push(format!("devices use the bits {:#x} of the L3 cache too: {}", l3.shared, names.join(", ")));
        }
    }
    if needed.mba.is_some_and(|mba| !mba.per_thread) {
        notes.push("the largest delay of the threads of a core holds for all of them".to_owned());
    }
    if needed.mba.is_some() {
        notes.push("delays are approximate, and together they may leave less than they add up to".to_owned());
    }
    notes
}

/// Lets the drivers write the plan, and returns what they wrote.
fn program(plan: &Plan, needed: &Needed<'_>) -> Result<Vec<(u32, u64)>, PlanError> {
    let mut bus = Registers::new(&plan.caps);
    if let Some(l3) = needed.l3 {
        write_masks(&mut bus, l3, plan, plan.cdp.l3, |class| class.l3)?;
    }
    if let Some(l2) = needed.l2 {
        write_masks(&mut bus, l2, plan, plan.cdp.l2, |class| class.l2)?;
    }
    if let Some(mba) = needed.mba {
        for class in &plan.classes {
            let Some(delay) = class.delay else { continue };
            mba.program(&mut bus, Cos::new(class.number, &plan.caps)?, delay).map_err(wrong)?;
        }
    }
    Ok(bus.writes)
}

fn write_masks<L: CacheLevel>(
    bus: &mut Registers,
    caps: &CatCaps<L>,
    plan: &Plan,
    cdp: bool,
    masks: impl Fn(&Class) -> Option<Masks>,
) -> Result<(), PlanError> {
    let cos = |number| Cos::new(number, &plan.caps);
    if cdp {
        let highest = plan.classes.len() as u32 - 1;
        caps.enable_cdp(bus, cos(highest)?).map_err(wrong)?;
    }
    let mut capacities = Vec::new();
    for class in &plan.classes {
        let Some(Masks { data, code }) = masks(class) else { continue };
        let capacity = if cdp {
            Capacity::Split { data: caps.capacity(data)?, code: caps.capacity(code)? }
        } else {
            Capacity::Unified(caps.capacity(data)?)
        };
        capacities.push((cos(class.number)?, capacity));
    }
    caps.configure(bus, &capacities).map_err(wrong)?;
    Ok(())
}

fn wrong<F: fmt::Display>(error: RdtError<F>) -> PlanError {
    PlanError::Wrong(error.to_string())
}
