//! Several logical processors.

use super::bench::{Bench, DONE, INSTRUCTIONS, version_3};
use lwp_model::perf::{Apic, Config, X2apic};
use lwp_model::retire::RegOp;

/// A request, or a write of the entry, by each number of a processor changes that processor alone.
pub(super) fn each_has_its_own<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>() {
    let straps = Config { x2apic: X2apic::Memory, counters: 2, fixed: 1, ..version_3() };
    for lp in 0..8_u8 {
        let mut bench = Bench::<LP, GENERAL, FIXED, LANES>::new(straps);
        let reset = *bench.unit.state();
        for (number, wdata) in [(0x186, INSTRUCTIONS), (0xC1, 5), (0x38D, 3), (0x309, 7), (0x38F, 0x1_0000_0001)] {
            assert_eq!(bench.ask_by(lp, RegOp::Wrmsr, number, wdata), DONE);
        }
        bench.inputs.apic = Apic { write: true, lp, wdata: 0x40 };
        bench.cycle();
        let state = bench.unit.state();
        for other in 0..LP {
            let same = (state.general[other], state.fixed[other], state.lp[other])
                == (reset.general[other], reset.fixed[other], reset.lp[other]);
            assert_eq!(same, other != usize::from(lp) % LP, "{other} of {LP} by {lp}");
        }
    }
}

// APM-04: each its own registers; the number of the processor counts modulo their number
#[test]
fn each_processor_has_its_own() {
    each_has_its_own::<2, 4, 3, 2>();
}
