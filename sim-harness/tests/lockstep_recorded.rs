//! Recorded inputs, played without their environment, give the rows that they gave in it.

use crate::capsule_support::{BUILD, SESSION, producer, straps};
use lwp_model::lwp::Lwp;
use sim_harness::lockstep::{self, Options, Recording, Threads};
use sim_harness::lwp::device::RecordedProducer;
use sim_harness::lwp::fields::FIELDS;
use sim_harness::lwp::flat::{OUT_WORDS, in_words};
use sim_harness::lwp::session::Session;
use sim_harness::rtl::{Flavour, Rtl};

#[test]
fn a_recorded_run_is_the_same_without_its_environment() {
    let recorded = Recording::of(&mut producer(), in_words(4), OUT_WORDS, usize::MAX);
    let session = Session::parse("session", SESSION).expect("a session");
    let model = Lwp::<4, 8, 31>::new(session.straps).expect("legal straps");
    let ready = || RecordedProducer::new(model.clone(), recorded.inputs());

    // Not a whole number of batches, so that the last one is cut short.
    assert_ne!(recorded.cycles() % lockstep::BATCH_CYCLES, 0);
    let again = Recording::of(&mut ready(), in_words(4), OUT_WORDS, usize::MAX);
    assert!(again.inputs() == recorded.inputs(), "inputs");
    assert!(again.expected() == recorded.expected(), "what the unit shows");

    for threads in [Threads::One, Threads::Two] {
        let mut rtl = Rtl::new(BUILD, Flavour::Fast, &straps());
        let report = lockstep::run(&mut ready(), &mut rtl, Options { threads, ..Options::new(FIELDS) });
        assert!(report.divergence.is_none(), "{threads:?}");
        assert_eq!(report.cycles, recorded.cycles() as u64, "{threads:?}");
    }
}
