//! A plan for people, for programs, for sessions, for Linux and for registers.

use super::masks::Masks;
use super::planned::{Class, Plan};
use super::read_back::Has;
use lwp_regs::rdt::RdtCaps;
use serde_json::{Value, json};
use std::fmt::Write;

/// The limits in a line for each resource.
pub(super) fn limits(caps: &RdtCaps) -> String {
    let mut text = String::new();
    let Some(allocation) = &caps.allocation else { return "limits         there is no allocation\n".to_owned() };
    let mut line = |what: String| {
        let label = if text.is_empty() { "limits" } else { "" };
        let _ = writeln!(text, "{label:<15}{what}");
    };
    let cache = |level: &str, length: u8, classes: u32, cdp: bool, shared: u32| {
        let cdp = if cdp { format!(", {} with CDP", classes / 2) } else { String::new() };
        let shared = if shared == 0 { String::new() } else { format!("; devices use {shared:#x}") };
        format!("{level} masks of {length} bits, {classes} classes{cdp}{shared}")
    };
    if let Some(l3) = &allocation.l3 {
        line(cache("L3", l3.cbm_len, l3.cos_count(), l3.cdp, l3.shared));
    }
    if let Some(l2) = &allocation.l2 {
        line(cache("L2", l2.cbm_len, l2.cos_count(), l2.cdp, l2.shared));
    }
    if let Some(mba) = &allocation.mba {
        let unit = if mba.linear { "percent" } else { "cycles, powers of two" };
        line(format!("delay values to {} {unit}, {} classes", mba.max_delay, u32::from(mba.cos_max) + 1));
    }
    text
}

/// The plan for people.
pub(super) fn text(plan: &Plan) -> String {
    let mut text = limits(&plan.caps);
    for note in &plan.notes {
        let _ = writeln!(text, "{:<15}{note}", "note");
    }
    let width = plan.classes.iter().map(|class| class.app.len()).max().unwrap_or(0).max(11);
    let _ = writeln!(
        text,
        "\n{:>5}  {:<width$}  {:<15} {:<11} {:>5}  asked for, planned, rounding",
        "class", "application", "L3", "L2", "delay"
    );
    for class in &plan.classes {
        let delay = class.delay.map_or_else(|| "-".to_owned(), |delay| delay.to_string());
        let (l3, l2) = (shown(class.l3), shown(class.l2));
        let share = |share: &super::planned::Given| {
            format!("{} {}, {}, within {}", share.of, share.asked, Percent(share.planned), Percent(share.within))
        };
        let shares: Vec<String> = class.shares.iter().map(share).collect();
        let (number, app, shares) = (class.number, &class.app, shares.join("; "));
        let line = format!("{number:>5}  {app:<width$}  {l3:<15} {l2:<11} {delay:>5}  {shares}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = write!(text, "\n{}", msr(plan));
    let shares: usize = plan.classes.iter().map(|class| class.shares.len()).sum();
    let noun = if shares == 1 { "share" } else { "shares" };
    let _ = writeln!(text, "\nread back      {shares} {noun} as asked for, within the rounding");
    text
}

/// A percentage without zeros at its end.
struct Percent(f64);

impl std::fmt::Display for Percent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}%", (self.0 * 100.0).round() / 100.0)
    }
}

fn shown(masks: Option<Masks>) -> String {
    match masks {
        None => "-".to_owned(),
        Some(Masks { data, code }) if data == code => format!("{data:#x}"),
        Some(Masks { data, code }) => format!("{data:#x} / {code:#x}"),
    }
}

/// The writes of registers, as msr-tools takes them.
pub(super) fn msr(plan: &Plan) -> String {
    plan.writes.iter().fold(String::new(), |mut text, (number, value)| {
        let _ = writeln!(text, "wrmsr {number:#x} {value:#x}");
        text
    })
}

/// Tables of a session file.
pub(super) fn session(plan: &Plan) -> String {
    let mut text = String::new();
    if plan.cdp.l3 || plan.cdp.l2 {
        let _ = writeln!(text, "[cdp]\nl3 = {}\nl2 = {}\n", plan.cdp.l3, plan.cdp.l2);
    }
    for class in &plan.classes {
        let _ = writeln!(text, "[[class]] # {}: {}", class.number, class.app);
        for (level, masks, cdp) in [("l3", class.l3, plan.cdp.l3), ("l2", class.l2, plan.cdp.l2)] {
            let _ = match masks {
                Some(Masks { data, code }) if cdp => {
                    writeln!(text, "{level}_data_mask = {data:#x}\n{level}_code_mask = {code:#x}")
                }
                Some(Masks { data, .. }) => writeln!(text, "{level}_mask = {data:#x}"),
                None => Ok(()),
            };
        }
        if let Some(delay) = class.delay {
            let _ = writeln!(text, "delay = {delay}");
        }
        text.push('\n');
    }
    text
}

/// Lines for the files of resctrl.
pub(super) fn resctrl(plan: &Plan) -> String {
    let mut text = String::new();
    for class in &plan.classes {
        let group = if class.number == 0 { String::new() } else { format!("/{}", class.app) };
        let _ = writeln!(text, "# /sys/fs/resctrl{group}/schemata: {}", class.app);
        for (level, masks, cdp) in [("L3", class.l3, plan.cdp.l3), ("L2", class.l2, plan.cdp.l2)] {
            let _ = match masks {
                Some(Masks { data, code }) if cdp => {
                    writeln!(text, "{level}DATA:0={data:x}\n{level}CODE:0={code:x}")
                }
                Some(Masks { data, .. }) => writeln!(text, "{level}:0={data:x}"),
                None => Ok(()),
            };
        }
        let linear = plan.caps.allocation.and_then(|allocation| allocation.mba).is_some_and(|mba| mba.linear);
        let _ = match class.delay {
            Some(delay) if linear => writeln!(text, "MB:0={}", 100 - delay),
            Some(delay) => writeln!(text, "# resctrl takes percents alone: the delay value is {delay}"),
            None => Ok(()),
        };
    }
    text
}

/// The plan for programs.
pub(super) fn to_json(plan: &Plan) -> Value {
    let hexadecimal = |number: u64| format!("{number:#x}");
    let masks = |masks: Option<Masks>| {
        masks.map(|masks| json!({ "data": hexadecimal(masks.data.into()), "code": hexadecimal(masks.code.into()) }))
    };
    let class = |class: &Class| {
        let shares = class.shares.iter().map(|share| {
            json!({ "of": share.of.to_string(), "asked": share.asked.percent(), "planned": share.planned, "within": share.within })
        });
        json!({
            "class": class.number,
            "app": class.app,
            "l3": masks(class.l3),
            "l2": masks(class.l2),
            "delay": class.delay,
            "shares": shares.collect::<Vec<_>>(),
        })
    };
    let writes = plan
        .writes
        .iter()
        .map(|(number, value)| json!({ "msr": hexadecimal((*number).into()), "value": hexadecimal(*value) }));
    json!({
        "cdp": { "l3": plan.cdp.l3, "l2": plan.cdp.l2 },
        "classes": plan.classes.iter().map(class).collect::<Vec<_>>(),
        "writes": writes.collect::<Vec<_>>(),
        "notes": plan.notes,
    })
}

/// What classes have that was read from writes, for people.
pub(super) fn has(all: &[Has], caps: &RdtCaps, period: Option<u32>) -> String {
    let mut text = limits(caps);
    let allocation = caps.allocation.unwrap_or_default();
    let share = |mask: u32, length: Option<u8>| {
        length.map_or(0.0, |length| 100.0 * f64::from(mask.count_ones()) / f64::from(length))
    };
    let cache = |masks: Option<Masks>, length: Option<u8>| match masks {
        None => "-".to_owned(),
        Some(masks @ Masks { data, code }) if data == code => {
            format!("{} ({})", shown(Some(masks)), Percent(share(data, length)))
        }
        Some(masks @ Masks { data, code }) => {
            format!("{} ({} / {})", shown(Some(masks)), Percent(share(data, length)), Percent(share(code, length)))
        }
    };
    let _ = writeln!(text, "\n{:>5}  {:<28} {:<28} delay", "class", "L3", "L2");
    for class in all {
        let (l3, l2) =
            (cache(class.l3, allocation.l3.map(|l3| l3.cbm_len)), cache(class.l2, allocation.l2.map(|l2| l2.cbm_len)));
        let left = |delay: u16| allocation.mba.and_then(|mba| super::delay::share_of(delay, &mba, period));
        let delay = class.delay.map_or_else(
            || "-".to_owned(),
            |delay| match left(delay) {
                Some(share) => format!("{delay} ({})", Percent(share)),
                None => delay.to_string(),
            },
        );
        let _ = writeln!(text, "{:>5}  {l3:<28} {l2:<28} {delay}", class.number);
    }
    text
}
