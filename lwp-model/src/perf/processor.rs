//! A logical processor: the steps 3 to 8 of a cycle, and its registers.

use super::cell::{self, Cell};
use super::config::Config;
use super::control::Asked;
use super::deliver;
use super::filter::Seen;
use super::global;
use super::inputs::{Apic, Lp};
use super::pin;
use super::request::{Kind, Write};
use super::state::{Fixed, General, Processor};
use lwp_regs::perf::architectural::{FixedControl, Ia32FixedCtrCtrl};

/// The registers of a logical processor, and what they ask of its counters.
#[derive(Debug)]
pub(super) struct Registers<'a, const GENERAL: usize, const FIXED: usize> {
    pub(super) general: &'a mut [General; GENERAL],
    pub(super) fixed: &'a mut [Fixed; FIXED],
    pub(super) processor: &'a mut Processor,
    pub(super) asked: &'a mut [Asked; GENERAL],
    pub(super) asked_fixed: &'a mut [Asked; FIXED],
    /// [`is_at_work`](Self::is_at_work).
    pub(super) at_work: &'a mut bool,
    pub(super) straps: &'a Config,
}

impl<const GENERAL: usize, const FIXED: usize> Registers<'_, GENERAL, FIXED> {
    /// One cycle of logical processor `own`, but for what a WRMSR writes to select, counter and control. `write` and `apic` are writes to
    /// its other registers.
    #[inline]
    pub(super) fn step<const LP: usize, const LANES: usize>(
        &mut self,
        own: usize,
        seen: &Seen<'_, LP, LANES>,
        write: &Write,
        apic: Option<&Apic>,
    ) {
        let lp = &seen.inputs.lp[own];
        let pmi = *self.at_work && self.count(own, lp, seen);
        let pmi = pmi | lp.ds_pmi;
        global::next(self.general, self.fixed, self.processor, (lp, pmi), write, self.straps);
        deliver::next(self.processor, (lp, pmi), write, apic, self.straps);
    }

    /// Whether a cycle can change a counter, a pin, or what they remember of the last cycle: software has set up a counter, or something is
    /// left of the time when it had.
    pub(super) fn is_at_work(&self) -> bool {
        let mut general = self.general.iter().zip(self.asked.iter()).take(self.straps.counters.into());
        let mut fixed = self.fixed.iter().zip(self.asked_fixed.iter()).take(self.straps.fixed.into());
        let first = self.asked[0].enable;
        general.any(|(general, asked)| is_set_up(asked, first, self.straps) | general.is_stirred())
            || fixed.any(|(fixed, asked)| asked.counts() | fixed.overflow)
    }

    /// All counters and pins; whether an overflow asks for an interrupt.
    #[inline]
    fn count<const LP: usize, const LANES: usize>(&mut self, own: usize, lp: &Lp, seen: &Seen<'_, LP, LANES>) -> bool {
        let straps = self.straps;
        let (mut pmi, mut at_work) = (false, false);
        let first = self.asked[0].enable;
        // Counters that do not exist keep their registers.
        for (general, asked) in self.general.iter_mut().zip(self.asked.iter()).take(straps.counters.into()) {
            let set_up = is_set_up(asked, first, straps);
            let mut trigger = false;
            // Which counters count changes with what software writes, seldom from cycle to cycle.
            if set_up & general.on {
                let cell = Cell {
                    counter: general.counter,
                    width: straps.width,
                    held: general.held,
                    enable: !lp.freeze,
                    sample: seen.sample(&asked.selection),
                };
                let counted = cell::count(cell, asked, seen.filter(own, asked));
                trigger = pin::trigger(asked, seen.fits_now, &counted);
                (general.counter, general.held, general.overflow) = (counted.counter, counted.held, counted.over);
                pmi |= counted.over & asked.interrupts;
            } else {
                (general.held, general.overflow) = (false, false);
            }
            (general.pin, general.due) = pin::next(general, trigger, seen.inputs.bus_tick);
            at_work |= set_up | general.is_stirred();
        }
        for (fixed, asked) in self.fixed.iter_mut().zip(self.asked_fixed.iter()).take(straps.fixed.into()) {
            fixed.overflow = false;
            if fixed.on & asked.counts() {
                let cell = Cell {
                    counter: fixed.counter,
                    width: straps.fixed_width,
                    held: false,
                    enable: !lp.freeze,
                    sample: seen.sample(&asked.selection),
                };
                let counted = cell::count(cell, asked, seen.filter(own, asked));
                (fixed.counter, fixed.overflow) = (counted.counter, counted.over);
                pmi |= counted.over & asked.interrupts;
            }
            at_work |= asked.counts();
        }
        *self.at_work = at_work;
        pmi
    }

    /// What a WRMSR writes to select, counter and control. The other registers are written by their steps.
    pub(super) fn write(&mut self, write: Write) {
        let (straps, index) = (self.straps, usize::from(write.register.index));
        match write.register.kind {
            Kind::Select => {
                let general = &mut self.general[index];
                (general.select, general.held) = (write.value as u32, false);
                self.asked[index] = Asked::general(general, index, straps);
            }
            Kind::Counter | Kind::FullCounter => self.general[index].counter = write.value,
            Kind::Fixed => self.fixed[index].counter = write.value,
            Kind::FixedControl => {
                let control = Ia32FixedCtrCtrl::from_bits(write.value);
                for index in straps.caps().all_fixed() {
                    let field: FixedControl = control.counter(index);
                    let index = usize::from(index.number());
                    let fixed = &mut self.fixed[index];
                    fixed.control = field;
                    self.asked_fixed[index] = Asked::fixed(fixed, index, straps);
                }
            }
            Kind::Capabilities | Kind::Status | Kind::Control | Kind::ClearStatus | Kind::Lvt | Kind::NotMine => {}
        }
    }
}

/// Whether a general counter counts while its bit of the global control is set; `first` is the enable of counter 0.
#[inline]
const fn is_set_up(asked: &Asked, first: bool, straps: &Config) -> bool {
    asked.counts() & if straps.is_p6() { first } else { asked.enable }
}
