//! A logical processor: the steps 3 to 8 of a cycle, and its registers.

use super::cell;
use super::config::Config;
use super::control::Asked;
use super::deliver;
use super::filter::Seen;
use super::global;
use super::inputs::{Apic, Lp};
use super::pin;
use super::request::Write;
use super::select::Selection;
use super::state::{Fixed, General, Processor};
use lwp_regs::perf::architectural::FixedControl;

/// The registers of a logical processor, and what its counters look at.
#[derive(Debug)]
pub(super) struct Registers<'a, const GENERAL: usize, const FIXED: usize> {
    pub(super) general: &'a mut [General; GENERAL],
    pub(super) fixed: &'a mut [Fixed; FIXED],
    pub(super) processor: &'a mut Processor,
    pub(super) selections: &'a mut [Selection; GENERAL],
    pub(super) fixed_selections: &'a [Selection; FIXED],
}

impl<const GENERAL: usize, const FIXED: usize> Registers<'_, GENERAL, FIXED> {
    /// One cycle of logical processor `own`. `write` and `apic` are what is written to it.
    #[inline]
    pub(super) fn step<const LP: usize>(
        &mut self,
        own: usize,
        lp: &Lp,
        seen: &Seen<'_, LP>,
        write: Option<&Write>,
        apic: Option<&Apic>,
        straps: &Config,
    ) {
        let pmi = self.count(own, lp, seen, straps) || lp.ds_pmi;
        global::next(self.general, self.fixed, self.processor, (lp, pmi), write, straps);
        deliver::next(self.processor, (lp, pmi), write, apic, straps);
        if let Some(write) = write {
            self.write(*write, straps);
        }
    }

    /// All counters and pins; whether an overflow asks for an interrupt.
    #[inline]
    fn count<const LP: usize>(&mut self, own: usize, lp: &Lp, seen: &Seen<'_, LP>, straps: &Config) -> bool {
        let mut pmi = false;
        let first = self.general[0].fields();
        for (general, selection) in self.general.iter_mut().zip(self.selections.iter()) {
            let asked = Asked::general(general, first, lp.freeze, straps);
            let passed = seen.sample(selection).then(|| seen.filter(own, &asked, selection));
            let counted = cell::count(general.counter, general.held, &asked, passed);
            let trigger = pin::trigger(general, selection.odd, seen.fits_now, &counted);
            (general.pin, general.due) = pin::next(general, trigger, seen.bus_tick);
            (general.counter, general.held, general.overflow) = (counted.counter, counted.held, counted.over);
            pmi |= counted.over && asked.interrupts;
        }
        for (fixed, selection) in self.fixed.iter_mut().zip(self.fixed_selections) {
            let asked = Asked::fixed(fixed, lp.freeze, straps);
            let passed = seen.sample(selection).then(|| seen.filter(own, &asked, selection));
            let counted = cell::count(fixed.counter, false, &asked, passed);
            (fixed.counter, fixed.overflow) = (counted.counter, counted.over);
            pmi |= counted.over && asked.interrupts;
        }
        pmi
    }

    /// What a WRMSR writes to select, counter and control. The other registers are written by their steps.
    fn write(&mut self, write: Write, straps: &Config) {
        match write {
            Write::Select(index, select) => {
                let general = &mut self.general[index];
                (general.select, general.held) = (select, false);
                self.selections[index] = Selection::of(general, index, straps);
            }
            Write::Counter(index, counter) => self.general[index].counter = counter,
            Write::Fixed(index, counter) => self.fixed[index].counter = counter,
            Write::FixedControl(control) => {
                let caps = straps.caps();
                for index in caps.all_fixed() {
                    let field: FixedControl = control.counter(index);
                    self.fixed[usize::from(index.number())].control = field;
                }
            }
            Write::GlobalControl(_) | Write::ClearStatus(_) | Write::Lvt(_) => {}
        }
    }
}
