//! The functions of `lwp-regs` for the time-stamp counter on three machines: the scripted fake, the model and the Verilated RTL. The
//! model and the RTL give the same, to the cycle.

use lwp_model::Moore;
use lwp_model::retire::{OpMode, Processor};
use lwp_model::tsc::{Config, Inputs, Outputs, Tsc};
use lwp_regs::access::{Cpuid, MsrBus, TimeBus};
use lwp_regs::fake::{Access, FakeMsrs};
use lwp_regs::tsc::{
    CrystalRatio, Elapsed, Stamp, TimeStampCounter, TscAdjust, TscAux, TscFeatures, TscRate, TscWrite,
};
use sim_harness::core::MachineFault;
use sim_harness::device::RtlDevice;
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::tsc::machine::Machine;
use std::fmt::Debug;

type Four = Tsc<4>;

/// What such a machine is built around.
trait Device: Moore<Inputs = Inputs, Outputs = Outputs> {}

impl<D: Moore<Inputs = Inputs, Outputs = Outputs>> Device for D {}

fn rtl(straps: &Config) -> Machine<RtlDevice<Four>> {
    Machine::of_rtl(BuildId::from_name("tsc_lp4").unwrap(), Flavour::Traced, straps).unwrap()
}

/// Runs a generic function on the model and on the RTL, fresh from reset, with the same straps. Both give the same, which is the result.
macro_rules! on_both {
    ($straps:expr, $body:expr) => {{
        let straps: Config = $straps;
        let (model, rtl) = (Machine::<Four>::of_model(&straps).unwrap(), rtl(&straps));
        let of_model = ($body(&model), model.cycles());
        let of_rtl = ($body(&rtl), rtl.cycles());
        assert_eq!(of_model, of_rtl, "model and RTL differ");
        assert!(!rtl.into_device().into_rtl().take_assertion(), "an assertion of the RTL failed");
        of_model.0
    }};
}

/// What a kernel finds and leaves on a processor: parts, ratio, a stamp, and what the registers hold then.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BroughtUp {
    features: TscFeatures,
    ratio: Option<CrystalRatio>,
    stamp: Stamp,
    adjust: TscAdjust,
    signature: TscAux,
}

/// Brings up the counter of a processor: gives it a signature and an adjustment. The same code for all machines.
fn bring_up<B, F: Debug>(bus: &mut B, signature: u32, adjust: u64) -> BroughtUp
where
    B: MsrBus<Fault = F> + TimeBus<Fault = F> + Cpuid,
{
    let features = TscFeatures::detect(bus);
    let ratio = bus.leaf(0x15, 0).and_then(CrystalRatio::from_cpuid);
    TscAux::MSR.write_unchecked(bus, TscAux::new().with_signature(signature)).unwrap();
    TscAdjust::from_bits(adjust).synchronise(bus).unwrap();
    let stamp = Stamp::now(bus).unwrap();
    let adjust = TscAdjust::MSR.read(bus).unwrap();
    let signature = TscAux::MSR.read(bus).unwrap();
    BroughtUp { features, ratio, stamp, adjust, signature }
}

// TSC-01, TSC-14, TSC-16, TSC-19
#[test]
fn a_processor_is_brought_up_on_three_machines() {
    fn second<D: Device>(machine: &Machine<D>) -> BroughtUp {
        bring_up(&mut machine.core(1), 0x0000_1001, 5000)
    }
    let straps = Config::default();
    let found = on_both!(straps, second);
    assert_eq!(found.features, straps.features());
    assert_eq!(found.ratio, straps.cpuid(None).ratio);
    assert_eq!((found.stamp.signature, found.signature.signature(), found.adjust.ticks()), (0x1001, 0x1001, 5000));
    // Two writes of two cycles before the stamp: four ticks of the crystal, 250 of the counter for three of them.
    assert_eq!(found.stamp.ticks, 5000 + 4 * 250 / 3);

    let identity = straps.cpuid(None);
    let mut fake = FakeMsrs::<4>::new();
    fake.define(TscAux::MSR, TscAux::new()).define(TscAdjust::MSR, TscAdjust::RESET);
    fake.identify_as(&identity).set_time(found.stamp.ticks, 0).set_tsc_aux(0x1001);
    assert_eq!(bring_up(&mut fake, 0x1001, 5000), found, "the same code finds the same on the fake");
    fake.assert_trace(&[
        Access::write(TscAux::MSR, TscAux::new().with_signature(0x1001)),
        Access::write(TscAdjust::MSR, TscAdjust::from_bits(5000)),
        Access::Rdtscp,
        Access::read(TscAdjust::MSR),
        Access::read(TscAux::MSR),
    ]);
}

/// Ticks from the first processor's stamp to that of each other, each stamp two cycles after the other.
fn skews<D: Device>(machine: &Machine<D>) -> Vec<u64> {
    let stamps: Vec<u64> = (0..4).map(|lp| machine.core(lp).rdtsc().unwrap()).collect();
    stamps.iter().map(|stamp| stamp.wrapping_sub(stamps[0])).collect()
}

// TSC-17, TSC-18, TSC-24: a write to each counter leaves the time between the writes; the same adjustment does not
#[test]
fn the_same_adjustment_makes_processors_agree() {
    fn by_writes<D: Device>(machine: &Machine<D>) -> (Vec<u64>, Vec<u64>) {
        machine.run(1000);
        for lp in 0..4 {
            TimeStampCounter::MSR.write_unchecked(&mut machine.core(lp), TimeStampCounter::from_bits(0)).unwrap();
        }
        let written = skews(machine);
        for lp in 0..4 {
            TscAdjust::from_bits(7).synchronise(&mut machine.core(lp)).unwrap();
        }
        (written, skews(machine))
    }
    let straps = Config { art_whole: 100, art_rest: 0, art_denominator: 1, ..Config::default() };
    let (written, adjusted) = on_both!(straps, by_writes);
    // What was written later is behind by as much as the stamp is later: all show the same.
    assert_eq!(written, [0, 0, 0, 0]);
    // Stamps two cycles after each other.
    assert_eq!(adjusted, [0, 200, 400, 600]);
}

// TSC-06, TSC-07, TSC-09, TSC-13: time between two stamps while the ratio of the core changes, at each rate; at the invariant rate the
// ticks are converted to time
#[test]
fn ticks_are_of_equal_duration_at_a_constant_rate() {
    fn between<D: Device>(machine: &Machine<D>) -> Vec<Elapsed> {
        let mut elapsed = Vec::new();
        for core_ratio in [20, 40, 16] {
            machine.set_pins(Processor { core_ratio, halted: true, ..Processor::default() });
            let before = Stamp::now(&mut machine.core(0)).unwrap();
            machine.run(98);
            elapsed.push(Stamp::now(&mut machine.core(0)).unwrap().since(before));
        }
        elapsed
    }
    let at = |rate| on_both!(Config { rate, max_ratio: 30, art_rest: 0, ..Config::default() }, between);
    // A stamp takes two cycles: 100 ticks of the base from one to the next.
    assert_eq!(at(TscRate::Variable), [1000, 2000, 800].map(Elapsed::Ticks));
    assert_eq!(at(TscRate::ConstantMax), [1500; 3].map(Elapsed::Ticks));
    assert_eq!(at(TscRate::ConstantBoot), [1000; 3].map(Elapsed::Ticks));
    let invariant = at(TscRate::Invariant);
    assert_eq!(invariant, [8300; 3].map(Elapsed::Ticks));
    // 100 periods of a crystal of 25 MHz, by the ratio that CPUID reports: 249 to 3.
    let ratio = Config { art_rest: 0, ..Config::default() }.cpuid(Some(25_000_000)).ratio.unwrap();
    let nanoseconds = |elapsed: &Elapsed| match *elapsed {
        Elapsed::Ticks(ticks) => ratio.nanoseconds(ticks),
        Elapsed::Migrated { .. } => None,
    };
    assert_eq!(invariant.iter().map(nanoseconds).collect::<Vec<_>>(), [Some(4000); 3]);
}

// TSC-16: a thread that is moved to another processor notices it by the signature
#[test]
fn a_move_to_another_processor_is_noticed() {
    fn moved<D: Device>(machine: &Machine<D>) -> (Elapsed, u64) {
        for lp in 0..2_u8 {
            let signature = TscAux::new().with_signature(100 + u32::from(lp));
            TscAux::MSR.write_unchecked(&mut machine.core(lp), signature).unwrap();
        }
        TimeStampCounter::MSR.write_unchecked(&mut machine.core(1), TimeStampCounter::from_bits(1 << 40)).unwrap();
        let ahead = (1 << 40) - 4 * 10;
        let earlier = Stamp::now(&mut machine.core(0)).unwrap();
        let later = Stamp::now(&mut machine.core(1)).unwrap();
        (later.since(earlier), later.since_with(earlier, |signature| if signature == 101 { ahead } else { 0 }))
    }
    let straps = Config { art_whole: 10, art_rest: 0, art_denominator: 1, ..Config::default() };
    let (elapsed, corrected) = on_both!(straps, moved);
    assert_eq!((elapsed, corrected), (Elapsed::Migrated { from: 100, to: 101 }, 20));
}

// TSC-11, TSC-12, TSC-14: faults are those of the instructions
#[test]
fn faults_are_values() {
    fn faults<D: Device>(machine: &Machine<D>) -> Vec<Result<u64, MachineFault>> {
        machine.set_tsd(true);
        let user = || machine.core(0).at(OpMode::Long64, 3);
        let mut all = vec![machine.core(0).rdtsc().map(|_| 0), user().rdtsc(), user().rdtscp().map(|_| 0)];
        machine.set_tsd(false);
        all.push(user().rdtsc().map(|_| 0));
        all.push(TscAdjust::MSR.read(&mut user()).map(TscAdjust::into_bits));
        // SAFETY: these registers do not make the processor access memory.
        all.push(unsafe { machine.core(0).wrmsr(TscAux::ADDRESS, 1 << 32) }.map(|()| 0));
        // SAFETY: as above; no unit has the number.
        all.push(unsafe { machine.core(0).rdmsr(0x11) });
        all
    }
    use MachineFault::{GeneralProtection, InvalidOpcode};
    let refused = Err(GeneralProtection);
    assert_eq!(on_both!(Config::default(), faults), [Ok(0), refused, refused, Ok(0), refused, refused, refused]);
    let bare = Config { aux: false, adjust: false, ..Config::default() };
    let found = on_both!(bare, faults);
    assert_eq!(found, [Ok(0), refused, Err(InvalidOpcode), Ok(0), refused, refused, refused]);
}

// TSC-12: a write of the low 32 bits clears the others
#[test]
fn a_narrow_write_clears_the_upper_half() {
    fn wrote<D: Device>(machine: &Machine<D>) -> (TimeStampCounter, TscAdjust) {
        // The crystal does not tick but in the first cycle.
        machine.set_clocks(u64::MAX, 1);
        machine.run(1);
        let core = &mut machine.core(2);
        TimeStampCounter::MSR.write_unchecked(core, TimeStampCounter::from_bits(0x1234_5678_9ABC_DEF0)).unwrap();
        (TimeStampCounter::MSR.read(core).unwrap(), TscAdjust::MSR.read(core).unwrap())
    }
    let straps = |write_width| Config { art_rest: 0, write_width, ..Config::default() };
    let (wide, narrow) = (on_both!(straps(TscWrite::All), wrote), on_both!(straps(TscWrite::Low32), wrote));
    assert_eq!((wide.0.ticks(), wide.1.ticks()), (0x1234_5678_9ABC_DEF0, 0x1234_5678_9ABC_DEF0 - 83));
    assert_eq!((narrow.0.ticks(), narrow.1.ticks()), (0x9ABC_DEF0, 0x9ABC_DEF0 - 83));
}
