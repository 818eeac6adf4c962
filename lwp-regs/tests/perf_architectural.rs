//! Properties of the architectural counters, of AMD's, and of sums over them, that hold for any value.

use lwp_regs::access::GeneralProtection;
use lwp_regs::delivery::{Gate64, GateKind, LvtPerformance, Privilege};
use lwp_regs::msr::{CheckedMsr, MsrValue};
use lwp_regs::perf::amd::*;
use lwp_regs::perf::architectural::*;
use lwp_regs::perf::virtual_counter::{Accumulator, ControlError, CounterWidth, SampledTooRarely};
use lwp_regs::{Refused, Rule};
use proptest::prelude::*;

/// What processors could report; nonsense included.
fn any_caps() -> impl Strategy<Value = PerfmonCaps> {
    let leaf = (1u32..6, 0u32..12, 0u32..80, 0u32..10, any::<u32>(), any::<u32>(), any::<u32>());
    (leaf, any::<(bool, bool, u64)>()).prop_map(|(leaf, (tsx, pdcm, capabilities))| {
        let (version, counters, width, length, ebx, ecx, edx) = leaf;
        let eax = version | counters << 8 | width << 16 | length << 24;
        let caps = PerfmonCaps::from_cpuid([eax, ebx, ecx, edx]).unwrap();
        {
            let mut made = caps;
            made.tsx = tsx;
            made.pdcm = pdcm;
            made.capabilities = Ia32PerfCapabilities::from_bits(capabilities);
            made
        }
    })
}

/// A write is taken as it is or refused for bits of it that say why.
fn taken_or_refused<R: CheckedMsr + PartialEq + core::fmt::Debug>(
    new: u64,
    caps: &R::Caps,
) -> Result<(), TestCaseError> {
    let old = R::from_register(0);
    match R::check_write(old, new, caps) {
        Ok(value) => prop_assert_eq!(value.to_register(), new),
        Err(GeneralProtection::Refused(refused)) => {
            prop_assert_eq!(refused.register, R::NAME);
            prop_assert!(refused.bits != 0 && refused.bits & !new == 0, "{:?}", refused);
            let rest = R::check_write(old, new & !refused.bits, caps);
            let progress = match rest {
                Ok(_) => true,
                Err(GeneralProtection::Refused(next)) => next.bits & refused.bits == 0,
                Err(_) => false,
            };
            prop_assert!(progress, "without the bits that were refused the reason is another");
        }
        Err(fault) => prop_assert_eq!(fault, GeneralProtection::NoSuchRegister),
    }
    Ok(())
}

proptest! {
    #[test]
    fn writes_are_taken_whole_or_refused_with_the_bits(caps in any_caps(), new: u64, narrow in 0u32..64, which in 0u8..8) {
        let new = new >> narrow;
        if let Some(counter) = caps.counter(which) {
            taken_or_refused::<Ia32PerfEvtSel>(new, &CounterCaps::new(caps, counter))?;
        }
        taken_or_refused::<Ia32APmc>(new, &caps)?;
        taken_or_refused::<Ia32FixedCtr>(new, &caps)?;
        taken_or_refused::<Ia32FixedCtrCtrl>(new, &caps)?;
        taken_or_refused::<Ia32PerfGlobalCtrl>(new, &caps)?;
    }

    // APM-13, APM-14: what is written to IA32_PMCx is the low 32 bits with their sign, in every width
    #[test]
    fn pmc_writes_are_sign_extended(new: u64, width in 32u8..=64) {
        let caps = { let mut made = PerfmonCaps::from_cpuid([0x0728_0201, 0, 0, 0]).unwrap(); made.width = width; made };
        let value = Ia32Pmc::check_write(Ia32Pmc::new(), new, &caps).unwrap().into_bits();
        let signed = ((value << (64 - width)) as i64) >> (64 - width);
        prop_assert_eq!(signed, i64::from(new as i32));
        prop_assert_eq!(value.checked_shr(width.into()).unwrap_or(0), 0);
    }

    // APM-14: after `period` events, and not before, a counter that was preset is past its overflow
    #[test]
    fn presets_overflow_after_their_period(period in 1u64..=1 << 31, width in 33u8..=64) {
        let caps = { let mut made = PerfmonCaps::from_cpuid([0x0728_0201, 0, 0, 0]).unwrap(); made.width = width; made };
        let preset = Ia32Pmc::overflow_after(period).unwrap().into_bits();
        let start = Ia32Pmc::check_write(Ia32Pmc::new(), preset, &caps).unwrap().into_bits();
        let width = CounterWidth::new(width).unwrap();
        let after = |events| start.wrapping_add(events) & width.max();
        prop_assert_eq!(after(period), 0);
        prop_assert!(width.is_negative(after(period - 1)));
        prop_assert_eq!(width.delta(start, after(period)), period);
    }

    // APM-31, APM-32, APM-34, APM-35: against the manual's wording
    #[test]
    fn increments(bits: u32, events in 0u64..300) {
        let select = Ia32PerfEvtSel::from_bits(bits.into()).with_edge(false);
        let cmask = u64::from(bits >> 24);
        let inverted = bits >> 23 & 1 == 1;
        let expected = if cmask == 0 {
            events
        } else if inverted {
            u64::from(events < cmask)
        } else {
            u64::from(events >= cmask)
        };
        prop_assert_eq!(select.increment(0, events), expected);
    }

    #[test]
    fn every_bit_comes_back(bits: u64) {
        prop_assert_eq!(Ia32PerfEvtSel::from_register(bits).to_register(), bits);
        prop_assert_eq!(Ia32PerfGlobalStatus::from_register(bits).to_register(), bits);
        prop_assert_eq!(AmdPerfCtl::from_register(bits).to_register(), bits);
        prop_assert_eq!(AmdPerfCtr::from_register(bits).to_register(), bits);
        prop_assert_eq!(LvtPerformance::from_register(bits).to_register(), bits);
        let taken = AmdPerfCtl::check_write(AmdPerfCtl::RESET, bits, &()).unwrap();
        prop_assert!(!taken.has_reserved_bits());
    }

    #[test]
    fn a_bit_is_an_available_event_only_where_ebx_has_a_0(ebx: u32, length in 0u32..=255) {
        let available = AvailableEvents::from_cpuid(PerfmonEax::from_bits(length << 24 | 1), ebx);
        for event in ArchitecturalEvent::ALL {
            let bit = u32::from(event.bit());
            prop_assert_eq!(available.has(event), bit < length && ebx >> bit & 1 == 0);
        }
    }

    // VPC-05, VPC-10, VPC-41: however a counter is sampled, as long as it makes no full turn the sum is exact
    #[test]
    fn sums_are_exact(width in 1u8..=64, start: u64, steps in proptest::collection::vec(any::<u64>(), 0..20)) {
        let width = CounterWidth::new(width).unwrap();
        let mut counter = start & width.max();
        let (mut sum, mut expected) = (Accumulator::new(counter), 0u64);
        for step in steps {
            let step = step & width.max();
            counter = counter.wrapping_add(step) & width.max();
            expected = expected.wrapping_add(step);
            prop_assert_eq!(sum.read(width, counter), expected);
            sum.sample(width, counter);
        }
        prop_assert_eq!(sum.sum(), expected);
    }

    #[test]
    fn gates_lead_where_they_are_told(selector: u16, offset: u64, ist in 0u8..8) {
        let gate = Gate64::to_handler(GateKind::Interrupt, selector, offset, Privilege::Kernel).on_stack(ist).unwrap();
        prop_assert_eq!(gate.offset(), offset);
        prop_assert_eq!((gate.low.selector(), gate.low.ist().get(), gate.low.kind()), (selector, ist, GateKind::Interrupt));
        prop_assert!(!gate.low.has_reserved_bits() && !gate.high.has_reserved_bits());
    }
}

#[test]
fn each_error_has_a_text_of_its_own_with_an_advice() {
    let caps = [
        PerfmonCapsError::Version,
        PerfmonCapsError::Counters(0),
        PerfmonCapsError::Width(31),
        PerfmonCapsError::FixedInVersion1,
        PerfmonCapsError::FixedCounters,
        PerfmonCapsError::FixedWidth(0),
    ];
    let control = [
        ControlError::TooMany { most: 2 },
        ControlError::CounterTwice,
        ControlError::Disabled,
        ControlError::UnexpectedInterrupt,
        ControlError::NoInterrupt,
        ControlError::Period(Refused::new("IA32_PMCx", 1 << 40, Rule::AtMost(1 << 31))),
    ];
    let (interval, wraps_after) = (core::time::Duration::from_secs(2), core::time::Duration::from_secs(1));
    let mut texts: Vec<String> = caps.iter().map(ToString::to_string).collect();
    texts.extend(control.iter().map(ToString::to_string));
    texts.push(SampledTooRarely { interval, wraps_after }.to_string());
    for (i, text) in texts.iter().enumerate() {
        assert!(!texts[..i].contains(text), "said twice: {text}");
        assert!(text.contains([';', ':']), "no advice: {text}");
    }
}
