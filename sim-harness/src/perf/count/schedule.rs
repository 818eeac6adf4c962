//! Which events are counted in which pass, and on which counter.

use super::CountError;
use super::driver::Registers;
use super::event::{Event, Wanted};
use lwp_model::perf::{Config, Personality};
use lwp_regs::perf::Levels;
use lwp_regs::perf::architectural::{
    ArchitecturalEvent, FixedControl, FixedEvent, FixedIndex, Ia32FixedCtrCtrl, Ia32PerfEvtSel, PerfEvtSelBuilder,
    PerfmonCaps,
};
use lwp_regs::perf::p6::{self, EventSelect, Run, runs};

/// A counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// General counter.
    General(u8),
    /// Fixed counter.
    Fixed(u8),
}

impl Place {
    /// The number of a fixed counter.
    pub(super) const fn fixed(self) -> Option<u8> {
        match self {
            Self::Fixed(number) => Some(number),
            Self::General(_) => None,
        }
    }
}

/// An event on its counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// Index of the event in the user's list.
    pub event: usize,
    /// Its counter.
    pub place: Place,
    /// Content of the register that selects it.
    pub select: u64,
}

/// The events that are counted in the same pass over the trace.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Events with their counters.
    pub events: Vec<Assigned>,
    pub(super) registers: Registers,
}

/// Spreads the events over as few passes as the counters allow.
///
/// # Errors
/// [`CountError::Passes`] if they are more than `allowed`; [`CountError::Modifier`] if the processor refuses an event.
pub fn passes(events: &[Wanted], straps: &Config, allowed: Option<usize>) -> Result<Vec<Pass>, CountError> {
    let passes = if straps.personality == Personality::P6 {
        p6_passes(events, straps)?
    } else {
        architectural_passes(events, straps)?
    };
    match allowed {
        Some(allowed) if passes.len() > allowed => {
            let (events, needed, why) = (events.len(), passes.len(), exclusive(events, allowed));
            Err(CountError::Passes { events, needed, allowed, why })
        }
        _ => Ok(passes),
    }
}

/// Two events of P6 that count on the same counter only, if they alone are too many.
fn exclusive(events: &[Wanted], allowed: usize) -> String {
    let selects: Vec<EventSelect> = events.iter().filter_map(Wanted::p6_select).collect();
    let pair = |at: usize| selects[at + 1..].iter().find_map(|other| Run::pair(selects[at], *other).err());
    let found = if allowed == 1 { (0..selects.len()).find_map(pair) } else { None };
    found.map_or_else(String::new, |same| format!(": {same}"))
}

fn p6_passes(events: &[Wanted], straps: &Config) -> Result<Vec<Pass>, CountError> {
    let model = straps.p6_model;
    let selects: Vec<EventSelect> = events.iter().filter_map(Wanted::p6_select).collect();
    let mut left: Vec<Option<EventSelect>> = selects.iter().copied().map(Some).collect();
    let mut passes = Vec::new();
    for run in runs(&selects) {
        let setup = run.setup(model).map_err(|refused| CountError::Refused(refused.to_string()))?;
        let mut assigned = Vec::new();
        for counter in p6::Counter::ALL {
            let Some(select) = run.on(counter) else { continue };
            let Some(event) = left.iter().position(|other| *other == Some(select)) else { continue };
            left[event] = None;
            let select = match counter {
                p6::Counter::Counter0 => setup.select0.with_enable(true).into_bits(),
                p6::Counter::Counter1 => setup.select1.into_bits(),
            };
            assigned.push(Assigned { event, place: Place::General(counter.index() as u8), select });
        }
        passes.push(Pass { events: assigned, registers: Registers::P6(setup) });
    }
    Ok(passes)
}

/// The counters of a pass with architectural events.
struct Filling {
    caps: PerfmonCaps,
    events: Vec<Assigned>,
    selects: Vec<Ia32PerfEvtSel>,
    fixed: Ia32FixedCtrCtrl,
    fixed_used: u8,
}

fn architectural_passes(events: &[Wanted], straps: &Config) -> Result<Vec<Pass>, CountError> {
    let caps = PerfmonCaps::from_cpuid(straps.cpuid()).expect("an architectural personality has the leaf");
    let mut passes: Vec<Filling> = Vec::new();
    for (event, wanted) in events.iter().enumerate() {
        let Event::Architectural(which) = wanted.event else { continue };
        let mut found = false;
        for pass in &mut passes {
            if pass.take(event, wanted, which)? {
                found = true;
                break;
            }
        }
        if !found {
            let (events, selects) = (Vec::new(), Vec::new());
            let mut pass = Filling { caps, events, selects, fixed: Ia32FixedCtrCtrl::new(), fixed_used: 0 };
            pass.take(event, wanted, which)?;
            passes.push(pass);
        }
    }
    let pass = |pass: Filling| Pass {
        events: pass.events,
        registers: Registers::Architectural { caps, selects: pass.selects, fixed: pass.fixed },
    };
    Ok(passes.into_iter().map(pass).collect())
}

impl Filling {
    /// Takes an event if a counter is free for it.
    fn take(&mut self, event: usize, wanted: &Wanted, which: ArchitecturalEvent) -> Result<bool, CountError> {
        let modifiers = &wanted.modifiers;
        let plain = !modifiers.edge && modifiers.threshold.is_none();
        if let Some(index) = self.fixed_of(which).filter(|_| plain) {
            let (user, os) = (modifiers.levels != Levels::Os, modifiers.levels != Levels::User);
            let control = FixedControl::new().with_user(user).with_os(os).with_any_thread(modifiers.any_thread);
            self.fixed = self.fixed.with_counter(index, control);
            self.fixed_used |= 1 << index.number();
            let select = u64::from(control.into_bits());
            self.events.push(Assigned { event, place: Place::Fixed(index.number()), select });
            return Ok(true);
        }
        let number = self.selects.len() as u8;
        let Some(counter) = self.caps.counter(number) else { return Ok(false) };
        let mut builder = PerfEvtSelBuilder::new(&self.caps, which).levels(modifiers.levels);
        if modifiers.edge {
            builder = builder.edge();
        }
        if modifiers.any_thread {
            builder = builder.any_thread();
        }
        builder = match modifiers.threshold {
            Some(events) if modifiers.inverted => builder.cycles_with_fewer_than(events),
            Some(events) => builder.cycles_with_at_least(events),
            None => builder,
        };
        let select = builder.build(counter).map_err(|refused| CountError::Refused(refused.to_string()))?;
        self.selects.push(select);
        self.events.push(Assigned { event, place: Place::General(number), select: select.into_bits() });
        Ok(true)
    }

    /// The free fixed counter of an event.
    fn fixed_of(&self, which: ArchitecturalEvent) -> Option<FixedIndex> {
        self.caps.all_fixed().find(|index| {
            let event = index.event().and_then(FixedEvent::architectural);
            event == Some(which) && self.fixed_used >> index.number() & 1 == 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(events: &[&str], straps: &Config) -> Vec<Wanted> {
        events.iter().map(|event| Wanted::parse(event, straps).unwrap()).collect()
    }

    /// The events of each pass with their counters.
    fn table(events: &[&str], straps: &Config) -> Vec<Vec<(usize, Place)>> {
        let passes = passes(&wanted(events, straps), straps, None).unwrap();
        passes.iter().map(|pass| pass.events.iter().map(|one| (one.event, one.place)).collect()).collect()
    }

    #[test]
    fn two_events_of_p6_are_a_pass_and_each_is_where_it_counts() {
        use Place::General;
        let p6 = Config::default();
        assert_eq!(table(&["INST_RETIRED", "FLOPS"], &p6), [[(1, General(0)), (0, General(1))]]);
        let three = table(&["MUL", "DIV", "INST_RETIRED"], &p6);
        assert_eq!(three, [vec![(2, General(0)), (0, General(1))], vec![(1, General(1))]]);
        let twice = table(&["INST_RETIRED", "INST_RETIRED"], &p6);
        assert_eq!(twice, [[(0, General(0)), (1, General(1))]]);
    }

    #[test]
    fn more_events_on_one_counter_than_it_counts_are_refused() {
        let p6 = Config::default();
        let error =
            |events: &[&str], allowed| passes(&wanted(events, &p6), &p6, Some(allowed)).unwrap_err().to_string();
        assert_eq!(
            error(&["MUL", "DIV"], 1),
            "2 events need 2 passes over the trace, and 1 may be made: MUL and DIV both count on counter 1 only; count them in two runs"
        );
        assert_eq!(
            error(&["INST_RETIRED", "INST_DECODED", "DATA_MEM_REFS", "FLOPS", "MUL"], 2),
            "5 events need 3 passes over the trace, and 2 may be made"
        );
    }

    #[test]
    fn architectural_events_take_fixed_counters_first() {
        use Place::{Fixed, General};
        let version_2 = Config { personality: Personality::Version2, counters: 4, fixed: 3, ..Config::default() };
        let all = ["INSTRUCTION_RETIRED", "UNHALTED_CORE_CYCLES:u", "LLC_MISSES", "INSTRUCTION_RETIRED:c2"];
        assert_eq!(table(&all, &version_2), [[(0, Fixed(0)), (1, Fixed(1)), (2, General(0)), (3, General(1))]]);
        let version_1 = Config { personality: Personality::Version1, counters: 2, ..Config::default() };
        let three = table(&all[..3], &version_1);
        assert_eq!(three, [vec![(0, General(0)), (1, General(1))], vec![(2, General(0))]]);
    }
}
