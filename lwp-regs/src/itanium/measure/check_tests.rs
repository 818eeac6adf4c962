//! What can be measured together, and what cannot.

extern crate std;
use super::*;
use crate::bits::{U4, U7};
use crate::itanium::{
    AddressRange, Counter, Dcr, Depth, Event, Instruction, Ism, MonitorPlan, Pmc89, Psr, QualificationMode, Scope,
    SlotType, Uncovered,
};
use MeasurementError::{Conflict, CountsIa32, CountsNothing, NotQualified, Range, Threshold};
use std::string::ToString;

pub(super) const PLAN: MonitorPlan = MonitorPlan::new(Scope::SingleProcess, Depth::User);
pub(super) const CODE: AddressRange = AddressRange::new(0x4000_0000, 0x4000_0FFF).unwrap();
pub(super) const TABLE: AddressRange = AddressRange::new(0x6000_0000, 0x6000_FFFF).unwrap();
pub(super) const NOP: Pmc89 =
    Pmc89::for_instruction(Instruction { slot: SlotType::M, encoding: 0x000_0800_0000 }, u64::MAX);
const ADD: Pmc89 =
    Pmc89::for_instruction(Instruction { slot: SlotType::I, encoding: 0x100_0000_0000 }, 0x1E0_0000_0000);

/// Of IA-64 code.
pub(super) fn of(event: Event) -> Measurement {
    Measurement::new(event, PLAN).with_ism(Ism::Ia64Only)
}

fn tagged(umask: u8) -> Measurement {
    of(Event::Ia64InstRetired).with_umask(U4::masked(umask))
}

fn alone(measurement: Measurement) -> Result<Configuration, MeasurementError> {
    Configuration::new([None, None, Some(measurement), None])
}

fn both(one: Measurement, other: Measurement) -> Result<Configuration, MeasurementError> {
    let configured = Configuration::new([Some(one), None, None, Some(other)]);
    let swapped = Configuration::new([Some(other), None, None, Some(one)]);
    assert_eq!(configured.is_ok(), swapped.is_ok(), "their order does not matter");
    configured
}

const PAIR: [Counter; 2] = [Counter::Four, Counter::Seven];

#[test]
fn the_mode_is_what_the_measurements_ask_for() {
    let mode = |measurement| alone(measurement).unwrap().mode();
    let loads = of(Event::LoadsRetired);
    assert_eq!(mode(Measurement::new(Event::LoadsRetired, PLAN)), QualificationMode::Unconstrained);
    assert_eq!(mode(loads.in_instructions(CODE)), QualificationMode::InstructionRange);
    assert_eq!(mode(loads.matching(NOP)), QualificationMode::Opcode(NOP));
    assert_eq!(mode(loads.in_data(TABLE)), QualificationMode::DataRange);
    let all = loads.in_instructions(CODE).matching(NOP).in_data(TABLE);
    assert_eq!(mode(all), QualificationMode::AllThreeUnlisted(NOP));
    assert_eq!(mode(loads.matching(Pmc89::UNCONSTRAINED)), QualificationMode::Unconstrained);
    assert_eq!(mode(tagged(2).matching(NOP)), QualificationMode::Unconstrained, "PMC[9] qualifies nothing");
}

// each event takes the constraints of its class, and no other
#[test]
fn events_that_a_constraint_does_not_qualify() {
    for event in Event::ALL {
        let umask = if matches!(event, Event::BranchTakenSlot | Event::L2DataReferences) { 3 } else { 0 };
        let ism = if event == Event::Ia32InstRetired { Ism::Ia32Only } else { Ism::Ia64Only };
        let of = Measurement::new(event, PLAN).with_umask(U4::masked(umask)).with_ism(ism);
        let (by_tag, memory) = (!matches!(event.es(), 0x12 | 0x15), event.es() >= 0x60);
        let refused = |shared, qualified: bool| (!qualified).then_some(NotQualified(Counter::Six, shared));
        assert_eq!(alone(of), Ok(alone(of).unwrap()), "{event:?}");
        assert_eq!(alone(of.in_instructions(CODE)).err(), refused(Shared::Instructions, by_tag), "{event:?}");
        assert_eq!(alone(of.matching(NOP)).err(), refused(Shared::Opcode, by_tag), "{event:?}");
        assert_eq!(alone(of.in_data(TABLE)).err(), refused(Shared::Data, memory), "{event:?}");
    }
    let unknown = Measurement::of_code(U7::of::<0x10>(), PLAN).with_ism(Ism::Ia64Only);
    assert!(alone(unknown).is_ok());
    assert_eq!(alone(unknown.matching(NOP)), Err(NotQualified(Counter::Six, Shared::Opcode)));
}

// ITA-56: what works for IA-64 code alone, with a monitor that counts IA-32 code
#[test]
fn ia_32_code_that_nothing_confines() {
    let loads = of(Event::LoadsRetired);
    for confined in [loads.in_instructions(CODE), loads.matching(NOP), loads.in_data(TABLE)] {
        for (ism, error) in [(Ism::Both, true), (Ism::Ia32Only, true), (Ism::Ia64Only, false)] {
            let expected = error.then_some(CountsIa32(Counter::Six));
            assert_eq!(alone(confined.with_ism(ism)).err(), expected);
        }
    }
}

#[test]
fn what_would_count_nothing() {
    let nothing = [
        of(Event::LoadsRetired).with_ism(Ism::Neither),
        of(Event::Ia32InstRetired),
        of(Event::PredicateSquashedRetired).with_ism(Ism::Ia32Only),
        tagged(1),
        of(Event::BranchTakenSlot),
        of(Event::L2DataReferences),
    ];
    for measurement in nothing {
        assert_eq!(alone(measurement), Err(CountsNothing(Counter::Six)), "{measurement:?}");
    }
}

#[test]
fn thresholds_and_ranges() {
    let cycles = |threshold| of(Event::LoadsRetired).with_threshold(threshold);
    assert!(alone(cycles(3)).is_ok());
    assert_eq!(alone(cycles(4)), Err(Threshold(Counter::Six, 3)));
    let four = |threshold| Configuration::new([None, Some(cycles(threshold)), None, None]);
    assert_eq!((four(7).is_ok(), four(8)), (true, Err(Threshold(Counter::Five, 7))));
    let odd = AddressRange::new(1, 14).unwrap();
    let uncovered = Uncovered { first: 12, last: 14 };
    assert_eq!(alone(of(Event::LoadsRetired).in_data(odd)), Err(Range(Counter::Six, Shared::Data, uncovered)));
    assert!(alone(of(Event::LoadsRetired).in_instructions(odd)).is_ok(), "one bundle");
}

#[test]
fn measurements_that_share_constraints() {
    let (loads, stores) = (of(Event::LoadsRetired), of(Event::StoresRetired));
    let retired = of(Event::Ia64InstRetired);
    let conflict = |shared| Err(Conflict(shared, PAIR));
    assert!(both(loads.in_data(TABLE), stores.in_data(TABLE)).is_ok());
    assert_eq!(both(loads.in_data(TABLE), stores), conflict(Shared::Data));
    assert_eq!(both(loads.in_data(TABLE), stores.in_data(CODE)), conflict(Shared::Data));
    assert!(both(loads.in_data(TABLE), retired).is_ok(), "instructions do not obey the data range");
    assert_eq!(both(loads.in_instructions(CODE), retired), conflict(Shared::Instructions));
    assert_eq!(both(loads.matching(NOP), retired), conflict(Shared::Opcode));
    assert_eq!(both(loads.matching(NOP), retired.matching(ADD)), conflict(Shared::Opcode));
    assert!(both(loads.matching(NOP), of(Event::CpuCycles)).is_ok(), "cycles obey nothing");
    // Two opcodes, one in each matcher; they share the range.
    assert!(both(tagged(3).matching(NOP), tagged(2).matching(ADD)).is_ok());
    assert_eq!(both(tagged(2).matching(NOP), tagged(2).matching(ADD)), conflict(Shared::SecondOpcode));
    assert_eq!(both(tagged(3).in_instructions(CODE), tagged(2)), conflict(Shared::Instructions));
    let unknown = Measurement::of_code(U7::of::<0x10>(), PLAN);
    assert_eq!(both(unknown, loads.matching(NOP)), conflict(Shared::Opcode), "it may obey PMC[8]");
    assert!(both(unknown, loads).is_ok());
}

// ITA-66: the nine settings into DCR and the PSR of each process, for several measurements at once
#[test]
fn measurements_that_share_processes() {
    let with = |scope, depth| Measurement::new(Event::LoadsRetired, MonitorPlan::new(scope, depth));
    let single = with(Scope::SingleProcess, Depth::User);
    let kernel = with(Scope::MultipleProcesses, Depth::UserAndKernel);
    let wide = with(Scope::SystemWide, Depth::UserAndKernel);
    let interrupts = with(Scope::SystemWide, Depth::WithInterrupts);
    assert_eq!(both(single, wide), Err(Conflict(Shared::Processes, PAIR)));
    assert!(both(single, kernel).is_ok(), "the same processes, at other levels");
    let together = both(single, interrupts).unwrap();
    let bits = |chosen| {
        let psr = together.psr(Psr::new(), chosen);
        (psr.up(), psr.pp())
    };
    assert_eq!((bits(true), bits(false)), ((true, true), (false, true)));
    assert_eq!(together.dcr(Dcr::from_bits(0x7F00)).into_bits(), 0x7F01);
    assert_eq!(both(single, kernel).unwrap().dcr(Dcr::from_bits(0x7F01)).into_bits(), 0x7F00);
    assert_eq!(alone(wide).unwrap().psr(Psr::from_bits(1 << 21), false).into_bits(), 1 << 21 | 1 << 2, "pp stays");
}

#[test]
fn errors_say_what_to_change() {
    let loads = of(Event::LoadsRetired);
    let text = |configured: Result<Configuration, MeasurementError>| configured.unwrap_err().to_string();
    assert_eq!(
        text(alone(of(Event::CpuCycles).matching(NOP))),
        "the event of PMC[6] is not qualified by the opcode of PMC[8]; remove it, or choose another event"
    );
    assert_eq!(
        text(both(loads.in_data(TABLE), loads)),
        "PMC[4] and PMC[7] share the data address range (PMC[11], DBRs); make it the same, or measure one after the other"
    );
    assert_eq!(
        text(alone(loads.with_ism(Ism::Both).matching(NOP))),
        "PMC[6] is confined by what works for IA-64 code only; set ism to Ia64Only"
    );
    let threshold = text(alone(loads.with_threshold(4)));
    assert_eq!(threshold, "the threshold of PMC[6] is at most 3; reduce it, or use PMC[4] or PMC[5]");
    assert_eq!(text(alone(tagged(1))), "PMC[6] would count nothing; choose another unit mask or ism");
    let odd = text(alone(loads.in_data(AddressRange::new(1, 14).unwrap())));
    assert!(odd.starts_with("PMC[6], the data address range (PMC[11], DBRs): four aligned blocks"));
    let breakpoints: StartError<u8> = StartError::Breakpoints(Shared::Instructions);
    assert!(breakpoints.to_string().starts_with("breakpoints leave too few pairs for the instruction address range"));
    assert_eq!(StartError::Fault(13u8).to_string(), "the access raised 13");
}
