//! Straps that no hardware may have: the model refuses them, and the RTL that is given them fails an assertion in reset. Source: "Straps"
//! of the page `docs/src/lwp/ports.md`.

use super::unit::Unit;
use lwp_model::Unit as _;
use lwp_model::lwp::{
    Config, FaultPolicy, GatherPolicy, Inputs, LatencyPhase, LatencyStep, Lwp, StoreTiming, TailReread,
};
use sim_harness::rtl::{Flavour, Rtl, strap_words};

type Model = Lwp<4, 8, 31>;

/// Label of the assertion that fails in four cycles of reset.
fn fails(straps: &Config) -> Option<String> {
    let mut rtl = Rtl::new(Unit::build(), Flavour::Traced, &strap_words::<Model>(straps));
    rtl.mute();
    let mut inputs = vec![0; Model::INPUT_WORDS];
    Model::pack_inputs(&Inputs::default(), false, &mut inputs);
    rtl.run(&inputs.repeat(4));
    let path = rtl.take_assertion().then(|| rtl.assertion_label().unwrap())?;
    path.rsplit('.').next().map(str::to_owned)
}

// LWP-FLT-13: policy fault with an asynchronous store is refused, and accepted with a synchronous one. With records of several events of
// one instruction it is refused all the same.
#[test]
fn policy_fault_is_not_asynchronous() {
    let fault = Config { fault_policy: FaultPolicy::Fault, ..Config::default() };
    let sync = Config { store_timing: StoreTiming::Sync, ..fault };
    let several = Config { gather_policy: GatherPolicy::All, one_per_instr: false, ..sync };
    for (straps, label) in [(fault, "StrapsFaultIsSync"), (several, "StrapsFaultIsOnePerInstr")] {
        assert!(Unit::new(straps).is_err(), "{label}");
        assert_eq!(fails(&straps).as_deref(), Some(label));
    }
    assert!(Unit::new(sync).is_ok());
    assert_eq!(fails(&sync), None);
}

// LWP-CPU-24, LWP-DCM-24: one of the two filters exists, with and without DCache misses.
#[test]
fn a_filter_exists() {
    let neither = Config { latency_filter: false, level_filter: false, ..Config::default() };
    for straps in [neither, Config { avail_dme: false, ..neither }] {
        assert!(Unit::new(straps).is_err());
        assert_eq!(fails(&straps).as_deref(), Some("StrapsHaveFilter"));
    }
    for straps in [Config { latency_filter: true, ..neither }, Config { level_filter: true, ..neither }] {
        assert!(Unit::new(straps).is_ok());
        assert_eq!(fails(&straps), None);
    }
}

// The other combinations of the table.
#[test]
fn other_illegal_straps() {
    let all = Config::default();
    for (straps, label) in [
        (Config { lfsr_seed: 0, ..all }, "StrapsSeedNotZero"),
        (Config { one_per_instr: false, ..all }, "StrapsSeveralNeedAll"),
        (
            Config { latency_phase: LatencyPhase::FreeRunning, latency_step: LatencyStep::One, ..all },
            "StrapsPhaseNeedsStep",
        ),
        (Config { tail_nth: 0, tail_reread: TailReread::Lazy, ..all }, "StrapsNthNotZero"),
        (Config { tail_nth: 2, ..all }, "StrapsNthNeedsLazy"),
    ] {
        assert!(Unit::new(straps).is_err(), "{label}");
        assert_eq!(fails(&straps).as_deref(), Some(label));
    }
}
