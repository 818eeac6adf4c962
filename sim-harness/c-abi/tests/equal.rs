//! Through the C ABI, in fields or in words, a model is the model: on every build that is offered.
//!
//! Words come from fields by the library's own packing, which `tests/fields.rs` holds to the book bit by bit.

use crate::support::model::Model;
use crate::support::stimulus::Stimulus;
use lwp_model::lwp::flat::{OUT_WORDS, in_words, pack_expected, pack_straps, unpack_inputs};
use lwp_model::lwp::{Config, Lwp};
use lwp_model_c::api::LwpConfig;

/// Runs the native model, one in fields and one in words on the same stimulus.
fn compare<const W: usize, const S: usize, const LAT: u32>(cycles: usize) {
    let config = LwpConfig {
        retire_lanes: W as u8,
        event_slots: S as u8,
        latency_bits: LAT as u8,
        gather_policy: 1,
        irq_delay: 3,
        ..LwpConfig::default()
    };
    let straps = Config { gather_policy: lwp_model::lwp::GatherPolicy::All, irq_delay: 3, ..Config::default() };
    let mut native = Lwp::<W, S, LAT>::new(straps).unwrap();
    let mut fields = Model::new(&config).unwrap();
    let mut words = Model::from_words(pack_straps(&straps), [W as u32, S as u32, LAT]).unwrap();
    let mut stimulus = Stimulus::new(W, S, W as u64);
    for cycle in 0..cycles {
        let mut expected = [0; OUT_WORDS];
        pack_expected(native.state(), &straps, &mut expected);
        assert_eq!(fields.probe(), expected, "fields, cycle {cycle}, {W} lanes");
        assert_eq!(words.probe(), expected, "words, cycle {cycle}, {W} lanes");
        assert_eq!(fields.check(&expected), Ok(()));
        let inputs = stimulus.inputs(&fields.outputs());
        let mut row = fields.pack(&inputs).unwrap();
        assert_eq!(row.len(), in_words(W));
        if cycle % 3000 == 30 {
            row[0] &= !1;
            native.reset();
            fields.reset();
            stimulus.restart();
        } else {
            native.step(&unpack_inputs(&row).0);
            fields.step(&inputs).unwrap();
        }
        words.step_words(&row).unwrap();
    }
    let records = stimulus.records();
    println!("{W} lanes, {S} slots, {LAT} bits: {cycles} cycles, {records} records");
    assert!(cfg!(miri) || records > cycles / 300, "{records} records are too few: the stimulus is at fault");
}

// Miri takes a thousand times as long and looks at every access.
const CYCLES: usize = if cfg!(miri) { 20 } else { 30_000 };

#[test]
fn every_build_is_the_model() {
    compare::<1, 8, 31>(CYCLES);
    if cfg!(miri) {
        return;
    }
    // Models know nothing of each other: each in a thread of its own, at once.
    std::thread::scope(|threads| {
        threads.spawn(|| compare::<4, 8, 31>(CYCLES));
        threads.spawn(|| compare::<2, 8, 31>(CYCLES));
        threads.spawn(|| compare::<8, 8, 31>(CYCLES));
        threads.spawn(|| compare::<1, 3, 10>(CYCLES));
        threads.spawn(|| compare::<2, 13, 20>(CYCLES));
        threads.spawn(|| compare::<8, 26, 16>(CYCLES));
    });
}
