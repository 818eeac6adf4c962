//! The independent reading of event qualification: what model and RTL show at their ports is what the documents say. And runs with a
//! bit changed, which the reading has to notice.

use lwp_model::itanium::{Config, Inputs, Itanium, Outputs};
use lwp_model::{Moore, Unit};
use proptest::prelude::any;
use proptests::capsule::note_property;
use proptests::floor::Floors;
use proptests::itanium::reading::{Around, Coverage, Random, Reading, outputs, straps};
use proptests::ports::{Shown, input_rows, of_rtl};
use proptests::runner::check;
use sim_harness::rtl::BuildId;
use std::cell::RefCell;

/// Cycles of a run.
const CYCLES: usize = 1500;

/// What was counted, and in 1000 cases of the small and of the large build when it was measured
/// (`cargo test --release -p proptests --test suite itanium_reading::anything -- --nocapture`, 600 cases).
type Rate = (&'static str, fn(&Coverage) -> u64, [u64; 2]);

const FLOORS: [Rate; 22] = [
    ("cycles in which a counter counted", |seen| seen.counted, [98_000, 120_000]),
    ("cycles above a threshold", |seen| seen.counted_above, [6200, 12_000]),
    ("cycles held by the freeze", |seen| seen.held_by_freeze, [56_000, 66_000]),
    ("cycles held by the level", |seen| seen.held_by_level, [64_000, 74_000]),
    ("cycles held by PSR.up or PSR.pp", |seen| seen.held_by_process, [93_000, 110_000]),
    ("cycles held by the instruction set", |seen| seen.held_by_set, [99_000, 110_000]),
    ("bundles in range", |seen| seen.in_range, [140_000, 350_000]),
    ("bundles out of range", |seen| seen.out_of_range, [100_000, 230_000]),
    ("carried tags", |seen| seen.carried, [1000, 4600]),
    ("opcodes matched", |seen| seen.opcode_hits, [110_000, 260_000]),
    ("opcodes not matched", |seen| seen.opcode_misses, [490_000, 1_100_000]),
    ("data in range", |seen| seen.data_hits, [440_000, 490_000]),
    ("data out of range", |seen| seen.data_misses, [260_000, 270_000]),
    ("cycles with the tag of PMC[9]", |seen| seen.tagged_by_pmc9, [3600, 5800]),
    ("cycles with branches", |seen| seen.branches, [8000, 16_000]),
    ("cycles with IA-32 instructions", |seen| seen.ia32, [3200, 3000]),
    ("overflows", |seen| seen.overflows, [3600, 3900]),
    ("interrupts", |seen| seen.interrupts, [1800, 1900]),
    ("pulses of pins", |seen| seen.pins, [1700, 1900]),
    ("counts read", |seen| seen.counts_read, [31_000, 31_000]),
    ("refused requests", |seen| seen.refused, [95_000, 97_000]),
    ("interruptions", |seen| seen.interruptions, [3200, 3100]),
];

/// Returns the straps of a seed, and the ports of the model among a core at random.
fn of_model<const B: usize, const E: usize>(seed: u64) -> (Config, Vec<Shown<Itanium<B, E>>>)
where
    Itanium<B, E>: Unit<Config = Config, Inputs = Inputs<B>, Outputs = Outputs>,
{
    let straps = straps(&mut Random::new(seed));
    let mut unit = Itanium::<B, E>::new(straps).unwrap_or_else(|_| panic!("all straps are legal"));
    let mut around = Around::new(seed, E as u8);
    let mut shown = vec![(false, Inputs::default(), unit.outputs())];
    unit.reset();
    for _ in 0..CYCLES {
        let out = unit.outputs();
        let inputs = around.input(&out);
        unit.step(&inputs);
        shown.push((true, inputs, out));
    }
    (straps, shown)
}

fn read<const B: usize, const E: usize>(
    straps: &Config,
    shown: &[Shown<Itanium<B, E>>],
) -> Result<Coverage, (u64, String)>
where
    Itanium<B, E>: Moore<Inputs = Inputs<B>, Outputs = Outputs>,
{
    let mut reading = Reading::<B, E>::new(straps);
    for (number, (rst_n, inputs, out)) in shown.iter().enumerate() {
        reading.cycle(*rst_n, inputs, out).map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
    }
    Ok(*reading.coverage())
}

/// Reads the model, or the RTL, in many runs, and asks that everything was there to be read.
fn read_all<const B: usize, const E: usize>(name: &str, build: BuildId, rtl: bool)
where
    Itanium<B, E>: Unit<Config = Config, Inputs = Inputs<B>, Outputs = Outputs>,
{
    let total = RefCell::new(Coverage::default());
    let cases = check("itanium_reading", name, &any::<u64>(), |seed| {
        let (straps, mut shown) = of_model::<B, E>(*seed);
        if rtl {
            shown = of_rtl::<Itanium<B, E>>(build, &straps, &shown, outputs::<Itanium<B, E>>)?;
        }
        *total.borrow_mut() += read::<B, E>(&straps, &shown).map_err(|(cycle, text)| {
            let rows = input_rows::<Itanium<B, E>>(&shown);
            note_property::<Itanium<B, E>>("reading", build, &straps, &rows, (cycle, &text));
            text
        })?;
        Ok(())
    });
    let seen = *total.borrow();
    println!("{name}: {cases} cases, {seen:#?}");
    let counts = FLOORS.map(|(what, count, rates)| (what, count(&seen), rates[usize::from(B > 1)]));
    Floors { test: name, cases, counts: &counts }.check();
}

#[test]
fn anything_on_the_small_model_is_as_the_documents_allow() {
    read_all::<1, 4>("anything_on_the_small_model_is_as_the_documents_allow", BuildId::ItaniumB1e4, false);
}

#[test]
fn anything_on_the_large_model_is_as_the_documents_allow() {
    read_all::<2, 16>("anything_on_the_large_model_is_as_the_documents_allow", BuildId::ItaniumB2e16, false);
}

#[test]
fn anything_on_the_small_rtl_is_as_the_documents_allow() {
    read_all::<1, 4>("anything_on_the_small_rtl_is_as_the_documents_allow", BuildId::ItaniumB1e4, true);
}

#[test]
fn anything_on_the_large_rtl_is_as_the_documents_allow() {
    read_all::<2, 16>("anything_on_the_large_rtl_is_as_the_documents_allow", BuildId::ItaniumB2e16, true);
}

/// The outputs with one thing changed that the documents decide.
fn changes(out: &Outputs) -> [Outputs; 6] {
    let with = |change: fn(&mut Outputs)| {
        let mut out = *out;
        change(&mut out);
        out
    };
    [
        with(|out| out.psr_up ^= true),
        with(|out| out.psr_sp ^= true),
        with(|out| out.psr_pp ^= true),
        with(|out| out.reg_done ^= true),
        with(|out| out.reg_rdata ^= 1 << 63),
        with(|out| out.reg_rdata ^= 1 << 31),
    ]
}

// A reading that takes any outputs would pass the tests above.
#[test]
fn a_changed_output_is_noticed() {
    let (mut tried, mut missed) = (0, 0);
    for seed in 0..6 {
        let (straps, shown) = of_model::<1, 4>(seed);
        assert_eq!(read::<1, 4>(&straps, &shown).err(), None);
        for at in (100..shown.len()).step_by(37) {
            for other in changes(&shown[at].2) {
                let mut changed = shown.clone();
                changed[at].2 = other;
                tried += 1;
                missed += u64::from(read::<1, 4>(&straps, &changed).is_ok());
            }
        }
    }
    println!("{tried} changes, {missed} not noticed");
    assert!(tried > 1000, "only {tried} changes");
    assert!(missed * 20 <= tried, "{missed} changes of {tried} are not noticed");
}
