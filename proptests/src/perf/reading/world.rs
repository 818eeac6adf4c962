//! One way to make the open choices, and what software sees of a unit that makes them so.

use super::access::Register;
use super::choices::Choices;
use super::counter::Counted;
use super::coverage::Coverage;
use super::delivery::Asked;
use super::processor::{Processor, enables};
use super::select::{by_ratio, fixed, general, interrupts, shows_events, version};
use super::verdict::Habits;
use lwp_model::perf::{Config, Inputs, Outputs, X2apic};
use lwp_model::retire::IntKind;

/// Something that a request writes.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) lp: usize,
    pub(super) register: Register,
    /// The value, or for a counter the values that it may take.
    pub(super) values: Vec<u64>,
}

/// A unit that makes the choices in one way.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) straps: Config,
    pub(super) choices: Choices,
    pub(super) processors: Vec<Processor>,
    pub(super) habits: Habits,
    pub(super) coverage: Coverage,
    /// The ratio of the clocks at the last bus clock.
    ratio: u8,
}

impl World {
    pub(super) fn new(straps: &Config, choices: Choices, processors: usize) -> Self {
        Self {
            straps: *straps,
            choices,
            processors: vec![Processor::new(straps, &choices); processors],
            habits: Habits::default(),
            coverage: Coverage::default(),
            ratio: 0,
        }
    }

    /// Resets the registers.
    pub(super) fn reset(&mut self, straps: &Config) {
        let fresh = Processor::new(straps, &self.choices);
        self.processors.fill(fresh);
        self.ratio = 0;
    }

    /// Checks the outputs of the first cycle after reset.
    pub(super) fn after_reset<const LP: usize, const GENERAL: usize, const FIXED: usize>(
        &mut self,
        out: &Outputs<LP, GENERAL, FIXED>,
    ) -> Result<(), String> {
        for (own, shown) in self.processors.iter_mut().zip(&out.lp) {
            own.delivery.reset(shown)?;
        }
        let overflow = out.general.iter().flatten().any(|counter| counter.overflow || counter.pin);
        if out.reg_done || overflow || out.fixed.iter().flatten().any(|counter| counter.overflow) {
            return Err(format!("after reset {out:x?}"));
        }
        Ok(())
    }

    /// Checks a cycle: its inputs, and the outputs of the next cycle.
    pub(super) fn cycle<const LP: usize, const LANES: usize, const GENERAL: usize, const FIXED: usize>(
        &mut self,
        inputs: &Inputs<LP, LANES>,
        out: &Outputs<LP, GENERAL, FIXED>,
    ) -> Result<(), String> {
        if inputs.bus_tick {
            self.ratio = inputs.core_ratio;
        }
        let written = self.request(inputs, out)?;
        for lp in 0..LP {
            let own = written.as_ref().filter(|written| written.lp == lp);
            self.count(own, (inputs, lp), out).map_err(|text| format!("logical processor {lp}, {text}"))?;
            self.deliver(own, (inputs, lp), out).map_err(|text| format!("logical processor {lp}: {text}"))?;
        }
        Ok(())
    }

    /// Counts, and checks overflows and pins.
    fn count<const LP: usize, const LANES: usize, const GENERAL: usize, const FIXED: usize>(
        &mut self,
        written: Option<&Written>,
        (inputs, lp): (&Inputs<LP, LANES>, usize),
        out: &Outputs<LP, GENERAL, FIXED>,
    ) -> Result<(), String> {
        let straps = self.straps;
        let own = &mut self.processors[lp];
        let control = if version(&straps) >= 2 { own.control } else { u64::MAX };
        let values = |register: Register| written.filter(|at| at.register == register).map(|at| at.values.as_slice());
        for (at, shown) in out.general[lp].iter().enumerate() {
            if at >= straps.counters.into() {
                if shown.overflow || shown.pin {
                    return Err(format!("counter {at} does not exist: {shown:?}"));
                }
                continue;
            }
            let on = control >> at & 1 == 1 && !own.frozen && !own.stopped;
            let step = general(&straps, &own.selects, at, on, (inputs, lp));
            let value = values(Register::Counter(at)).or_else(|| values(Register::FullCounter(at)));
            self.coverage.overflows += u64::from(shown.overflow && own.counters[at].known().is_some());
            let counted =
                own.counters[at].step(step, value, shown.overflow).map_err(|text| format!("counter {at}: {text}"))?;
            let overflow = Counted { possible: shown.overflow, certain: shown.overflow };
            let select = own.selects[at];
            let cause = match (by_ratio(&straps, select), shows_events(select)) {
                (true, _) if !matches!(self.ratio, 4 | 6) => Counted::default(),
                (false, true) => counted,
                _ => overflow,
            };
            self.coverage.pulses += u64::from(shown.pin);
            own.pins[at].step(cause, inputs.bus_tick, shown.pin).map_err(|text| format!("counter {at}: {text}"))?;
        }
        for (at, shown) in out.fixed[lp].iter().enumerate() {
            if at >= straps.fixed.into() {
                if shown.overflow {
                    return Err(format!("fixed counter {at} does not exist"));
                }
                continue;
            }
            let on = control >> (32 + at) & 1 == 1;
            let step = fixed(own.fixed_control >> (4 * at) & 0xF, at, on, (inputs, lp));
            self.coverage.fixed_overflows += u64::from(shown.overflow && own.fixed[at].known().is_some());
            own.fixed[at]
                .step(step, values(Register::Fixed(at)), shown.overflow)
                .map_err(|text| format!("fixed counter {at}: {text}"))?;
        }
        Ok(())
    }

    /// Checks the request for an interrupt and its delivery, and notes the overflows in the status.
    fn deliver<const LP: usize, const LANES: usize, const GENERAL: usize, const FIXED: usize>(
        &mut self,
        written: Option<&Written>,
        (inputs, lp): (&Inputs<LP, LANES>, usize),
        out: &Outputs<LP, GENERAL, FIXED>,
    ) -> Result<(), String> {
        let (straps, choices) = (self.straps, self.choices);
        let own = &mut self.processors[lp];
        let (mut asked, mut overflows) = (inputs.lp[lp].ds_pmi, u64::from(inputs.lp[lp].ds_pmi) << 62);
        for (at, select) in own.selects.iter().enumerate() {
            let overflow = out.general[lp][at].overflow;
            asked |= overflow && interrupts(*select);
            overflows |= u64::from(overflow) << at;
        }
        for at in 0..usize::from(straps.fixed) {
            let overflow = out.fixed[lp][at].overflow;
            asked |= overflow && own.fixed_control >> (4 * at + 3) & 1 == 1;
            overflows |= u64::from(overflow) << (32 + at);
        }
        let shown = &out.lp[lp];
        if shown.pmi != asked {
            return Err(format!("pmi is {}, and overflows are {overflows:#x}", shown.pmi));
        }
        let before = own.asked;
        let interrupt = if choices.irq_late { before } else { asked };
        let entry = written.filter(|at| at.register == Register::Entry).map(|at| at.values[0] as u32);
        let memory = straps.x2apic == X2apic::Memory && inputs.apic.write && usize::from(inputs.apic.lp) % LP == lp;
        let written_entry = if memory { Some(inputs.apic.wdata) } else { entry };
        let ack = inputs.lp[lp].irq_ack;
        let passed = own.delivery.step((&straps, &choices), Asked { interrupt, ack, written: written_entry }, shown)?;
        self.coverage.interrupts += u64::from(passed);
        self.coverage.masked += u64::from(interrupt && !passed);
        let cleared = written.filter(|at| at.register == Register::OverflowControl).map_or(0, |at| at.values[0]);
        own.status = own.status & !cleared | overflows;
        // The order of an overflow and of a write that clears its bit in the same cycle is open.
        own.status_open = own.status_open & !(cleared | overflows) | cleared & overflows;
        let freezes = inputs.lp[lp].freeze_on_pmi && if choices.freeze_late { before } else { asked };
        own.frozen = (own.frozen || freezes && choices.freeze_without_control) && inputs.lp[lp].freeze_on_pmi;
        self.coverage.freezes += u64::from(freezes);
        own.asked = asked;
        let other = self.interrupted(freezes, (inputs, lp));
        self.write(written, lp, other);
        Ok(())
    }

    /// Returns what a freeze, an SMI or RSM makes of `IA32_PERF_GLOBAL_CTRL`.
    // DCTL-12, DCTL-13, DCTL-14.
    fn interrupted<const LP: usize, const LANES: usize>(
        &mut self,
        freezes: bool,
        (inputs, lp): (&Inputs<LP, LANES>, usize),
    ) -> Option<u64> {
        let (choices, all) = (self.choices, enables(&self.straps));
        let (shown, own) = (&inputs.lp[lp], &mut self.processors[lp]);
        match shown.int_kind {
            IntKind::Smi if shown.int_valid && shown.freeze_while_smm => {
                own.saved = Some(own.control);
                own.stopped |= choices.freeze_without_control;
                self.coverage.freezes += 1;
                Some(0)
            }
            IntKind::Rsm if shown.int_valid => {
                own.stopped = false;
                let saved = own.saved.take();
                let obeyed = if choices.rsm_reads_bit { shown.freeze_while_smm } else { saved.is_some() };
                match obeyed {
                    _ if freezes && choices.freeze_wins => Some(0),
                    true if !choices.rsm_restores => Some(all),
                    true if saved.is_some() => saved,
                    _ => freezes.then_some(0),
                }
            }
            _ => freezes.then_some(0),
        }
    }

    /// Applies a write of a control register; `other` is what an interruption makes of `IA32_PERF_GLOBAL_CTRL`.
    fn write(&mut self, written: Option<&Written>, lp: usize, other: Option<u64>) {
        let own = &mut self.processors[lp];
        own.control = other.unwrap_or(own.control);
        let Some(Written { register, values, .. }) = written else { return };
        match *register {
            Register::Select(at) => {
                own.selects[at] = values[0];
                own.counters[at].forget_edge();
            }
            Register::FixedControl => own.fixed_control = values[0],
            Register::GlobalControl if other.is_none() || self.choices.write_wins => own.control = values[0],
            _ => (),
        }
    }
}
