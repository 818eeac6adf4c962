//! The straps as factors, and legal straps at random.

use super::Sizes;
use crate::straps::{self, Coverage, Factor};
use lwp_model::Choice;
use lwp_model::perf::{Config, InvZero, Perf, Personality, Sel1En, X2apic};
use lwp_regs::perf::architectural::Ia32PerfCapabilities;
use lwp_regs::perf::p6::P6Model;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::LazyLock;

/// Every strap. Of the capabilities, it is whether counters are written in full width.
pub static FACTORS: LazyLock<Vec<Factor<Config>>> = LazyLock::new(|| {
    let numbers: &[(&str, &[u64])] = &[
        ("counters", &[1, 2, 3, 4]),
        ("width", &[32, 33, 40, 48]),
        ("fixed", &[0, 1, 2, 3]),
        ("fixed_width", &[32, 33, 48]),
        ("events", &[0, 1, 64, 127]),
    ];
    let full_width = |factor: Factor<Config>| match factor.name {
        "capabilities" => factor.bit("full_width", 13),
        _ => factor,
    };
    straps::factors::<Perf<1, 4, 3, 1>>(numbers, &[]).into_iter().map(full_width).collect()
});

/// Sizes of the build whose straps meet in pairs.
const LARGEST: Sizes = Sizes { general: 4, fixed: 3 };

/// Straps in which every two values that hardware may have meet, and these pairs.
pub(super) static PAIRWISE: LazyLock<(Vec<Config>, Coverage)> = LazyLock::new(|| {
    straps::pairwise(&FACTORS, |config: &mut Config, _| config.validate(LARGEST.general, LARGEST.fixed).is_ok())
});

/// Returns legal straps of a build.
pub fn straps(sizes: Sizes) -> BoxedStrategy<Config> {
    let kinds = (select(Personality::ALL), select(&P6Model::ALL[..]), select(InvZero::ALL), select(Sel1En::ALL));
    let counters = (1..=sizes.general as u8, 32..=48_u8, 0..=sizes.fixed as u8, 32..=48_u8);
    let events = prop_oneof![3 => Just(127), 1 => 0..=127_u8];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), select(X2apic::ALL));
    // Writes in full width are as frequent as the others.
    let capabilities =
        (any::<bool>(), 0..=0x1_FFFF_u64).prop_map(|(full, bits)| bits & !(1 << 15 | 1 << 13) | u64::from(full) << 13);
    (kinds, counters, events, flags, capabilities)
        .prop_map(move |(kinds, counters, events, flags, capabilities)| {
            let (personality, p6_model, inv_zero, sel1_en) = kinds;
            let (counters, width, fixed, fixed_width) = counters;
            let (any_thread, pdcm, fast_read, mask_on_delivery, x2apic) = flags;
            // A P6 has two counters.
            let personality = if sizes.general < 2 { personality.max(Personality::Version1) } else { personality };
            let p6 = personality == Personality::P6;
            let pdcm = pdcm && !p6;
            Config {
                personality,
                p6_model,
                counters: if p6 { 2 } else { counters },
                width: if p6 { 40 } else { width },
                fixed: if personality >= Personality::Version2 { fixed } else { 0 },
                fixed_width,
                events,
                any_thread: any_thread && personality == Personality::Version3,
                pdcm,
                capabilities: Ia32PerfCapabilities::from_bits(if pdcm { capabilities } else { 0 }),
                inv_zero: if p6 { inv_zero } else { InvZero::Ignored },
                sel1_en: if p6 { sel1_en } else { Sel1En::Fault },
                fast_read: fast_read && !p6,
                x2apic: if p6 { X2apic::Memory } else { x2apic },
                mask_on_delivery,
            }
        })
        .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::draw;

    #[test]
    fn drawn_straps_are_legal() {
        for sizes in [Sizes { general: 2, fixed: 0 }, LARGEST, Sizes { general: 1, fixed: 0 }] {
            for seed in 0..500 {
                let drawn = draw(seed, &straps(sizes));
                assert_eq!(drawn.validate(sizes.general, sizes.fixed), Ok(()), "{drawn:?}");
            }
        }
    }
}
