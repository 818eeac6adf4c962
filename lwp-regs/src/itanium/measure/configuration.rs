//! What the four counters measure together, checked.

use super::StartError;
use super::error::{MeasurementError, Shared};
use super::measurement::Measurement;
use super::pairs::{data_pairs, instruction_pairs, release_data_pairs, release_instruction_pairs};
use super::running::RunningMonitors;
use crate::bits::{U2, U3};
use crate::itanium::{
    AddressRange, Counter, Cover, Dcr, Event, Ism, ItaniumBus, MonitorLevel, Pmc0, Pmc11, Pmc13, Pmc45, Pmc67, Pmc89,
    Pmd, Psr, QualificationMode,
};

/// Up to four measurements that can be made together: the values of all registers.
///
/// # Where do the loads of one function miss?
///
/// A driver samples the misses of the loads of a function in a table of 64 KiB, in one process at user level, every 1000
/// misses, and counts all loads of the function there next to them. Both measurements share the ranges.
///
/// ```
/// use core::num::NonZeroU32;
/// use lwp_regs::itanium::{
///     AddressRange, Configuration, Counter, Depth, Event, Ism, ItaniumBus, Measurement, MonitorPlan, Psr,
///     RunningMonitors, Scope, StartError,
/// };
///
/// const FUNCTION: AddressRange = AddressRange::new(0x4000_0FF0, 0x4000_201F).unwrap();
/// const TABLE: AddressRange = AddressRange::new(0x6000_0000, 0x6000_FFFF).unwrap();
/// const PERIOD: NonZeroU32 = NonZeroU32::new(1000).unwrap();
///
/// /// Of the processor: writes every register and starts.
/// fn start<B: ItaniumBus>(bus: &mut B) -> Result<RunningMonitors, StartError<B::Fault>> {
///     let plan = MonitorPlan::new(Scope::SingleProcess, Depth::User);
///     let measure =
///         |event| Measurement::new(event, plan).with_ism(Ism::Ia64Only).in_instructions(FUNCTION).in_data(TABLE);
///     let misses = measure(Event::L1dReadMissesRetired).interrupting_after(PERIOD);
///     let loads = measure(Event::LoadsRetired);
///     // Counters that cannot count together are refused here, with what to change.
///     let configuration = Configuration::new([Some(misses), Some(loads), None, None]).expect("the ranges are the same");
///     configuration.start(bus)
/// }
///
/// /// Of the process: once, in the PSR that is saved for it. Context switches do the rest.
/// fn choose(running: &RunningMonitors, saved: Psr) -> Psr {
///     running.configuration().psr(saved, true)
/// }
///
/// /// The handler of the performance monitor interrupt.
/// fn interrupt<B: ItaniumBus>(running: &mut RunningMonitors, bus: &mut B, iip: u64) -> Result<Option<u64>, B::Fault> {
///     let overflow = running.handle_overflow(bus)?;
///     Ok(overflow.overflowed(Counter::Four).then_some(iip)) // a sample
/// }
///
/// /// The end: misses per load.
/// fn stop<B: ItaniumBus>(running: RunningMonitors, bus: &mut B) -> Option<f64> {
///     let counts = running.stop(bus).ok()?;
///     Some(counts.of(Counter::Four) as f64 / counts.of(Counter::Five) as f64)
/// }
/// ```
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, chapter "Performance Monitoring", on event
/// qualification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Configuration {
    pub(super) measurements: [Option<Measurement>; 4],
    mode: QualificationMode,
    pmc9: Pmc89,
    instructions: Option<Cover>,
    data: Option<Cover>,
}

type Measurements = [Option<Measurement>; 4];

/// The measurements with their counters.
pub(super) fn used(measurements: &Measurements) -> impl Iterator<Item = (Counter, &Measurement)> {
    Counter::ALL.into_iter().zip(measurements).filter_map(|(counter, of)| Some((counter, of.as_ref()?)))
}

/// Whether the measurement can be made alone.
fn check(counter: Counter, of: &Measurement) -> Result<(), MeasurementError> {
    let obeys = of.obeys();
    let known = of.event().is_some();
    for (asked, obeyed, shared) in [
        (of.instructions.is_some(), obeys.instructions && known, Shared::Instructions),
        (opcode(of).is_some(), (obeys.pmc8 || obeys.pmc9) && known, Shared::Opcode),
        (of.data.is_some(), obeys.data && known, Shared::Data),
    ] {
        if asked && !obeyed {
            return Err(MeasurementError::NotQualified(counter, shared));
        }
    }
    if counts_nothing(of) {
        return Err(MeasurementError::CountsNothing(counter));
    }
    let confined = of.instructions.is_some() || opcode(of).is_some() || of.data.is_some();
    if confined && of.ism.counts_ia32() {
        return Err(MeasurementError::CountsIa32(counter));
    }
    let max = if counter < Counter::Six { U3::MAX.get() } else { U2::MAX.get() };
    if of.threshold > max { Err(MeasurementError::Threshold(counter, max)) } else { Ok(()) }
}

fn counts_nothing(of: &Measurement) -> bool {
    let Some(event) = of.event() else { return of.ism == Ism::Neither };
    let set = match event {
        Event::Ia32InstRetired => of.ism.counts_ia32(),
        Event::Ia64InstRetired | Event::BranchTakenSlot | Event::PredicateSquashedRetired => of.ism.allows(false),
        _ => of.ism != Ism::Neither,
    };
    !set || event.class(of.umask.get()).is_none()
}

/// Gives DCR the `pp` that it had before.
pub(super) fn restore_pp<B: ItaniumBus>(bus: &mut B, before: Dcr) -> Result<(), B::Fault> {
    let dcr = Dcr::from_bits(bus.read_dcr()?);
    bus.write_dcr(dcr.with_pp(before.pp()).into_bits())
}

/// The opcode, if it is a constraint.
fn opcode(of: &Measurement) -> Option<Pmc89> {
    of.opcode.filter(|opcode| !opcode.matches_everything())
}

/// What all measurements agree upon to which `of` applies. It gives what one wants.
fn agreed<T: PartialEq>(
    measurements: &Measurements,
    shared: Shared,
    of: impl Fn(&Measurement) -> Option<T>,
) -> Result<Option<(Counter, T)>, MeasurementError> {
    let mut first: Option<(Counter, T)> = None;
    for (counter, measurement) in used(measurements) {
        match (of(measurement), &first) {
            (None, _) => {}
            (Some(wanted), None) => first = Some((counter, wanted)),
            (Some(wanted), Some((_, other))) if wanted == *other => {}
            (Some(_), Some((one, _))) => return Err(MeasurementError::Conflict(shared, [*one, counter])),
        }
    }
    Ok(first)
}

/// The blocks of a range upon which all measurements agree that obey it.
fn range(
    measurements: &Measurements,
    shared: Shared,
    of: impl Fn(&Measurement) -> Option<Option<AddressRange>>,
) -> Result<Option<Cover>, MeasurementError> {
    match agreed(measurements, shared, of)? {
        Some((counter, Some(range))) => {
            range.cover().map(Some).map_err(|uncovered| MeasurementError::Range(counter, shared, uncovered))
        }
        _ => Ok(None),
    }
}

impl Configuration {
    /// The configuration in which PMD\[4\] to PMD\[7\] measure these, each one if it is there.
    ///
    /// # Errors
    ///
    /// [`MeasurementError`]: the first measurement that cannot be made, or two that cannot be made together.
    pub fn new(measurements: [Option<Measurement>; 4]) -> Result<Self, MeasurementError> {
        used(&measurements).try_for_each(|(counter, of)| check(counter, of))?;
        let instructions =
            range(&measurements, Shared::Instructions, |of| of.obeys().instructions.then_some(of.instructions))?;
        let data = range(&measurements, Shared::Data, |of| of.obeys().data.then_some(of.data))?;
        let pmc8 = agreed(&measurements, Shared::Opcode, |of| of.obeys().pmc8.then(|| opcode(of)))?;
        let pmc9 = agreed(&measurements, Shared::SecondOpcode, |of| of.obeys().pmc9.then(|| opcode(of)))?;
        for level in [MonitorLevel::User, MonitorLevel::System] {
            let all = |of: &Measurement| of.plan.psr(Psr::new(), false) != Psr::new();
            agreed(&measurements, Shared::Processes, |of| (of.plan.pm() == level).then(|| all(of)))?;
        }
        let opcode = |agreed: Option<(Counter, Option<Pmc89>)>| {
            agreed.and_then(|(_, opcode)| opcode).unwrap_or(Pmc89::UNCONSTRAINED)
        };
        let mode = QualificationMode::of(
            opcode(pmc8),
            Pmc11::new().with_pt(data.is_none()),
            Pmc13::new().with_ta(instructions.is_none()),
        );
        Ok(Self { measurements, mode, pmc9: opcode(pmc9), instructions, data })
    }

    /// The constraints by address and opcode.
    #[must_use]
    #[inline]
    pub const fn mode(&self) -> QualificationMode {
        self.mode
    }

    /// `dcr` with `pp` as the measurements need it: 1 if any includes the interrupt level.
    #[must_use]
    pub fn dcr(&self, dcr: Dcr) -> Dcr {
        dcr.with_pp(used(&self.measurements).any(|(_, of)| of.plan.dcr(Dcr::new()).pp()))
    }

    /// `psr` of a process, with `up` and `pp` as the measurements need them; [`MonitorPlan::psr`]. A bit that no
    /// measurement needs stays.
    ///
    /// [`MonitorPlan::psr`]: crate::itanium::MonitorPlan::psr
    #[must_use]
    pub fn psr(&self, psr: Psr, chosen: bool) -> Psr {
        used(&self.measurements).fold(psr, |psr, (_, of)| of.plan.psr(psr, chosen))
    }

    /// PMC\[i\] of a counter; 0 if it measures nothing. That of PMC\[6\] and PMC\[7\] is a [`Pmc67`] with the same bits.
    #[must_use]
    pub fn pmc(&self, counter: Counter) -> Pmc45 {
        self.measurement(counter).map_or(Pmc45::new(), |of| {
            Pmc45::new()
                .with_es(of.es)
                .with_umask(of.umask)
                .with_threshold(U3::masked(of.threshold))
                .with_oi(of.interrupts)
                .with_monitor(of.plan.monitor(of.ism))
        })
    }

    /// The measurement of a counter.
    pub(super) const fn measurement(&self, counter: Counter) -> Option<&Measurement> {
        self.measurements[counter.index() as usize - 4].as_ref()
    }

    /// The counts to begin with.
    pub(super) fn initial(&self) -> [u32; 4] {
        self.measurements.map(|of| of.map_or(0, |of| of.initial))
    }

    /// Freezes monitoring, writes every register, and thaws: events count from here on in the processes whose PSR says
    /// so. Pairs of IBRs and DBRs that are breakpoints stay; if there is a range, the others are taken.
    ///
    /// # Errors
    ///
    /// [`StartError`]; monitoring is frozen then, and DCR is as it was, unless writing it back faults, too.
    pub fn start<B: ItaniumBus>(&self, bus: &mut B) -> Result<RunningMonitors, StartError<B::Fault>> {
        let dcr = self.load(bus, self.initial())?;
        Ok(RunningMonitors::new(*self, self.initial(), [0; 4], dcr))
    }

    /// Freezes, writes every register with these counts, and thaws. Returns DCR as it was.
    pub(super) fn load<B: ItaniumBus>(&self, bus: &mut B, counts: [u32; 4]) -> Result<Dcr, StartError<B::Fault>> {
        Pmc0::PMC.write(bus, Pmc0::FROZEN)?;
        self.constrain(bus)?;
        let dcr = Dcr::from_bits(bus.read_dcr()?);
        bus.write_dcr(self.dcr(dcr).into_bits())?;
        if let Err(fault) = self.count(bus, counts) {
            let _ = bus.write_dcr(dcr.into_bits()); // the first fault is the one to report
            return Err(StartError::Fault(fault));
        }
        Ok(dcr)
    }

    /// Writes counts and selections, and thaws.
    fn count<B: ItaniumBus>(&self, bus: &mut B, counts: [u32; 4]) -> Result<(), B::Fault> {
        for (counter, count) in Counter::ALL.into_iter().zip(counts) {
            counter.write(bus, Pmd::of(count))?;
            self.select(bus, counter)?;
        }
        Pmc0::PMC.write(bus, Pmc0::RUNNING)
    }

    fn constrain<B: ItaniumBus>(&self, bus: &mut B) -> Result<(), StartError<B::Fault>> {
        if let Some(cover) = &self.instructions {
            instruction_pairs(bus, cover.iter())?;
        }
        if let Some(cover) = &self.data {
            data_pairs(bus, cover.iter())?;
        }
        self.mode.apply(bus)?;
        Ok(Pmc89::PMC9.write(bus, self.pmc9)?)
    }

    fn select<B: ItaniumBus>(&self, bus: &mut B, counter: Counter) -> Result<(), B::Fault> {
        let pmc = self.pmc(counter);
        let second = Pmc67::from_bits(pmc.into_bits());
        match counter {
            Counter::Four => Pmc45::PMC4.write(bus, pmc),
            Counter::Five => Pmc45::PMC5.write(bus, pmc),
            Counter::Six => Pmc67::PMC6.write(bus, second),
            Counter::Seven => Pmc67::PMC7.write(bus, second),
        }
    }

    /// Selects nothing, removes every constraint and gives DCR its `pp` back. Monitoring has to be frozen.
    pub(super) fn unload<B: ItaniumBus>(&self, bus: &mut B, before: Dcr) -> Result<(), B::Fault> {
        Pmc45::PMC4.write(bus, Pmc45::new())?;
        Pmc45::PMC5.write(bus, Pmc45::new())?;
        Pmc67::PMC6.write(bus, Pmc67::new())?;
        Pmc67::PMC7.write(bus, Pmc67::new())?;
        QualificationMode::Unconstrained.apply(bus)?;
        Pmc89::PMC9.write(bus, Pmc89::UNCONSTRAINED)?;
        if self.instructions.is_some() {
            release_instruction_pairs(bus)?;
        }
        if self.data.is_some() {
            release_data_pairs(bus)?;
        }
        restore_pp(bus, before)
    }
}
