//! What writes of registers give, read from the registers alone.

use super::bus::Registers;
use super::delay::share_of;
use super::error::PlanError;
use super::masks::Masks;
use super::planned::{Class, Of, Plan};
use lwp_regs::access::{GeneralProtection, MsrBus};
use lwp_regs::rdt::{L2Mask, L2QosCfg, L3Mask, L3QosCfg, MbaThrottle, RdtCaps};
use std::path::Path;

/// What a class has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Has {
    /// Number.
    pub(super) number: u32,
    /// Masks of the L3 cache, if it has any.
    pub(super) l3: Option<Masks>,
    /// Masks of the L2 cache, if it has any.
    pub(super) l2: Option<Masks>,
    /// Delay value, if it has one.
    pub(super) delay: Option<u16>,
}

/// Does the writes on registers after reset, and reads what each class has.
pub(super) fn read_back(writes: &[(u32, u64)], caps: &RdtCaps) -> Result<Vec<Has>, (u32, u64, GeneralProtection)> {
    let mut bus = Registers::new(caps);
    for (number, value) in writes {
        write(&mut bus, *number, *value).map_err(|fault| (*number, *value, fault))?;
    }
    let masks = |config: u32, first: u32, class: u32| {
        let mask = |n: u32| bus.value(first + n).map(|mask| mask as u32);
        let apart = bus.value(config).is_some_and(|value| value & 1 == 1);
        let (data, code) = if apart { (2 * class, 2 * class + 1) } else { (class, class) };
        Some(Masks { data: mask(data)?, code: mask(code)? })
    };
    let all = (0..=u32::from(caps.cos_max())).map(|number| Has {
        number,
        l3: masks(L3QosCfg::ADDRESS, L3Mask::FIRST_ADDRESS, number),
        l2: masks(L2QosCfg::ADDRESS, L2Mask::FIRST_ADDRESS, number),
        delay: bus.value(MbaThrottle::FIRST_ADDRESS + number).map(|delay| delay as u16),
    });
    Ok(all.collect())
}

#[allow(unsafe_code, reason = "the bus is a map of values")]
fn write(bus: &mut Registers, number: u32, value: u64) -> Result<(), GeneralProtection> {
    // SAFETY: nothing here accesses hardware.
    unsafe { bus.wrmsr(number, value) }
}

/// Checks a plan: read back from its writes, each share is the one that was asked for, within its rounding, and parts that are not to be
/// shared are not.
pub(super) fn check(plan: &Plan) -> Result<(), PlanError> {
    let has = read_back(&plan.writes, &plan.caps)
        .map_err(|(number, value, fault)| PlanError::Wrong(format!("WRMSR {number:#x}, {value:#x}: {fault}")))?;
    for class in &plan.classes {
        let own = &has[class.number as usize];
        for share in &class.shares {
            let got = share_in(plan, own, share.of);
            let off = got.map_or(f64::MAX, |got| (got - share.asked.percent()).abs());
            if off > share.within + 1e-6 && share.asked.percent() < 100.0 {
                let what = format!("`{}` has {got:?}% of {} in place of {}", class.app, share.of, share.asked);
                return Err(PlanError::Wrong(what));
            }
        }
    }
    let apart = |of: fn(&Has) -> Option<Masks>, goals: [Of; 2]| {
        let own = |class: &&Class| !class.overlap && class.shares.iter().any(|share| goals.contains(&share.of));
        let mut seen = 0;
        for class in plan.classes.iter().filter(own) {
            let masks = of(&has[class.number as usize]).unwrap_or(Masks { data: 0, code: 0 });
            if seen & (masks.data | masks.code) != 0 {
                return Err(PlanError::Wrong(format!("`{}` shares its part of a cache", class.app)));
            }
            seen |= masks.data | masks.code;
        }
        Ok(())
    };
    apart(|has| has.l3, [Of::L3, Of::L3Data])?;
    apart(|has| has.l2, [Of::L2, Of::L2Data])
}

/// The share that a class has, in percent.
fn share_in(plan: &Plan, has: &Has, of: Of) -> Option<f64> {
    let allocation = plan.caps.allocation.as_ref()?;
    let share = |mask: u32, length: Option<u8>| Some(100.0 * f64::from(mask.count_ones()) / f64::from(length?));
    let (l3, l2) = (allocation.l3.as_ref().map(|l3| l3.cbm_len), allocation.l2.as_ref().map(|l2| l2.cbm_len));
    match of {
        Of::L3 | Of::L3Data => share(has.l3?.data, l3),
        Of::L3Code => share(has.l3?.code, l3),
        Of::L2 | Of::L2Data => share(has.l2?.data, l2),
        Of::L2Code => share(has.l2?.code, l2),
        Of::Bandwidth => share_of(has.delay?, allocation.mba.as_ref()?, plan.period),
    }
}

/// Reads lines `wrmsr NUMBER VALUE`, as the plan prints them and as msr-tools takes them.
pub(super) fn parse_writes(path: &Path, text: &str) -> Result<Vec<(u32, u64)>, PlanError> {
    let mut writes = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let write = write_of(line).ok_or_else(|| PlanError::Line {
            path: path.to_owned(),
            line: number + 1,
            what: format!("this is no write of a register: `{line}`"),
            help: "wrmsr 0xc91 0xf",
        })?;
        writes.push(write);
    }
    Ok(writes)
}

fn write_of(line: &str) -> Option<(u32, u64)> {
    let mut words = line.split_whitespace().filter(|word| *word != "-a");
    let hexadecimal = |word: &str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    if words.next()? != "wrmsr" {
        return None;
    }
    let (number, value) = (hexadecimal(words.next()?)?, hexadecimal(words.next()?)?);
    words.next().is_none().then_some((number.try_into().ok()?, value))
}
